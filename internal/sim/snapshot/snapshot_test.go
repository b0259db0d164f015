// SPDX-FileCopyrightText: The Espalier Authors
// SPDX-License-Identifier: Apache-2.0

package snapshot

import (
	"strings"
	"testing"
)

// differences between {"things": [{"id": "1", "name": "n", "a": 1, "b": [1]}]} and what is after it.
var differences = []struct {
	name, after string
	ignore      []string
	want        string
}{
	{"nothing", `{"things": [{"b": [1], "a": 1, "id": "1", "name": "n"}]}`, nil, ""},
	{"a field", `{"things": [{"id": "1", "name": "n", "a": 2, "b": [1]}]}`, nil, `things 1 (n): a was 1 and is 2`},
	{"a field in a list", `{"things": [{"id": "1", "name": "n", "a": 1, "b": [1, 2]}]}`, nil, `things 1 (n): b was [1] and is [1,2]`},
	{"a field that is ignored", `{"things": [{"id": "1", "name": "n", "a": 2, "b": [2]}]}`, []string{"a", "things.b", "others.c"}, ""},
	{"a thing that is gone", `{"things": []}`, nil, "things 1 (n) is gone"},
	{"a kind that is gone", `{}`, nil, "things 1 (n) is gone"},
	{"a thing that is new", `{"others": [{"id": "2"}], "things": [{"id": "1", "name": "n", "a": 1, "b": [1]}]}`, nil, "others 2 () is new"},
}

func TestCompare(t *testing.T) {
	const before = `{"things": [{"id": "1", "name": "n", "a": 1, "b": [1]}]}`
	for _, c := range differences {
		t.Run(c.name, func(t *testing.T) {
			all, err := Compare([]byte(before), []byte(c.after), c.ignore...)
			var got []string
			for _, d := range all {
				got = append(got, d.String())
			}
			if text := strings.Join(got, ", "); err != nil || text != c.want {
				t.Errorf("the differences are %q, %v, not %q", text, err, c.want)
			}
		})
	}
	if n, err := Count([]byte(before)); n != 1 || err != nil {
		t.Errorf("there are %d things: %v", n, err)
	}
	if _, err := Compare([]byte(before), []byte("?")); err == nil || !strings.Contains(err.Error(), "the snapshot after") {
		t.Errorf("the error is %v", err)
	}
}
