// SPDX-FileCopyrightText: The Espalier Authors
// SPDX-License-Identifier: Apache-2.0

package cli

import (
	"context"
	"io"
	"maps"
	"slices"

	"github.com/spf13/cobra"

	"github.com/espalier-io/espalier/internal/draw"
	"github.com/espalier-io/espalier/internal/engine"
)

const drawHelp = `Draws the network of a cluster: of one that is not made yet, as it will be, and
of one that is there, as it is. Whose each thing is stands beside it and shows
in its shape; what was found wrong stands at the thing with its code. It only
reads; credentials that may only read are enough.

  -o text      a tree for the terminal (the default)
  -o svg       a picture for browsers and documents, light and dark
  -o mermaid   a Mermaid flowchart, for Markdown

It goes to standard output; > FILE keeps it. The same network gives the same
bytes, so that a picture can be kept under version control.

Exit codes: 0 it was drawn, whatever was found; 1 the configuration can not be
read; 2 it could not run.`

const drawExample = `  espalier draw -f shoot.yaml
  espalier draw -f shoot.yaml -o svg > network.svg
  espalier draw -f config.yaml --name shoot--project--cluster -o mermaid > network.mmd`

// drawings are the ways to draw.
var drawings = map[string]func(p *draw.Picture, width int) string{
	"text":    (*draw.Picture).Text,
	"mermaid": func(p *draw.Picture, _ int) string { return p.Mermaid() },
	"svg":     func(p *draw.Picture, _ int) string { return p.SVG() },
}

func (a *app) draw() *cobra.Command {
	o := &options{}
	var form string
	cmd := &cobra.Command{Use: "draw -f FILE", Short: "Draw the network", Long: drawHelp, Example: drawExample}
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		drawing := drawings[form]
		if drawing == nil {
			return misused(cmd, "-o %s: it must be text, mermaid or svg", form)
		}
		c, _, err := a.load(cmd, o)
		if err != nil {
			return err
		}
		ctx, cancel := o.limit(cmd.Context())
		defer cancel()
		r, err := a.begin(ctx, o, c, false)
		defer r.close()
		if err != nil {
			return err
		}
		if c.Config == nil {
			a.canvas(a.env.Err, a.env.ErrTTY).findings(r.static, nil)
			a.note("%s: nothing was drawn.", sum(r.static))
			return verdict(exitBad)
		}
		p, err := r.picture(ctx)
		if err != nil {
			return err
		}
		_, err = io.WriteString(a.env.Out, drawing(p, a.columns()))
		return err
	}
	cmd.Flags().StringVarP(&form, "output", "o", "text", "how to draw: text, mermaid or svg")
	complete(cmd, "output", slices.Sorted(maps.Keys(drawings))...)
	o.inputFlags(cmd)
	a.cloudFlags(cmd, o)
	return cmd
}

// columns is how wide a picture of text may be: as wide as the terminal, within
// reason.
func (a *app) columns() int {
	if !a.env.OutTTY || a.env.Width == 0 {
		return draw.Width
	}
	return min(a.env.Width, 100)
}

// picture looks at the cloud and makes a picture of what there is, what is
// wanted, and what is wrong with it.
func (r *run) picture(ctx context.Context) (*draw.Picture, error) {
	if err := r.connect(ctx); err != nil {
		return nil, err
	}
	l, err := r.look(ctx, toPreflight, false)
	if err != nil {
		return nil, err
	}
	return draw.New(r.c.TechnicalID+" in "+r.cloud.String(), resources(l), r.found(l)), nil
}

// resources are all resources of a look, those that are no longer wanted last.
func resources(l look) []engine.View { return append(l.Views(), l.Leftovers()...) }
