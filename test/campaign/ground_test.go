// SPDX-FileCopyrightText: The Espalier Authors
// SPDX-License-Identifier: Apache-2.0

package campaign

import (
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/espalier-io/espalier/api/openstack/v1alpha1"
	"github.com/espalier-io/espalier/internal/openstack"
	sim "github.com/espalier-io/espalier/internal/sim/openstack"
	"github.com/espalier-io/espalier/test/estate"
	world "github.com/espalier-io/espalier/test/estate/openstack"
)

// A flow is what is done to a cluster.
type flow string

// The flows.
const (
	create flow = "create" // apply where nothing is
	again  flow = "again"  // apply where all is as it should be
	amend  flow = "update" // apply with other settings, after somebody meddled with ours
	remove flow = "delete"
)

var flows = []flow{create, again, amend, remove}

// A ground is a cloud with the estate in it, and a disk with the state: where
// one run of the campaign takes place.
type ground struct {
	t       *testing.T
	variant world.Variant
	seed    uint64
	cloud   *sim.Cloud
	survey  *world.Survey
	creds   openstack.Credentials
	config  openstack.Config
	saved   []byte
	bent    func(r *http.Request, body []byte) []byte // what answers look like

	mu         sync.Mutex // guards what follows
	drawn      map[uint64]int
	trip       func(sim.Call, sim.Phase) // the fault, told of every call
	violations []string
	quiet      bool // nothing is looked at while the ground is prepared

	processes int
}

func newGround(t *testing.T, v world.Variant, seed uint64, o sim.Options) *ground {
	t.Helper()
	o.Seed = v.Name
	g := &ground{t: t, variant: v, seed: seed, drawn: map[uint64]int{}}
	var err error
	if g.cloud, err = world.New(o); err != nil {
		t.Fatal(err)
	}
	if g.creds, err = world.Credentials(); err != nil {
		t.Fatal(err)
	}
	if g.config, err = v.Config(); err != nil {
		t.Fatal(err)
	}
	if g.survey, err = world.Inspect(g.cloud); err != nil {
		t.Fatal(err)
	}
	g.cloud.Hook(g.told)
	return g
}

// told looks at the promises after every call that may have changed something.
func (g *ground) told(c sim.Call, phase sim.Phase) {
	g.mu.Lock()
	trip, quiet := g.trip, g.quiet
	g.mu.Unlock()
	if trip != nil {
		trip(c, phase)
	}
	if phase == sim.After && c.Write && !quiet {
		g.changed(fmt.Sprintf("after call %d (%s)", c.N, operation(c)))
	}
}

func (g *ground) set(trip func(sim.Call, sim.Phase)) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.trip = trip
}

func (g *ground) hush(quiet bool) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.quiet = quiet
}

// changed returns what was made, and notes what must not be.
func (g *ground) changed(when string) estate.Change {
	change, err := g.survey.Compare(g.cloud, g.variant.Beside)
	if err != nil {
		g.violated("I1", "%s: %v", when, err)
	}
	for _, harm := range change.Harm {
		promise := "I4"
		if strings.Contains(harm, " 6e0a0000-") {
			promise = "I1"
		}
		g.violated(promise, "%s: %s", when, harm)
	}
	for _, twice := range change.Doubles() {
		g.violated("I3", "%s: twice: %s", when, twice)
	}
	return change
}

// violated notes a promise that was not kept.
func (g *ground) violated(promise, format string, args ...any) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if text := promise + " " + fmt.Sprintf(format, args...); !slices.Contains(g.violations, text) {
		g.violations = append(g.violations, text)
	}
}

// secret notes a text that holds a secret.
func (g *ground) secret(where, text string) {
	if what := estate.Leaks(text); what != "" {
		g.violated("I8", "%s in %s: %s", what, where, text)
	}
}

// calls is how many calls there have been.
func (g *ground) calls() int { return len(g.cloud.Calls()) }

// settle waits until all that was on its way has arrived.
func (g *ground) settle() { <-time.After(time.Hour) }

// prepare brings the ground to where the flow begins.
func (g *ground) prepare(f flow) {
	g.t.Helper()
	if f == create {
		return
	}
	g.hush(true)
	if err := g.start().run(create); err != nil {
		g.t.Fatalf("%s: preparing: %v", g.variant.Name, err)
	}
	g.hush(false)
	if f == amend {
		g.meddle()
	}
	g.settle()
}

// meddle asks for other settings, and takes a rule out of our group.
func (g *ground) meddle() {
	g.t.Helper()
	v := g.variant
	if v.Cluster.SSHPublicKey != "" {
		v.Cluster.SSHPublicKey = estate.OtherKey
	}
	var err error
	g.config, err = openstack.NewConfig(&v.Infra, v.Cluster, &v1alpha1.CloudProfileConfig{DNSServers: []string{"192.0.2.54", "2001:db8::54"}})
	if err != nil {
		g.t.Fatal(err)
	}
	for _, made := range g.changed("before meddling").Made {
		if made.Kind == "security_groups" {
			rules, _ := made.Object["security_group_rules"].([]any)
			rule, _ := rules[len(rules)-1].(map[string]any)
			g.ask(http.MethodDelete, fmt.Sprintf("/network/v2.0/security-group-rules/%v", rule["id"]), "")
		}
	}
}

// ask makes a request of the user's own.
func (g *ground) ask(method, path, body string) map[string]any {
	g.t.Helper()
	auth := fmt.Sprintf(`{"auth": {"identity": {"methods": ["password"], "password": {"user": {"name": %q, "domain": {"id": "default"}, "password": %q}}},
		"scope": {"project": {"name": %q, "domain": {"id": "default"}}}}}`, world.User, estate.Secret, world.Project)
	token := g.send(http.MethodPost, "/identity/v3/auth/tokens", auth, "").Header.Get("X-Subject-Token")
	answer := g.send(method, path, body, token)
	var out map[string]any
	if method != http.MethodDelete {
		if err := json.NewDecoder(answer.Body).Decode(&out); err != nil {
			g.t.Fatal(err)
		}
	}
	return out
}

func (g *ground) send(method, path, body, token string) *http.Response {
	g.t.Helper()
	r, err := http.NewRequestWithContext(g.t.Context(), method, "http://cloud"+path, strings.NewReader(body))
	if err != nil {
		g.t.Fatal(err)
	}
	r.Header.Set("X-Auth-Token", token)
	answer, err := g.cloud.Transport().RoundTrip(r)
	if err != nil || answer.StatusCode > 299 {
		g.t.Fatalf("%s %s: %v %+v", method, path, err, answer)
	}
	return answer
}
