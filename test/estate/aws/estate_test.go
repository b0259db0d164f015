// SPDX-FileCopyrightText: The Espalier Authors
// SPDX-License-Identifier: Apache-2.0

package aws

import (
	"context"
	"errors"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"

	sdk "github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/credentials"
	"github.com/aws/aws-sdk-go-v2/service/ec2"
	"github.com/aws/aws-sdk-go-v2/service/ec2/types"

	"github.com/espalier-io/espalier/internal/aws"
	"github.com/espalier-io/espalier/internal/engine"
	sim "github.com/espalier-io/espalier/internal/sim/aws"
	"github.com/espalier-io/espalier/test/estate"
)

// Every variant finds nothing that blocks it in the estate, is made, and is
// taken away again; then the estate is as it was. The kill test builds on this.
func TestEveryVariantLivesInTheEstate(t *testing.T) {
	for _, v := range Variants() {
		t.Run(v.Name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				o := sim.Options{Seed: v.Name}
				cloud, err := New(o, v.Left)
				if err != nil {
					t.Fatal(err)
				}
				survey, err := Inspect(o, v)
				if err != nil {
					t.Fatal(err)
				}
				var saved []byte
				l := look(t, cloud, v, &saved, aws.Reconciliation)
				for _, f := range l.Check() {
					if f.Severity == engine.Error {
						t.Errorf("%s", f)
					}
				}
				p, err := l.Plan()
				if err == nil {
					err = l.Apply(t.Context(), p, engine.Options{})
				}
				if err != nil {
					t.Fatal(err)
				}
				change, err := survey.Compare(cloud)
				if err != nil || len(change.Harm) > 0 || len(change.Doubles()) > 0 || len(change.Made) == 0 {
					t.Errorf("%v, made %d, twice %v, harm:\n%s", err, len(change.Made), change.Doubles(), strings.Join(change.Harm, "\n"))
				}
				complete(t, v, change)
				l = look(t, cloud, v, &saved, aws.Deletion)
				if p, err = l.PlanDelete(); err == nil {
					err = l.Apply(t.Context(), p, engine.Options{})
				}
				if err != nil {
					t.Fatal(err)
				}
				change, err = survey.Compare(cloud)
				if err != nil || len(change.Harm)+len(change.Made) > 0 {
					t.Errorf("%v, harm:\n%s\nleft:\n%s", err, strings.Join(change.Harm, "\n"), change.Print())
				}
			})
		})
	}
}

// complete fails if a tag is missing that the variant adds.
func complete(t *testing.T, v Variant, change estate.Change) {
	t.Helper()
	missing := len(v.Tags)
	for _, made := range change.Made {
		if made.Kind == "tags" {
			missing--
		}
	}
	if missing != 0 {
		t.Errorf("%d of the tags %v are not there:\n%s", missing, v.Tags, change.Print())
	}
}

func look(t *testing.T, cloud *sim.Cloud, v Variant, saved *[]byte, why aws.Purpose) *aws.Look {
	t.Helper()
	config, err := aws.NewConfig(&v.Infra, v.Cluster)
	if err != nil {
		t.Fatal(err)
	}
	state, err := engine.LoadState(*saved, func(_ context.Context, b []byte) error { *saved = b; return nil })
	if err != nil {
		t.Fatal(err)
	}
	o := aws.Options{Config: &sdk.Config{
		BaseEndpoint: new("http://cloud"), HTTPClient: &http.Client{Transport: cloud.Transport()},
		Credentials: credentials.NewStaticCredentialsProvider(User, estate.Secret, ""),
	}}
	session, err := aws.Open(t.Context(), config, state, o)
	if err != nil {
		t.Fatal(err)
	}
	l, err := session.Look(t.Context(), why)
	if err != nil {
		t.Fatal(err)
	}
	return l
}

// The cluster beside ours is whole: a run for it, even without its state, finds
// nothing to do.
func TestTheNeighbourIsWhole(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		cloud, err := New(sim.Options{}, false)
		if err != nil {
			t.Fatal(err)
		}
		v := Variant{Infra: zones("01", "a"), Cluster: rose()}
		v.Cluster.TechnicalID, v.Cluster.UID, v.Cluster.Pods = estate.Cluster+"bud", "99990000-0000-4000-8000-000000000001", prefix("100.128.0.0/11")
		p, err := look(t, cloud, v, new([]byte), aws.Reconciliation).Plan()
		if err != nil || !p.Idle() {
			t.Errorf("%v\n%s", err, p)
		}
	})
}

// The surveyor sees what it is there for.
func TestTheSurveyorSees(t *testing.T) {
	tags := func(keyValue ...string) *ec2.CreateTagsInput {
		return &ec2.CreateTagsInput{Resources: []string{subnet("b02")}, Tags: []types.Tag{{Key: &keyValue[0], Value: &keyValue[1]}}}
	}
	ours := func(name string) *ec2.ImportKeyPairInput {
		mark := types.Tag{Key: new("espalier.io/" + estate.Cluster), Value: new(estate.UID + "/key-pair")}
		return &ec2.ImportKeyPairInput{KeyName: &name, PublicKeyMaterial: []byte(estate.Key), TagSpecifications: []types.TagSpecification{{ResourceType: types.ResourceTypeKeyPair, Tags: []types.Tag{mark}}}}
	}
	for name, tt := range map[string]struct {
		do                func(ctx context.Context, c *ec2.Client) error
		made, twice, harm int
	}{
		"two things with one mark of ours": {func(ctx context.Context, c *ec2.Client) error {
			_, err := c.ImportKeyPair(ctx, ours("one"))
			_, more := c.ImportKeyPair(ctx, ours("two"))
			return errors.Join(err, more)
		}, 2, 1, 0},
		"a tag of ours": {func(ctx context.Context, c *ec2.Client) error {
			_, err := c.CreateTags(ctx, tags(clusterKey, "shared"))
			return err
		}, 1, 0, 0},
		"another value": {func(ctx context.Context, c *ec2.Client) error {
			_, err := c.CreateTags(ctx, tags(clusterKey, "owned"))
			return err
		}, 1, 0, 1},
		"a tag of the user's that is another": {func(ctx context.Context, c *ec2.Client) error {
			_, err := c.CreateTags(ctx, tags("team", "red"))
			return err
		}, 1, 0, 1},
		"a route in a table of the user's": {func(ctx context.Context, c *ec2.Client) error {
			_, err := c.CreateRoute(ctx, &ec2.CreateRouteInput{RouteTableId: new(string(Table)), DestinationCidrBlock: new("100.64.0.0/24"), NatGatewayId: new("nat-0e5a0000000000001")})
			return err
		}, 0, 0, 1},
	} {
		t.Run(name, func(t *testing.T) {
			cloud, err := New(sim.Options{}, false)
			if err != nil {
				t.Fatal(err)
			}
			survey, err := Inspect(sim.Options{}, Variants()[0])
			if err != nil {
				t.Fatal(err)
			}
			if err := tt.do(t.Context(), Client(cloud)); err != nil {
				t.Fatal(err)
			}
			change, err := survey.Compare(cloud)
			if err != nil || len(change.Made) != tt.made || len(change.Doubles()) != tt.twice || len(change.Harm) != tt.harm {
				t.Errorf("%v %+v", err, change)
			}
		})
	}
}
