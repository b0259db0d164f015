// SPDX-FileCopyrightText: The Espalier Authors
// SPDX-License-Identifier: Apache-2.0

package guide

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/espalier-io/espalier/test/clouds"
)

// motoForgets makes up for two things that moto 5.2.5 leaves out when it deploys
// the template of the guide: EnableDnsHostnames, and the outputs of a stack that a
// change set made, as aws cloudformation deploy makes it, until an update. The
// third are the associations of route tables: see associate.
const motoForgets = `
aws ec2 modify-vpc-attribute --vpc-id $(aws cloudformation describe-stack-resource --stack-name network --logical-resource-id VPC --query StackResourceDetail.PhysicalResourceId --output text) --enable-dns-hostnames
aws cloudformation update-stack --stack-name network --use-previous-template --parameters ParameterKey=Families,ParameterValue=IPv4
`

// motoHolds shows what the stack made, and what a cluster could leave behind. Of
// what is deleted moto keeps the tags.
const motoHolds = `
aws ec2 describe-tags --filters Name=resource-type,Values=vpc,subnet,route-table
aws ec2 describe-subnets
aws ec2 describe-route-tables
aws ec2 describe-security-groups
aws ec2 describe-key-pairs
aws iam list-roles
aws iam list-instance-profiles
`

// TestAWSTemplateOnMoto deploys the CloudFormation template of the guide with
// the guide's commands, and lets a cluster live in its network.
//
// Only IPv4: the CloudFormation of moto 5.2.5 has no AWS::EC2::VPCCidrBlock, no
// AWS::EC2::EgressOnlyInternetGateway, no attribute Ipv6CidrBlocks of a VPC, and
// ignores the IPv6 properties of subnets and routes. With IPv6 and with both
// families no CloudFormation that others wrote deploys the template: there are
// TestAWSTemplate, and TestAWSTemplateIsValid with cfn-lint.
func TestAWSTemplateOnMoto(t *testing.T) {
	moto := countWrites(t, clouds.StartMoto(t))
	p := newAWSPlaceAt(t, pathToAWSCLI(t), buildProgram(t), moto.url)
	section := readPageAt(t, awsGuidePath).section(t, "with-cloudformation")
	file := p.template(section)
	deploy, configuration, found := strings.Cut(section.blocks[1].text, "\n")
	if !found {
		t.Fatal("the guide does not deploy the template with one command and read its output with another one")
	}
	p.bash("set -eu\n" + deploy + motoForgets)
	p.associate(file)
	p.bash("set -eu\n" + configuration)

	flags := []string{
		"-f", filepath.Join(p.dir, "cluster.yaml"), "--name", "shoot--dev--one", "--network-type", "calico", "--overlay", "off",
		"--nodes", "10.10.0.0/16", "--pods", "100.96.0.0/11", "--services", "100.64.0.0/13",
	}
	before := p.bash(motoHolds)
	moto.writes()
	for _, f := range p.says(append([]string{"preflight"}, flags...)...).Findings {
		t.Errorf("preflight says %s %s: %s", f.Severity, f.Code, f.Message)
	}
	if n := moto.writes(); n > 0 {
		t.Errorf("preflight has written %d times", n)
	}
	p.says(append([]string{"apply", "--yes"}, flags...)...)
	if moto.writes() == 0 {
		t.Error("apply has written nothing")
	}
	p.says(append([]string{"apply", "--yes"}, flags...)...)
	if n := moto.writes(); n > 0 {
		t.Errorf("a second apply has written %d times", n)
	}
	p.says(append([]string{"delete", "--yes"}, flags...)...)
	if diff := cmp.Diff(before, p.bash(motoHolds)); diff != "" {
		t.Errorf("not as it was:\n%s", diff)
	}
}

// TestAWSTemplateIsValid has cfn-lint, which moto brings, look at the template:
// at the types and properties of its resources, at references, and at what the
// conditions make of it, for all families.
func TestAWSTemplateIsValid(t *testing.T) {
	lint := filepath.Join(filepath.Dir(clouds.MotoProgram(t)), "cfn-lint")
	p := newAWSPlaceAt(t, os.Getenv("PATH"), "", "")
	file := p.template(readPageAt(t, awsGuidePath).section(t, "with-cloudformation"))
	c := exec.CommandContext(t.Context(), lint, "--include-checks", "I", "--regions", "eu-central-1", "--", file)
	c.Dir = p.dir
	if out, err := c.CombinedOutput(); err != nil || len(out) > 0 {
		t.Errorf("%v\n%s", err, out)
	}
}

// template puts the template of a section into the folder, under the name that
// the section says, and returns its path.
func (p *awsPlace) template(s section) string {
	p.Helper()
	if len(s.blocks) != 2 || s.blocks[0].language != "yaml" || s.blocks[1].language != "sh" {
		p.Fatalf("section %q does not have a template and then commands", s.title)
	}
	file := filepath.Join(p.dir, "network.yaml")
	if err := os.WriteFile(file, []byte(s.blocks[0].text), 0o600); err != nil {
		p.Fatal(err)
	}
	return file
}

var association = regexp.MustCompile(`(?m)Type: AWS::EC2::SubnetRouteTableAssociation\n +Properties: \{RouteTableId: !Ref (\w+), SubnetId: !Ref (\w+)\}$`)

// associate gives subnets the route tables that the template gives them. Moto
// says that it has made these resources of the stack, and its subnets use the main
// table all the same.
func (p *awsPlace) associate(template string) {
	p.Helper()
	text, err := os.ReadFile(template)
	if err != nil {
		p.Fatal(err)
	}
	var stack struct {
		StackResources []struct{ LogicalResourceId, PhysicalResourceId string }
	}
	out := p.bash("aws cloudformation describe-stack-resources --stack-name network --output json")
	if err := json.Unmarshal([]byte(out), &stack); err != nil {
		p.Fatalf("%v\n%s", err, out)
	}
	ids := map[string]string{}
	for _, r := range stack.StackResources {
		ids[r.LogicalResourceId] = r.PhysicalResourceId
	}
	for _, m := range association.FindAllStringSubmatch(string(text), -1) {
		p.bash("aws ec2 associate-route-table --route-table-id " + ids[m[1]] + " --subnet-id " + ids[m[2]])
	}
}

// A motoServer is a moto, and a proxy before it that counts what writes.
type motoServer struct {
	url   string
	wrote atomic.Int64
}

// writes is how many calls have written since it was asked last.
func (m *motoServer) writes() int64 { return m.wrote.Swap(0) }

var readingAction = regexp.MustCompile(`(^|&)Action=(Describe|Get|List)|^\{`)

// countWrites puts a proxy before a moto.
func countWrites(t *testing.T, behind string) *motoServer {
	t.Helper()
	to, err := url.Parse(behind)
	if err != nil {
		t.Fatal(err)
	}
	m := &motoServer{}
	proxy := httputil.NewSingleHostReverseProxy(to)
	front := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		if err != nil {
			t.Error(err)
		}
		if !readingAction.Match(body) {
			m.wrote.Add(1)
		}
		r.Body = io.NopCloser(bytes.NewReader(body))
		proxy.ServeHTTP(w, r)
	}))
	t.Cleanup(front.Close)
	m.url = front.URL
	return m
}
