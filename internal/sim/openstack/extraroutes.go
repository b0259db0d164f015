// SPDX-FileCopyrightText: The Espalier Authors
// SPDX-License-Identifier: Apache-2.0

package openstack

import "slices"

// extraRoutes reads the body of both actions on extra routes.
func (c *call) extraRoutes(rule string) (*router, []hostRoute, error) {
	if c.cloud.switches.withoutExt["extraroute-atomic"] {
		return nil, nil, notFound("HTTPNotFound", "The resource could not be found.")
	}
	var body struct {
		Router map[string]any `json:"router"`
	}
	if err := c.decode(&body); err != nil {
		return nil, nil, err
	}
	given, named := body.Router["routes"]
	if !named || len(body.Router) != 1 {
		return nil, nil, refuse(400, "InvalidInput", "Invalid input for operation: Invalid format for routes: %s", python(body.Router))
	}
	v, err := hostRoutes("routes", given)
	if err != nil {
		return nil, nil, err
	}
	routes, _ := v.([]hostRoute)
	r, err := c.routerFor(rule)
	return r, routes, err
}

// addExtraRoutes is PUT /routers/{id}/add_extraroutes. Routes that are there stay.
func (c *call) addExtraRoutes() (answer, error) {
	r, added, err := c.extraRoutes("add_extraroutes")
	if err != nil {
		return answer{}, err
	}
	all := slices.Clone(r.Routes)
	for _, route := range added {
		if !slices.Contains(all, route) {
			all = append(all, route)
		}
	}
	return c.replaceRoutes(r, all)
}

// removeExtraRoutes is PUT /routers/{id}/remove_extraroutes. Routes that are not
// there are no error.
func (c *call) removeExtraRoutes() (answer, error) {
	r, gone, err := c.extraRoutes("remove_extraroutes")
	if err != nil {
		return answer{}, err
	}
	left := slices.DeleteFunc(slices.Clone(r.Routes), func(route hostRoute) bool { return slices.Contains(gone, route) })
	return c.replaceRoutes(r, left)
}

func (c *call) replaceRoutes(r *router, routes []hostRoute) (answer, error) {
	if err := c.checkRoutes(r, routes); err != nil {
		return answer{}, err
	}
	if !sameRoutes(r.Routes, routes) {
		r.Routes = routes
		c.touch(r)
	}
	return ok(fields{"router": c.cloud.kinds.routers.render(c, r)})
}
