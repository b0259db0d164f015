// SPDX-FileCopyrightText: The Espalier Authors
// SPDX-License-Identifier: Apache-2.0

package structure

import "testing"

func TestDependencies(t *testing.T) {
	mod := goMod + "\nrequire (\n\texample.org/a v1.0.0\n\texample.org/b v1.0.0\n\texample.org/c v1.0.0 // indirect\n)\n\nrequire example.org/d v0.1.0\n"
	run(t, dependencyFaults, []row{
		{"every direct one has a reason", map[string]string{"go.mod": mod, "docs/adr/1.md": "`example.org/a` x `example.org/b` y `example.org/d`"}, nil},
		{"two without a reason", map[string]string{"go.mod": mod, "docs/adr/1.md": "`example.org/a`", "docs/other.md": "`example.org/b`"},
			[]string{"go.mod:7: no record under docs/adr/ says why `example.org/b`", "`example.org/d`"}},
	})
}

func TestMachine(t *testing.T) {
	run(t, machineFaults, []row{
		{"paths that are the same everywhere", map[string]string{"a.sh": "cd /tmp/x; ls /usr/lib\n", "b.md": "// internal/work/x, https://example.org/home/x\n"}, nil},
		{"a home folder, a workspace, a mirror", map[string]string{"a.sh": "cd /root/x\n", "b.md": "see `/work/x`\n", "c": "pip install --index-url x\n", "d": "GOPROXY=https://x\n"},
			[]string{"a.sh:1", "b.md:1", "c:1", "d:1"}},
		{"a program that was built, and a picture", map[string]string{"x/x.test": "\x7fELF\x00/root/x", "a.png": "\x89PNG\x00/root/x"}, []string{"x/x.test: a file that is neither"}},
	})
}

func TestLinks(t *testing.T) {
	run(t, linkFaults, []row{
		{"links to a file, a folder, a heading and elsewhere", map[string]string{
			"README.md": "[a](docs/a.md) [b](docs) [c](docs/a.md#two-words-2) [d](#here) [e](https://example.org/x)\n# Here\n",
			"docs/a.md": "# One\n## Two `words`, 2\n[up](../README.md)\n"}, nil},
		{"a file that is not there", map[string]string{"README.md": "[a](docs/b.md)\n"}, []string{"README.md: the link docs/b.md leads nowhere: no file docs/b.md"}},
		{"a heading that is not there", map[string]string{"README.md": "[a](#there)\n# Here\n"}, []string{"no heading #there"}},
		{"a link in a code block is none", map[string]string{"README.md": "```\n[a](b.md)\n```\n"}, nil},
	})
}

func TestCodes(t *testing.T) {
	page := func(codes string) map[string]string {
		return map[string]string{
			"internal/x/a.go": "package x\n\nconst a, b = \"EOS101\", \"EGEN102\"\n\nvar c = \"EOS101\"\n\nvar d = \"an EOS999 in a text\"\n",
			codesPage:         codes,
		}
	}
	run(t, codeFaults, []row{
		{"all are explained", page("| EOS101 | x |\n| EGEN102 | y |\n"), nil},
		{"one is not", page("| EOS101 | x |\n"), []string{"internal/x/a.go:3: EGEN102 is not on docs/reference/codes.md"}},
		{"one too many", page("| EOS101 | x |\n| EGEN102 | y |\n| EOS103 | z |\n"), []string{"nothing in internal/ bears EOS103"}},
		{"there is no page", map[string]string{"internal/x/a.go": "package x\n"}, []string{"run make generate"}},
	})
}

func TestSources(t *testing.T) {
	run(t, sourceFaults, []row{
		{"a document that is there, with and without a heading", map[string]string{
			"a.go": "package a\n\nvar s = []string{\"docs/a.md\", \"docs/a.md#one\", \"see docs/none.md\"}\n", "docs/a.md": "# One\n"}, nil},
		{"a document and a heading that are not", map[string]string{
			"a.go": "package a\n\nvar s = []string{\"docs/b.md\", \"docs/a.md#two\"}\n", "docs/a.md": "# One\n"},
			[]string{"a.go:3: names docs/b.md: no file docs/b.md", "no heading #two"}},
	})
}
