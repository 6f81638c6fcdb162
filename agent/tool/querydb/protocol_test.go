package querydb

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"hermes/agent/tool"
)

type counted struct {
	Region string `json:"region" jsonschema:"name of it"`
}

type count struct {
	Orders int `json:"orders"`
}

// TOOL-30, TOOL-16 One tool is served by a function, an address or a database, and
// whoever calls it cannot tell: the same name, the same check, one kind of Result, and
// what fails fails in the same words.
func TestTOOL30AToolIsServedByAFunctionAnAddressOrADatabase(t *testing.T) {
	source := openShop(t)
	orders := map[string]int{"Asia": 6, "Europe": 3, "Africa": 2}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		n, ok := orders[r.URL.Query().Get("region")]
		if !ok {
			w.WriteHeader(http.StatusUnprocessableEntity)
			return
		}
		fmt.Fprintf(w, `{"orders": %d}`, n)
	}))
	defer server.Close()
	none := func(name string) (count, error) {
		return count{}, tool.Failf(tool.InputError, "there is no region %q", name)
	}
	spec := tool.Spec{Name: "count_orders", Description: "Counts orders.", Effect: tool.Read}
	for by, serve := range map[string]func(context.Context, tool.Call, counted) (count, error){
		"a function": func(_ context.Context, _ tool.Call, in counted) (count, error) {
			n, ok := orders[in.Region]
			if !ok {
				return none(in.Region)
			}
			return count{n}, nil
		},
		"an address": func(ctx context.Context, _ tool.Call, in counted) (count, error) {
			req, err := http.NewRequestWithContext(ctx, http.MethodGet, server.URL+"/?region="+in.Region, nil)
			if err != nil {
				return count{}, err
			}
			res, err := server.Client().Do(req)
			if err != nil {
				return count{}, err
			}
			defer res.Body.Close()
			body, err := io.ReadAll(res.Body)
			switch {
			case err != nil:
				return count{}, err
			case res.StatusCode != http.StatusOK:
				return none(in.Region)
			}
			return tool.Decode[count](body)
		},
		"a database": func(ctx context.Context, _ tool.Call, in counted) (c count, err error) {
			err = source.db.QueryRowContext(ctx, "SELECT COUNT(*) FROM orders o JOIN regions r ON r.id = o.region WHERE r.name = ?", in.Region).Scan(&c.Orders)
			if err == nil && c.Orders == 0 {
				return none(in.Region)
			}
			return c, err
		},
	} {
		t.Run(by, func(t *testing.T) {
			set, err := tool.NewSet(tool.NewTyped(spec, serve))
			if err != nil {
				t.Fatal(err)
			}
			x := set.Lookup("count_orders")
			run := func(args string) (tool.Result, *tool.Error) {
				res, err := x.Run(t.Context(), tool.Call{Args: json.RawMessage(args)})
				return res, tool.Classify("count_orders", err)
			}
			res, fault := run(`{"region":"Asia"}`)
			if fault != nil || res.Text != `{"orders":6}` || res.Failed {
				t.Errorf("Result = %+v, %v", res, fault)
			}
			promised(t, x, res)
			if _, fault = run(`{"region":"Mars"}`); fault == nil || fault.Type != tool.InputError || fault.Tool != "count_orders" || fault.Message != `there is no region "Mars"` {
				t.Errorf("what is not there = %+v", fault)
			}
			if res, fault = run(`{"area":"Asia"}`); fault != nil || !res.Failed || !strings.Contains(res.Text, "area: is unknown") {
				t.Errorf("a bad call = %+v, %v", res, fault)
			}
		})
	}
}
