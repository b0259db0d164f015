// SPDX-FileCopyrightText: The Espalier Authors
// SPDX-License-Identifier: Apache-2.0

package vpctest

import (
	"math/rand/v2"
	"slices"
	"sync"
	"testing"

	"github.com/espalier-io/espalier/internal/engine"
)

// scheduler lets several clusters work at once so that only one call is under
// way at a time, in a random order.
type scheduler struct {
	t       *testing.T
	f       *ec2
	rng     *rand.Rand
	mu      sync.Mutex
	turn    map[string]chan struct{}
	waiting chan string
	done    chan string
}

type actor struct {
	Config
	disk    *disk
	destroy bool
}

// act is a whole run of one cluster.
func (a actor) act(t *testing.T, f *ec2) error {
	g := Topology(a.Config, Read(t.Context(), client{f, a.Cluster}, a.Config, a.disk.state(t), 1))
	p, err := g.Plan()
	if a.destroy {
		p, err = g.PlanDelete()
	}
	if err != nil {
		return err
	}
	return g.Apply(t.Context(), client{f, a.Cluster}, p, engine.Options{Limit: 1})
}

func (s *scheduler) together(actors ...actor) {
	s.turn, s.waiting, s.done = map[string]chan struct{}{}, make(chan string), make(chan string)
	s.f.hook = func(cluster string) {
		ch := make(chan struct{})
		s.mu.Lock()
		s.turn[cluster] = ch
		s.mu.Unlock()
		s.waiting <- cluster
		<-ch
	}
	for _, a := range actors {
		go func() {
			if err := a.act(s.t, s.f); err != nil {
				s.t.Errorf("%s: %v", a.Cluster, err)
			}
			s.done <- a.Cluster
		}()
	}
	s.schedule(len(actors))
	s.f.hook = nil
}

func (s *scheduler) schedule(active int) {
	var ready []string
	for active > 0 {
		for len(ready) < active {
			select {
			case n := <-s.waiting:
				ready = append(ready, n)
			case <-s.done:
				active--
			}
		}
		if active == 0 {
			return
		}
		slices.Sort(ready)
		i := s.rng.IntN(len(ready))
		s.mu.Lock()
		close(s.turn[ready[i]])
		s.mu.Unlock()
		ready = slices.Delete(ready, i, i+1)
	}
}

// tagged says that a cluster has all its tags.
func (f *ec2) tagged(c Config) bool {
	for _, z := range c.Zones {
		if f.tags[z.Public]["kubernetes.io/role/elb"] != "1" || f.tags[z.Public][clusterTag+c.Cluster] != "shared" || f.tags[z.Internal]["kubernetes.io/role/internal-elb"] != "1" {
			return false
		}
	}
	return true
}

// Two clusters on the same subnets, interleaved call by call. Whatever the
// order: nothing of the user's is touched, after one more run each has all its
// tags, and the last one leaves nothing.
func TestTwoClusters(t *testing.T) {
	stripped := 0
	for seed := range uint64(400) {
		stripped += twoClusters(t, seed)
		if t.Failed() {
			t.Fatalf("seed %d", seed)
		}
	}
	t.Logf("stripped until the next run: %d", stripped)
}

func twoClusters(t *testing.T, seed uint64) (stripped int) {
	f := world()
	s := &scheduler{t: t, f: f, rng: rand.New(rand.NewPCG(seed, 3))}
	f.tags["s-pb"]["kubernetes.io/role/elb"] = "1" // theirs
	before := f.theirs()
	a, b := actor{byo("a", "a"), &disk{}, false}, actor{byo("b", "ab"), &disk{}, false}
	leave := func(x actor) actor { x.destroy = true; return x }
	s.together(a, b)
	if !f.tagged(a.Config) || !f.tagged(b.Config) {
		t.Errorf("tags are missing: %v", f.tags)
	}
	s.together(leave(a), b)
	if !f.tagged(b.Config) {
		t.Errorf("a strips b: %v", f.tags)
	}
	if s.rng.IntN(2) == 0 { // the other way round, and both at once
		s.together(leave(b), a)
		if !f.tagged(a.Config) {
			stripped++
		}
		s.together(a)
		if !f.tagged(a.Config) {
			t.Errorf("b strips a for good: %v", f.tags)
		}
		s.together(b)
	}
	s.together(leave(a), leave(b))
	if got := f.theirs(); got != before || len(f.mark) > 0 {
		t.Errorf("left over:\n%s\n%s", got, before)
	}
	return stripped
}
