// SPDX-FileCopyrightText: The Espalier Authors
// SPDX-License-Identifier: Apache-2.0

package aws

import (
	"maps"
	"slices"
	"strings"
)

// quota is what Service Quotas tells of. Value is that of a new account.
type quota struct {
	service, name string
	value         float64
	global        bool
}

var serviceNames = map[string]string{
	"vpc": "Amazon Virtual Private Cloud (Amazon VPC)", "ec2": "Amazon Elastic Compute Cloud (Amazon EC2)",
	"iam": "AWS Identity and Access Management (IAM)", "elasticloadbalancing": "Elastic Load Balancing",
}

// defaults are the quotas that there are, by code.
var defaults = map[string]quota{
	"L-F678F1CE": {"vpc", "VPCs per Region", 5, false},
	"L-407747CB": {"vpc", "Subnets per VPC", 200, false},
	"L-589F43AA": {"vpc", "Route tables per VPC", 200, false},
	"L-93826ACB": {"vpc", "Routes per route table", 500, false},
	"L-A4707A72": {"vpc", "Internet gateways per Region", 5, false},
	"L-45FE3B85": {"vpc", "Egress-only internet gateways per Region", 5, false},
	"L-FE5A380F": {"vpc", "NAT gateways per Availability Zone", 5, false},
	"L-E79EC296": {"vpc", "VPC security groups per Region", 2500, false},
	"L-0EA8095F": {"vpc", "Inbound or outbound rules per security group", 60, false},
	"L-DF5E4CA3": {"vpc", "Network interfaces per Region", 5000, false},
	"L-0263D0A3": {"ec2", "EC2-VPC Elastic IPs", 5, false},
	"L-FE177D64": {"iam", "Roles per account", 1000, true},
	"L-6E65F664": {"iam", "Instance profiles per account", 1000, true},
	"L-53DA6B97": {"elasticloadbalancing", "Application Load Balancers per Region", 50, false},
	"L-69A177A2": {"elasticloadbalancing", "Network Load Balancers per Region", 50, false},
}

var quotaOperations = operations{
	"servicequotas GetServiceQuota":             {"ServiceCode QuotaCode", getQuota},
	"servicequotas GetAWSDefaultServiceQuota":   {"ServiceCode QuotaCode", getDefaultQuota},
	"servicequotas ListServiceQuotas":           {"ServiceCode MaxResults NextToken", listQuotas},
	"servicequotas ListAWSDefaultServiceQuotas": {"ServiceCode MaxResults NextToken", listDefaultQuotas},
}

// SetQuota sets a quota of an account in a region, by its code; false if there is no such quota.
func (c *Cloud) SetQuota(account, region, code string, value float64) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.setQuota(account, region, code, value)
}

func (c *Cloud) setQuota(account, region, code string, value float64) bool {
	q, ok := defaults[code]
	if !ok {
		return false
	}
	if q.global {
		region = ""
	}
	c.quotas[account+"/"+region+"/"+code] = value
	return true
}

// quota is the value that counts for the caller.
func (c *call) quota(code string) float64 {
	q := defaults[code]
	region := c.region
	if q.global {
		region = ""
	}
	if v, set := c.cloud.quotas[c.account.name+"/"+region+"/"+code]; set {
		return v
	}
	return q.value
}

// within refuses one thing more than the quota allows.
func (c *call) within(code string, have int, refusal, text string) error {
	if !c.planted && float64(have+1) > c.quota(code) {
		return refuse(refusal, "%s", text)
	}
	return nil
}

func (c *call) shownQuota(code string, value float64) object {
	q := defaults[code]
	return object{
		{"QuotaCode", code}, {"QuotaName", q.name}, {"ServiceCode", q.service}, {"ServiceName", serviceNames[q.service]}, {"Value", value},
		{"Adjustable", true}, {"GlobalQuota", q.global}, {"Unit", "None"},
		{"QuotaArn", "arn:aws:servicequotas:" + c.region + ":" + c.account.id + ":" + q.service + "/" + code},
	}
}

func (c *call) quotaParam() (string, error) {
	code := c.str("QuotaCode")
	if q, ok := defaults[code]; !ok || q.service != c.str("ServiceCode") {
		return "", refuse("NoSuchResourceException", "The request failed because the specified service quota does not exist.")
	}
	return code, nil
}

func getQuota(c *call) (object, error) {
	code, err := c.quotaParam()
	if err != nil {
		return nil, err
	}
	return object{{"Quota", c.shownQuota(code, c.quota(code))}}, nil
}

func getDefaultQuota(c *call) (object, error) {
	code, err := c.quotaParam()
	if err != nil {
		return nil, err
	}
	return object{{"Quota", c.shownQuota(code, defaults[code].value)}}, nil
}

func listQuotas(c *call) (object, error) { return c.quotaList(c.quota) }

func listDefaultQuotas(c *call) (object, error) {
	return c.quotaList(func(code string) float64 { return defaults[code].value })
}

func (c *call) quotaList(value func(string) float64) (object, error) {
	if serviceNames[c.str("ServiceCode")] == "" {
		return nil, refuse("NoSuchResourceException", "The request failed because the specified service does not exist.")
	}
	list := []object{}
	for _, code := range slices.SortedFunc(maps.Keys(defaults), strings.Compare) {
		if defaults[code].service == c.str("ServiceCode") {
			list = append(list, c.shownQuota(code, value(code)))
		}
	}
	size, err := c.number("MaxResults", 100)
	if err != nil {
		return nil, err
	}
	start, ok := pageStart(c.str("NextToken"))
	if !ok {
		return nil, refuse("InvalidPaginationTokenException", "Invalid NextToken was provided.")
	}
	list, next, err := cut(list, start, max(size, 1))
	return object{{"Quotas", list}, {"NextToken", some(next)}}, err
}
