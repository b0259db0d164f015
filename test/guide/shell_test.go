// SPDX-FileCopyrightText: The Espalier Authors
// SPDX-License-Identifier: Apache-2.0

package guide

import (
	"context"
	"fmt"
	"net/http"
	"net/url"
	"regexp"
	"strings"

	"github.com/gophercloud/gophercloud/v2"

	"github.com/espalier-io/espalier/test/clouds"
)

type object = map[string]any

// A shell carries out openstack commands as a user. It knows the commands of
// the guide, and refuses others: what it does not know is not tested.
type shell struct{ user *clouds.User }

// A command is what some words do.
type command struct {
	options map[string]option
	do      func(ctx context.Context, s *shell, c call) (string, error)
}

// An option puts something into the body of the request.
type option struct {
	flag bool // it takes no value
	set  func(ctx context.Context, s *shell, body object, value string) error
}

// A call is a command with its arguments.
type call struct {
	words string
	names []string // what is not an option
	body  object
}

var substitution = regexp.MustCompile(`\$\(([^)]*)\)`)

// fill puts the output of commands where $(…) stands.
func (s *shell) fill(ctx context.Context, text string) (filled string, err error) {
	filled = substitution.ReplaceAllStringFunc(text, func(m string) string {
		out, ferr := s.run(ctx, substitution.FindStringSubmatch(m)[1])
		if ferr != nil && err == nil {
			err = ferr
		}
		return out
	})
	return filled, err
}

// run carries out a line and returns what it prints.
func (s *shell) run(ctx context.Context, line string) (string, error) {
	line, err := s.fill(ctx, line)
	if err != nil {
		return "", err
	}
	words := strings.Fields(line)
	if len(words) == 0 || words[0] != "openstack" {
		return "", fmt.Errorf("%s: not an openstack command", line)
	}
	for n := min(len(words)-1, 4); n > 0; n-- {
		name := strings.Join(words[1:1+n], " ")
		if c, ok := commands[name]; ok {
			out, err := s.carryOut(ctx, name, c, words[1+n:])
			if err != nil {
				return "", fmt.Errorf("%s: %w", line, err)
			}
			return out, nil
		}
	}
	return "", fmt.Errorf("%s: the test does not know this command; add it to commands_test.go", line)
}

func (s *shell) carryOut(ctx context.Context, name string, c command, words []string) (string, error) {
	in := call{words: name, body: object{}}
	for i := 0; i < len(words); i++ {
		if !strings.HasPrefix(words[i], "-") {
			in.names = append(in.names, words[i])
			continue
		}
		o, ok := c.options[words[i]]
		if !ok {
			return "", fmt.Errorf("the test does not know the option %s", words[i])
		}
		value := ""
		if !o.flag {
			if i++; i == len(words) {
				return "", fmt.Errorf("%s has no value", words[i-1])
			}
			value = words[i]
		}
		if err := o.set(ctx, s, in.body, value); err != nil {
			return "", err
		}
	}
	return c.do(ctx, s, in)
}

// A kind is a kind of thing, and where its API is.
type kind struct{ service, path, singular string }

var kinds = map[string]kind{
	"network":        {"network", "networks", "network"},
	"subnet":         {"network", "subnets", "subnet"},
	"router":         {"network", "routers", "router"},
	"subnet pool":    {"network", "subnetpools", "subnetpool"},
	"security group": {"network", "security-groups", "security_group"},
	"share network":  {"share", "share-networks", "share_network"},
}

// id finds the one thing of a kind that the user sees under a name.
func (s *shell) id(ctx context.Context, k kind, name string) (string, error) {
	var got map[string][]struct{ ID string }
	if err := s.send(ctx, http.MethodGet, k.service, k.path+"?name="+url.QueryEscape(name), nil, &got); err != nil {
		return "", err
	}
	all := got[k.singular+"s"]
	if len(all) != 1 {
		return "", fmt.Errorf("%d things of kind %s are called %q", len(all), k.singular, name)
	}
	return all[0].ID, nil
}

// send sends one request with gophercloud.
func (s *shell) send(ctx context.Context, method, service, path string, body, into any) error {
	c, err := s.user.Service(service)
	if err != nil {
		return err
	}
	o := &gophercloud.RequestOpts{JSONBody: body, JSONResponse: into, OkCodes: []int{200, 201, 202, 204}}
	if into == nil {
		o.KeepResponseBody = true
	}
	response, err := c.Request(ctx, method, c.Endpoint+path, o)
	if err == nil && into == nil {
		return response.Body.Close()
	}
	return err
}
