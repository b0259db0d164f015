// SPDX-FileCopyrightText: The Espalier Authors
// SPDX-License-Identifier: Apache-2.0

package kill

import (
	"net"
	"net/http"
	"sync"
	"testing"
	"time"
)

// A door is where one process reaches the cloud. When it is shut, all that the
// process had sent has had its effect, or never will.
type door struct {
	url    string
	http   *http.Server
	served chan struct{}
	open   sync.WaitGroup // connections
}

func openDoor(t *testing.T, cloud http.Handler) *door {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	d := &door{url: "http://" + l.Addr().String(), served: make(chan struct{})}
	d.http = &http.Server{Handler: cloud, ReadHeaderTimeout: time.Minute, ConnState: func(_ net.Conn, s http.ConnState) {
		switch s {
		case http.StateNew:
			d.open.Add(1)
		case http.StateClosed, http.StateHijacked:
			d.open.Done()
		case http.StateActive, http.StateIdle:
		}
	}}
	go func() {
		defer close(d.served)
		_ = d.http.Serve(l) // ends when the door is shut
	}()
	return d
}

func (d *door) shut() {
	_ = d.http.Close()
	<-d.served
	d.open.Wait()
}
