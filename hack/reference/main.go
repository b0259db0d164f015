// SPDX-FileCopyrightText: The Espalier Authors
// SPDX-License-Identifier: Apache-2.0

// Command reference writes docs/reference anew from the code: the table of
// codes from the rules themselves, the command line from its own help.
package main

import (
	"fmt"
	"os"
	"path/filepath"
)

//go:generate go run . ../../docs/reference

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "usage: reference FOLDER")
		os.Exit(2)
	}
	if err := write(os.Args[1]); err != nil {
		fmt.Fprintln(os.Stderr, "reference:", err)
		os.Exit(1)
	}
}

func write(folder string) error {
	for name, page := range map[string]func() (string, error){"codes.md": codes, "cli.md": commandLine} {
		text, err := page()
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		if err := os.WriteFile(filepath.Join(folder, name), []byte(text), 0o644); err != nil {
			return err
		}
	}
	return nil
}
