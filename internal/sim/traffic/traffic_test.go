// SPDX-FileCopyrightText: The Espalier Authors
// SPDX-License-Identifier: Apache-2.0

package traffic

import (
	"slices"
	"testing"
	"time"
)

type entry struct {
	Span
	what string
}

// clock tells a time that a test sets.
type clock struct{ now time.Time }

func (c *clock) tell() time.Time { return c.now }

func TestABucketFillsAgain(t *testing.T) {
	c := &clock{time.Unix(0, 0)}
	s := New[entry](c.tell)
	if w := Allow(s); w != 0 {
		t.Errorf("without a limit one waits %s", w)
	}
	s.Throttle(2, 2)
	var waits []time.Duration
	for _, after := range []time.Duration{0, 0, 0, 250 * time.Millisecond, 250 * time.Millisecond, time.Hour, 0, 0} {
		c.now = c.now.Add(after)
		waits = append(waits, Allow(s))
	}
	want := []time.Duration{0, 0, 500 * time.Millisecond, 250 * time.Millisecond, 0, 0, 0, 500 * time.Millisecond}
	if !slices.Equal(waits, want) {
		t.Errorf("the waits are %v, not %v", waits, want)
	}
}

func TestFaultsAreTakenByNumberAndByWhatIsAsked(t *testing.T) {
	s := New[entry](time.Now)
	s.Inject(Fault[entry]{Call: 2, Body: "second"}, Fault[entry]{Match: func(e entry) bool { return e.what == "b" }, Times: 2, Body: "b"})
	var got []string
	for _, what := range []string{"a", "b", "b", "b"} {
		faults, _ := Begin(s, &entry{what: what})
		text := ""
		for _, f := range faults {
			text += f.Body + " "
		}
		got = append(got, text)
	}
	if want := []string{"", "second b ", "b ", ""}; !slices.Equal(got, want) {
		t.Errorf("the faults are %q, not %q", got, want)
	}
}

// TestDepth: b and c begin when a has ended, d when only c has; e never ends.
func TestDepth(t *testing.T) {
	s := New[entry](time.Now)
	calls := map[string]*entry{}
	for _, event := range []string{"+a", "-a", "+b", "+c", "-c", "+d", "-b", "-d", "+e", "+f"} {
		name := event[1:]
		if event[0] == '+' {
			calls[name] = &entry{what: name}
			Begin(s, calls[name])
		} else {
			End(s, calls[name], func(*entry) {})
		}
	}
	if d := Depth[entry](s.Calls()); d != 4 {
		t.Errorf("the depth is %d, not 4", d)
	}
	if n := s.Calls()[3].N; n != 4 {
		t.Errorf("the fourth call has the number %d", n)
	}
}
