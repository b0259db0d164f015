// SPDX-FileCopyrightText: The Espalier Authors
// SPDX-License-Identifier: Apache-2.0

package cli

import (
	_ "embed"
	"fmt"
	"net"

	sim "github.com/espalier-io/espalier/internal/sim/aws"
)

const amazonHelp = `Serves the built-in AWS (EC2's networks and key pairs, IAM, STS, load balancers,
Service Quotas) over HTTP, until it is interrupted, to try things out and to
rehearse. It is in memory only and forgets all at the end. The AWS SDKs and the
AWS CLI can use it, as far as it knows what they ask for.

It prints the AWS_* variables of a user as a shell takes them. The access key
IDs a, b and admin are those of accounts of the same name; any secret will do.

Without --world it has what the demo has: a VPC in three zones with subnets,
route tables, gateways, a security group and neighbours, which the files
examples/aws-*.yaml name.`

const amazonExample = `  espalier cloud aws --listen 127.0.0.1:5001
  espalier cloud aws --world world.yaml --log
  eval "$(espalier cloud aws --env-only --listen 127.0.0.1:5001)"`

//go:embed demo/aws.yaml
var amazonWorld []byte

//go:embed demo/aws-shoot.yaml
var amazonShoot string

// amazonRegion is where all of the demo is.
const amazonRegion = "eu-central-1"

func (p *amazon) builtIn() builtIn {
	return builtIn{
		title: "AWS", help: amazonHelp, example: amazonExample, stock: p.stock, variables: p.variables,
		shoot: amazonShoot, usual: 1, patterns: amazonPatterns,
	}
}

func (*amazon) stock(text []byte) (stage, error) {
	if text == nil {
		text = amazonWorld
	}
	world, err := sim.ParseWorld(text)
	if err != nil {
		return nil, err
	}
	cloud := sim.New(sim.Options{Seed: "espalier"})
	return amazonStage{cloud}, cloud.Plant(world)
}

func (*amazon) variables(url, user string) [][2]string {
	return [][2]string{
		{"AWS_ENDPOINT_URL", url}, {"AWS_ACCESS_KEY_ID", user}, {"AWS_SECRET_ACCESS_KEY", user}, {"AWS_REGION", amazonRegion},
	}
}

// amazonNets are the ranges of the clusters of the demo, by their families.
var amazonNets = map[string]string{
	"IPv4":       "    nodes: 10.10.0.0/16\n    pods: 100.96.0.0/11\n    services: 100.64.0.0/13\n",
	"IPv4, IPv6": "    nodes: 10.10.0.0/16\n    pods: 100.96.0.0/11\n    services: 100.64.0.0/13\n",
	"IPv6":       "",
}

// amazonPattern is a cluster with some IP families in the user's subnets; the
// nodes are in those with a number.
func amazonPattern(title, families, nodes, more string) pattern {
	text := more + "        zones:\n"
	for _, zone := range []string{"a", "b", "c"} {
		subnet := "subnet-0e5a0000000000" + zone
		text += "        - name: " + amazonRegion + zone + "\n          workersSubnetID: " + subnet + nodes +
			"\n          publicSubnetID: " + subnet + "02\n          internalSubnetID: " + subnet + "03\n"
	}
	return pattern{title, text + "  networking:\n    type: calico\n    providerConfig: {overlay: {enabled: false}}\n    ipFamilies: [" + families + "]\n" + amazonNets[families]}
}

var amazonPatterns = []pattern{
	amazonPattern("it is put into VPC and subnets that are the user's, in three zones", "IPv4", "01", ""),
	amazonPattern("it is put there with both IP families", "IPv4, IPv6", "01", ""),
	amazonPattern("it is put there with IPv6 alone", "IPv6", "04", ""),
	amazonPattern("the security group is the user's as well", "IPv4", "01", "        nodesSecurityGroupID: sg-0e5a0000000000004\n"),
}

// amazonStage is the AWS in memory.
type amazonStage struct{ *sim.Cloud }

func (s amazonStage) calls() (all, writes int) {
	calls := s.Calls()
	return len(calls), len(sim.Writes(calls))
}

func (s amazonStage) watch(tell func(string)) {
	s.Hook(func(c sim.Call, p sim.Phase) {
		if p == sim.Answered {
			tell(fmt.Sprintf("%4d  %s %s %d %s", c.N, c.Service, c.Action, c.Status, c.Code))
		}
	})
}

func (s amazonStage) serve(l net.Listener) (string, func() error) {
	server := s.Serve(l)
	return server.URL, server.Close
}
