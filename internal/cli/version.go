// SPDX-FileCopyrightText: The Espalier Authors
// SPDX-License-Identifier: Apache-2.0

package cli

import (
	"fmt"
	"runtime"

	"github.com/spf13/cobra"
)

const versionHelp = `Prints the version of Espalier, of Go, and of the format of what machines read.`

// versionView is what version tells.
type versionView struct {
	Espalier string `json:"espalier"`
	Go       string `json:"go"`
	Platform string `json:"platform"`
}

func (a *app) version() *cobra.Command {
	cmd := &cobra.Command{Use: "version", Short: "Print the version", Long: versionHelp, Example: "  espalier version -o json"}
	cmd.RunE = func(*cobra.Command, []string) error {
		v := versionView{a.env.Version, runtime.Version(), runtime.GOOS + "/" + runtime.GOARCH}
		return a.emit(report{Verb: "version", Version: &v}, func(w canvas) {
			fmt.Fprintf(w, "espalier %s (%s, %s), format %s\n", v.Espalier, v.Go, v.Platform, formatVersion)
		})
	}
	a.outputFlag(cmd)
	return cmd
}
