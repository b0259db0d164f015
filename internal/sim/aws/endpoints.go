// SPDX-FileCopyrightText: The Espalier Authors
// SPDX-License-Identifier: Apache-2.0

package aws

import (
	"slices"
	"strings"
)

// endpoint is a gateway endpoint of a VPC.
type endpoint struct {
	std
	VPC, Service, Family string
	Tables               []string
}

var endpoints = &kind[*endpoint]{
	resource: "vpc-endpoint", prefix: "vpce-", noun: "Vpc Endpoint Id",
	notFound: "InvalidVpcEndpointId.NotFound", malformed: "InvalidVpcEndpointId.Malformed",
	of: func(c *Cloud) *table[*endpoint] { return &c.endpoints }, ids: "VpcEndpointId", set: "vpcEndpointSet",
	filters: map[string]func(*call, *endpoint) []string{
		"vpc-id":             one(func(e *endpoint) string { return e.VPC }),
		"service-name":       one(func(e *endpoint) string { return e.Service }),
		"vpc-endpoint-id":    one(func(e *endpoint) string { return e.ID }),
		"vpc-endpoint-type":  one(func(*endpoint) string { return "Gateway" }),
		"vpc-endpoint-state": one(func(*endpoint) string { return "available" }),
	},
	show: showEndpoint,
}

func showEndpoint(c *call, e *endpoint) object {
	return object{
		{"vpcEndpointId", e.ID}, {"vpcEndpointType", "Gateway"}, {"vpcId", e.VPC}, {"serviceName", e.Service}, {"state", "available"},
		{"ipAddressType", e.Family}, {"routeTableIdSet", e.Tables}, {"creationTimestamp", e.made}, {"ownerId", e.account.id},
		{"tagSet", c.tagsOf(e.self())},
	}
}

var endpointOperations = operations{
	"ec2 DescribeVpcEndpoints": {"VpcEndpointId Filter MaxResults NextToken", endpoints.describe},
	"ec2 CreateVpcEndpoint":    {"VpcId ServiceName VpcEndpointType RouteTableId IpAddressType ClientToken TagSpecification", createEndpoint},
	"ec2 ModifyVpcEndpoint":    {"VpcEndpointId AddRouteTableId RemoveRouteTableId IpAddressType", modifyEndpoint},
	"ec2 DeleteVpcEndpoints":   {"VpcEndpointId", deleteEndpoints},
}

func createEndpoint(c *call) (object, error) {
	v, err := vpcs.own(c, "VpcId")
	if err != nil {
		return nil, err
	}
	if t := c.str("VpcEndpointType"); t != "" && t != "Gateway" {
		return nil, c.cloud.notImplemented(c, "endpoints of the type "+t)
	}
	service := c.str("ServiceName")
	if !strings.HasPrefix(service, "com.amazonaws."+c.region+".") {
		return nil, refuse("InvalidServiceName", "The Vpc Endpoint Service '%s' does not exist", service)
	}
	id, err := c.once()
	if err != nil {
		return nil, err
	}
	e, ok := c.cloud.endpoints.get(id)
	if !ok {
		e = &endpoint{VPC: v.ID, Service: service, Family: "ipv4", Tables: c.strs("RouteTableId")}
		if f := c.str("IpAddressType"); f != "" {
			e.Family = f
		}
		if err := c.knownTables(e.Tables); err != nil {
			return nil, err
		}
		if e.std, err = endpoints.begin(c); err != nil {
			return nil, err
		}
		c.cloud.endpoints.add(e)
		c.remember(e.ID)
	}
	return object{{"vpcEndpoint", showEndpoint(c, e)}, {"clientToken", some(c.str("ClientToken"))}}, nil
}

func (c *call) knownTables(ids []string) error {
	for _, id := range ids {
		if _, err := routeTables.find(c, id); err != nil {
			return err
		}
	}
	return nil
}

func modifyEndpoint(c *call) (object, error) {
	e, err := endpoints.own(c, "VpcEndpointId")
	if err != nil {
		return nil, err
	}
	if err := c.knownTables(c.strs("AddRouteTableId")); err != nil {
		return nil, err
	}
	for _, id := range c.strs("AddRouteTableId") {
		if !slices.Contains(e.Tables, id) {
			e.Tables = append(e.Tables, id)
		}
	}
	e.Tables = slices.DeleteFunc(e.Tables, func(id string) bool { return slices.Contains(c.strs("RemoveRouteTableId"), id) })
	if f := c.str("IpAddressType"); f != "" {
		e.Family = f
	}
	return object{{"return", true}}, nil
}

// deleteEndpoints says of each that it could not delete why.
func deleteEndpoints(c *call) (object, error) {
	failed := []object{}
	for _, id := range c.strs("VpcEndpointId") {
		e, err := endpoints.find(c, id)
		if err != nil {
			failed = append(failed, object{
				{"resourceId", id}, {"error", object{{"code", "InvalidVpcEndpoint.NotFound"}, {"message", "The Vpc Endpoint Id '" + id + "' does not exist"}}},
			})
			continue
		}
		c.cloud.endpoints.remove(e)
	}
	return object{{"unsuccessful", failed}}, nil
}
