// SPDX-FileCopyrightText: The Espalier Authors
// SPDX-License-Identifier: Apache-2.0

package cli

import (
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/espalier-io/espalier/internal/cli/input"
	"github.com/espalier-io/espalier/internal/engine"
	"github.com/espalier-io/espalier/internal/fault"
)

// options are what the flags of a verb say.
type options struct {
	files     []string
	profile   string
	facts     input.Flags
	overlay   string
	state     string
	failOn    string
	accept    []string
	settle    time.Duration
	timeout   time.Duration
	yes       bool
	marked    bool
	unmanaged bool
}

// outputFlag is for commands with a result that machines may want to read; more
// are further ways to print it.
func (a *app) outputFlag(cmd *cobra.Command, more ...string) {
	forms := append([]string{"table", "json", "yaml"}, more...)
	last := len(forms) - 1
	choice := strings.Join(forms[:last], ", ") + " or " + forms[last]
	cmd.Flags().StringVarP(&a.output, "output", "o", "table", "how to print the result: "+choice)
	complete(cmd, "output", forms...)
	previous := cmd.PreRunE
	cmd.PreRunE = func(cmd *cobra.Command, args []string) error {
		if !slices.Contains(forms, a.output) {
			wrong := a.output
			a.output = "table"
			return misused(cmd, "-o %s: it must be %s", wrong, choice)
		}
		if previous != nil {
			return previous(cmd, args)
		}
		return nil
	}
}

// inputFlags say which cluster it is about.
func (o *options) inputFlags(cmd *cobra.Command) {
	f := cmd.Flags()
	f.StringArrayVarP(&o.files, "file", "f", nil, "a Shoot, Infrastructure or InfrastructureConfig, in YAML or JSON; - is standard input; may be repeated")
	f.StringVar(&o.profile, "cloud-profile", "", "a CloudProfile, NamespacedCloudProfile or CloudProfileConfig to check against")
	f.StringVar(&o.facts.Name, "name", "", "technical ID of the cluster, such as shoot--project--cluster")
	f.StringVar(&o.facts.UID, "uid", "", "UID of the cluster; without it the state's, or a new one")
	f.StringVar(&o.facts.Region, "region", "", "region; without it that of the credentials")
	f.StringVar(&o.facts.Nodes, "nodes", "", "CIDR of all nodes (spec.networking.nodes)")
	f.StringVar(&o.facts.Pods, "pods", "", "CIDR of the pods (spec.networking.pods)")
	f.StringVar(&o.facts.Services, "services", "", "CIDR of the Services (spec.networking.services)")
	f.StringSliceVar(&o.facts.IPFamilies, "ip-families", nil, "IPv4, IPv6, or both as IPv4,IPv6")
	f.StringVar(&o.facts.NetworkType, "network-type", "", "network plug-in, such as calico or cilium")
	f.StringVar(&o.overlay, "overlay", "", "whether pods talk through an overlay: on or off")
	f.IntVar(&o.facts.MaxNodes, "max-nodes", 0, "how many nodes there may be at the most, for warnings about room")
	f.StringVar(&o.facts.SSHPublicKey, "ssh-public-key", "", "public key for the nodes, or @FILE; without it there is no key pair")
	complete(cmd, "ip-families", "IPv4", "IPv6", "IPv4,IPv6")
	complete(cmd, "overlay", slices.Sorted(maps.Keys(switches))...)
}

// switches are how a flag says yes and no.
var switches = map[string]bool{"on": true, "off": false, "true": true, "false": false}

// cloudFlags say which cloud, and how long to be patient with it.
func (a *app) cloudFlags(cmd *cobra.Command, o *options) {
	a.providerFlags(cmd)
	f := cmd.Flags()
	f.StringVar(&o.state, "state", "", "state file (default: NAME.espalier.json beside the input)")
	f.DurationVar(&o.timeout, "timeout", 30*time.Minute, "give up after this time")
}

// checkFlags say which findings stand in the way.
func (o *options) checkFlags(cmd *cobra.Command) {
	cmd.Flags().StringVar(&o.failOn, "fail-on", "error", "which findings stop the work: error or warning")
	complete(cmd, "fail-on", "error", "warning")
}

func (o *options) acceptFlag(cmd *cobra.Command) {
	cmd.Flags().StringSliceVar(&o.accept, "accept", nil, "code of an error that you accept; not for rules that Gardener has too")
}

// writeFlags are for verbs that change the cloud.
func (o *options) writeFlags(cmd *cobra.Command) {
	f := cmd.Flags()
	f.BoolVarP(&o.yes, "yes", "y", false, "do not ask")
	f.BoolVar(&o.yes, "auto-approve", false, "the same as --yes")
	f.BoolVar(&o.marked, "delete-marked", false, "also delete, without asking, what only its mark says to be ours")
	f.BoolVar(&o.unmanaged, "unmanaged", false, "go on although a Gardener looks after this object")
	f.DurationVar(&o.settle, "settle", engine.Settle, "how long a creation without an answer may still show")
	if err := f.MarkHidden("auto-approve"); err != nil {
		panic(err) //nolint:forbidigo // the flag is defined three lines above
	}
}

// load reads what the flags name.
func (a *app) load(cmd *cobra.Command, o *options) (*input.Cluster, []input.Source, error) {
	if len(o.files) == 0 {
		return nil, nil, misused(cmd, "there is no input: name a file with -f")
	}
	if err := o.check(cmd); err != nil {
		return nil, nil, err
	}
	names := o.files
	if o.profile != "" {
		names = append(slices.Clone(names), o.profile)
	}
	sources, err := input.Read(names, a.env.In)
	if err != nil {
		return nil, nil, err
	}
	c, err := input.Parse(sources, o.facts, forms()...)
	if err != nil {
		return nil, nil, err
	}
	return c, sources, foreign(cmd, c)
}

// check looks at flags whose values are from a list.
func (o *options) check(cmd *cobra.Command) error {
	if o.failOn != "" && o.failOn != "error" && o.failOn != "warning" {
		return misused(cmd, "--fail-on %s: it must be error or warning", o.failOn)
	}
	if o.overlay != "" {
		overlay, ok := switches[o.overlay]
		if !ok {
			return misused(cmd, "--overlay %s: it must be on or off", o.overlay)
		}
		o.facts.Overlay = &overlay
	}
	for _, family := range o.facts.IPFamilies {
		if family != "IPv4" && family != "IPv6" {
			return misused(cmd, "--ip-families %s: it must be IPv4, IPv6, or IPv4,IPv6", family)
		}
	}
	for _, code := range o.accept {
		if err := mayAccept(code); err != nil {
			return err
		}
	}
	return nil
}

// mayAccept says whether an error of this code may be accepted by the user.
func mayAccept(code string) error {
	switch e, ok := explanationOf(code); {
	case !ok:
		return fault.Errorf(fault.Invalid, "--accept %s: there is no such code (espalier explain lists all)", code)
	case !e.Acceptable:
		return fault.Errorf(fault.Invalid, "--accept %s: %s. This can not be accepted: it is a rule that Gardener has too, or the work would fail or do harm", code, e.Title)
	}
	return nil
}

// complete offers values for a flag.
func complete(cmd *cobra.Command, flag string, values ...string) {
	err := cmd.RegisterFlagCompletionFunc(flag, cobra.FixedCompletions(values, cobra.ShellCompDirectiveNoFileComp))
	if err != nil {
		panic(err) //nolint:forbidigo // the flag is defined by the caller
	}
}

// next is a command line to go on with: another verb with those of the flags
// given that it has too.
func (a *app) next(cmd *cobra.Command, verb string) string {
	to, _, err := cmd.Root().Find([]string{verb})
	if err != nil {
		return "espalier " + verb
	}
	words := []string{"espalier", verb}
	cmd.Flags().Visit(func(f *pflag.Flag) {
		if to.Flags().Lookup(f.Name) == nil && to.Flags().ShorthandLookup(f.Shorthand) == nil || slices.Contains([]string{"output", "yes", "auto-approve", "delete-marked"}, f.Name) {
			return
		}
		name := "--" + f.Name
		if f.Shorthand != "" {
			name = "-" + f.Shorthand
		}
		values := []string{f.Value.String()}
		if many, ok := f.Value.(pflag.SliceValue); ok {
			values = many.GetSlice()
		}
		for _, v := range values {
			words = append(words, name, quote(v))
		}
	})
	return strings.Join(words, " ")
}

// quote makes a word fit for a shell.
func quote(word string) string {
	if word != "" && strings.IndexFunc(word, func(r rune) bool {
		return !strings.ContainsRune("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_./:,=@+", r)
	}) < 0 {
		return word
	}
	return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
}
