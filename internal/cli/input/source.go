// SPDX-FileCopyrightText: The Espalier Authors
// SPDX-License-Identifier: Apache-2.0

package input

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"sigs.k8s.io/yaml"

	"github.com/espalier-io/espalier/internal/fault"
)

// MaxSize is the size in bytes above which a file is not read.
const MaxSize = 4 << 20

// maxDocuments is how many documents a file may have that are not empty.
const maxDocuments = 16

// A Source is the text of one file.
type Source struct {
	// Name is the path as the user gave it; "-" is standard input.
	Name string `json:"name"`
	// Text is what was in it, at most MaxSize bytes of UTF-8.
	Text string `json:"text"`
}

// Read reads the files. "-" is standard input and may be named once. An error
// is of kind Invalid or NotFound and names the file.
func Read(names []string, stdin io.Reader) (sources []Source, err error) {
	for i, name := range names {
		if slices.Contains(names[:i], name) {
			return nil, fault.Errorf(fault.Invalid, "%s is named twice: name each file once", label(name))
		}
	}
	for _, name := range names {
		text, err := read(name, stdin)
		if err != nil {
			return nil, err
		}
		sources = append(sources, Source{name, text})
	}
	return sources, nil
}

func read(name string, stdin io.Reader) (string, error) {
	from := stdin
	if name != "-" {
		info, err := os.Stat(name)
		switch {
		case errors.Is(err, os.ErrNotExist):
			return "", fault.Errorf(fault.NotFound, "%s: no such file", name)
		case err != nil:
			return "", fault.Errorf(fault.Invalid, "can not read %s: %w", name, err)
		case info.IsDir():
			return "", fault.Errorf(fault.Invalid, "%s is a directory: name a file with -f", name)
		}
		f, err := os.Open(name)
		if err != nil {
			return "", fault.Errorf(fault.Invalid, "can not read %s: %w", name, err)
		}
		defer f.Close()
		from = f
	}
	data, err := io.ReadAll(io.LimitReader(from, MaxSize+1))
	switch {
	case err != nil:
		return "", fault.Errorf(fault.Invalid, "can not read %s: %w", label(name), err)
	case len(data) > MaxSize:
		return "", fault.Errorf(fault.Invalid, "%s is larger than %d MiB: that is no configuration of a cluster", label(name), MaxSize>>20)
	case !utf8.Valid(data) || bytes.IndexByte(data, 0) >= 0:
		return "", fault.Errorf(fault.Invalid, "%s is not a text in UTF-8", label(name))
	}
	return string(data), nil
}

func label(name string) string {
	if name == "-" {
		return "standard input"
	}
	return name
}

// A document is one YAML document of a source.
type document struct {
	source string // the label of the file
	text   string // padded with empty lines, so that its lines are the file's
	json   []byte
	twice  error // what a strict reader of YAML says: a key that stands twice

	APIVersion string `json:"apiVersion"`
	Kind       string `json:"kind"`
}

// separator is a line that begins a new document; it may carry a comment.
var separator = regexp.MustCompile(`^---(\s+#.*|\s*)$`)

// documents cuts a source into its documents; empty ones are left out.
func documents(s Source) (docs []*document, err error) {
	lines := strings.SplitAfter(s.Text, "\n")
	some := 0
	for start, i := 0, 0; i <= len(lines); i++ {
		if i < len(lines) && !separator.MatchString(strings.TrimRight(lines[i], "\r\n")) {
			continue
		}
		text := strings.Join(lines[start:i], "")
		before := strings.Repeat("\n", start)
		start = i + 1
		if strings.TrimSpace(text) == "" {
			continue
		}
		if some++; some > maxDocuments {
			return nil, fault.Errorf(fault.Invalid, "%s has more than %d documents: that is not about one cluster", label(s.Name), maxDocuments)
		}
		d := &document{source: label(s.Name), text: before + text}
		switch filled, err := d.parse(); {
		case err != nil:
			return nil, err
		case filled:
			docs = append(docs, d)
		}
	}
	if len(docs) == 0 {
		return nil, fault.Errorf(fault.Invalid, "%s is empty: it must hold a Shoot, an Infrastructure or an InfrastructureConfig", label(s.Name))
	}
	return docs, nil
}

// parse reads what the document says it is, and whether there is anything in it.
func (d *document) parse() (filled bool, err error) {
	data := []byte(d.text)
	if trimmed := bytes.TrimSpace(data); bytes.HasPrefix(trimmed, []byte("{")) && json.Valid(trimmed) {
		d.json = trimmed // JSON may be indented with tabs, YAML may not
	} else if d.json, err = yaml.YAMLToJSON(data); err != nil {
		return false, fault.Errorf(fault.Invalid, "%s is not YAML: %s", d.source, plain(err))
	}
	if _, err := yaml.YAMLToJSONStrict(data); err != nil {
		d.twice = err
	}
	if string(d.json) == "null" {
		return false, nil
	}
	if !bytes.HasPrefix(d.json, []byte("{")) {
		return false, fault.Errorf(fault.Invalid, "%s does not hold an object with apiVersion and kind", d.source)
	}
	if err := json.Unmarshal(d.json, d); err != nil {
		return false, fault.Errorf(fault.Invalid, "%s: apiVersion and kind must be strings", d.source)
	}
	return true, nil
}

// String says what it is and where it stands.
func (d *document) String() string {
	return fmt.Sprintf("%s (%s) in %s", d.Kind, d.APIVersion, d.source)
}

// plain is the text of an error without the names of the libraries that it
// came through.
func plain(err error) string {
	text := err.Error()
	for _, prefix := range []string{"error converting YAML to JSON: ", "yaml: unmarshal errors:\n  ", "yaml: ", "json: "} {
		text = strings.TrimPrefix(text, prefix)
	}
	return text
}
