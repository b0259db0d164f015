// SPDX-FileCopyrightText: The Espalier Authors
// SPDX-License-Identifier: Apache-2.0

package input

import (
	"fmt"
	"slices"
	"strings"

	corev1beta1 "github.com/gardener/gardener/pkg/apis/core/v1beta1"

	"github.com/espalier-io/espalier/internal/fault"
)

// A Form is how the documents of one cloud look.
type Form struct {
	// Type is the provider's in Shoots, Infrastructures and cloud profiles.
	Type string
	// APIVersion is that of the provider's own kinds.
	APIVersion string
	// Config returns an empty InfrastructureConfig to read one into: a pointer.
	Config func() any
	// Old reads an InfrastructureConfig that may have been good for another
	// version: it drops fields that are not known.
	Old func(data []byte) (any, error)
	// Profile takes out of a cloud profile what the rules want of it. Spec is
	// that of a CloudProfile, nil if only the provider's own part was given; own
	// is that part, and may be empty.
	Profile func(spec, own []byte) (any, error)
	// NoOverlay are the network plug-ins for which Gardener's admission switches
	// the overlay off if a new Shoot does not say whether it wants one. Nil means
	// that it never does.
	NoOverlay []string
}

const (
	shootKind          = "Shoot"
	infrastructureKind = "Infrastructure"
	configKind         = "InfrastructureConfig"

	infrastructureVersion = "extensions.gardener.cloud/v1alpha1"
)

// forms are all clouds that there are.
type forms []Form

// byVersion is the cloud whose own kinds have this apiVersion, nil if there is
// none.
func (fs forms) byVersion(version string) *Form {
	i := slices.IndexFunc(fs, func(f Form) bool { return f.APIVersion == version })
	if i < 0 {
		return nil
	}
	return &fs[i]
}

// byType is the cloud of an object whose field at path names its type.
func (fs forms) byType(d *document, path, name string) (*Form, error) {
	i := slices.IndexFunc(fs, func(f Form) bool { return f.Type == name })
	if i < 0 {
		return nil, fault.Errorf(fault.Invalid, "%s: %s is %q; this version knows %s", d, path, name, fs.list(func(f Form) string { return fmt.Sprintf("%q", f.Type) }))
	}
	return &fs[i], nil
}

// list names something of each cloud.
func (fs forms) list(of func(Form) string) string {
	var all []string
	for _, f := range fs {
		all = append(all, of(f))
	}
	return strings.Join(all, " and ")
}

// versions are the versions of InfrastructureConfig.
func (fs forms) versions() string { return fs.list(func(f Form) string { return f.APIVersion }) }

// subject returns how a cluster is read from a document, nil if it can not be.
func (fs forms) subject(d *document) func(*Cluster, forms, *document, Flags) error {
	switch {
	case d.Kind == shootKind && d.APIVersion == corev1beta1.SchemeGroupVersion.String():
		return (*Cluster).fromShoot
	case d.Kind == infrastructureKind && d.APIVersion == infrastructureVersion:
		return (*Cluster).fromInfrastructure
	case d.Kind == configKind && fs.byVersion(d.APIVersion) != nil:
		return (*Cluster).fromConfig
	}
	return nil
}

// misfit is the error for a document that no command can use.
func (fs forms) misfit(d *document) error {
	if d.Kind == "" {
		return fault.Errorf(fault.Invalid, "%s has a document without apiVersion and kind: it must be a Shoot, an Infrastructure or an InfrastructureConfig", d.source)
	}
	return fault.Errorf(fault.Invalid, "%s is not what Espalier reads: it must be a Shoot (%s), an Infrastructure (%s) or an InfrastructureConfig (%s), and may be accompanied by a CloudProfile",
		d, corev1beta1.SchemeGroupVersion, infrastructureVersion, fs.versions())
}

// settleOverlay decides whether there is an overlay: as the documents or flags
// say, else as Gardener's admission would have it, which is then told of. A Shoot that
// lives in a Gardener and does not say has had one since before there was such
// an admission.
func (c *Cluster) settleOverlay(d *document) {
	n := c.Networking
	if n != nil && n.Overlay != nil {
		c.Overlay = *n.Overlay
		return
	}
	c.Overlay = true
	if c.form.NoOverlay == nil {
		return
	}
	plugins := strings.Join(c.form.NoOverlay, " or ")
	message := "nothing says whether there is an overlay; assumed that there is one, as in clusters from before Gardener wrote it down"
	switch {
	case c.Live && d.Kind == shootKind:
	case n == nil || n.Type == "" || slices.Contains(c.form.NoOverlay, n.Type):
		c.Overlay = false
		if n != nil {
			n.Overlay = &c.Overlay
		}
		message = "nothing says whether there is an overlay; assumed that there is none, as Gardener's admission writes into new Shoots with " + plugins
	default:
		message = "nothing says whether there is an overlay; assumed that there is one, since Gardener's admission writes that there is none only into Shoots with " + plugins
	}
	fix := "say so: --overlay on, or --overlay off"
	if d.Kind == shootKind {
		fix = "say so: set overlay.enabled to true or false there"
	}
	c.Findings = append(c.Findings, found(assumed, "", "spec.networking.providerConfig.overlay.enabled", "", d.source+": "+message, fix))
}
