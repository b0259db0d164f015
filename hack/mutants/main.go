// SPDX-FileCopyrightText: The Espalier Authors
// SPDX-License-Identifier: Apache-2.0

// Command mutants plants known bugs, one at a time, and demands that the tests
// turn red for each.
//
// A bug is a file hack/mutants/NAME.patch: a few header lines, then a unified
// diff against the module's root.
//
//	Bug: what is wrong, in one sentence
//	Red: ./package TestThat TestAndThat
//	Flags: -flag=of-that-test-binary
//
// All tests named after Red must be green without the bug and red with it. The
// tree is not touched: the compiler is shown the changed file in place of the
// real one (go test -overlay). A patch that no longer fits is a failure, so
// that the list never grows stale; so is a docs/mutants.md that says something
// else than the patches. Flags is optional.
package main

import (
	"cmp"
	"context"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"sync/atomic"
	"time"

	"golang.org/x/sync/errgroup"
)

const (
	folder = "hack/mutants"
	page   = "docs/mutants.md"
)

func main() {
	write := flag.Bool("write", false, "write "+page+", and plant nothing")
	pick := flag.String("only", "", "plant only those whose name contains this")
	all := flag.Bool("all", false, "run all tests of the package and say which ones turn red")
	workers := flag.Int("j", max(1, runtime.NumCPU()/2), "mutants at a time")
	flag.Parse()
	if err := run(context.Background(), os.Stdout, *write, *pick, *all, *workers); err != nil {
		fmt.Fprintln(os.Stderr, "mutants:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, out io.Writer, write bool, pick string, all bool, workers int) error {
	root, err := moduleRoot(ctx)
	if err != nil {
		return err
	}
	mutants, err := load(os.DirFS(root))
	if err != nil {
		return err
	}
	if write {
		return os.WriteFile(filepath.Join(root, page), []byte(describe(mutants)), 0o644)
	}
	var stale error
	if pick == "" && !all {
		stale = upToDate(root, mutants)
	} else {
		mutants = picked(mutants, pick)
	}
	r := runner{root: root, all: all}
	if err := r.green(ctx, mutants); err != nil {
		return err
	}
	start, noticed := time.Now(), atomic.Int64{}
	var g errgroup.Group
	g.SetLimit(workers)
	for _, m := range mutants {
		g.Go(func() error {
			verdict, ok := r.plant(ctx, m)
			if ok {
				noticed.Add(1)
			}
			fmt.Fprintf(out, "%-8s %s: %s\n", verdict, m.name, m.bug)
			return nil
		})
	}
	if err := g.Wait(); err != nil {
		return err
	}
	fmt.Fprintf(out, "%d of %d planted bugs are noticed (%s)\n", noticed.Load(), len(mutants), time.Since(start).Round(time.Second))
	if int(noticed.Load()) < len(mutants) {
		return fmt.Errorf("%d planted bugs are not noticed", len(mutants)-int(noticed.Load()))
	}
	return stale
}

func moduleRoot(ctx context.Context) (string, error) {
	out, err := exec.CommandContext(ctx, "go", "env", "GOMOD").Output()
	if err != nil {
		return "", fmt.Errorf("looking for the module: %w", err)
	}
	return filepath.Dir(strings.TrimSpace(string(out))), nil
}

func picked(ms []mutant, part string) (out []mutant) {
	for _, m := range ms {
		if strings.Contains(m.name, part) {
			out = append(out, m)
		}
	}
	return out
}

func upToDate(root string, ms []mutant) error {
	have, err := os.ReadFile(filepath.Join(root, page))
	if err == nil && string(have) == describe(ms) {
		return nil
	}
	return fmt.Errorf("%s does not list what is in %s: go run ./%s -write: %w", page, folder, folder, cmp.Or(err, errDiffers))
}
