// SPDX-FileCopyrightText: The Espalier Authors
// SPDX-License-Identifier: Apache-2.0

package statefile

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"sync"
	"time"

	"github.com/espalier-io/espalier/internal/fault"
)

// MaxSize is the size in bytes above which a file is not taken for a state.
const MaxSize = 16 << 20

// mode is what a state file must have: it names everything that a cluster has
// in the cloud.
const mode fs.FileMode = 0o600

// A File is a state file that this process holds. Its methods may be called in
// parallel.
type File struct {
	path     string
	lock     *os.File
	warnings []string
	disk     disk

	mu   sync.Mutex
	data []byte // what is on disk as far as we know; nil if there is no file
}

// Read returns the document without a lock, for who only looks; nil if there
// is no file. It changes nothing: a mode wider than 0600 is a warning.
func Read(path string) (data []byte, warnings []string, err error) {
	path, info, err := find(path)
	if err != nil || info == nil {
		return nil, nil, err
	}
	if info.Mode().Perm()&^mode != 0 {
		warnings = append(warnings, fmt.Sprintf("others can read or write the state file %s (mode %04o): chmod 600 %s", path, info.Mode().Perm(), path))
	}
	data, err = load(path)
	return data, warnings, err
}

// Open locks the file, sees to its mode, removes what a killed process left
// beside it, and reads it. There need not be a file yet, but its directory
// must be there and writable. If another process holds the lock the error is
// of kind InUse and names it. now is written into the lock for others to read.
func Open(path string, now time.Time) (f *File, err error) {
	path, _, err = find(path)
	if err != nil {
		return nil, err
	}
	f = &File{path: path, disk: osDisk{}}
	if f.lock, err = lock(path, now); err != nil {
		return nil, err
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, f.Close())
			f = nil
		}
	}()
	f.sweep()
	_, info, err := find(path)
	if err != nil || info == nil {
		return f, err
	}
	if perm := info.Mode().Perm(); perm&^mode != 0 {
		if err := os.Chmod(path, mode); err != nil {
			return f, fault.New(fault.Denied, fmt.Sprintf("the state file %s has mode %04o and must not be open to others: chmod 600 it", path, perm), err)
		}
		f.warnings = append(f.warnings, fmt.Sprintf("the state file %s was open to others (mode %04o); it has mode 0600 now", path, perm))
	}
	f.data, err = load(path)
	return f, err
}

// Path returns where the file is, symbolic links resolved.
func (f *File) Path() string { return f.path }

// Warnings returns what was mended when the file was opened.
func (f *File) Warnings() []string { return f.warnings }

// Data returns the document that was read or saved last; nil if there is none.
func (f *File) Data() []byte {
	f.mu.Lock()
	defer f.mu.Unlock()
	return bytes.Clone(f.data)
}

// Save replaces the document. The error is of kind Conflict if the file on
// disk is not the one that was read or saved last, Exhausted if the disk is
// full, Denied if the directory can not be written. After any error but that
// of the last step (syncing the directory) the file is as it was before.
func (f *File) Save(ctx context.Context, data []byte) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	if err := ctx.Err(); err != nil {
		return err
	}
	if err := f.unchanged(); err != nil {
		return err
	}
	data = append(bytes.TrimRight(data, "\n"), '\n')
	replaced, err := replace(f.disk, f.path, data)
	if replaced {
		f.data = data
	}
	return err
}

// Remove deletes the document: there is nothing left to remember.
func (f *File) Remove() error {
	f.mu.Lock()
	defer f.mu.Unlock()
	if err := f.unchanged(); err != nil || f.data == nil {
		return err
	}
	if err := os.Remove(f.path); err != nil {
		return classify("removing the state file "+f.path, err)
	}
	f.data = nil
	return f.disk.SyncDir(filepath.Dir(f.path))
}

// Close gives the lock back.
func (f *File) Close() error {
	if f.lock == nil {
		return nil
	}
	err := errors.Join(os.Remove(f.lock.Name()), f.lock.Close())
	f.lock = nil
	return err
}

// unchanged says that the file on disk is what we read or wrote last.
func (f *File) unchanged() error {
	_, info, err := find(f.path)
	if err != nil {
		return err
	}
	var now []byte
	if info != nil {
		if now, err = load(f.path); err != nil {
			return err
		}
	}
	switch {
	case info == nil && f.data != nil:
		return fault.Errorf(fault.Conflict, "the state file %s has been removed since it was read (%s); nothing was saved: put it back, or run again without it", f.path, serial(f.data))
	case info != nil && !bytes.Equal(now, f.data):
		return fault.Errorf(fault.Conflict, "the state file %s has been changed by someone else since it was read (read: %s, now: %s); nothing was saved: run again", f.path, serial(f.data), serial(now))
	}
	return nil
}

// serial names the version of a document in a message.
func serial(data []byte) string {
	var doc struct {
		Serial *int `json:"serial"`
	}
	switch {
	case data == nil:
		return "none"
	case json.Unmarshal(data, &doc) != nil || doc.Serial == nil:
		return "no serial"
	}
	return fmt.Sprintf("serial %d", *doc.Serial)
}

// find resolves symbolic links, so that a save does not replace the link. info
// is nil if there is no file.
func find(path string) (string, fs.FileInfo, error) {
	abs, err := filepath.Abs(path)
	if err != nil {
		return path, nil, classify("finding the state file "+path, err)
	}
	if real, err := filepath.EvalSymlinks(abs); err == nil {
		abs = real
	}
	info, err := os.Stat(abs)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return abs, nil, nil
	case err != nil:
		return abs, nil, classify("reading the state file", err)
	case !info.Mode().IsRegular():
		return abs, nil, fault.Errorf(fault.Invalid, "the state file %s is not a file: name one with --state", path)
	}
	return abs, info, nil
}

func load(path string) ([]byte, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, classify("reading the state file", err)
	}
	data, err := io.ReadAll(io.LimitReader(f, MaxSize+1))
	if err := errors.Join(err, f.Close()); err != nil {
		return nil, classify("reading the state file", err)
	}
	if len(data) > MaxSize {
		return nil, fault.Errorf(fault.Invalid, "%s is larger than %d MiB and so no state file of Espalier", path, MaxSize>>20)
	}
	return data, nil
}
