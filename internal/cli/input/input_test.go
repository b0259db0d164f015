// SPDX-FileCopyrightText: The Espalier Authors
// SPDX-License-Identifier: Apache-2.0

package input

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	aws "github.com/espalier-io/espalier/api/aws/v1alpha1"
	openstack "github.com/espalier-io/espalier/api/openstack/v1alpha1"
	"github.com/espalier-io/espalier/internal/fault"
)

const config = `apiVersion: openstack.provider.extensions.gardener.cloud/v1alpha1
kind: InfrastructureConfig
floatingPoolName: public
networks:
  workers: 10.250.0.0/19
`

// indent puts a document into another.
func indent(doc, by string) string {
	return by + strings.ReplaceAll(strings.TrimSpace(doc), "\n", "\n"+by) + "\n"
}

func shoot(metadata, status string) string {
	return `apiVersion: core.gardener.cloud/v1beta1
kind: Shoot
metadata: {` + metadata + `}
spec:
  region: RegionOne
  networking:
    type: calico
    nodes: 10.250.0.0/16
    pods: 100.96.0.0/11
    ipFamilies: [IPv4]
    providerConfig: {overlay: {enabled: false}}
  provider:
    type: openstack
    infrastructureConfig:
` + indent(config, "      ") + status
}

func infrastructure(status string) string {
	return `apiVersion: extensions.gardener.cloud/v1alpha1
kind: Infrastructure
metadata: {name: one, namespace: shoot--dev--one, uid: not-the-clusters}
spec:
  type: openstack
  region: RegionTwo
  secretRef: {name: cloudprovider, namespace: shoot--dev--one}
  sshPublicKey: c3NoLWVkMjU1MTkgQUFBQSBtZQ==
  providerConfig:
` + indent(config, "    ") + status
}

const profile = `apiVersion: core.gardener.cloud/v1beta1
kind: CloudProfile
metadata: {name: openstack}
spec:
  providerConfig:
    apiVersion: openstack.provider.extensions.gardener.cloud/v1alpha1
    kind: CloudProfileConfig
    machineImages: []
    constraints: {floatingPools: [{name: public}]}
`

func parse(f Flags, texts ...string) (*Cluster, error) {
	var sources []Source
	for i, t := range texts {
		sources = append(sources, Source{string(rune('a'+i)) + ".yaml", t})
	}
	return Parse(sources, f, clouds...)
}

// clouds are like those of the command line: one with its own part in cloud
// profiles, and one that switches overlays off.
var clouds = []Form{
	{
		Type: "openstack", APIVersion: openstack.SchemeGroupVersion.String(), Config: func() any { return &openstack.InfrastructureConfig{} },
		Profile: func(_, own []byte) (any, error) {
			if len(own) == 0 {
				return nil, errors.New("there is no providerConfig")
			}
			return string(own), nil
		},
	},
	{
		Type: "aws", APIVersion: aws.SchemeGroupVersion.String(), Config: func() any { return &aws.InfrastructureConfig{} },
		Profile:   func(spec, _ []byte) (any, error) { return string(spec), nil },
		NoOverlay: []string{"calico", "cilium"},
	},
}

func floatingPool(c *Cluster) string {
	return c.Config.(*openstack.InfrastructureConfig).FloatingPoolName
}

func TestWhatDocumentsAndFlagsSay(t *testing.T) {
	no := false
	for name, tc := range map[string]struct {
		f     Flags
		docs  []string
		check func(c *Cluster) bool
	}{
		"a Shoot is named after its project": {docs: []string{shoot("name: one, namespace: garden-dev", "")},
			check: func(c *Cluster) bool {
				return c.TechnicalID == "shoot--dev--one" && c.Region == "RegionOne" && !c.Live && c.Base.String() == "spec.provider.infrastructureConfig"
			}},
		"a Shoot of the garden itself": {docs: []string{shoot("name: one, namespace: garden", "")},
			check: func(c *Cluster) bool { return c.TechnicalID == "shoot--garden--one" }},
		"a Shoot of no project has no name": {docs: []string{shoot("name: one, namespace: default", "")},
			check: func(c *Cluster) bool { return c.TechnicalID == "" && fault.Is(c.Named(), fault.Invalid) }},
		"a Shoot of no project is named by the flag": {f: Flags{Name: "x"}, docs: []string{shoot("name: one", "")},
			check: func(c *Cluster) bool { return c.TechnicalID == "x" && c.Named() == nil }},
		"the status of a Shoot knows best": {docs: []string{shoot("name: one, namespace: garden-dev, uid: object", "status: {technicalID: shoot--dev--old, uid: cluster}")},
			check: func(c *Cluster) bool { return c.TechnicalID == "shoot--dev--old" && c.UID == "cluster" && c.Live }},
		"the UID of a Shoot without a status is the object's": {docs: []string{shoot("name: one, namespace: garden-dev, uid: object", "")},
			check: func(c *Cluster) bool { return c.UID == "object" }},
		"the networking of a Shoot": {docs: []string{shoot("name: one, namespace: garden-dev", "")},
			check: func(c *Cluster) bool {
				n := c.Networking
				return n.Type == "calico" && n.Nodes == "10.250.0.0/16" && n.Pods == "100.96.0.0/11" && n.Services == "" && len(n.IPFamilies) == 1 && !*n.Overlay
			}},
		"an Infrastructure is named after its namespace, and its UID is not the cluster's": {f: Flags{UID: "u", Nodes: "10.0.0.0/8"}, docs: []string{infrastructure("")},
			check: func(c *Cluster) bool {
				return c.TechnicalID == "shoot--dev--one" && c.UID == "u" && c.Region == "RegionTwo" && c.SSHPublicKey == "ssh-ed25519 AAAA me" &&
					c.Networking.Nodes == "10.0.0.0/8" && !c.Live && c.Base.String() == "spec.providerConfig"
			}},
		"an Infrastructure with our state": {docs: []string{infrastructure(`status: {state: {data: {espalier: '{"version":1}', Router: r}}}`)},
			check: func(c *Cluster) bool { return c.Live && string(c.State) == `{"version":1}` && c.Inherited == nil }},
		"an Infrastructure with the state of another tool": {docs: []string{infrastructure(`status: {state: {data: {Router: r}}}`)},
			check: func(c *Cluster) bool { return c.Live && c.State == nil && c.Inherited["Router"] == "r" }},
		"a bare configuration and flags": {f: Flags{Name: "x", UID: "u", Region: "r", Pods: "10.0.0.0/8", IPFamilies: []string{"IPv4"}, NetworkType: "cilium", Overlay: &no, SSHPublicKey: "ssh-rsa A"}, docs: []string{config},
			check: func(c *Cluster) bool {
				return c.TechnicalID == "x" && c.UID == "u" && c.Region == "r" && c.Base == nil && c.Networking.Pods == "10.0.0.0/8" && !*c.Networking.Overlay && c.SSHPublicKey == "ssh-rsa A"
			}},
		"a bare configuration alone": {docs: []string{config},
			check: func(c *Cluster) bool {
				return c.TechnicalID == "" && c.Networking == nil && floatingPool(c) == "public"
			}},
		"a profile beside it":       {docs: []string{config, profile}, check: func(c *Cluster) bool { return c.Profile != nil && c.Source == "a.yaml" }},
		"a profile in front of it":  {docs: []string{profile, config}, check: func(c *Cluster) bool { return c.Profile != nil && c.Source == "b.yaml" }},
		"both in one file":          {docs: []string{"---\n" + profile + "--- # next\n" + config + "---\n"}, check: func(c *Cluster) bool { return c.Profile != nil && c.Config != nil }},
		"JSON with tabs":            {docs: []string{"{\n\t\"apiVersion\": \"openstack.provider.extensions.gardener.cloud/v1alpha1\",\n\t\"kind\": \"InfrastructureConfig\",\n\t\"floatingPoolName\": \"p\", \"networks\": {}\n}"}, check: func(c *Cluster) bool { return floatingPool(c) == "p" }},
		"lines that end as Windows": {docs: []string{strings.ReplaceAll("---\n"+config, "\n", "\r\n")}, check: func(c *Cluster) bool { return floatingPool(c) == "public" }},
	} {
		t.Run(name, func(t *testing.T) {
			c, err := parse(tc.f, tc.docs...)
			if err != nil {
				t.Fatal(err)
			}
			if len(c.Findings) > 0 {
				t.Errorf("findings: %v", c.Findings)
			}
			if !tc.check(c) {
				t.Errorf("%+v", c)
			}
		})
	}
}

func TestInputThatIsRefused(t *testing.T) {
	for name, tc := range map[string]struct {
		f    Flags
		docs []string
		says string
	}{
		"nothing at all":                 {docs: nil, says: "there is no cluster in the input"},
		"an empty file":                  {docs: []string{""}, says: "a.yaml is empty"},
		"only comments":                  {docs: []string{"# nothing\n---\n# here"}, says: "a.yaml is empty"},
		"not YAML":                       {docs: []string{"a: b: c"}, says: "a.yaml is not YAML: mapping values"},
		"a list":                         {docs: []string{"- a"}, says: "does not hold an object"},
		"a text":                         {docs: []string{"hello"}, says: "does not hold an object"},
		"no kind":                        {docs: []string{"networks: {}"}, says: "without apiVersion and kind"},
		"a kind that is a number":        {docs: []string{"kind: 1"}, says: "must be strings"},
		"another kind":                   {docs: []string{"apiVersion: v1\nkind: Secret"}, says: "Secret (v1) in a.yaml is not what Espalier reads"},
		"another version":                {docs: []string{strings.Replace(config, "v1alpha1", "v1", 1)}, says: "is not what Espalier reads"},
		"only a profile":                 {docs: []string{profile}, says: "there is no cluster in the input"},
		"two clusters":                   {docs: []string{config, shoot("name: one", "")}, says: "there are two of a kind, InfrastructureConfig"},
		"two profiles":                   {docs: []string{config, profile, profile}, says: "there are two of a kind, CloudProfile"},
		"a profile without a config":     {docs: []string{config, "apiVersion: core.gardener.cloud/v1beta1\nkind: CloudProfile\nspec: {}"}, says: "there is no providerConfig"},
		"a Shoot of another provider":    {docs: []string{strings.Replace(shoot("name: one", ""), "type: openstack", "type: gcp", 1)}, says: `spec.provider.type is "gcp"`},
		"a flag that a Shoot answers":    {f: Flags{Pods: "10.0.0.0/8"}, docs: []string{shoot("name: one", "")}, says: "--pods can not be given"},
		"a key that an object has":       {f: Flags{SSHPublicKey: "ssh-rsa A"}, docs: []string{infrastructure("")}, says: "--ssh-public-key can not be given"},
		"a name that differs":            {f: Flags{Name: "x"}, docs: []string{infrastructure("")}, says: `--name says "x", the document says "shoot--dev--one"`},
		"a name with a slash":            {f: Flags{Name: "../x"}, docs: []string{config}, says: "will not do as a name"},
		"a name that is too long":        {f: Flags{Name: strings.Repeat("x", 64)}, docs: []string{config}, says: "will not do as a name"},
		"a name with a control sequence": {f: Flags{Name: "x\x1b[2J"}, docs: []string{config}, says: "will not do as a name"},
		"a UID with a blank":             {f: Flags{Name: "x", UID: "a b"}, docs: []string{config}, says: "will not do as a UID"},
		"a private key":                  {f: Flags{SSHPublicKey: "-----BEGIN OPENSSH PRIVATE KEY-----"}, docs: []string{config}, says: "holds a private key"},
		"a key that is none":             {f: Flags{SSHPublicKey: "hello"}, docs: []string{config}, says: "must be one line"},
		"a key file that is not there":   {f: Flags{SSHPublicKey: "@none"}, docs: []string{config}, says: "no such file"},
		"a state that is none":           {docs: []string{infrastructure(`status: {state: [1]}`)}, says: "status.state can not be read"},
	} {
		t.Run(name, func(t *testing.T) {
			c, err := parse(tc.f, tc.docs...)
			if err == nil || !strings.Contains(err.Error(), tc.says) {
				t.Fatalf("got %+v, %v; want an error that says %q", c, err, tc.says)
			}
		})
	}
}

func TestWhatIsWrongWithinADocumentIsFound(t *testing.T) {
	for name, tc := range map[string]struct {
		doc  string
		want string // code path: message
		no   bool   // there is no configuration then
	}{
		"an unknown field":             {doc: strings.Replace(config, "workers", "wokers", 1), want: "EIN101 networks.wokers: a.yaml line 5: there is no such field"},
		"the wrong case":               {doc: strings.Replace(config, "workers", "Workers", 1), want: "EIN101 networks.Workers: a.yaml line 5: there is no such field"},
		"after another document":       {doc: profile + "---\n" + strings.Replace(config, "workers", "wokers", 1), want: "EIN101 networks.wokers: a.yaml line 15: there is no such field"},
		"in a Shoot's configuration":   {doc: strings.Replace(shoot("name: one", ""), "workers", "wokers", 1), want: "EIN101 spec.provider.infrastructureConfig.networks.wokers: a.yaml line 19: there is no such field"},
		"in a Shoot":                   {doc: strings.Replace(shoot("name: one", ""), "  region", "  regoin", 1), want: "EIN101 spec.regoin: a.yaml line 5: there is no such field"},
		"a field twice":                {doc: config + "  workers: 10.0.0.0/8\n", want: "EIN102 : a.yaml line 6: key \"workers\" already set in map"},
		"a number for a text":          {doc: strings.Replace(config, "public", "7", 1), want: "EIN103 floatingPoolName: a.yaml line 3: must be a text, not a number", no: true},
		"a text for an object":         {doc: strings.Replace(config, "networks:\n  workers: 10.250.0.0/19", "networks: x", 1), want: "EIN103 networks: a.yaml line 4: must be an object, not a string", no: true},
		"no configuration in a Shoot":  {doc: strings.Split(shoot("name: one", ""), "    infrastructureConfig")[0], want: "EIN104 spec.provider.infrastructureConfig: a.yaml: there is no InfrastructureConfig", no: true},
		"another kind in a Shoot":      {doc: strings.Replace(shoot("name: one", ""), "kind: Infra", "kind: Outfra", 1), want: "EIN104 spec.provider.infrastructureConfig: a.yaml line 14: kind is \"OutfrastructureConfig\" and apiVersion is \"openstack.provider.extensions.gardener.cloud/v1alpha1\"", no: true},
		"an overlay that is no switch": {doc: strings.Replace(shoot("name: one", ""), "enabled: false", "enabled: maybe", 1), want: "EIN103 spec.networking.providerConfig.overlay.enabled: a.yaml line 11: must be true or false"},
	} {
		t.Run(name, func(t *testing.T) {
			c, err := parse(Flags{}, tc.doc)
			if err != nil {
				t.Fatal(err)
			}
			var got []string
			for _, f := range c.Findings {
				got = append(got, f.Code+" "+f.Field+": "+f.Message)
			}
			if !slices.Equal(got, []string{tc.want}) {
				t.Errorf("got  %q\nwant %q", got, tc.want)
			}
			if (c.Config == nil) != tc.no {
				t.Errorf("the configuration is %+v", c.Config)
			}
		})
	}
}

func TestAStatusMayBeNewerThanWeAre(t *testing.T) {
	c, err := parse(Flags{}, shoot("name: one, namespace: garden-dev, managedFields: [{fromTheFuture: 1}]", "status: {fromTheFuture: 1, technicalID: shoot--dev--one}"))
	if err != nil || len(c.Findings) > 0 || c.TechnicalID != "shoot--dev--one" {
		t.Errorf("%+v, %v", c, err)
	}
}

func TestFilesThatCanNotBeRead(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	for name, tc := range map[string]struct {
		names []string
		says  string
	}{
		"not there":            {[]string{filepath.Join(dir, "none")}, "no such file"},
		"a directory":          {[]string{dir}, "is a directory"},
		"huge":                 {[]string{write("huge", strings.Repeat("#", MaxSize+1))}, "larger than 4 MiB"},
		"binary":               {[]string{write("binary", "\x00\x01")}, "not a text"},
		"not UTF-8":            {[]string{write("latin", "a: \xe4")}, "not a text"},
		"named twice":          {[]string{"-", "-"}, "standard input is named twice"},
		"standard input, huge": {[]string{"-"}, "standard input is larger"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := Read(tc.names, strings.NewReader(strings.Repeat("#", MaxSize+1)))
			if err == nil || !strings.Contains(err.Error(), tc.says) {
				t.Errorf("%v; want %q", err, tc.says)
			}
		})
	}
}

func FuzzParse(f *testing.F) {
	for _, doc := range []string{config, shoot("name: one", "status: {technicalID: x}"), infrastructure(""), profile, "a: &a [*a]", "{", "---\n---"} {
		f.Add(doc)
	}
	f.Fuzz(func(t *testing.T, doc string) {
		c, err := parse(Flags{}, doc)
		if (c == nil) == (err == nil) {
			t.Errorf("%+v, %v", c, err)
		}
	})
}

func TestAFieldThatIsMeantIsSuggested(t *testing.T) {
	for wrong, want := range map[string]string{"wokers": "is workers meant?", "subnetID": "is subnetId meant?", "securitygroupid": "is securityGroupId meant?", "something": "correct or remove it"} {
		c, err := parse(Flags{}, strings.Replace(config, "workers", wrong, 1))
		if err != nil || len(c.Findings) != 1 || c.Findings[0].Fix != want {
			t.Errorf("%s: %+v, %v; want %q", wrong, c, err, want)
		}
	}
	c, err := parse(Flags{}, strings.Replace(shoot("name: one", ""), "  ipFamilies", "  ipFamily", 1))
	if err != nil || len(c.Findings) != 1 || c.Findings[0].Fix != "correct or remove it" {
		t.Errorf("%+v, %v", c, err)
	}
}

func TestHowManyNodesAShootMayHave(t *testing.T) {
	c, err := parse(Flags{}, shoot("name: one", "")+"    workers: [{name: a, machine: {type: m}, minimum: 1, maximum: 10, maxSurge: 15%}, {name: b, machine: {type: m}, minimum: 1, maximum: 3}]\n")
	if err != nil || c.MaxNodes != 10+2+3+1 {
		t.Errorf("%d, %v, %v", c.MaxNodes, c.Findings, err)
	}
}
