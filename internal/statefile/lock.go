// SPDX-FileCopyrightText: The Espalier Authors
// SPDX-License-Identifier: Apache-2.0

package statefile

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/espalier-io/espalier/internal/fault"
)

// A holder is what a lock file says of the process that holds the lock. It is
// for people; the lock itself is the operating system's.
type holder struct {
	PID   int       `json:"pid"`
	Host  string    `json:"host,omitempty"`
	Since time.Time `json:"since"`
}

// lock takes the lock of the file at path, without waiting.
func lock(path string, now time.Time) (*os.File, error) {
	name := path + ".lock"
	for {
		f, err := os.OpenFile(name, os.O_CREATE|os.O_RDWR, mode)
		if err != nil {
			return nil, classify("locking the state file "+path, err)
		}
		if err := tryLock(f); err != nil {
			return nil, errors.Join(held(path, name, err), f.Close())
		}
		if current(f) {
			return f, sign(f, now)
		}
		// Its holder removed it between our opening and our locking it.
		if err := f.Close(); err != nil {
			return nil, classify("locking the state file "+path, err)
		}
	}
}

// current says that the file that we locked is still the one at its name.
func current(f *os.File) bool {
	mine, err := f.Stat()
	if err != nil {
		return false
	}
	there, err := os.Stat(f.Name())
	return err == nil && os.SameFile(mine, there)
}

// sign writes who holds the lock. That this fails (a full disk) is no reason
// not to go on: the lock holds, and the next save will tell.
func sign(f *os.File, now time.Time) error {
	host, _ := os.Hostname() // empty if it is not known
	data, err := json.Marshal(holder{PID: os.Getpid(), Host: host, Since: now.UTC().Truncate(time.Second)})
	if err != nil {
		return err
	}
	if err := f.Truncate(0); err == nil {
		_, _ = f.WriteAt(append(data, '\n'), 0) // for people only
	}
	return nil
}

// held is the error for a lock that another process holds.
func held(path, name string, err error) error {
	if !errors.Is(err, errHeld) {
		return classify("locking the state file "+path, err)
	}
	who := "another process"
	var h holder
	if data, err := os.ReadFile(filepath.Clean(name)); err == nil && json.Unmarshal(data, &h) == nil && h.PID > 0 {
		who = fmt.Sprintf("process %d on %s, since %s", h.PID, h.Host, h.Since.Format(time.RFC3339))
	} else if errors.Is(err, fs.ErrNotExist) {
		who = "a process that is just ending"
	}
	return fault.Errorf(fault.InUse, "the state file %s is in use by %s: wait until it has ended, or end it (the lock goes with the process; there is nothing to remove)", path, who)
}

// errHeld is what tryLock returns if another process holds the lock.
var errHeld = errors.New("held by another process")
