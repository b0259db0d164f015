// SPDX-FileCopyrightText: The Espalier Authors
// SPDX-License-Identifier: Apache-2.0

package cli

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"html"
	"image/color"
	"image/png"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/espalier-io/espalier/internal/engine"
)

// A browser is a headless Chromium.
type browser struct{ path string }

// newBrowser finds one. Where the tests decide over a change it must be there.
func newBrowser(t *testing.T) browser {
	t.Helper()
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome"} {
		if path, err := exec.LookPath(name); err == nil {
			return browser{path}
		}
	}
	if os.Getenv("CI") == "true" {
		t.Fatal("there is no chromium to look at the pages with: hack/browser installs it")
	}
	t.Skip("NOT TESTED: nobody has looked at the pages, since there is no chromium (apt-get install chromium)")
	return browser{}
}

// run opens a file and returns what is printed.
func (b browser) run(t *testing.T, file string, args ...string) []byte {
	t.Helper()
	profile, err := os.MkdirTemp("", "espalier-browser-")
	if err != nil {
		t.Fatal(err)
	}
	defer os.RemoveAll(profile) // Chromium may still be writing to it, which is no fault
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
	defer cancel()
	args = append([]string{
		"--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
		"--disable-component-update", "--disable-sync", "--hide-scrollbars", "--user-data-dir=" + profile,
	}, args...)
	cmd := exec.CommandContext(ctx, b.path, append(args, "file://"+file)...)
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr, cmd.WaitDelay = &out, &errs, 10*time.Second
	if err := cmd.Run(); err != nil {
		t.Fatalf("%v\n%s", err, errs.String())
	}
	return out.Bytes()
}

// sight is what testdata/browser/measure.js says of a page.
type sight struct {
	Name, Ground string
	Width, Texts int
	Drawn        int
	Dark         bool
	Faults       []string
}

var measured = regexp.MustCompile(`(?s)<pre id="result">(.*?)</pre>`)

// see shows pages in frames of several widths and looks at them.
func (b browser) see(t *testing.T, pages map[string]string, args ...string) (sights []sight) {
	t.Helper()
	script, err := os.ReadFile(filepath.Join(home, "testdata", "browser", "measure.js"))
	if err != nil {
		t.Fatal(err)
	}
	var w strings.Builder
	w.WriteString(`<!DOCTYPE html><html style="color-scheme: light dark"><meta charset="utf-8"><pre id="result"></pre>`)
	for name, text := range pages {
		for _, width := range []int{1280, 375} {
			fmt.Fprintf(&w, `<iframe name="%s" style="width:%dpx;height:900px;border:0" srcdoc="%s"></iframe>`, name, width, html.EscapeString(text))
		}
	}
	fmt.Fprintf(&w, "<script>%s</script></html>", script)
	file := filepath.Join(t.TempDir(), "frames.html")
	if err := os.WriteFile(file, []byte(w.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	out := b.run(t, file, append(args, "--dump-dom", "--virtual-time-budget=10000")...)
	found := measured.FindSubmatch(out)
	if found == nil {
		t.Fatalf("no result in %s", out)
	}
	if err := json.Unmarshal([]byte(html.UnescapeString(string(found[1]))), &sights); err != nil {
		t.Fatalf("%v in %s", err, found[1])
	}
	return sights
}

// pages are those that are looked at: some of the golden files, pictures that
// are wide, and one that holds nothing but hostile texts.
func pages(t *testing.T) map[string]string {
	t.Helper()
	all := map[string]string{}
	for _, name := range []string{"preflight-pattern-2-as-page", "preflight-with-errors-as-page", "page-with-warnings", "page-of-a-configuration-only"} {
		data, err := os.ReadFile(filepath.Join(home, "testdata", name+".golden"))
		if err != nil {
			t.Fatal(err)
		}
		_, text, _ := strings.Cut(string(data), "--- stdout\n")
		all[name], _, _ = strings.Cut(text, "--- stderr\n")
	}
	pictures, err := filepath.Glob(filepath.Join(home, "..", "draw", "testdata", "*.svg"))
	if err != nil || len(pictures) < 5 {
		t.Fatal(pictures, err)
	}
	frame, rest, _ := strings.Cut(all["preflight-pattern-2-as-page"], "<svg")
	_, rest, _ = strings.Cut(rest, "</svg>")
	for _, name := range pictures {
		svg, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		if strings.Contains(string(svg), "<text") {
			all["picture "+strings.Trim(filepath.Base(name), "'")] = frame + string(svg) + rest
		}
	}
	long := strings.Repeat("W", 255) + ` <script>alert(1)</script> "'&` + strings.Repeat("\u0301", 90) + " \U0001F469 שלום"
	f := engine.Finding{Rule: engine.Rule{Code: "EOS101", Severity: engine.Error, Field: "networks." + long, Fix: "openstack " + long}, Resource: long, Value: long, Message: long}
	b := newBench(t, &fake{findings: []engine.Finding{f}, steps: []engine.Step{{Name: long, Action: engine.Reference, ID: engine.ID(long), Owner: engine.Yours}}})
	b.file("config.yaml", example(t, "4-byo-subnet.yaml"))
	all["hostile"] = b.run("", strings.Fields("preflight -o html"+named)...).out
	return all
}

func TestPagesInABrowser(t *testing.T) {
	b := newBrowser(t)
	all := pages(t)
	for scheme, dark := range map[string]bool{"1": false, "0": true} {
		sights := b.see(t, all, "--blink-settings=preferredColorScheme="+scheme)
		if len(sights) != 2*len(all) {
			t.Fatalf("%d sights of %d pages", len(sights), len(all))
		}
		for _, s := range sights {
			where := fmt.Sprintf("%s, %d wide, dark %v", s.Name, s.Width, dark)
			if s.Dark != dark || (s.Ground == "rgb(255, 255, 255)") == dark {
				t.Errorf("%s: the browser shows it as if dark were %v, on %s", where, s.Dark, s.Ground)
			}
			if s.Texts < 200 || s.Drawn < 5 && s.Name != "page-of-a-configuration-only" {
				t.Errorf("%s: there is hardly anything on it: %+v", where, s)
			}
			for _, f := range s.Faults {
				t.Errorf("%s: %s", where, f)
			}
		}
	}
}

// A page is more than a blank sheet also to the eye.
func TestScreenshotOfAPage(t *testing.T) {
	b := newBrowser(t)
	dir := t.TempDir()
	file, shot := filepath.Join(dir, "page.html"), filepath.Join(dir, "page.png")
	if err := os.WriteFile(file, []byte(pages(t)["preflight-with-errors-as-page"]), 0o600); err != nil {
		t.Fatal(err)
	}
	b.run(t, file, "--window-size=1280,1800", "--screenshot="+shot)
	data, err := os.ReadFile(shot)
	if err != nil {
		t.Fatal(err)
	}
	img, err := png.Decode(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	colours := map[color.Color]int{}
	for y := range img.Bounds().Dy() {
		for x := range img.Bounds().Dx() {
			colours[img.At(x, y)]++
		}
	}
	ground := colours[img.At(0, 0)]
	if all := img.Bounds().Dx() * img.Bounds().Dy(); img.Bounds().Dx() != 1280 || len(colours) < 50 || ground < all/2 || ground > all*98/100 {
		t.Errorf("%v, %d colours, %d of %d pixels are the ground", img.Bounds(), len(colours), ground, all)
	}
}
