// SPDX-FileCopyrightText: The Espalier Authors
// SPDX-License-Identifier: Apache-2.0

package openstack

import (
	"net/http"
	"net/netip"
	"slices"
	"strings"
)

// check refuses prefixes that do not fit the version or the use.
func (s *subnet) check() error {
	if s.CIDR.Addr().Is4() != (s.IPVersion == 4) {
		return invalid("cidr '%s' does not match the ip_version '%d'.", s.CIDR, s.IPVersion)
	}
	if s.DHCP && s.CIDR.Bits() >= s.CIDR.Addr().BitLen()-1 {
		return invalid("Subnet has a prefix length that is incompatible with DHCP service enabled.")
	}
	if s.DHCP && s.CIDR.Masked().Addr().IsUnspecified() {
		return invalid("First IP '%s' of network is not supported if enable_dhcp is True..", s.CIDR.Addr())
	}
	return nil
}

// checkAddressModes refuses combinations of the two modes of IPv6 that mean nothing.
func (s *subnet) checkAddressModes() error {
	if s.IPVersion == 4 {
		switch {
		case s.RAMode != nil:
			return invalid("ipv6_ra_mode is not valid when ip_version is 4.")
		case s.AddressMode != nil:
			return invalid("ipv6_address_mode is not valid when ip_version is 4.")
		}
		return nil
	}
	if s.RAMode == nil && s.AddressMode == nil {
		return nil
	}
	if !s.DHCP {
		return invalid("ipv6_ra_mode or ipv6_address_mode cannot be set when enable_dhcp is set to False.")
	}
	if s.RAMode != nil && s.AddressMode != nil && *s.RAMode != *s.AddressMode {
		return invalid("ipv6_ra_mode set to '%s' with ipv6_address_mode set to '%s' is not valid. If both attributes are set, they must be the same value.",
			*s.RAMode, *s.AddressMode)
	}
	if s.automatic() && s.CIDR.Bits() != 64 {
		return invalid("Invalid CIDR %s for IPv6 address mode. OpenStack uses the EUI-64 address format, which requires the prefix to be /64.", s.CIDR)
	}
	return nil
}

func versionOfIP(name string, v any) (any, error) {
	n, err := whole(name, v)
	if err != nil {
		return nil, err
	}
	if n != 4 && n != 6 {
		return nil, why(name, "%s is not in valid_values.", python(v))
	}
	return n, nil
}

// prefix allows a CIDR. Host bits are cut off, zeros at the end may be left out,
// an address alone is all of it.
func prefix(_ string, v any) (any, error) {
	if v == nil {
		return nil, nil
	}
	s, _ := v.(string)
	if address, bits, cut := strings.Cut(s, "/"); cut && strings.Count(address, ".") < 3 && !strings.Contains(s, ":") {
		s = address + strings.Repeat(".0", 3-strings.Count(address, ".")) + "/" + bits // 10.1/24
	}
	p := wholePrefix(s)
	if !p.IsValid() {
		return nil, invalid("%s is not in a CIDR format.", python(v))
	}
	return p.Masked(), nil
}

// pools allows a list of {start, end}.
func pools(name string, v any) (any, error) {
	list := []pool{}
	all, _ := v.([]any)
	for _, e := range all {
		m, _ := e.(map[string]any)
		start, _ := m["start"].(string)
		end, _ := m["end"].(string)
		from, err := netip.ParseAddr(start)
		to, err2 := netip.ParseAddr(end)
		if err != nil || err2 != nil || len(m) != 2 {
			return nil, why(name, "Invalid data format for IP pool: '%s'.", python(e))
		}
		list = append(list, pool{from, to})
	}
	return list, nil
}

// nameServers allows a list of addresses, each once, and null for none.
func nameServers(name string, v any) (any, error) {
	got, err := texts(name, v)
	if err != nil {
		return nil, err
	}
	list, _ := got.([]string)
	for i, s := range list {
		if _, err := netip.ParseAddr(s); err != nil {
			return nil, why(name, "'%s' is not a valid nameserver. '%s' is not a valid IP address.", s, s)
		}
		if slices.Contains(list[:i], s) {
			return nil, why(name, "Duplicate nameserver '%s'.", s)
		}
	}
	return list, nil
}

// serviceTypes allows a list of owners of devices, like compute:nova.
func serviceTypes(name string, v any) (any, error) {
	got, err := texts(name, v)
	if err != nil {
		return nil, err
	}
	list, _ := got.([]string)
	for _, s := range list {
		if !strings.Contains(s, ":") {
			return nil, refuse(http.StatusBadRequest, "InvalidSubnetServiceType", "Subnet service type %s does not correspond to a valid device owner.", s)
		}
	}
	return list, nil
}

// hostRoutes allows a list of {destination, nexthop}, each once, and null for none.
func hostRoutes(name string, v any) (any, error) {
	list := []hostRoute{}
	all, isList := v.([]any)
	if v != nil && !isList {
		return nil, why(name, "Invalid data format for hostroute: '%s'.", python(v))
	}
	for _, e := range all {
		m, _ := e.(map[string]any)
		if err := keys(name, m, "destination", "nexthop"); err != nil {
			return nil, err
		}
		to, hop := python(m["destination"]), python(m["nexthop"])
		p, err := netip.ParsePrefix(to)
		if err != nil {
			return nil, why(name, "'%s' is not a valid CIDR.", to)
		}
		if p != p.Masked() {
			return nil, why(name, "'%s' is not a recognized CIDR, '%s' is recommended.", to, p.Masked())
		}
		if _, err := netip.ParseAddr(hop); err != nil {
			return nil, why(name, "'%s' is not a valid IP address.", hop)
		}
		r := hostRoute{p.String(), hop}
		if slices.Contains(list, r) {
			return nil, why(name, "Duplicate hostroute '%s'.", python(e))
		}
		list = append(list, r)
	}
	return list, nil
}
