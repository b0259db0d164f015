// SPDX-FileCopyrightText: The Espalier Authors
// SPDX-License-Identifier: Apache-2.0

package wire

import (
	"bytes"
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	yamlv3 "go.yaml.in/yaml/v3"
)

// documents counts the documents in a stream that are not empty.
func documents(data []byte) int {
	count := 0
	reader := yamlv3.NewDecoder(bytes.NewReader(data))
	for {
		var node yamlv3.Node
		if err := reader.Decode(&node); err != nil {
			return count // at the end, or at what the real decoder refuses anyway
		}
		if len(node.Content) > 0 && node.Content[0].Tag != "!!null" {
			count++
		}
	}
}

// fieldInText finds the path that the strict decoder quotes in its errors.
var fieldInText = regexp.MustCompile(`^(?:unknown|duplicate) field ("(?:[^"\\]|\\.)*")$`)

// locate makes the strict decoder's errors say on which line the field is, in
// the order of the lines.
func locate(data []byte, problems []error) []error {
	type located struct {
		line int
		err  error
	}
	var found []located
	for _, problem := range problems {
		at := located{err: plain(problem)}
		if match := fieldInText.FindStringSubmatch(problem.Error()); match != nil {
			if path, err := strconv.Unquote(match[1]); err == nil {
				at = located{LineOf(data, path), withLine(data, path, problem)}
			}
		}
		found = append(found, at)
	}
	slices.SortStableFunc(found, func(a, b located) int { return cmp.Compare(a.line, b.line) })
	sorted := make([]error, 0, len(found))
	for _, at := range found {
		sorted = append(sorted, at.err)
	}
	return sorted
}

// withLine puts the line of the field at path in front of a problem, if it can
// be found. One-line documents, which is what an API server stores, have none.
func withLine(data []byte, path string, problem error) error {
	if !bytes.Contains(bytes.TrimSpace(data), []byte("\n")) {
		return problem
	}
	if line := LineOf(data, path); line > 0 {
		return fmt.Errorf("line %d: %w", line, problem)
	}
	return problem
}

// LineOf returns the line, from 1, on which the field at a path such as
// "networks.ipv6.nodeCIDR" or "list[2].name" stands in the first document of
// data, YAML or JSON; 0 if it is not found.
func LineOf(data []byte, path string) int {
	var root yamlv3.Node
	if yamlv3.Unmarshal(data, &root) != nil || len(root.Content) == 0 {
		return 0
	}
	return lineOf(root.Content[0], path)
}

// lineOf follows a path such as "networks.ipv6.nodeCidr" or "list[2].name" and
// returns the line of its last key, or 0.
func lineOf(node *yamlv3.Node, path string) int {
	line := 0
	for path != "" {
		if node.Kind == yamlv3.AliasNode {
			node = node.Alias
		}
		var next *yamlv3.Node
		switch node.Kind {
		case yamlv3.MappingNode:
			line, next, path = enterKey(node, path)
		case yamlv3.SequenceNode:
			line, next, path = enterIndex(node, path)
		}
		if next == nil {
			return 0
		}
		node = next
	}
	return line
}

// enterKey takes the longest key of a mapping that the path begins with, for
// keys may hold dots themselves.
func enterKey(node *yamlv3.Node, path string) (line int, next *yamlv3.Node, rest string) {
	longest := -1
	for i := 0; i+1 < len(node.Content); i += 2 {
		key := node.Content[i].Value
		after, found := strings.CutPrefix(path, key)
		if key == "" || !found || len(key) <= longest || (after != "" && after[0] != '.' && after[0] != '[') {
			continue
		}
		longest = len(key)
		line, next, rest = node.Content[i].Line, node.Content[i+1], strings.TrimPrefix(after, ".")
	}
	return line, next, rest
}

// enterIndex takes the "[n]" that the path begins with.
func enterIndex(node *yamlv3.Node, path string) (line int, next *yamlv3.Node, rest string) {
	index, rest, found := strings.Cut(strings.TrimPrefix(path, "["), "]")
	n, err := strconv.Atoi(index)
	if !found || err != nil || n < 0 || n >= len(node.Content) {
		return 0, nil, ""
	}
	return node.Content[n].Line, node.Content[n], strings.TrimPrefix(rest, ".")
}
