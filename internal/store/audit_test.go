package store

import (
	"errors"
	"path/filepath"
	"testing"

	"gorm.io/gorm"
)

// A row of the audit that was changed or taken out shows.
func TestVerify(t *testing.T) {
	for name, tamper := range map[string]string{
		"":          "SELECT 1",
		"changed":   "UPDATE audit SET who = 'mallory' WHERE seq = 2",
		"taken out": "DELETE FROM audit WHERE seq = 2",
		"put in":    "INSERT INTO audit (at, who, what, subject, under, detail, prev, hash) SELECT at, who, what, subject, under, detail, prev, hash FROM audit WHERE seq = 1",
	} {
		t.Run(name, func(t *testing.T) {
			ctx := t.Context()
			d, err := Open(ctx, Config{DSN: filepath.Join(t.TempDir(), "hermes.db")})
			if err != nil {
				t.Fatal(err)
			}
			defer d.Close()
			for range 3 {
				if err := d.write(ctx, func(tx *gorm.DB) error { return d.audit(tx, entry{Who: "ann", What: "granted", Subject: "g"}) }); err != nil {
					t.Fatal(err)
				}
			}
			if err := d.commit(ctx, func(w *gorm.DB) error { return w.Exec(tamper).Error }); err != nil {
				t.Fatal(err)
			}
			n, err := d.Journal().Verify(ctx)
			if name == "" && (err != nil || n != 3) {
				t.Errorf("verify = %d, %v; want 3", n, err)
			}
			if name != "" && !errors.Is(err, ErrBroken) {
				t.Errorf("verify = %v, want ErrBroken", err)
			}
		})
	}
}

// What one looks for is words, whatever script they are in.
func TestTerms(t *testing.T) {
	for text, want := range map[string]string{
		"Reports of ACME": `"report" * OR "of" OR "acme" *`,
		"回滚谁负责？":          `"回 滚" OR "滚 谁" OR "谁 负" OR "负 责"`,
		"gmv是什么":          `"gmv" OR "是 什" OR "什 么"`,
		`"; DROP * NEAR(`: `"drop" * OR "near" *`,
		"ＥＸＣＥＬ 表":         `"excel" * OR "表"`,
		" ?!":             "",
	} {
		if got := (&DB{}).match(terms(text)); got != want {
			t.Errorf("match of %q = %s, want %s", text, got, want)
		}
	}
	if got, want := indexed("GMV 指成交，ok"), "gmv 指 成 交 ok"; got != want {
		t.Errorf("indexed = %q, want %q", got, want)
	}
}
