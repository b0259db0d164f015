// SPDX-FileCopyrightText: The Espalier Authors
// SPDX-License-Identifier: Apache-2.0

package cli

import (
	"net"
	"time"

	"github.com/spf13/pflag"
)

// A builtIn is what there is of a cloud in this program: a cloud in memory, to
// try things out, and the demo on it.
type builtIn struct {
	// title is what the cloud is called.
	title string
	// help and example are those of the command that serves it.
	help, example string
	// flags adds those that only this command has, and served does what they
	// want once it listens; both may be nil.
	flags  func(f *pflag.FlagSet)
	served func(url, user string) error
	// stock makes a cloud with a world in it; without one it is that of the demo.
	stock func(world []byte) (stage, error)
	// variables are those of the environment with which a user gets to it.
	variables func(url, user string) [][2]string
	// automatic are fields of things that the cloud itself counts, whenever
	// something happens to a thing or near it; no owner can set them.
	automatic []string
	// shoot is that of the demo, up to where its patterns differ, and usual the
	// number of the pattern that is shown if nobody says.
	shoot    string
	patterns []pattern
	usual    int
}

// A pattern is what a user brings, and how the Shoot says so.
type pattern struct{ title, text string }

// A stage is a cloud in memory.
type stage interface {
	// Snapshot is all that is in it, as package snapshot reads it.
	Snapshot(of ...string) []byte
	// Unknown are requests that it did not understand.
	Unknown() []string
	// SetLatency makes each call take at least so long.
	SetLatency(d time.Duration)
	// calls are how many there were, and how many of them write.
	calls() (all, writes int)
	// watch tells of each call in a line.
	watch(tell func(line string))
	// serve serves it on a listener and returns the URL that clients need.
	serve(l net.Listener) (url string, end func() error)
}

// anyPort is the address to listen on if nobody says: any port that is free.
const anyPort = "127.0.0.1:0"
