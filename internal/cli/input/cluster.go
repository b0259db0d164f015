// SPDX-FileCopyrightText: The Espalier Authors
// SPDX-License-Identifier: Apache-2.0

package input

import (
	"encoding/json"
	"fmt"
	"os"
	"strings"

	corev1beta1 "github.com/gardener/gardener/pkg/apis/core/v1beta1"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/espalier-io/espalier/internal/engine"
	"github.com/espalier-io/espalier/internal/fault"
	"github.com/espalier-io/espalier/internal/validate"
)

// Flags are what a user says on the command line of what the documents do not
// say. An empty field is a flag that was not given.
type Flags struct {
	Name         string   `json:"name,omitempty"`
	UID          string   `json:"uid,omitempty"`
	Region       string   `json:"region,omitempty"`
	Nodes        string   `json:"nodes,omitempty"`
	Pods         string   `json:"pods,omitempty"`
	Services     string   `json:"services,omitempty"`
	IPFamilies   []string `json:"ip_families,omitempty"`
	NetworkType  string   `json:"network_type,omitempty"`
	MaxNodes     int      `json:"max_nodes,omitempty"`
	Overlay      *bool    `json:"overlay,omitempty"`
	SSHPublicKey string   `json:"ssh_public_key,omitempty"` // the key, or @FILE
}

// A Cluster is what one command is about.
type Cluster struct {
	// From is the kind of the document that it was read from.
	From string
	// Source is the name of the file of that document; "-" is standard input.
	Source string
	// TechnicalID names the cluster in the cloud; empty if only rules are asked.
	TechnicalID string
	// UID is empty if the documents do not know it.
	UID string
	// Region may be empty; then it is that of the credentials.
	Region string
	// Cloud is the Type of the Form that the documents have.
	Cloud string
	// Config is what the Form made, nil if Findings say why it can not be read.
	Config any
	// Base is the path of Config within the document; nil if it is the document.
	Base *field.Path
	// Shoot is nil if the input is not one.
	Shoot *corev1beta1.Shoot
	// Networking is nil if nothing is known of it.
	Networking *validate.Networking
	// Overlay says whether pods talk through an overlay. Where nothing says so it
	// is taken as Gardener would have it; then a finding tells of it.
	Overlay bool
	// Profile is what the Form made of a cloud profile, nil if none was given.
	Profile any
	// SSHPublicKey is empty if there is to be no key pair.
	SSHPublicKey string
	// Live says that the object has a status: a Gardener looks after it.
	Live bool
	// State is the state that the object carries, or nil.
	State json.RawMessage
	// Inherited is the state of Gardener's own provider if the object carries
	// that and not ours.
	Inherited map[string]string
	// MaxNodes is how many nodes there may be at the most; 0 is not known.
	MaxNodes int
	// Findings are what is wrong within the documents.
	Findings []engine.Finding

	form *Form
}

// Named returns an error of kind Invalid if the cluster has no name yet.
func (c *Cluster) Named() error {
	if c.TechnicalID != "" {
		return nil
	}
	if c.From == shootKind {
		return fault.Errorf(fault.Invalid, "the Shoot in %s has no status.technicalID, and metadata.namespace is not garden-<project>: give the technical ID with --name", label(c.Source))
	}
	return fault.Errorf(fault.Invalid, "the %s in %s does not say which cluster it is of: give the technical ID with --name, such as --name shoot--project--cluster", c.From, label(c.Source))
}

// Parse makes a cluster of the documents of the sources. Exactly one of them is
// a Shoot, an Infrastructure or an InfrastructureConfig; besides there may be
// one cloud profile. The clouds are those that there are; the documents say
// which one it is. Flags say only what the documents do not.
func Parse(sources []Source, f Flags, clouds ...Form) (*Cluster, error) {
	var subject, profile *document
	fs := forms(clouds)
	c := &Cluster{}
	for _, s := range sources {
		docs, err := documents(s)
		if err != nil {
			return nil, err
		}
		for _, d := range docs {
			role := &subject
			switch {
			case fs.isProfile(d):
				role = &profile
			case fs.subject(d) == nil:
				return nil, fs.misfit(d)
			default:
				c.Source = s.Name
			}
			if *role != nil {
				return nil, fault.Errorf(fault.Invalid, "there are two of a kind, %s and %s: a command is about one cluster", *role, d)
			}
			*role = d
		}
	}
	if subject == nil {
		return nil, fault.Errorf(fault.Invalid, "there is no cluster in the input: give a Shoot, an Infrastructure or an InfrastructureConfig with -f")
	}
	if err := c.read(fs, subject, profile, f); err != nil {
		return nil, err
	}
	return c, nil
}

func (c *Cluster) read(fs forms, subject, profile *document, f Flags) error {
	var err error
	if f.SSHPublicKey, err = keyOf(f.SSHPublicKey); err != nil {
		return err
	}
	c.From = subject.Kind
	c.Findings = subject.repeated()
	if err := fs.subject(subject)(c, fs, subject, f); err != nil {
		return err
	}
	if c.form == nil {
		return nil // it can not be read; the findings say why
	}
	c.Cloud = c.form.Type
	if c.TechnicalID != "" {
		if err := checkName(c.TechnicalID, "the technical ID"); err != nil {
			return err
		}
	}
	if err := checkUID(c.UID, "the UID"); err != nil {
		return err
	}
	if profile != nil {
		return c.readProfile(profile)
	}
	return nil
}

// keyOf is the public key of a flag, read from a file if it begins with @.
func keyOf(flag string) (string, error) {
	if name, ok := strings.CutPrefix(flag, "@"); ok {
		data, err := os.ReadFile(name)
		if err != nil {
			return "", fault.Errorf(fault.NotFound, "--ssh-public-key: %w", err)
		}
		flag = string(data)
	}
	return sshKey(flag)
}

// onlyIn refuses flags that the document has an answer for itself.
func onlyIn(d *document, given map[string]bool) error {
	for _, name := range []string{"region", "max-nodes", "nodes", "pods", "services", "ip-families", "network-type", "overlay", "ssh-public-key"} {
		if given[name] {
			return fault.Errorf(fault.Invalid, "--%s can not be given with %s: the document itself says it", name, d)
		}
	}
	return nil
}

// either returns the one that is not empty; two that differ are an error.
func either(doc, flag, name string) (string, error) {
	if doc != "" && flag != "" && doc != flag {
		return "", fault.Errorf(fault.Invalid, "--%s says %q, the document says %q: leave the flag out, or correct it", name, flag, doc)
	}
	if doc == "" {
		return flag, nil
	}
	return doc, nil
}

// networking is what the flags say of the networks, nil if nothing.
func (f Flags) networking() *validate.Networking {
	if f.Nodes == "" && f.Pods == "" && f.Services == "" && len(f.IPFamilies) == 0 && f.NetworkType == "" && f.Overlay == nil {
		return nil
	}
	n := &validate.Networking{Type: f.NetworkType, Nodes: f.Nodes, Pods: f.Pods, Services: f.Services, Overlay: f.Overlay}
	for _, family := range f.IPFamilies {
		n.IPFamilies = append(n.IPFamilies, corev1beta1.IPFamily(family))
	}
	return n
}

// config reads the InfrastructureConfig at base of the document; raw is nil if
// there is none. All else of the document has been read before.
func (c *Cluster) config(d *document, base *field.Path, raw []byte) {
	c.settleOverlay(d)
	c.Base = base
	path := ""
	if base != nil {
		path = base.String()
	}
	says := struct{ APIVersion, Kind string }{}
	if len(raw) == 0 || string(raw) == "null" {
		c.Findings = append(c.Findings, found(noConfig, "Required", path, "", d.source+": there is no InfrastructureConfig", "add one"))
		return
	}
	if err := json.Unmarshal(raw, &says); err == nil && (says.APIVersion != c.form.APIVersion || says.Kind != configKind) {
		c.Findings = append(c.Findings, found(noConfig, "NotSupported", path, says.Kind, d.at(path)+fmt.Sprintf("kind is %q and apiVersion is %q", says.Kind, says.APIVersion),
			"it must be InfrastructureConfig of "+c.form.APIVersion))
		return
	}
	config := c.form.Config()
	findings, ok := d.into(config, path, raw)
	c.Findings = append(c.Findings, findings...)
	if ok {
		c.Config = config
	}
}
