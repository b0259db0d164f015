// SPDX-FileCopyrightText: The Espalier Authors
// SPDX-License-Identifier: Apache-2.0

package fault

import (
	"errors"
	"fmt"
	"slices"
	"testing"
)

func TestKindOf(t *testing.T) {
	cause := errors.New("no more")
	for _, tt := range []struct {
		name string
		err  error
		kind Kind
		text string
	}{
		{"none", nil, Unclassified, "<nil>"},
		{"an error that nobody translated", cause, Unclassified, "no more"},
		{"with what was tried", New(Quota, "creating router", cause), Quota, "creating router: no more"},
		{"without", New(Quota, "", cause), Quota, "no more"},
		{"none stays none", New(Quota, "creating router", nil), Unclassified, "<nil>"},
		{"wrapped by others", fmt.Errorf("b: %w", New(Denied, "a", cause)), Denied, "b: a: no more"},
		{"the outermost counts", New(InUse, "", New(Denied, "", cause)), InUse, "no more"},
		{"of joined ones the first that has a kind", errors.Join(cause, New(Throttled, "", cause), New(Denied, "", cause)), Throttled, "no more\nno more\nno more"},
		{"formatted", Errorf(Invalid, "%d: %w", 7, cause), Invalid, "7: no more"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := KindOf(tt.err); got != tt.kind || fmt.Sprint(tt.err) != tt.text {
				t.Errorf("kind %q, text %q", got, fmt.Sprint(tt.err))
			}
			if tt.kind != Unclassified && (!Is(tt.err, tt.kind) || !errors.Is(tt.err, cause)) {
				t.Error("it is not what it says, or has lost its cause")
			}
		})
	}
	if Is(nil, Unclassified) {
		t.Error("no error has no kind")
	}
}

// The kinds are a closed set of different words.
func TestKinds(t *testing.T) {
	all := Kinds()
	if len(slices.Compact(slices.Sorted(slices.Values(all)))) != len(all) || slices.Contains(all, Unclassified) {
		t.Errorf("%q", all)
	}
}
