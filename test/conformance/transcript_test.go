// SPDX-FileCopyrightText: The Espalier Authors
// SPDX-License-Identifier: Apache-2.0

package conformance

import (
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/espalier-io/espalier/test/clouds"
)

var update = flag.Bool("update", false, "write the transcripts in testdata from the real servers")

// A transcript is what was said in a case.
type transcript struct {
	mask  *mask
	lines []string
	// vague are fields that differ from run to run on the real servers.
	vague map[string]bool
}

// revisionsVary leaves revision numbers out of the transcript. Where Neutron
// touches a thing several times in one transaction, its garbage collector
// decides how often the number rises; it rises at least once.
func (s *transcript) revisionsVary() { s.vague = map[string]bool{"revision_number": true} }

func newTranscript() *transcript { return &transcript{mask: newMask()} }

// exchange writes down a request and its answer.
func (s *transcript) exchange(u *user, method, path string, body any, got answer) {
	for _, service := range clouds.Services() {
		s.mask.base(u.service(service).Endpoint, service)
	}
	for _, who := range []*user{u.lab.a, u.lab.b, u.lab.admin} {
		s.mask.name(who.project(), "project "+who.name)
	}
	s.mask.said(path, body)
	line := u.name + " " + method + " " + s.mask.text(path)
	if body != nil {
		line += " " + encode(s.mask.value(plain(body)))
	}
	s.lines = append(s.lines, line, fmt.Sprintf("%d %s", got.Status, s.answer(got.Body)), "")
}

// answer returns a body: one line for each object of a list.
func (s *transcript) answer(body M) string {
	if len(body) == 0 {
		return ""
	}
	body, _ = s.mask.value(claimed(plain(body), s.vague)).(M)
	for _, v := range body {
		list, ok := v.([]any)
		if !ok || len(body) != 1 {
			break
		}
		text := "list of " + fmt.Sprint(len(list))
		for _, e := range list {
			text += "\n  " + encode(e)
		}
		return text
	}
	return encode(body)
}

var words = regexp.MustCompile("[^a-z0-9]+")

// compare compares what was said with the transcript of the real servers.
func (s *transcript) compare(t *testing.T, theme, name string, right bool) {
	t.Helper()
	file := filepath.Join("testdata", theme, strings.Trim(words.ReplaceAllString(strings.ToLower(name), "-"), "-")+".txt")
	got := strings.Join(s.lines, "\n")
	if *update && right {
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatalf("there is no transcript of the real servers: run with -update (%v)", err)
	}
	if string(want) != got {
		t.Errorf("the real servers said something else in %s\n%s", file, differences(string(want), got))
	}
}

// differences shows each exchange that differs: field by field where both
// sides sent one object.
func differences(want, got string) string {
	var text strings.Builder
	wanted, gotten := strings.Split(want, "\n\n"), strings.Split(got, "\n\n")
	for i := range max(len(wanted), len(gotten)) {
		w, g := at(wanted, i), at(gotten, i)
		if w == g {
			continue
		}
		request, answerW, _ := strings.Cut(strings.TrimSpace(w), "\n")
		other, answerG, _ := strings.Cut(strings.TrimSpace(g), "\n")
		fmt.Fprintf(&text, "%s\n", request)
		if request != other {
			fmt.Fprintf(&text, "  here the request was: %s\n", other)
		}
		fmt.Fprintf(&text, "%s\n", cmp.Diff(decode(answerW), decode(answerG)))
	}
	return text.String()
}

func at(list []string, i int) string {
	if i < len(list) {
		return list[i]
	}
	return ""
}

// decode splits an answer into its lines, and each line into what it holds.
func decode(answer string) []any {
	var parts []any
	for line := range strings.SplitSeq(answer, "\n") {
		status, body, _ := strings.Cut(line, " ")
		var v any
		if json.Unmarshal([]byte(strings.TrimSpace(body)), &v) != nil {
			v = body
		}
		parts = append(parts, status, v)
	}
	return parts
}

func encode(v any) string {
	var b strings.Builder
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		return err.Error()
	}
	return strings.TrimSpace(b.String())
}

// plain returns a value as JSON sees it.
func plain(v any) any {
	var p any
	if json.Unmarshal([]byte(encode(v)), &p) != nil {
		return v
	}
	return p
}

// note writes down what a case found out without a request of its own.
func (s *transcript) note(what string, found any) {
	s.lines = append(s.lines, what, "- "+encode(plain(found)), "")
}
