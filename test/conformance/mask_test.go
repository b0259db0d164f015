// SPDX-FileCopyrightText: The Espalier Authors
// SPDX-License-Identifier: Apache-2.0

package conformance

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
)

// A mask takes chance out of what a cloud says. The same identifier gets the
// same number wherever it stands; times, MAC addresses and addresses that the
// cloud chose are only marked as such.
type mask struct {
	names map[string]string // identifier -> what stands for it
	bases map[string]string // URL of a service -> its name
	spoke map[string]bool   // addresses that a request named
}

func newMask() *mask {
	return &mask{names: map[string]string{}, bases: map[string]string{}, spoke: map[string]bool{}}
}

var (
	identifier = regexp.MustCompile(`(?i)[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}|\b[0-9a-f]{32}\b`)
	moment     = regexp.MustCompile(`\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(\.\d+)?(Z|\+00:00)?`)
	mac        = regexp.MustCompile(`\b[0-9a-f]{2}(:[0-9a-f]{2}){5}\b`)
	details    = regexp.MustCompile(`(?s)Details: .*`) // names of functions and numbers of Neutron's inside
	ipv4       = regexp.MustCompile(`\b\d{1,3}(\.\d{1,3}){3}\b`)
)

// chosen are the fields in which an address may be the cloud's choice.
var chosen = []string{"ip_address", "vip_address", "floating_ip_address", "fixed_ip_address"}

func (m *mask) name(id, name string)  { m.names[id] = "‹" + name + "›" }
func (m *mask) base(url, name string) { m.bases[strings.TrimSuffix(url, "/")] = "‹" + name + "›" }
func (m *mask) said(path string, b any) {
	for _, address := range ipv4.FindAllString(path+encode(b), -1) {
		m.spoke[address] = true
	}
}

// value masks a JSON value. Lists are sorted: the cloud returns them in the
// order of identifiers, and that is chance. (A case that wants an order says so
// itself.)
func (m *mask) value(v any) any {
	switch v := v.(type) {
	case map[string]any:
		masked := map[string]any{}
		for _, key := range slices.Sorted(maps.Keys(v)) {
			if s, ok := v[key].(string); ok && slices.Contains(chosen, key) && !m.spoke[strings.Split(s, "/")[0]] {
				masked[key] = "‹address›"
				continue
			}
			masked[key] = m.value(v[key])
			if key == "gateway_ip" || key == "cidr" {
				m.said("", v[key])
			}
		}
		return masked
	case []any:
		sorted := slices.Clone(v)
		slices.SortStableFunc(sorted, func(a, b any) int { return strings.Compare(m.shape(a), m.shape(b)) })
		for i := range sorted {
			sorted[i] = m.value(sorted[i])
		}
		return sorted
	case string:
		return m.text(v)
	}
	return v
}

// shape is what of a value does not depend on identifiers that are not known yet.
func (m *mask) shape(v any) string {
	return m.replace(encode(v), func(id string) string {
		if name, ok := m.names[id]; ok {
			return name
		}
		return "?"
	})
}

// text masks a text. In a sentence an address that no request named is the
// cloud's choice.
func (m *mask) text(s string) string {
	if strings.Contains(s, " ") {
		s = ipv4.ReplaceAllStringFunc(s, func(address string) string {
			if m.spoke[address] {
				return address
			}
			return "‹address›"
		})
	}
	return m.replace(s, func(id string) string {
		if small := strings.ToLower(id); small != id {
			return m.text(small) + " in capitals"
		}
		if m.names[id] == "" {
			m.names[id] = fmt.Sprintf("‹%d›", m.count()+1)
		}
		return m.names[id]
	})
}

// count returns how many identifiers have a number and not a name.
func (m *mask) count() (n int) {
	for _, name := range m.names {
		if !strings.Contains(name, " ") {
			n++
		}
	}
	return n
}

func (m *mask) replace(s string, name func(id string) string) string {
	for _, url := range slices.Sorted(maps.Keys(m.bases)) {
		s = strings.ReplaceAll(s, url, m.bases[url])
	}
	s = identifier.ReplaceAllStringFunc(s, name)
	s = moment.ReplaceAllString(s, "‹time›")
	s = mac.ReplaceAllString(s, "‹mac›")
	s = details.ReplaceAllString(s, "Details: ‹details›")
	return s
}
