// SPDX-FileCopyrightText: The Espalier Authors
// SPDX-License-Identifier: Apache-2.0

package statefile

import (
	"fmt"
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/espalier-io/espalier/internal/fault"
)

// sick is a disk on which one operation fails.
type sick struct {
	op  string
	err error
}

type sickFile struct {
	temporary
	sick
}

func (d sick) on(op string) error {
	if d.op == op {
		return fmt.Errorf("%s: %w", op, d.err)
	}
	return nil
}

func (d sick) CreateTemp(dir, pattern string) (temporary, error) {
	if err := d.on("create"); err != nil {
		return nil, err
	}
	t, err := osDisk{}.CreateTemp(dir, pattern)
	return sickFile{t, d}, err
}

func (d sick) Rename(from, to string) error {
	if err := d.on("rename"); err != nil {
		return err
	}
	return os.Rename(from, to)
}

func (d sick) SyncDir(string) error { return classify("syncing", d.on("syncdir")) }

func (f sickFile) Write(p []byte) (int, error) {
	if err := f.on("write"); err != nil {
		n, _ := f.temporary.Write(p[:len(p)/2]) // as a full disk does
		return n, err
	}
	return f.temporary.Write(p)
}

func (f sickFile) Sync() error {
	if err := f.on("sync"); err != nil {
		return err
	}
	return f.temporary.Sync()
}

func (f sickFile) Close() error {
	if err := f.temporary.Close(); err != nil {
		return err
	}
	return f.on("close")
}

func TestFailedSaveKeepsThePreviousState(t *testing.T) {
	for _, op := range []string{"create", "write", "sync", "close", "rename"} {
		for _, tc := range []struct {
			name string
			err  error
			kind fault.Kind
			text string
		}{
			{"the disk is full", syscall.ENOSPC, fault.Exhausted, "make room"},
			{"the quota is used up", syscall.EDQUOT, fault.Exhausted, "make room"},
			{"the file system is read-only", syscall.EROFS, fault.Denied, "writable"},
			{"the directory has gone", syscall.ENOENT, fault.NotFound, "make it"},
			{"the disk is broken", syscall.EIO, fault.Unavailable, "input/output error"},
		} {
			t.Run(tc.name+" at "+op, func(t *testing.T) {
				path := filepath.Join(t.TempDir(), "s.json")
				f := open(t, path)
				save(t, f, `{"serial": 1}`)
				f.disk = sick{op, tc.err}
				wantFault(t, f.Save(t.Context(), []byte(`{"serial": 2}`)), tc.kind, tc.text, "is as it was")
				if got := onDisk(t, path); got != "{\"serial\": 1}\n" {
					t.Errorf("on disk: %q", got)
				}
				if got := entries(t, path); got != "s.json s.json.lock" {
					t.Errorf("left behind: %q", got)
				}
				f.disk = osDisk{} // there is room again
				save(t, f, `{"serial": 3}`)
				if got := onDisk(t, path); got != "{\"serial\": 3}\n" {
					t.Errorf("on disk: %q", got)
				}
			})
		}
	}
}

func TestUnsyncedDirectoryIsToldAndTheNextSaveGoesOn(t *testing.T) {
	path := filepath.Join(t.TempDir(), "s.json")
	f := open(t, path)
	f.disk = sick{"syncdir", syscall.EIO}
	wantFault(t, f.Save(t.Context(), []byte(`{"serial": 1}`)), fault.Unavailable, "syncing")
	f.disk = osDisk{}
	save(t, f, `{"serial": 2}`)
}
