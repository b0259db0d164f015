// SPDX-FileCopyrightText: The Espalier Authors
// SPDX-License-Identifier: Apache-2.0

package guide

import (
	"encoding/binary"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/netip"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"

	sim "github.com/espalier-io/espalier/internal/sim/aws"
)

// A stack carries out a CloudFormation template on the embedded AWS: as much of
// CloudFormation as the guide's template uses, and what it does not know fails
// the test. A resource becomes one call of EC2, whose parameters have the names
// of the properties; the embedded AWS refuses those that it does not know.
type stack struct {
	*testing.T
	endpoint string
	values   map[string]string // of the parameters
	ids      map[string]string // of the resources that were made
	begun    map[string]bool

	Parameters map[string]struct {
		Default       string   `yaml:"Default"`
		AllowedValues []string `yaml:"AllowedValues"`
	} `yaml:"Parameters"`
	Conditions map[string]yaml.Node     `yaml:"Conditions"`
	Resources  map[string]stackResource `yaml:"Resources"`
	Outputs    map[string]struct {
		Value yaml.Node `yaml:"Value"`
	} `yaml:"Outputs"`
}

type stackResource struct {
	Type       string    `yaml:"Type"`
	Condition  string    `yaml:"Condition"`
	DependsOn  string    `yaml:"DependsOn"`
	Metadata   yaml.Node `yaml:"Metadata"`
	Properties yaml.Node `yaml:"Properties"`
}

// stackCalls says what call makes a resource of a type, where its answer has the
// ID, and which properties are attributes to be set by a call of their own.
// Source: CloudFormation's reference of resource types, EC2's API reference.
var stackCalls = map[string]struct {
	action, id, modify string
	attributes         []string
}{
	"AWS::EC2::VPC":                         {"CreateVpc", "vpcId", "ModifyVpcAttribute", []string{"EnableDnsSupport", "EnableDnsHostnames"}},
	"AWS::EC2::VPCCidrBlock":                {"AssociateVpcCidrBlock", "associationId", "", nil},
	"AWS::EC2::Subnet":                      {"CreateSubnet", "subnetId", "ModifySubnetAttribute", []string{"AssignIpv6AddressOnCreation", "EnableDns64"}},
	"AWS::EC2::InternetGateway":             {"CreateInternetGateway", "internetGatewayId", "", nil},
	"AWS::EC2::VPCGatewayAttachment":        {"AttachInternetGateway", "return", "", nil},
	"AWS::EC2::EgressOnlyInternetGateway":   {"CreateEgressOnlyInternetGateway", "egressOnlyInternetGatewayId", "", nil},
	"AWS::EC2::EIP":                         {"AllocateAddress", "allocationId", "", nil},
	"AWS::EC2::NatGateway":                  {"CreateNatGateway", "natGatewayId", "", nil},
	"AWS::EC2::RouteTable":                  {"CreateRouteTable", "routeTableId", "", nil},
	"AWS::EC2::Route":                       {"CreateRoute", "return", "", nil},
	"AWS::EC2::SubnetRouteTableAssociation": {"AssociateRouteTable", "associationId", "", nil},
}

// TestAWSTemplate carries out the CloudFormation template of the guide on the
// embedded AWS, for each set of families, and lets a cluster live in its network.
// CloudFormation itself is in it only as this file has it.
func TestAWSTemplate(t *testing.T) {
	program := buildProgram(t)
	template := readPageAt(t, awsGuidePath).section(t, "with-cloudformation").blocks[0].text
	four := []string{"--nodes", "10.10.0.0/16", "--pods", "100.96.0.0/11", "--services", "100.64.0.0/13"}
	for families, flags := range map[string][]string{"IPv4": four, "IPv6": nil, "IPv4,IPv6": four} {
		t.Run(families, func(t *testing.T) {
			t.Parallel()
			p := newAWSPlace(t, os.Getenv("PATH"), program)
			s := readStack(t, template)
			s.endpoint = p.env["AWS_ENDPOINT_URL"]
			configuration := s.deploy(map[string]string{"Families": families})
			if err := os.WriteFile(filepath.Join(p.dir, "cluster.yaml"), []byte(configuration), 0o600); err != nil {
				t.Fatal(err)
			}
			p.live(append([]string{"--ip-families", families}, flags...))
		})
	}
}

// TestAWSTemplateOrder makes each resource of the template before all others but
// those on which it depends by its text, since CloudFormation knows no other order.
func TestAWSTemplateOrder(t *testing.T) {
	template := readPageAt(t, awsGuidePath).section(t, "with-cloudformation").blocks[0].text
	for _, families := range []string{"IPv4", "IPv6", "IPv4,IPv6"} {
		for name := range readStack(t, template).Resources {
			t.Run(families+" "+name, func(t *testing.T) {
				server, err := sim.New(sim.Options{Seed: t.Name()}).Start()
				if err != nil {
					t.Fatal(err)
				}
				defer server.Close()
				s := readStack(t, template)
				s.endpoint = server.URL
				s.deploy(map[string]string{"Families": families}, name)
			})
		}
	}
}

// readStack reads a template.
func readStack(t *testing.T, text string) *stack {
	t.Helper()
	s := &stack{T: t, values: map[string]string{}, ids: map[string]string{}, begun: map[string]bool{}}
	if err := yaml.Unmarshal([]byte(text), s); err != nil {
		t.Fatal(err)
	}
	return s
}

// deploy carries out the template, some resources first, and returns its one output.
func (s *stack) deploy(values map[string]string, first ...string) string {
	s.Helper()
	for name, p := range s.Parameters {
		s.values[name] = p.Default
	}
	for name, value := range values {
		if !slices.Contains(s.Parameters[name].AllowedValues, value) {
			s.Fatalf("the parameter %s may not be %s", name, value)
		}
		s.values[name] = value
	}
	for _, name := range append(first, slices.Sorted(maps.Keys(s.Resources))...) {
		s.create(name)
	}
	for _, o := range s.Outputs {
		return s.text(&o.Value)
	}
	s.Fatal("the template has no output")
	return ""
}

// create makes a resource, and before it all that it depends on.
func (s *stack) create(name string) {
	s.Helper()
	r, known := s.Resources[name]
	if !known {
		s.Fatalf("the template has no %s", name)
	}
	if s.begun[name] {
		if s.ids[name] == "" {
			s.Fatalf("%s depends on itself", name)
		}
		return
	}
	if r.Condition != "" && !s.holds(r.Condition) {
		return
	}
	s.begun[name] = true
	if r.DependsOn != "" {
		s.create(r.DependsOn)
	}
	s.value(&r.Metadata)
	call, known := stackCalls[r.Type]
	if !known {
		s.Fatalf("%s: the test does not know the type %s", name, r.Type)
	}
	create, later := url.Values{}, url.Values{}
	for i := 0; i+1 < len(r.Properties.Content); i += 2 {
		property, value := r.Properties.Content[i].Value, s.value(r.Properties.Content[i+1])
		switch {
		case value == nil:
		case slices.Contains(call.attributes, property):
			later.Set(property, fmt.Sprint(value))
		default:
			create.Set(property, fmt.Sprint(value))
		}
	}
	s.ids[name] = s.first(s.ask(call.action, create), call.id)
	for i := 0; r.Type == "AWS::EC2::NatGateway" && i < 100; i++ { // CloudFormation waits for it as well
		if s.first(s.ask("DescribeNatGateways", url.Values{"NatGatewayId.1": {s.ids[name]}}), "state") == "available" {
			break
		}
	}
	for property := range later {
		owner := strings.ToUpper(call.id[:1]) + call.id[1:]
		s.ask(call.modify, url.Values{owner: {s.ids[name]}, property + ".Value": {later.Get(property)}})
	}
}

// holds says whether a condition does.
func (s *stack) holds(condition string) bool {
	s.Helper()
	node, known := s.Conditions[condition]
	if !known {
		s.Fatalf("the template has no condition %s", condition)
	}
	return s.value(&node) == true
}

var placeholder = regexp.MustCompile(`\$\{(\w+)\}`)

// value is what stands in the template, with its functions carried out: a string,
// a bool of a condition, a list, or nil if it is to be left out.
func (s *stack) value(n *yaml.Node) any {
	s.Helper()
	at := func(i int) *yaml.Node { return n.Content[i] }
	switch n.Tag {
	case "!Ref":
		return s.reference(n.Value)
	case "!GetAtt":
		return s.attribute(n.Value)
	case "!If":
		if s.holds(at(0).Value) {
			return s.value(at(1))
		}
		return s.value(at(2))
	case "!Not":
		return s.value(at(0)) == false
	case "!Equals":
		return s.value(at(0)) == s.value(at(1))
	case "!Select":
		i, err := strconv.Atoi(at(0).Value)
		list, ok := s.value(at(1)).([]string)
		if err != nil || !ok || i >= len(list) {
			s.Fatalf("line %d: there is no element %s of %v", n.Line, at(0).Value, list)
		}
		return list[i]
	case "!Cidr":
		return s.ranges(s.text(at(0)), at(1).Value, at(2).Value)
	case "!Sub":
		return placeholder.ReplaceAllStringFunc(n.Value, func(m string) string { return fmt.Sprint(s.reference(m[2 : len(m)-1])) })
	}
	switch {
	case strings.HasPrefix(n.Tag, "!") && !strings.HasPrefix(n.Tag, "!!"):
		s.Fatalf("line %d: the test does not know %s", n.Line, n.Tag)
	case n.Kind == yaml.MappingNode:
		for i := 1; i < len(n.Content); i += 2 {
			s.value(n.Content[i])
		}
	}
	return n.Value
}

func (s *stack) text(n *yaml.Node) string {
	s.Helper()
	return fmt.Sprint(s.value(n))
}

// reference is the value of a parameter, or the ID of a resource, which is made.
func (s *stack) reference(name string) any {
	s.Helper()
	if name == "AWS::NoValue" {
		return nil
	}
	if v, known := s.values[name]; known {
		return v
	}
	s.create(name)
	if s.ids[name] == "" {
		s.Fatalf("%s is referred to, and is not made with these parameters", name)
	}
	return s.ids[name]
}

func (s *stack) attribute(path string) any {
	s.Helper()
	name, attribute, _ := strings.Cut(path, ".")
	id := fmt.Sprint(s.reference(name))
	switch attribute {
	case "AllocationId":
		return id
	case "Ipv6CidrBlocks":
		return []string{s.first(s.ask("DescribeVpcs", url.Values{"VpcId.1": {id}}), "ipv6CidrBlock")}
	}
	s.Fatalf("the test does not know the attribute %s", path)
	return nil
}

// ranges are the first ranges of an IPv6 block that have that many bits for hosts.
func (s *stack) ranges(block, count, bits string) (list []string) {
	s.Helper()
	whole, err := netip.ParsePrefix(block)
	n, nerr := strconv.Atoi(count)
	if err != nil || nerr != nil || bits != "64" || n > 1<<(64-whole.Bits()) {
		s.Fatalf("the test can not divide %s into %s ranges with %s bits", block, count, bits)
	}
	for i := range n {
		address := whole.Addr().As16()
		binary.BigEndian.PutUint64(address[:8], binary.BigEndian.Uint64(address[:8])+uint64(i))
		list = append(list, netip.PrefixFrom(netip.AddrFrom16(address), 64).String())
	}
	return list
}

// ask sends one call to EC2 and returns the answer.
func (s *stack) ask(action string, parameters url.Values) string {
	s.Helper()
	parameters.Set("Action", action)
	parameters.Set("Version", "2016-11-15")
	request, err := http.NewRequestWithContext(s.Context(), http.MethodPost, s.endpoint, strings.NewReader(parameters.Encode()))
	if err != nil {
		s.Fatal(err)
	}
	request.Header.Set("Content-Type", "application/x-www-form-urlencoded; charset=utf-8")
	request.Header.Set("Authorization", "AWS4-HMAC-SHA256 Credential=a/20260101/eu-central-1/ec2/aws4_request, SignedHeaders=host, Signature=0")
	answer, err := http.DefaultClient.Do(request)
	if err != nil {
		s.Fatal(err)
	}
	defer answer.Body.Close()
	body, err := io.ReadAll(answer.Body)
	if err != nil || answer.StatusCode != http.StatusOK {
		s.Fatalf("%s: %s %s %v", parameters.Encode(), answer.Status, body, err)
	}
	return string(body)
}

// first is the text of the first such element of an answer.
func (s *stack) first(answer, element string) string {
	s.Helper()
	_, rest, found := strings.Cut(answer, "<"+element+">")
	text, _, closed := strings.Cut(rest, "<")
	if !found || !closed {
		s.Fatalf("%s\nhas no %s", answer, element)
	}
	return text
}
