// SPDX-FileCopyrightText: The Espalier Authors
// SPDX-License-Identifier: Apache-2.0

package aws

import (
	"fmt"
	"net/http"
	"path"
	"slices"
	"strings"

	"github.com/espalier-io/espalier/internal/sim/traffic"
)

// operation is what a service can do.
type operation struct {
	params string // names at the top that it understands, with spaces between
	do     func(*call) (object, error)
}

// operations are keyed "ec2 CreateVpc"; the older of the two APIs of load
// balancers has the service "elb".
type operations map[string]operation

// reads are what the names of actions that change nothing begin with.
var reads = []string{"Describe", "Get", "List"}

func writes(action string) bool {
	return !slices.ContainsFunc(reads, func(r string) bool { return strings.HasPrefix(action, r) })
}

// name is under what an operation is found.
func (c *call) name() string {
	service := c.protocol.name
	if service == "elasticloadbalancing" && c.version == "2012-06-01" {
		service = "elb"
	}
	return service + " " + c.action
}

// dispatch checks who asks, where, and whether he may, and runs the operation.
func (c *Cloud) dispatch(req *call) (object, error) {
	op, known := c.operations[req.name()]
	if !known {
		return nil, c.notImplemented(req, "the action "+req.action)
	}
	if err := req.authenticate(); err != nil {
		return nil, err
	}
	for _, name := range req.names() {
		if name != "DryRun" && !slices.Contains(strings.Fields(op.params), name) {
			return nil, c.notImplemented(req, "the parameter "+name+" of "+req.action)
		}
	}
	if err := req.authorize(req.action); err != nil {
		return nil, err
	}
	if req.has("TagSpecification") {
		if err := req.authorize("CreateTags"); err != nil {
			return nil, err
		}
	}
	if req.is("DryRun") {
		return nil, refuseWith(http.StatusPreconditionFailed, "DryRunOperation", "Request would have succeeded, but DryRun flag is set.")
	}
	return op.do(req)
}

// notImplemented counts and refuses what the cloud does not understand.
func (c *Cloud) notImplemented(req *call, what string) *refusal {
	c.unknown = append(c.unknown, req.protocol.name+" "+req.action+": "+what)
	return refuseWith(http.StatusNotImplemented, "NotImplemented",
		"the embedded AWS does not know %s of %s (version %q)", what, req.protocol.name, req.version)
}

// Unknown returns what was asked for and is not known: service, action and
// what it is about. Tests expect none.
func (c *Cloud) Unknown() []string {
	c.mu.Lock()
	defer c.mu.Unlock()
	return slices.Clone(c.unknown)
}

// authenticate checks the access key and the region.
func (c *call) authenticate() error {
	ec2 := c.protocol.style == ec2Query
	switch {
	case c.key == "" && ec2:
		return refuse("MissingAuthenticationToken", "Request is missing Authentication Token")
	case c.key == "":
		return refuseWith(http.StatusForbidden, "MissingAuthenticationToken", "Request is missing Authentication Token")
	case c.account == nil && ec2:
		return refuseWith(http.StatusUnauthorized, "AuthFailure", "AWS was not able to validate the provided access credentials")
	case c.account == nil && c.protocol.style == json11:
		return refuse("UnrecognizedClientException", "The security token included in the request is invalid.")
	case c.account == nil:
		return refuseWith(http.StatusForbidden, "InvalidClientTokenId", "The security token included in the request is invalid.")
	case c.cloud.regions[c.region] == nil && ec2:
		return refuseWith(http.StatusUnauthorized, "AuthFailure", "Credential should be scoped to a valid region.")
	case c.cloud.regions[c.region] == nil:
		return refuseWith(http.StatusForbidden, "SignatureDoesNotMatch", "Credential should be scoped to a valid region.")
	}
	return nil
}

// authorize checks whether the account may.
func (c *call) authorize(action string) error {
	full := c.protocol.name + ":" + action
	for _, pattern := range c.cloud.denied[c.account.name] {
		if hit, err := path.Match(strings.ToLower(pattern), strings.ToLower(full)); err != nil || !hit {
			continue
		}
		status := http.StatusForbidden
		if c.protocol.style == json11 {
			status = http.StatusBadRequest
		}
		who := fmt.Sprintf("User: %s is not authorized to perform: %s because no identity-based policy allows the %s action", c.account.arn(), full, full)
		if c.protocol.style == ec2Query {
			who = "You are not authorized to perform this operation. " + who
		}
		return refuseWith(status, c.protocol.denied, "%s", who)
	}
	return nil
}

// Deny forbids an account actions, like "ec2:CreateTags" or "elasticloadbalancing:*"; without
// patterns all is allowed again. What is created with tags needs ec2:CreateTags too.
func (c *Cloud) Deny(account string, patterns ...string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.denied[account] = slices.Clone(patterns)
}

// throttled says whether there are too many calls, of all or of this action.
func (c *Cloud) throttled(req *call) bool {
	if b := c.buckets[req.protocol.name+":"+req.action]; b != nil && traffic.Allow(b) > 0 {
		return true
	}
	return traffic.Allow(c.switches) > 0
}

// ThrottleAction allows so many calls of one action, like "ec2:CreateRoute", per
// second, and bursts of that size. EC2 refuses more with RequestLimitExceeded,
// the other services with Throttling. A rate of 0 allows all.
func (c *Cloud) ThrottleAction(action string, perSecond float64, burst int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	b := traffic.New[Call](c.opt.Now)
	b.Throttle(perSecond, burst)
	c.buckets[action] = b
}
