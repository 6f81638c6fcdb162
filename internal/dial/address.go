package dial

import (
	"errors"
	"fmt"
	"net"
	"net/netip"
	"strconv"
	"strings"

	"golang.org/x/net/idna"
)

// inside are the IPv4 networks that no outside address is in, by the registries of
// special-purpose addresses; and with them what clouds have put elsewhere.
var inside = networks(
	"0.0.0.0/8",        // this network
	"10.0.0.0/8",       // private
	"100.64.0.0/10",    // behind a provider's NAT; some clouds keep their metadata there
	"127.0.0.0/8",      // loopback
	"168.63.129.16/32", // Azure's own services in each machine
	"169.254.0.0/16",   // link-local, and metadata at 169.254.169.254
	"172.16.0.0/12",    // private
	"192.0.0.0/24",     // protocols; metadata of some clouds
	"192.0.2.0/24",     // documentation
	"192.88.99.0/24",   // 6to4 relays
	"192.168.0.0/16",   // private
	"198.18.0.0/15",    // benchmarks
	"198.51.100.0/24",  // documentation
	"203.0.113.0/24",   // documentation
	"224.0.0.0/4",      // multicast
	"240.0.0.0/4",      // reserved, and broadcast
)

// inside6 are those within global unicast IPv6. All that is not global unicast is
// inside without being named: loopback, private, link-local, multicast, and the old
// ways to write an IPv4 address.
var inside6 = networks(
	"2001::/23",     // protocols: Teredo, ORCHID, benchmarks
	"2001:db8::/32", // documentation
	"2002::/16",     // 6to4, which leads to the IPv4 address in it
	"3fff::/20",     // documentation
)

var (
	unicast6 = netip.MustParsePrefix("2000::/3")
	// nat64 is how machines without IPv4 write all of it.
	nat64 = netip.MustParsePrefix("64:ff9b::/96")
)

func networks(all ...string) (out []netip.Prefix) {
	for _, s := range all {
		out = append(out, netip.MustParsePrefix(s))
	}
	return out
}

// outside says why an address that a name was resolved to is not one of the public
// Internet, or is this machine's; nil if it is fine.
func outside(ip string) error {
	a, err := netip.ParseAddr(ip)
	if err != nil {
		return errors.New("which is no address")
	}
	if err := public(a); err != nil {
		return err
	}
	own, err := net.InterfaceAddrs()
	if err != nil {
		return fmt.Errorf("and who this machine is cannot be told: %w", err)
	}
	for _, n := range own {
		if p, err := netip.ParsePrefix(n.String()); err == nil && p.Addr().Unmap() == a.Unmap() {
			return errors.New("which is this machine")
		}
	}
	return nil
}

var errInside = errors.New("which is not public")

// public is outside for the address alone.
func public(a netip.Addr) error {
	if a.Zone() != "" {
		return errInside
	}
	if a = a.Unmap(); nat64.Contains(a) {
		b := a.As16()
		a = netip.AddrFrom4([4]byte(b[12:]))
	}
	in := func(all []netip.Prefix) bool {
		for _, p := range all {
			if p.Contains(a) {
				return true
			}
		}
		return false
	}
	switch b := a.As16(); {
	case a.Is4() && in(inside), !a.Is4() && (!unicast6.Contains(a) || in(inside6)):
		return errInside
	case !a.Is4() && b[8]&^2 == 0 && b[9] == 0 && b[10] == 0x5e && b[11] == 0xfe:
		return errInside // ISATAP: the IPv4 address in it is one of somebody's own network
	}
	return nil
}

// hidden says why a host is written as nobody needs to; empty if it is not. An IP
// address in its usual form is judged at once; any other way to write a number is a
// way round those who look.
func hidden(host string) string {
	if a, err := netip.ParseAddr(host); err == nil {
		if public(a) != nil {
			return "it is no address of the public Internet"
		}
		return ""
	}
	name := strings.TrimSuffix(host, ".")
	if strings.ContainsFunc(name, func(r rune) bool { return r > '~' }) {
		var err error
		if name, err = idna.Lookup.ToASCII(name); err != nil {
			return "its host is no name"
		}
	}
	if name == "" || strings.HasSuffix(name, ".") || strings.ContainsAny(name, "%:[] ") {
		return "its host is no name"
	}
	last := name[strings.LastIndexByte(name, '.')+1:]
	if number(last) {
		return "its host is a number in another form"
	}
	for _, of := range []string{"localhost", "local", "internal", "localdomain", "home.arpa", "lan", "intranet"} {
		if name == of || strings.HasSuffix(name, "."+of) {
			return "its host is one of a local network"
		}
	}
	if !strings.Contains(name, ".") {
		return "its host is one of a local network"
	}
	return ""
}

// number reports whether the last part of a name is one, in decimal, octal or
// hexadecimal: such a name is an IPv4 address for many a resolver.
func number(s string) bool {
	if digits, ok := strings.CutPrefix(s, "0x"); ok {
		_, err := strconv.ParseUint("0"+digits, 16, 64)
		return err == nil || errors.Is(err, strconv.ErrRange)
	}
	return s != "" && strings.Trim(s, "0123456789") == ""
}
