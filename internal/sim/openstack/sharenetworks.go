// SPDX-FileCopyrightText: The Espalier Authors
// SPDX-License-Identifier: Apache-2.0

package openstack

import (
	"net/http"
	"strconv"
	"strings"
)

// shareNetwork is one of Manila. Manila stores the IDs of network and subnet
// without asking Neutron whether they exist.
type shareNetwork struct {
	standard
	Name    *string
	Network *string
	Subnet  *string
	text    *string // the description, which may be null
	updated bool
}

// shownShareNetwork are the fields: the old ones, or from version 2.51 on a list of subnets.
func (c *call) shownShareNetwork(s *shareNetwork) fields {
	stamp := strings.TrimSuffix(s.Created, "Z") + ".000000"
	f := fields{
		"id": s.ID, "name": s.Name, "project_id": s.Project, "description": s.text, "created_at": stamp, "updated_at": nil,
	}
	if s.updated {
		f["updated_at"] = strings.TrimSuffix(s.Updated, "Z") + ".000000"
	}
	where := fields{
		"neutron_net_id": s.Network, "neutron_subnet_id": s.Subnet, "network_type": nil, "segmentation_id": nil, "cidr": nil, "ip_version": nil,
	}
	if c.shareVersion() < 51 {
		where["nova_net_id"] = nil
		for name, v := range where {
			f[name] = v
		}
		return f
	}
	where["id"], where["availability_zone"], where["gateway"], where["mtu"] = fixedUUID("share-network-subnet", s.ID), nil, nil, nil
	where["created_at"], where["updated_at"] = stamp, nil
	f["share_network_subnets"] = []fields{where}
	return f
}

// shareVersion is the minor version of Manila that the request asks for.
func (c *call) shareVersion() int {
	return minor(c.header.Get("X-Openstack-Manila-Api-Version"))
}

func (c *call) findShareNetwork(rule string) (*shareNetwork, error) {
	s, there := c.cloud.shareNetworks.get(c.vars["id"])
	if !there || !c.owns(s.Project) && !c.who.admin() {
		return nil, refuse(http.StatusNotFound, "itemNotFound", "Share network %s could not be found.", c.vars["id"])
	}
	return s, c.demandManila(rule, c.owns(s.Project))
}

// demandManila is demand for Manila.
func (c *call) demandManila(rule string, owns bool) error {
	if c.passes(rule, owns) {
		return nil
	}
	return refuse(http.StatusForbidden, "forbidden", "Policy doesn't allow %s to be performed.", rule)
}

// listShareNetworks is GET /share-networks/detail. A filter that Manila does not
// know fits nothing.
func (c *call) listShareNetworks() (answer, error) {
	shown, err := c.shareNetworks()
	if err != nil {
		return answer{}, err
	}
	return ok(fields{"share_networks": shown})
}

// listShareNetworkNames is GET /share-networks.
func (c *call) listShareNetworkNames() (answer, error) {
	shown, err := c.shareNetworks()
	if err != nil {
		return answer{}, err
	}
	for i, f := range shown {
		shown[i] = only(f, []string{"id", "name"})
	}
	return ok(fields{"share_networks": shown})
}

func (c *call) shareNetworks() ([]fields, error) {
	if err := c.demandManila("share_network:get_all_share_networks", true); err != nil {
		return nil, err
	}
	all, _ := truth(c.query.Get("all_tenants"))
	all = all && c.who.admin()
	shown := []fields{}
	for _, s := range c.cloud.shareNetworks.list() {
		if (all || c.owns(s.Project)) && s.fits(c) && seen(&s.standard) {
			shown = append(shown, c.shownShareNetwork(s))
		}
	}
	offset, _ := strconv.Atoi(c.query.Get("offset")) // not a number is none
	shown = shown[min(max(offset, 0), len(shown)):]
	if limit, err := strconv.Atoi(c.query.Get("limit")); err == nil && limit >= 0 {
		shown = shown[:min(limit, len(shown))]
	}
	return shown, nil
}

// fits says whether a share network is what the query asks for.
func (s *shareNetwork) fits(c *call) bool {
	is := func(have *string, want string) bool { return have != nil && *have == want }
	for name, values := range c.query {
		want := values[0]
		switch name {
		case "limit", "offset", "all_tenants":
		case "name":
			if !is(s.Name, want) {
				return false
			}
		case "neutron_net_id":
			if !is(s.Network, want) {
				return false
			}
		case "neutron_subnet_id":
			if !is(s.Subnet, want) {
				return false
			}
		case "project_id":
			if s.Project != want {
				return false
			}
		default:
			return false
		}
	}
	return true
}

func (c *call) showShareNetwork() (answer, error) {
	s, err := c.findShareNetwork("share_network:show")
	if err != nil {
		return answer{}, err
	}
	if !seen(&s.standard) {
		return answer{}, refuse(http.StatusNotFound, "itemNotFound", "Share network %s could not be found.", s.ID)
	}
	return ok(fields{"share_network": c.shownShareNetwork(s)})
}

type shareNetworkRequest struct {
	ShareNetwork *struct {
		Name        *string `json:"name"`
		Description *string `json:"description"`
		Network     *string `json:"neutron_net_id"`
		Subnet      *string `json:"neutron_subnet_id"`
	} `json:"share_network"`
}

func (c *call) shareNetworkBody() (req shareNetworkRequest, err error) {
	if c.decode(&req) != nil || req.ShareNetwork == nil {
		return req, refuse(http.StatusUnprocessableEntity, "computeFault", "Unable to process the contained instructions")
	}
	return req, nil
}

func (c *call) createShareNetwork() (answer, error) {
	req, err := c.shareNetworkBody()
	if err != nil {
		return answer{}, err
	}
	if err := c.demandManila("share_network:create", true); err != nil {
		return answer{}, err
	}
	in := req.ShareNetwork
	s, err := c.addShareNetwork("", in.Name, in.Description, in.Network, in.Subnet)
	if err != nil {
		return answer{}, err
	}
	return ok(fields{"share_network": c.shownShareNetwork(s)})
}

func (c *call) addShareNetwork(id string, name, text, network, subnet *string) (*shareNetwork, error) {
	if (network == nil) != (subnet == nil) {
		return nil, novaBad("When creating a new share network subnet you need to specify both neutron_net_id and neutron_subnet_id or none of them.")
	}
	s := &shareNetwork{Name: name, Network: network, Subnet: subnet, text: text}
	s.standard = c.fresh("share-network", input{
		values: fields{"project_id": c.who.projectID(), "name": name, "network": network, "subnet": subnet}, id: id,
	})
	c.cloud.shareNetworks.add(s)
	return s, nil
}

func (c *call) changeShareNetwork() (answer, error) {
	req, err := c.shareNetworkBody()
	if err != nil {
		return answer{}, err
	}
	s, err := c.findShareNetwork("share_network:update")
	if err != nil {
		return answer{}, err
	}
	in := req.ShareNetwork
	if in.Name != nil {
		s.Name = in.Name
	}
	if in.Description != nil {
		s.text = in.Description
	}
	s.updated = true
	c.touch(s)
	return ok(fields{"share_network": c.shownShareNetwork(s)})
}

func (c *call) deleteShareNetwork() (answer, error) {
	s, err := c.findShareNetwork("share_network:delete")
	if err != nil {
		return answer{}, err
	}
	c.cloud.shareNetworks.remove(s)
	return answer{status: http.StatusAccepted}, nil
}

func shareRoutes() routes {
	var all routes
	for _, at := range []string{"/share/v2", "/share/v2/{project}"} {
		all = append(all,
			route{"GET", at + "/share-networks", (*call).listShareNetworkNames, false},
			route{"GET", at + "/share-networks/detail", (*call).listShareNetworks, false},
			route{"POST", at + "/share-networks", (*call).createShareNetwork, false},
			route{"GET", at + "/share-networks/{id}", (*call).showShareNetwork, false},
			route{"PUT", at + "/share-networks/{id}", (*call).changeShareNetwork, false},
			route{"DELETE", at + "/share-networks/{id}", (*call).deleteShareNetwork, false},
		)
	}
	return all
}

func (planter) shareNetworks(c *call, w WorldProject) error {
	for i, s := range w.ShareNetworks {
		_, taken := c.cloud.shareNetworks.get(s.ID)
		if err := checkID(s.ID, taken); err != nil {
			return at(err, "share_networks", i, s.Name)
		}
		var network, subnet, text *string
		for _, r := range []struct {
			ref string
			to  **string
			by  func(string) (string, error)
		}{{s.Network, &network, c.resolveNetwork}, {s.Subnet, &subnet, c.resolveSubnet}} {
			if r.ref == "" {
				continue
			}
			id, err := r.by(r.ref)
			if err != nil && canonicalUUID.MatchString(r.ref) {
				id, err = r.ref, nil // Manila takes any
			}
			if err != nil {
				return at(err, "share_networks", i, s.Name)
			}
			*r.to = &id
		}
		if s.Description != "" {
			text = &s.Description
		}
		if _, err := c.addShareNetwork(s.ID, &s.Name, text, network, subnet); err != nil {
			return at(err, "share_networks", i, s.Name)
		}
	}
	return nil
}

// deref is the text, or an empty one.
func deref(s *string) string {
	if s == nil {
		return ""
	}
	return *s
}
