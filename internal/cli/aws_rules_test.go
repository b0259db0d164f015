// SPDX-FileCopyrightText: The Espalier Authors
// SPDX-License-Identifier: Apache-2.0

package cli

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// overlapping are flags with which pods and nodes overlap.
const overlapping = " --nodes 10.10.0.0/16 --pods 10.10.0.0/16"

func TestAWSRulesThatNeedNoCloud(t *testing.T) {
	ipv4 := "validate -f aws-ipv4.yaml"
	for name, args := range map[string]string{
		"aws validate with errors":                 ipv4 + overlapping,
		"aws validate a bare configuration":        ipv4,
		"aws validate without an overlay key":      ipv4 + " --nodes 10.10.0.0/16 --network-type cilium --ip-families IPv4,IPv6",
		"aws validate another plug-in":             ipv4 + " --nodes 10.10.0.0/16 --network-type flannel --ip-families IPv4,IPv6",
		"aws validate against a profile":           "validate -f aws-shoot.yaml --cloud-profile profile.yaml",
		"aws validate what may not change":         "validate -f aws-security-group.yaml --old aws-ipv4.yaml -o json",
		"aws validate an old one of another cloud": ipv4 + " --old 4-byo-subnet.yaml",
		"aws explain a code":                       "explain EAWS123",
	} {
		t.Run(name, func(t *testing.T) {
			b := newBench(t, &fake{})
			b.examples("*.yaml")
			b.file("profile.yaml", "apiVersion: core.gardener.cloud/v1beta1\nkind: CloudProfile\nspec:\n  type: aws\n  regions: [{name: eu-central-1, zones: [{name: eu-central-1a}, {name: eu-central-1b}]}]\n")
			golden(t, name, b.run("", strings.Fields(args)...).String())
		})
	}
}

// What was applied last counts, too, whatever file it stands in now.
func TestAWSConfigurationThatWasAppliedLast(t *testing.T) {
	s := newAWSSite(t)
	args := flagsOf(t, "aws-ipv4.yaml")
	s.must(append([]string{"apply", "--yes"}, args...)...)
	changed := strings.Replace(example(t, "aws-ipv4.yaml"), "subnet-0e5a0000000000a01", "subnet-0e5a0000000000a04", 1)
	s.file("aws-ipv4.yaml", changed)
	n := len(s.cloud.Calls())
	for _, verb := range []string{"validate", "preflight", "plan", "apply --yes"} {
		if r := s.run("", append(strings.Fields(verb), args...)...); r.code != 1 || !strings.Contains(r.out, "EAWS056") {
			t.Errorf("%s", r)
		}
	}
	if len(s.cloud.Calls()) > n {
		t.Error("the cloud was asked")
	}
	s.must(append([]string{"delete", "--yes"}, args...)...)
	s.clean()
}

func TestFlagsOfAnotherCloudAreRefused(t *testing.T) {
	for args, says := range map[string]string{
		"plan -f aws-ipv4.yaml --os-cloud x":                   "--os-cloud is for openstack, and the InfrastructureConfig is of aws",
		"plan -f 4-byo-subnet.yaml --aws-profile x":            "--aws-profile is for aws, and the InfrastructureConfig is of openstack",
		"delete -f 4-byo-subnet.yaml --remove-pod-routes":      "--remove-pod-routes is for aws",
		"apply -f aws-ipv4.yaml --remove-pod-routes":           "unknown flag",
		"plan -f aws-ipv4.yaml --overlay perhaps":              "it must be on or off",
		"plan -f aws-ipv4.yaml --accept EAWS101":               "can not be accepted",
		"plan -f aws-ipv4.yaml --accept EAWS001":               "can not be accepted",
		"plan -f aws-shoot.yaml --overlay on":                  "--overlay can not be given",
		"plan -f aws-ipv4.yaml":                                "give the technical ID with --name",
		"plan -f aws-ipv4.yaml --name x --ip-families both":    "it must be IPv4, IPv6",
		"preflight -f aws-shoot.yaml --cloud-profile own.yaml": "give the CloudProfile itself",
	} {
		b := newBench(t, &fake{})
		b.examples("*.yaml")
		b.file("own.yaml", "apiVersion: aws.provider.extensions.gardener.cloud/v1alpha1\nkind: CloudProfileConfig\n")
		if r := b.run("", strings.Fields(args)...); r.code != 2 || !strings.Contains(r.err, says) {
			t.Errorf("want %q: %s", says, r)
		}
	}
}

func TestWhatMayBeAcceptedOnAWS(t *testing.T) {
	s := newAWSSite(t)
	args := append(flagsOf(t, "aws-ipv4.yaml"), "--nodes", "10.10.0.0/17", "--pods", "10.10.128.0/17") // inside the VPC
	if r := s.run("", append([]string{"preflight"}, args...)...); r.code != 1 || !strings.Contains(r.out, "error     EAWS122") {
		t.Errorf("%s", r)
	}
	if r := s.run("", append([]string{"preflight", "--accept", "EAWS122"}, args...)...); !strings.Contains(r.out, "warning   EAWS122") {
		t.Errorf("%s", r)
	}
}

// The SDK's own chain: environment, files, and the profile of the flag.
func TestTheDefaultChainOfTheSDK(t *testing.T) {
	s := newAWSSite(t)
	url := s.vars["AWS_ENDPOINT_URL"]
	s.env.Alone = false
	s.file("config", "[profile team]\nregion = eu-central-1\nendpoint_url = "+url+"\n\n[profile nowhere]\nregion = eu-west-1\nendpoint_url = "+url+"\n")
	s.file("credentials", "[team]\naws_access_key_id = a\naws_secret_access_key = sesame\n\n[nowhere]\naws_access_key_id = a\naws_secret_access_key = sesame\n")
	clear := map[string]string{"AWS_CONFIG_FILE": filepath.Join(s.dir, "config"), "AWS_SHARED_CREDENTIALS_FILE": filepath.Join(s.dir, "credentials")}
	for _, name := range []string{"AWS_PROFILE", "AWS_REGION", "AWS_DEFAULT_REGION", "AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY", "AWS_SESSION_TOKEN", "AWS_ENDPOINT_URL", "AWS_CA_BUNDLE"} {
		clear[name] = ""
	}
	for name, tc := range map[string]struct {
		env  map[string]string
		args string
		code int
		says string
	}{
		"the profile of the flag":         {nil, "--aws-profile team", 0, "account 111122223333, region eu-central-1"},
		"the profile of the environment":  {map[string]string{"AWS_PROFILE": "team"}, "", 0, "account 111122223333, region eu-central-1"},
		"the flag goes before":            {map[string]string{"AWS_PROFILE": "nowhere"}, "--aws-profile team", 0, "region eu-central-1"},
		"keys of the environment":         {map[string]string{"AWS_ACCESS_KEY_ID": "a", "AWS_SECRET_ACCESS_KEY": "sesame", "AWS_REGION": "eu-central-1", "AWS_ENDPOINT_URL": url}, "", 0, "account 111122223333"},
		"the region of the flag":          {nil, "--aws-profile nowhere --region eu-central-1", 0, "region eu-central-1"},
		"a profile that is not there":     {nil, "--aws-profile gone", 2, "gone"},
		"a profile in a region without":   {nil, "--aws-profile nowhere", 1, "EAWS101"},
		"a region that nobody names":      {map[string]string{"AWS_ACCESS_KEY_ID": "a", "AWS_SECRET_ACCESS_KEY": "sesame", "AWS_ENDPOINT_URL": url}, "", 2, "use --region or AWS_REGION"},
		"an account that is not there":    {map[string]string{"AWS_ACCESS_KEY_ID": "x", "AWS_SECRET_ACCESS_KEY": "sesame", "AWS_REGION": "eu-central-1", "AWS_ENDPOINT_URL": url}, "", 2, "asking which account"},
		"no credentials at all":           {map[string]string{"AWS_REGION": "eu-central-1", "AWS_ENDPOINT_URL": url, "AWS_EC2_METADATA_DISABLED": "true"}, "", 2, "looking for AWS credentials"},
		"a configuration that is no file": {map[string]string{"AWS_CONFIG_FILE": s.dir, "AWS_PROFILE": "team"}, "", 2, "AWS configuration"},
	} {
		t.Run(name, func(t *testing.T) {
			for k, v := range clear {
				t.Setenv(k, v)
				if v == "" {
					if err := os.Unsetenv(k); err != nil {
						t.Fatal(err)
					}
				}
			}
			for k, v := range tc.env {
				t.Setenv(k, v)
			}
			args := append(flagsOf(t, "aws-ipv4.yaml"), strings.Fields(tc.args)...)
			r := s.run("", append([]string{"preflight"}, args...)...)
			if r.code != tc.code || !strings.Contains(r.out+r.err, tc.says) || strings.Contains(r.out+r.err, "sesame") {
				t.Errorf("want the exit code %d and %q: %s", tc.code, tc.says, r)
			}
		})
	}
}
