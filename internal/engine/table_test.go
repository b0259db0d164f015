// SPDX-FileCopyrightText: The Espalier Authors
// SPDX-License-Identifier: Apache-2.0

package engine

import (
	"context"
	"errors"
	"fmt"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"
)

// Every read ends as there, absent or unknown, whatever was read before it.
func TestTable(t *testing.T) {
	for _, tt := range []struct {
		name string
		fill func(*Table[int])
		get  string // of "x"
		all  string
	}{
		{"nothing was read", func(*Table[int]) {}, "not read", "0 not read"},
		{"it was read by its ID", func(t *Table[int]) { one := 1; t.Add("x", &one, nil) }, "there", "1 not read"},
		{"it is absent", func(t *Table[int]) { t.Add("x", nil, nil) }, "absent", "0 not read"},
		{"its read was denied", func(t *Table[int]) { t.Add("x", nil, errDenied) }, "denied", "0 not read"},
		{"it was listed", func(t *Table[int]) { t.AddList([]Item[int]{{"x", "n", 1}}, nil) }, "there", "1 not read"},
		{"another was listed", func(t *Table[int]) { t.AddList([]Item[int]{{"y", "n", 1}}, nil) }, "not read", "1 not read"},
		{"all were listed, it is not among them", func(t *Table[int]) { t.AddList([]Item[int]{{"y", "n", 1}}, nil); t.Rest(nil) }, "absent", "1 <nil>"},
		{"the list was denied", func(t *Table[int]) { t.AddList(nil, errDenied); t.Rest(errDenied) }, "denied", "0 denied"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var table Table[int]
			tt.fill(&table)
			st, err := table.Get("x").State()
			got := fmt.Sprint(err)
			if err == nil {
				got = map[bool]string{true: "there", false: "absent"}[st != nil]
			}
			all, err := table.All()
			if got != tt.get || fmt.Sprintf("%d %v", len(all), err) != tt.all {
				t.Errorf("got %s, all %d %v", got, len(all), err)
			}
		})
	}
	var table Table[int]
	if _, err := table.Marked("n"); !errors.Is(err, ErrNotRead) {
		t.Errorf("a mark that nobody looked for: %v", err)
	}
}

// The reads of a round run together, but no more at a time than allowed.
func TestTogether(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var running, most atomic.Int32
		read := func(context.Context) {
			most.Store(max(most.Load(), running.Add(1)))
			time.Sleep(time.Second) //nolint:forbidigo // the bubble's clock
			running.Add(-1)
		}
		start := time.Now()
		Together(t.Context(), 2, read, read, read, read, read)
		if took := time.Since(start); took != 3*time.Second || most.Load() != 2 || running.Load() != 0 {
			t.Errorf("took %s, %d at once", took, most.Load())
		}
	})
}
