// SPDX-FileCopyrightText: The Espalier Authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"bytes"
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/espalier-io/espalier/internal/cli"
)

const commandLineHead = `# Command line

Written by ` + "`make generate`" + ` from the help of the commands.
`

// commandLine is the page of all commands, found by asking each for its help.
func commandLine() (string, error) {
	var b strings.Builder
	b.WriteString(commandLineHead)
	err := describe(&b, nil)
	return b.String(), err
}

func describe(b *strings.Builder, command []string) error {
	text, err := help(command)
	if err != nil {
		return err
	}
	fmt.Fprintf(b, "\n## %s\n\n```text\n%s\n```\n", strings.Join(append([]string{"espalier"}, command...), " "), strings.TrimSpace(text))
	for _, sub := range subcommands(text) {
		if sub == "help" || sub == "completion" {
			continue
		}
		if err := describe(b, append(command[:len(command):len(command)], sub)); err != nil {
			return err
		}
	}
	return nil
}

func help(command []string) (string, error) {
	var out, errs bytes.Buffer
	env := cli.Env{
		In: strings.NewReader(""), Out: &out, Err: &errs, Now: time.Now, After: time.After,
		Getenv: func(string) string { return "" },
	}
	if code := cli.Run(context.Background(), env, append(command, "--help")); code != 0 {
		return "", fmt.Errorf("espalier %s --help ends with %d: %s", strings.Join(command, " "), code, errs.String())
	}
	return out.String(), nil
}

// subcommands reads the list that the help of a command with subcommands has.
func subcommands(text string) []string {
	_, list, ok := strings.Cut(text, "Available Commands:\n")
	if !ok {
		return nil
	}
	var names []string
	for line := range strings.Lines(list) {
		name, _, _ := strings.Cut(strings.TrimSpace(line), " ")
		if name == "" {
			break
		}
		names = append(names, name)
	}
	return names
}
