// SPDX-FileCopyrightText: The Espalier Authors
// SPDX-License-Identifier: Apache-2.0

package aws

import (
	"errors"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/ec2"
	"github.com/aws/aws-sdk-go-v2/service/iam"
	"github.com/google/go-cmp/cmp"

	"github.com/espalier-io/espalier/api/aws/v1alpha1"
	"github.com/espalier-io/espalier/internal/engine"
	"github.com/espalier-io/espalier/internal/fault"
)

// The tests here and in faults_network_test.go are named after what they protect
// from faults that the existing provider has with networks of the user's. W5 and
// W13 are in leftover_test.go, W6, W7, W26, W27 and W32 among the deviations of
// checks*_test.go. W1, W3, W14, W16, W21, W29, W30 and W31 are about subnets
// and file systems that a provider makes itself.

// tagsOf are the tags of a subnet or route table now.
func (w *world) tagsOf(id string) map[string]string {
	w.t.Helper()
	out, err := w.ec2.DescribeTags(w.t.Context(), &ec2.DescribeTagsInput{Filters: filters("resource-id", id)})
	w.must(err)
	m := map[string]string{}
	for _, t := range out.Tags {
		m[aws.ToString(t.Key)] = aws.ToString(t.Value)
	}
	return m
}

// W4: the policy is written once, however IAM spells it in its answer.
func TestAPolicyIsWrittenOnce(t *testing.T) {
	for _, spelled := range []string{`{"b":1,"a":[1,2]}`, ` { "a" : [1, 2], "b":1 }`, `%7B%22a%22%3A%5B1%2C2%5D%2C%22b%22%3A1%7D`} {
		if got := oneSpelling(spelled); got != `{"a":[1,2],"b":1}` {
			t.Errorf("%s: %s", spelled, got)
		}
	}
	w := newWorld(t)
	r := w.run(w.infra("a", "b"), rose())
	w.must(r.apply())
	_, err := w.iam.PutRolePolicy(t.Context(), &iam.PutRolePolicyInput{RoleName: aws.String(cluster + "-nodes"), PolicyName: aws.String(cluster + "-nodes"), PolicyDocument: aws.String(`{"Version":"2012-10-17","Statement":[]}`)})
	w.must(err)
	p, err := r.look(Reconciliation).Plan()
	w.must(err)
	if n := p.Count(); n[engine.Update] != 1 {
		t.Errorf("plan:\n%s", p)
	}
}

// W9, W10: tags of the user's are neither overwritten nor taken away, and all
// of ours go.
func TestTagsOfTheUsersStay(t *testing.T) {
	w := newWorld(t)
	w.tag(clusterTag+cluster, "owned", w.publics["a"])
	w.tag(elbTag, "", w.publics["b"])
	w.tag("team", "red", w.internals["a"], w.private)
	before := w.everything()
	r := w.run(w.infra("a", "b"), rose())
	w.must(r.apply())
	if got := w.tagsOf(w.publics["a"])[clusterTag+cluster]; got != "owned" {
		t.Errorf("the cluster tag is %q", got)
	}
	if got, ok := w.tagsOf(w.publics["b"])[elbTag]; got != "" || !ok {
		t.Errorf("the role tag is %q", got)
	}
	w.must(r.delete())
	if diff := cmp.Diff(before, w.everything()); diff != "" {
		t.Errorf("not as it was:\n%s", diff)
	}
}

// A value that we set and somebody changed is theirs from then on.
func TestATagThatIsChangedIsTheirs(t *testing.T) {
	w := newWorld(t)
	r := w.run(w.infra("a", "b"), rose())
	w.must(r.apply())
	w.tag(clusterTag+cluster, "mine now", w.private)
	w.must(r.apply())
	w.must(r.delete())
	if got := w.tagsOf(w.private)[clusterTag+cluster]; got != "mine now" {
		t.Errorf("the tag is %q", got)
	}
}

// A tag that somebody strips is back after the next run.
func TestATagThatIsStrippedIsSetAgain(t *testing.T) {
	w := newWorld(t)
	r := w.run(w.infra("a", "b"), rose())
	w.must(r.apply())
	_, err := w.ec2.DeleteTags(t.Context(), &ec2.DeleteTagsInput{Resources: []string{w.publics["a"], w.private}, Tags: toTags(map[string]string{clusterTag + cluster: "shared"})})
	w.must(err)
	w.must(r.apply())
	if w.tagsOf(w.publics["a"])[clusterTag+cluster] != "shared" || w.tagsOf(w.private)[clusterTag+cluster] != "shared" {
		t.Error("the tags are missing")
	}
}

// W11: a deletion does not mind that the user's things are gone.
func TestADeletionWithoutTheUsersThings(t *testing.T) {
	w := newWorld(t)
	r := w.run(w.infra("a", "b"), rose())
	w.must(r.apply())
	_, err := w.ec2.DeleteSubnet(t.Context(), &ec2.DeleteSubnetInput{SubnetId: aws.String(w.internals["b"])})
	w.must(err)
	w.must(r.delete())
	s, err := engine.LoadState(r.saved, nil)
	w.must(err)
	if n := len(s.Records()); n > 0 {
		t.Errorf("%d records are left", n)
	}
}

// W12: the tag follows the table that worker subnets use, and goes when overlay
// is switched on.
func TestTheTagFollowsTheTable(t *testing.T) {
	w := newWorld(t)
	r := w.run(w.infra("a", "b"), rose())
	w.must(r.apply())
	own := w.table("rtb-own", &ec2.CreateRouteInput{DestinationCidrBlock: aws.String("0.0.0.0/0"), NatGatewayId: &w.nat})
	for _, z := range []string{"a", "b"} {
		w.move(w.workers[z], own)
	}
	w.must(r.apply())
	if _, ok := w.tagsOf(w.private)[clusterTag+cluster]; ok || w.tagsOf(own)[clusterTag+cluster] != "shared" {
		t.Errorf("old %v, new %v", w.tagsOf(w.private), w.tagsOf(own))
	}
	k := rose()
	k.Overlay = true
	r.config = w.run(w.infra("a", "b"), k).config
	w.must(r.apply())
	if _, ok := w.tagsOf(own)[clusterTag+cluster]; ok {
		t.Errorf("with overlay: %v", w.tagsOf(own))
	}
}

// move gives a subnet another route table.
func (w *world) move(subnet, table string) {
	w.t.Helper()
	out, err := w.ec2.DescribeRouteTables(w.t.Context(), &ec2.DescribeRouteTablesInput{Filters: filters("association.subnet-id", subnet)})
	w.must(err)
	for _, a := range out.RouteTables[0].Associations {
		if aws.ToString(a.SubnetId) == subnet {
			_, err = w.ec2.ReplaceRouteTableAssociation(w.t.Context(), &ec2.ReplaceRouteTableAssociationInput{AssociationId: a.RouteTableAssociationId, RouteTableId: &table})
			w.must(err)
		}
	}
}

// W18: the status is in the same order every time.
func TestTheStatusIsSorted(t *testing.T) {
	w := newWorld(t)
	r := w.run(w.infra("b", "a"), rose())
	w.must(r.apply())
	first := r.look(Reconciliation).Status()
	r.config = w.run(w.infra("a", "b"), rose()).config
	if diff := cmp.Diff(first, r.look(Reconciliation).Status()); diff != "" {
		t.Error(diff)
	}
}

// W19 and W20: subnets that tags name are used while the tags are there, and
// only in zones that the cluster uses. Their tags are the user's.
func TestSubnetsAreFoundByTheirTags(t *testing.T) {
	w := newWorld(t)
	infra := w.infra("a")
	infra.Networks.Zones[0].PublicSubnetID, infra.Networks.Zones[0].InternalSubnetID = nil, nil
	for zone, id := range w.publics {
		w.tag(clusterTag+cluster, "shared", id)
		w.tag(elbTag, "1", id)
		_ = zone
	}
	r := w.run(infra, rose())
	w.must(r.apply())
	public := func() (ids []string) {
		for _, s := range r.look(Reconciliation).Status().Provider.VPC.Subnets {
			if s.Purpose == "public" {
				ids = append(ids, s.ID)
			}
		}
		return ids
	}
	if got := public(); !slices.Equal(got, []string{w.publics["a"]}) {
		t.Errorf("public subnets %v", got)
	}
	_, err := w.ec2.DeleteTags(t.Context(), &ec2.DeleteTagsInput{Resources: []string{w.publics["a"]}, Tags: toTags(map[string]string{elbTag: "1"})})
	w.must(err)
	w.must(r.apply())
	if got := public(); len(got) > 0 {
		t.Errorf("public subnets %v after the tags are gone", got)
	}
	w.must(r.delete())
	if got := w.tagsOf(w.publics["b"]); got[elbTag] != "1" || got[clusterTag+cluster] != "shared" {
		t.Errorf("the user's tags: %v", got)
	}
}

// A denied call is told by its kind; what does not depend on it is done.
// What is added later is followed: a zone, the subnets of load balancers.
func TestWhatIsAddedLaterIsFollowed(t *testing.T) {
	w := newWorld(t)
	before := w.everything()
	r := w.run(w.infra("a"), rose())
	for _, infra := range []func() v1alpha1.InfrastructureConfig{
		func() v1alpha1.InfrastructureConfig {
			c := w.infra("a")
			c.Networks.Zones[0].PublicSubnetID, c.Networks.Zones[0].InternalSubnetID = nil, nil
			return c
		},
		func() v1alpha1.InfrastructureConfig { return w.infra("a") },
		func() v1alpha1.InfrastructureConfig { return w.infra("a", "b") },
	} {
		r.config = w.run(infra(), rose()).config
		w.must(r.apply())
		p, err := r.look(Reconciliation).Plan()
		w.must(err)
		if !p.Idle() {
			t.Errorf("a second run has something to do:\n%s", p)
		}
	}
	if w.tagsOf(w.publics["b"])[elbTag] != "1" || w.tagsOf(w.internals["a"])[clusterTag+cluster] != "shared" {
		t.Error("tags are missing")
	}
	w.must(r.delete())
	if diff := cmp.Diff(before, w.everything()); diff != "" {
		t.Errorf("not as it was:\n%s", diff)
	}
}

func TestADeniedCall(t *testing.T) {
	w := newWorld(t)
	r := w.run(w.infra("a", "b"), rose())
	w.Deny("a", "ec2:CreateTags")
	err := r.apply()
	if !fault.Is(err, fault.Denied) || !strings.Contains(err.Error(), "UnauthorizedOperation") {
		t.Errorf("err = %v", err)
	}
	w.Deny("a")
	w.must(r.apply())
	p, err := r.look(Reconciliation).Plan()
	w.must(err)
	if !p.Idle() {
		t.Errorf("plan:\n%s", p)
	}
}

// Two clusters on the same subnets and tables: the last one tidies up, the
// user's own tags stay, and each has its tags after its next run.
func TestTwoClustersOnTheSameSubnets(t *testing.T) {
	w := newWorld(t)
	w.tag(elbTag, "1", w.publics["b"]) // the user's
	before := w.everything()
	k := rose()
	k.TechnicalID, k.UID = cluster+"bud", "another"
	a, b := w.run(w.infra("a", "b"), rose()), w.run(w.infra("a", "b"), k)
	w.must(errors.Join(a.apply(), b.apply()))
	p, err := a.look(Deletion).PlanDelete()
	w.must(err)
	if n := strings.Count(p.String(), "stays if they are still there: "+cluster+"bud"); n != 3 { // the fourth is the user's
		t.Errorf("%d role tags are said to stay:\n%s", n, p)
	}
	w.must(a.delete())
	if w.tagsOf(w.internals["b"])[internalTag] != "1" {
		t.Error("the first one has taken a role tag that the other one needs")
	}
	w.must(b.apply())
	tags := w.tagsOf(w.publics["a"])
	if tags[elbTag] != "1" || tags[clusterTag+cluster+"bud"] != "shared" || len(tags) != 3 {
		t.Errorf("after the first has gone: %v", slices.Sorted(maps.Keys(tags)))
	}
	w.must(b.delete())
	if diff := cmp.Diff(before, w.everything()); diff != "" {
		t.Errorf("not as it was:\n%s", diff)
	}
}

// With the credentials of another account every ID would read as absent.
func TestAnotherAccountIsRefused(t *testing.T) {
	w := newWorld(t)
	r := w.run(w.infra("a", "b"), rose())
	w.must(r.apply())
	before := w.everything()
	w.key = "b"
	for what, f := range map[string]func() error{"apply": r.apply, "delete": r.delete} {
		if err := f(); err == nil || !strings.Contains(err.Error(), "EGEN101") {
			t.Errorf("%s: err = %v", what, err)
		}
	}
	if w.everything() != before {
		t.Error("something has changed")
	}
}
