// SPDX-FileCopyrightText: The Espalier Authors
// SPDX-License-Identifier: Apache-2.0

package aws

import (
	"context"
	"fmt"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/servicequotas"
)

// The quota of routes in a table, and what an account has that never asked for
// more. Source: Amazon VPC quotas, "Route tables".
const (
	routeQuota    = "L-93826ACB"
	defaultRoutes = 500
)

type quotaReader interface {
	// RouteQuota returns how many routes a table of the account may have.
	RouteQuota(ctx context.Context) (int, error)
}

// quota reads the quota where the rule about it is asked.
func (s *survey) quota(ctx context.Context) {
	if s.f.Purpose == Preflight && s.c.routed() {
		s.f.Routes, s.f.RoutesErr = s.r.RouteQuota(ctx)
	}
}

// routesPerTable returns the quota and says where it is from.
func (f *Facts) routesPerTable() (int, string) {
	if f.RoutesErr != nil || f.Routes == 0 {
		return defaultRoutes, fmt.Sprintf("the quota could not be read, by default it is %d", defaultRoutes)
	}
	return f.Routes, fmt.Sprintf("the quota is %d", f.Routes)
}

// RouteQuota implements Reader.
func (c *Client) RouteQuota(ctx context.Context) (int, error) {
	out, err := c.quotas.GetServiceQuota(ctx, &servicequotas.GetServiceQuotaInput{ServiceCode: aws.String("vpc"), QuotaCode: aws.String(routeQuota)})
	if err != nil {
		return 0, translate("reading the quota of routes in a table", err)
	}
	return int(aws.ToFloat64(out.Quota.Value)), nil
}
