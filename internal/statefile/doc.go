// SPDX-FileCopyrightText: The Espalier Authors
// SPDX-License-Identifier: Apache-2.0

// Package statefile keeps one document in one file, so that it survives
// whatever happens to the process, the machine or the disk.
//
//	lock     [Open] takes an exclusive lock on a sibling file (PATH.lock). It is
//	         the operating system's lock: it goes when the process goes.
//	read     the document as it is on disk; mode 0600 is seen to.
//	save     a temporary file beside it, written, synced, renamed over it, and
//	         the directory synced. A reader sees the old document or the new
//	         one, never a part. If saving fails the old one is still there.
//	compare  before each save the file on disk must be what this process read
//	         or wrote last; if it is not, nothing is saved.
//
// The package does not look into the document, but for its serial, which it
// names in messages.
package statefile
