// SPDX-FileCopyrightText: The Espalier Authors
// SPDX-License-Identifier: Apache-2.0

package aws

import (
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/google/go-cmp/cmp"

	"github.com/espalier-io/espalier/api/aws/v1alpha1"
	"github.com/espalier-io/espalier/internal/engine"
	sim "github.com/espalier-io/espalier/internal/sim/aws"
)

const service = "kubernetes.io/service-name"

// left is a VPC in which Kubernetes has left things, beside things of the
// user's and of another cluster that look much like them.
const left = `
accounts:
  a:
    regions:
      eu-central-1:
        vpcs:
        - id: vpc-0left
          cidrs: [10.8.0.0/16]
          internet_gateway: {id: igw-0left}
          subnets:
          - {id: subnet-0left, zone: eu-central-1a, cidr: 10.8.0.0/24}
          security_groups:
          - {id: sg-0service, group_name: k8s-elb-a1, tags: {kubernetes.io/cluster/shoot--garden--rose: owned}}
          - {id: sg-0tulip, group_name: k8s-elb-b1, tags: {kubernetes.io/cluster/shoot--garden--tulip: owned}}
          - {id: sg-0shared, group_name: k8s-web, tags: {kubernetes.io/cluster/shoot--garden--rose: shared, team: owned}}
          - {id: sg-0mine, group_name: web, tags: {kubernetes.io/cluster/shoot--garden--rose: owned}}
          instances:
          - {id: i-0rose, subnet: subnet-0left, tags: {kubernetes.io/cluster/shoot--garden--rose: "1"}}
          - {id: i-0mine, subnet: subnet-0left}
          route_tables:
          - id: rtb-0left
            subnets: [subnet-0left]
            routes:
            - {destination: 0.0.0.0/0, target: igw}
            - {destination: 100.64.0.0/24, target: i-0gone, blackhole: true}
            - {destination: 100.64.1.0/24, target: i-0rose}
            - {destination: 100.64.2.0/24, target: i-0mine}
            - {destination: 100.64.3.0/24, target: tgw-0mine}
            - {destination: 192.168.0.0/24, target: i-0gone, blackhole: true}
          load_balancers:
          - {name: a1, subnets: [subnet-0left], security_groups: [sg-0service], tags: {kubernetes.io/cluster/shoot--garden--rose: owned, kubernetes.io/service-name: default/web}}
          - {name: a2, subnets: [subnet-0left], tags: {kubernetes.io/cluster/shoot--garden--tulip: owned, kubernetes.io/service-name: default/web}}
          - {name: mine, subnets: [subnet-0left], tags: {kubernetes.io/cluster/shoot--garden--rose: owned}}
          - {name: n1, type: network, subnets: [subnet-0left], target_groups: [k8s-n1], tags: {kubernetes.io/cluster/shoot--garden--rose: owned, elbv2.k8s.aws/cluster: shoot--garden--rose}}
          - {name: n2, type: network, subnets: [subnet-0left], target_groups: [web], tags: {kubernetes.io/cluster/shoot--garden--rose: shared, owner: owned}}
          - {name: n3, bare: true, type: application, target_groups: [k8s-n3], tags: {kubernetes.io/cluster/shoot--garden--rose: owned, kubernetes.io/service-name: default/api}}
`

// abandoned is the run of a cluster that was made in that VPC.
func abandoned(t *testing.T, change func(*Cluster)) *run {
	t.Helper()
	w := newWorld(t)
	planted, err := sim.ParseWorld([]byte(left))
	w.must(err)
	w.must(w.Plant(planted))
	c := v1alpha1.InfrastructureConfig{}
	c.Networks.VPC.ID = aws.String("vpc-0left")
	c.Networks.Zones = []v1alpha1.Zone{{Name: region + "a", WorkersSubnetID: aws.String("subnet-0left"), PublicSubnetID: aws.String("subnet-0left")}}
	k := rose()
	k.Pods = prefixes("100.64.0.0/16")
	change(&k)
	r := w.run(c, k)
	w.must(r.apply())
	return r
}

func deletions(p *engine.Plan) (ids []string) {
	for _, s := range p.Steps {
		if s.Action == engine.Delete && strings.HasPrefix(s.Name, "left/") {
			ids = append(ids, s.Kind+" "+string(s.ID))
		}
	}
	slices.Sort(ids)
	return ids
}

// What Kubernetes has left goes with the cluster: exactly what bears the
// cluster's tag with the value "owned" and a mark of Kubernetes.
func TestLeftoversOfKubernetesGoWithTheCluster(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := abandoned(t, func(*Cluster) {})
		l := r.look(Deletion)
		p, err := l.PlanDelete()
		r.must(err)
		got := strings.Join(deletions(p), "\n")
		for _, want := range []string{"classic-load-balancer a1", "load-balancer-security-group sg-0service", "loadbalancer/net/n1/", "targetgroup/k8s-n1/", "targetgroup/k8s-n3/"} {
			if !strings.Contains(got, want) {
				t.Errorf("the plan does not list %s", want)
			}
		}
		if n := strings.Count(got, "\n") + 1; n != 5 {
			t.Errorf("the plan deletes %d things:\n%s", n, got)
		}
		r.must(l.Apply(t.Context(), p, engine.Options{Settle: time.Nanosecond}))
		p, err = r.look(Deletion).PlanDelete()
		r.must(err)
		if again := deletions(p); len(again) > 0 {
			t.Errorf("still there: %v", again)
		}
		groups, err := r.look(Deletion).session.client.SecurityGroups(t.Context(), "vpc-0left")
		r.must(err)
		for _, id := range []engine.ID{"sg-0tulip", "sg-0shared", "sg-0mine"} {
			if _, ok := groups[id]; !ok {
				t.Errorf("%s is gone", id)
			}
		}
		client := r.look(Deletion).session.client
		for name, list := range map[string]func() ([]Leftover, error){
			"a2 mine": func() ([]Leftover, error) { return client.ClassicBalancers(t.Context(), "vpc-0left") },
			"n2":      func() ([]Leftover, error) { return client.LoadBalancers(t.Context(), "vpc-0left") },
			"web":     func() ([]Leftover, error) { return client.TargetGroups(t.Context(), "vpc-0left") },
		} {
			all, err := list()
			r.must(err)
			var names []string
			for _, b := range all {
				names = append(names, b.Name)
			}
			slices.Sort(names)
			if got := strings.Join(names, " "); got != name {
				t.Errorf("left are %q, not %q", got, name)
			}
		}
	})
}

// Routes to pods are the route controller's, in tables of the user's: they are
// told, and removed only on demand and only if they lead to a node.
func TestRoutesToPods(t *testing.T) {
	const told = `rtb-0left: 100.64.0.0/24 via i-0gone (blackhole)
rtb-0left: 100.64.1.0/24 via i-0rose (active)
rtb-0left: 100.64.2.0/24 via i-0mine (active)
rtb-0left: 100.64.3.0/24 via tgw-0mine (active)
`
	for _, tt := range []struct {
		name   string
		remove bool
		stay   []string
	}{
		{"they stay", false, []string{"100.64.0.0/24", "100.64.1.0/24", "100.64.2.0/24", "100.64.3.0/24"}},
		{"those that lead to the cluster's machines, or to none, go", true, []string{"100.64.2.0/24", "100.64.3.0/24"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				r := abandoned(t, func(c *Cluster) { c.RemovePodRoutes = tt.remove })
				l := r.look(Deletion)
				var text strings.Builder
				for _, x := range l.PodRoutes() {
					text.WriteString(x.String() + "\n")
				}
				if diff := cmp.Diff(told, text.String()); diff != "" {
					t.Error(diff)
				}
				p, err := l.PlanDelete()
				r.must(err)
				r.must(l.Apply(t.Context(), p, engine.Options{Settle: time.Nanosecond}))
				var stay []string
				for _, x := range r.look(Deletion).PodRoutes() {
					stay = append(stay, x.Destination)
				}
				if diff := cmp.Diff(tt.stay, stay); diff != "" {
					t.Error(diff)
				}
			})
		})
	}
	c := PodRoute{Table: "rtb-1", Destination: "100.64.0.0/24"}.Command()
	if c != "aws ec2 delete-route --route-table-id rtb-1 --destination-cidr-block 100.64.0.0/24" {
		t.Error(c)
	}
}

// A load balancer that may not be deleted is told, with what to do.
func TestDeletionProtection(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := abandoned(t, func(*Cluster) {})
		protected := sim.WorldBalancer{Name: "n9", Type: "network", Subnets: []string{"subnet-09"}, Protected: true, Tags: map[string]string{clusterTag + cluster: "owned", service: "default/db"}}
		r.must(r.Plant(sim.World{Accounts: map[string]sim.WorldAccount{"a": {Regions: map[string]sim.WorldRegion{region: {VPCs: []sim.WorldVPC{{
			WorldThing: sim.WorldThing{ID: "vpc-09"}, CIDRs: []string{"10.9.0.0/16"}, LoadBalancers: []sim.WorldBalancer{protected},
			Subnets: []sim.WorldSubnet{{WorldThing: sim.WorldThing{ID: "subnet-09"}, CIDR: "10.9.0.0/24"}},
		}}}}}}}))
		client := r.look(Deletion).session.client
		all, err := client.LoadBalancers(t.Context(), "vpc-09")
		r.must(err)
		client.guard.Allow(Permissions{Swept: map[string]bool{string(all[0].ID): true}})
		err = LoadBalancers{}.Delete(t.Context(), client, engine.Record{ID: all[0].ID})
		if err == nil || !strings.Contains(err.Error(), "deletion protection is enabled: disable it") {
			t.Errorf("err = %v", err)
		}
	})
}

// Without the permission to list load balancers nobody knows whether some are left.
func TestLeftoversThatCanNotBeListed(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := abandoned(t, func(*Cluster) {})
		r.Deny("a", "elasticloadbalancing:DescribeLoadBalancers")
		p, err := r.look(Deletion).PlanDelete()
		r.must(err)
		if text := p.String(); !strings.Contains(text, "blocked   the cluster's classic-load-balancers: could not be read") || !strings.Contains(text, "blocked   the cluster's load-balancers: could not be read") {
			t.Errorf("plan:\n%s", text)
		}
	})
}
