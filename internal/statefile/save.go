// SPDX-FileCopyrightText: The Espalier Authors
// SPDX-License-Identifier: Apache-2.0

package statefile

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"

	"github.com/espalier-io/espalier/internal/fault"
)

// A disk is what a save needs of the operating system.
type disk interface {
	CreateTemp(dir, pattern string) (temporary, error)
	Rename(from, to string) error
	SyncDir(dir string) error
}

// A temporary is a file that is being written.
type temporary interface {
	io.WriteCloser
	Name() string
	Sync() error
}

type osDisk struct{}

func (osDisk) CreateTemp(dir, pattern string) (temporary, error) { return os.CreateTemp(dir, pattern) }
func (osDisk) Rename(from, to string) error                      { return os.Rename(from, to) }

// SyncDir makes a rename durable. Some file systems can not do that; they say
// so with EINVAL or ENOTSUP, and then there is no more to be done.
func (osDisk) SyncDir(dir string) error {
	d, err := os.Open(dir)
	if err != nil {
		return classify("syncing the directory of the state file", err)
	}
	err = d.Sync()
	if errors.Is(err, syscall.EINVAL) || errors.Is(err, syscall.ENOTSUP) {
		err = nil
	}
	return classify("syncing the directory of the state file", errors.Join(err, d.Close()))
}

// replace puts data in the place of the file at path, wholly or not at all,
// and says whether it did.
func replace(d disk, path string, data []byte) (replaced bool, err error) {
	dir := filepath.Dir(path)
	t, err := d.CreateTemp(dir, pattern(path))
	if err != nil {
		return false, classify("the state can not be saved, "+path+" is as it was", err)
	}
	_, err = t.Write(data)
	if err == nil {
		err = t.Sync()
	}
	err = errors.Join(err, t.Close())
	if err == nil {
		err = d.Rename(t.Name(), path)
	}
	if err != nil {
		return false, errors.Join(classify("the state can not be saved, "+path+" is as it was", err), remove(t.Name()))
	}
	return true, d.SyncDir(dir)
}

// pattern is that of the names of temporary files; their mode is 0600 from the
// start.
func pattern(path string) string { return "." + filepath.Base(path) + ".tmp-*" }

// sweep removes the temporary files of processes that were killed. That one
// can not be removed does no harm: it is never read.
func (f *File) sweep() {
	left, err := filepath.Glob(filepath.Join(filepath.Dir(f.path), pattern(f.path)))
	if err != nil {
		return // a name with a wild card that is none; nothing to sweep
	}
	for _, name := range left {
		if err := remove(name); err != nil {
			f.warnings = append(f.warnings, fmt.Sprintf("can not remove a leftover: %v", err))
		}
	}
}

func remove(name string) error {
	if err := os.Remove(name); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}

// classify gives an error of the operating system its kind and says how to
// mend it.
func classify(op string, err error) error {
	if p, ok := errors.AsType[*fs.PathError](err); ok {
		err = p.Err // op names the file; that of a temporary one says nothing
	}
	switch {
	case err == nil:
		return nil
	case errors.Is(err, syscall.ENOSPC), errors.Is(err, syscall.EDQUOT):
		return fault.New(fault.Exhausted, op+" (the disk is full: make room and run again)", err)
	case errors.Is(err, fs.ErrPermission), errors.Is(err, syscall.EROFS):
		return fault.New(fault.Denied, op+" (the directory must be writable: choose another with --state)", err)
	case errors.Is(err, fs.ErrNotExist):
		return fault.New(fault.NotFound, op+" (the directory must be there: make it, or choose another with --state)", err)
	}
	return fault.New(fault.Unavailable, op, err)
}
