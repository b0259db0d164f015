// SPDX-FileCopyrightText: The Espalier Authors
// SPDX-License-Identifier: Apache-2.0

package cli

import (
	"fmt"

	"github.com/espalier-io/espalier/internal/sim/snapshot"
)

// A comparison is what became of the things that were in a cloud.
type comparison struct {
	before, unchanged int
	differs, leaked   []snapshot.Difference
}

// compared says what became of all that a snapshot holds. Fields that the cloud
// itself counts do not matter.
func (b builtIn) compared(before, after []byte) (c comparison, err error) {
	if c.before, err = snapshot.Count(before); err != nil {
		return c, fmt.Errorf("reading the snapshot of the cloud: %w", err)
	}
	all, err := snapshot.Compare(before, after, b.automatic...)
	if err != nil {
		return c, fmt.Errorf("comparing the snapshots of the cloud: %w", err)
	}
	touched := map[[2]string]bool{}
	for _, d := range all {
		if d.New() {
			c.leaked = append(c.leaked, d)
			continue
		}
		c.differs = append(c.differs, d)
		touched[[2]string{d.Kind, d.ID}] = true
	}
	c.unchanged = c.before - len(touched)
	return c, nil
}

// same says that all is as it was.
func (c comparison) same() bool { return len(c.differs) == 0 && len(c.leaked) == 0 }

// prove prints the proof, and fails if it does not hold.
func (s *show) prove(before []byte, again counter) error {
	c, err := s.of.compared(before, s.cloud.Snapshot())
	if err != nil {
		return err
	}
	all, writes := s.cloud.calls()
	holds := c.same() && again.writes == 0 && len(s.cloud.Unknown()) == 0
	verdictWord, colour := "it holds", green
	if !holds {
		verdictWord, colour = "it does NOT hold", red
	}
	fmt.Fprintf(s, "\n%s\n", s.in(colour, "Proof: "+verdictWord))
	fmt.Fprintf(s, "  the user's and the neighbours' things: %d unchanged of %d\n", c.unchanged, c.before)
	fmt.Fprintf(s, "  leaked: %d\n", len(c.leaked))
	fmt.Fprintf(s, "  calls: %d, of them %d write\n", all, writes)
	fmt.Fprintf(s, "  writes in the second run: %d\n", again.writes)
	for _, d := range c.differs {
		fmt.Fprintf(s, "  differs: %s\n", d)
	}
	for _, l := range c.leaked {
		fmt.Fprintf(s, "  leaked: %s\n", l)
	}
	for _, u := range s.cloud.Unknown() {
		fmt.Fprintf(s, "  not understood by the built-in cloud: %s\n", u)
	}
	if !holds {
		return verdict(exitBad)
	}
	fmt.Fprintf(s, "Next: espalier cloud %s lets you try it yourself; examples/ has configurations for it.\n", s.name)
	return nil
}
