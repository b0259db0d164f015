// SPDX-FileCopyrightText: The Espalier Authors
// SPDX-License-Identifier: Apache-2.0

package statefile

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/espalier-io/espalier/internal/fault"
)

var now = time.Date(2026, 5, 4, 3, 2, 1, 0, time.UTC)

func open(t *testing.T, path string) *File {
	t.Helper()
	f, err := Open(path, now)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := f.Close(); err != nil {
			t.Error(err)
		}
	})
	return f
}

func save(t *testing.T, f *File, doc string) {
	t.Helper()
	if err := f.Save(t.Context(), []byte(doc)); err != nil {
		t.Fatal(err)
	}
}

func write(t *testing.T, path, doc string, perm os.FileMode) {
	t.Helper()
	if err := os.WriteFile(path, []byte(doc), perm); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(path, perm); err != nil {
		t.Fatal(err)
	}
}

func onDisk(t *testing.T, path string) string {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// entries are the names in the directory of path.
func entries(t *testing.T, path string) string {
	t.Helper()
	es, err := os.ReadDir(filepath.Dir(path))
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, e := range es {
		names = append(names, e.Name())
	}
	return strings.Join(names, " ")
}

// wantFault checks the kind of an error and what its text must hold.
func wantFault(t *testing.T, err error, kind fault.Kind, texts ...string) {
	t.Helper()
	if !fault.Is(err, kind) {
		t.Fatalf("want an error of kind %q, got kind %q: %v", kind, fault.KindOf(err), err)
	}
	for _, text := range texts {
		if !strings.Contains(err.Error(), text) {
			t.Errorf("the error does not say %q: %v", text, err)
		}
	}
}

func TestWhatIsSavedIsReadAgain(t *testing.T) {
	path := filepath.Join(t.TempDir(), "s.json")
	f := open(t, path)
	if f.Data() != nil {
		t.Fatalf("a new file has the document %q", f.Data())
	}
	save(t, f, `{"serial": 1}`)
	save(t, f, `{"serial": 2}`)
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	if got := entries(t, path); got != "s.json" {
		t.Errorf("after closing there is %q beside the state", got)
	}
	again := open(t, path)
	if got := string(again.Data()); got != "{\"serial\": 2}\n" {
		t.Errorf("read again: %q", got)
	}
	info, err := os.Stat(path)
	if err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("mode %v, %v", info.Mode(), err)
	}
}

func TestRemovedStateLeavesNothing(t *testing.T) {
	path := filepath.Join(t.TempDir(), "s.json")
	f := open(t, path)
	save(t, f, `{"serial": 1}`)
	for range 2 { // removing what is gone is no error
		if err := f.Remove(); err != nil {
			t.Fatal(err)
		}
	}
	save(t, f, `{"serial": 1}`) // and one can start anew
	if err := errors.Join(f.Remove(), f.Close()); err != nil {
		t.Fatal(err)
	}
	if got := entries(t, path); got != "" {
		t.Errorf("left behind: %q", got)
	}
}

func TestReadOnlyLooks(t *testing.T) {
	path := filepath.Join(t.TempDir(), "s.json")
	if data, warnings, err := Read(path); data != nil || warnings != nil || err != nil {
		t.Fatalf("no file: %q, %q, %v", data, warnings, err)
	}
	write(t, path, "{}", 0o644)
	holder := open(t, filepath.Join(filepath.Dir(path), "other.json")) // a lock on another file is no lock on this
	save(t, holder, "{}")
	data, warnings, err := Read(path)
	if string(data) != "{}" || err != nil {
		t.Fatalf("%q, %v", data, err)
	}
	if len(warnings) != 1 || !strings.Contains(warnings[0], "mode 0644") {
		t.Errorf("warnings: %q", warnings)
	}
	if info, _ := os.Stat(path); info.Mode().Perm() != 0o644 {
		t.Error("Read changed the mode")
	}
}

func TestModeIsRepaired(t *testing.T) {
	path := filepath.Join(t.TempDir(), "s.json")
	write(t, path, "{}", 0o664)
	f := open(t, path)
	if len(f.Warnings()) != 1 || !strings.Contains(f.Warnings()[0], "mode 0664") {
		t.Errorf("warnings: %q", f.Warnings())
	}
	if info, _ := os.Stat(path); info.Mode().Perm() != 0o600 {
		t.Errorf("mode %v", info.Mode())
	}
}

func TestLinkStaysALink(t *testing.T) {
	dir := t.TempDir()
	path, link := filepath.Join(dir, "real.json"), filepath.Join(dir, "link.json")
	write(t, path, "{}", 0o600)
	if err := os.Symlink(path, link); err != nil {
		t.Fatal(err)
	}
	save(t, open(t, link), `{"serial": 7}`)
	if got := onDisk(t, path); got != "{\"serial\": 7}\n" {
		t.Errorf("behind the link: %q", got)
	}
}

func TestLeftoversAreHarmlessAndSweptAway(t *testing.T) {
	path := filepath.Join(t.TempDir(), "s.json")
	write(t, path, `{"serial": 1}`, 0o600)
	write(t, filepath.Join(filepath.Dir(path), ".s.json.tmp-123"), `{"serial`, 0o600)
	write(t, filepath.Join(filepath.Dir(path), ".other.json.tmp-1"), "not ours", 0o600)
	write(t, path+".lock", `{"pid": 1, "since": "2020-01-01T00:00:00Z"}`, 0o600) // of a process that was killed
	f := open(t, path)
	if got := string(f.Data()); got != `{"serial": 1}` {
		t.Errorf("read %q", got)
	}
	if got := entries(t, path); got != ".other.json.tmp-1 s.json s.json.lock" {
		t.Errorf("beside the state: %q", got)
	}
}

func TestRefusedFiles(t *testing.T) {
	dir := t.TempDir()
	huge := filepath.Join(dir, "huge.json")
	write(t, huge, "", 0o600)
	if err := os.Truncate(huge, MaxSize+1); err != nil {
		t.Fatal(err)
	}
	for name, tc := range map[string]struct {
		path string
		kind fault.Kind
		text string
	}{
		"a directory":            {dir, fault.Invalid, "not a file"},
		"a huge file":            {huge, fault.Invalid, "larger than 16 MiB"},
		"no directory to put it": {filepath.Join(dir, "none", "s.json"), fault.NotFound, "the directory must be there"},
	} {
		t.Run(name, func(t *testing.T) {
			f, err := Open(tc.path, now)
			wantFault(t, err, tc.kind, tc.text)
			if f != nil {
				t.Error("an error and a file")
			}
		})
	}
}

func TestSaveThatIsCancelledDoesNothing(t *testing.T) {
	f := open(t, filepath.Join(t.TempDir(), "s.json"))
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := f.Save(ctx, []byte("{}")); !errors.Is(err, context.Canceled) || f.Data() != nil {
		t.Errorf("%v, %q", err, f.Data())
	}
}

func TestSomeoneElseChangedTheFile(t *testing.T) {
	for name, change := range map[string]func(t *testing.T, path string){
		"a newer serial":        func(t *testing.T, path string) { write(t, path, `{"serial": 9}`, 0o600) },
		"the same serial":       func(t *testing.T, path string) { write(t, path, `{"serial": 3, "x": 1}`, 0o600) },
		"something else wholly": func(t *testing.T, path string) { write(t, path, "hello", 0o600) },
		"an empty file":         func(t *testing.T, path string) { write(t, path, "", 0o600) },
		"no file": func(t *testing.T, path string) {
			if err := os.Remove(path); err != nil {
				t.Fatal(err)
			}
		},
	} {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "s.json")
			f := open(t, path)
			save(t, f, `{"serial": 3}`)
			change(t, path)
			before, _ := os.ReadFile(path)
			wantFault(t, f.Save(t.Context(), []byte(`{"serial": 4}`)), fault.Conflict, "serial 3", "nothing was saved")
			wantFault(t, f.Remove(), fault.Conflict)
			if after, _ := os.ReadFile(path); !bytes.Equal(before, after) {
				t.Errorf("the file was %q and is %q", before, after)
			}
		})
	}
}
