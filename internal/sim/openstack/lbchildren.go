// SPDX-FileCopyrightText: The Espalier Authors
// SPDX-License-Identifier: Apache-2.0

package openstack

import (
	"maps"
	"net/http"
)

// lbChild is a listener, a pool or a member of a load balancer: so much of them
// that a load balancer can have children.
type lbChild struct {
	kind, id, parent string
	shown            fields
}

// refs lists the children of a kind.
func (l *loadBalancer) refs(kind string) []fields {
	list := []fields{}
	for _, one := range l.children {
		if one.kind == kind {
			list = append(list, fields{"id": one.id})
		}
	}
	return list
}

// addChild adds a child with what all children have and what is said. A member
// has a pool as its parent.
func (c *call) addChild(l *loadBalancer, kind, parent, name string, more fields) lbChild {
	one := lbChild{kind, c.cloud.uuid(kind, l.ID, name, asJSON(more)), parent, fields{
		"name": name, "project_id": l.Project, "tenant_id": l.Project, "provisioning_status": lbPendingCreate, "operating_status": "OFFLINE",
		"admin_state_up": true, "created_at": l.Created[:len(l.Created)-1], "updated_at": nil, "tags": []string{},
	}}
	maps.Copy(one.shown, more)
	one.shown["id"] = one.id
	l.children = append(l.children, one)
	return one
}

// findChild returns the load balancer of a child, and the child.
func (c *call) findChild(kind, id string) (*loadBalancer, lbChild, error) {
	c.advance()
	for _, l := range c.cloud.loadBalancers.list() {
		for _, one := range l.children {
			if one.kind == kind && one.id == id {
				return l, one, c.demandOctavia("get_one", c.owns(l.Project))
			}
		}
	}
	what := map[string]string{"listener": "Listener", "pool": "Pool"}[kind]
	return nil, lbChild{}, refuse(http.StatusNotFound, "", "%s %s not found.", what, id)
}

// growable refuses children for a load balancer that is PENDING_….
func growable(l *loadBalancer) error {
	if l.pending() {
		return refuse(http.StatusConflict, "", "Load Balancer %s is immutable and cannot be updated.", l.ID)
	}
	return nil
}

// grow adds a child, which is a change of the load balancer.
func (c *call) grow(l *loadBalancer, kind, parent, name string, more fields) (answer, error) {
	one := c.addChild(l, kind, parent, name, more)
	c.begin(l, lbPendingUpdate)
	l.changed = true
	c.touch(l)
	shown := maps.Clone(one.shown)
	for i := range l.children { // by the time that it is looked at it is there
		if l.children[i].id == one.id {
			l.children[i].shown["provisioning_status"], l.children[i].shown["operating_status"] = lbActive, "ONLINE"
		}
	}
	return created(fields{kind: shown})
}

// createListener is POST /listeners.
func (c *call) createListener() (answer, error) {
	var req struct {
		Listener struct {
			Name         string `json:"name"`
			LoadBalancer string `json:"loadbalancer_id"`
			Protocol     string `json:"protocol"`
			Port         int    `json:"protocol_port"`
		} `json:"listener"`
	}
	if err := c.decode(&req); err != nil {
		return answer{}, err
	}
	in := req.Listener
	c.vars["id"] = in.LoadBalancer
	l, err := c.findLoadBalancer("put")
	if err != nil {
		return answer{}, err
	}
	if err := growable(l); err != nil {
		return answer{}, err
	}
	return c.grow(l, "listener", "", in.Name, fields{
		"protocol": in.Protocol, "protocol_port": in.Port, "loadbalancers": []fields{{"id": l.ID}}, "allowed_cidrs": nil, "alpn_protocols": nil,
		"client_authentication": "NONE", "client_ca_tls_container_ref": nil, "client_crl_container_ref": nil, "connection_limit": -1,
		"default_pool_id": nil, "default_tls_container_ref": nil, "description": "", "insert_headers": fields{}, "l7policies": []fields{},
		"sni_container_refs": []string{}, "timeout_client_data": 50000, "timeout_member_connect": 5000, "timeout_member_data": 50000,
		"timeout_tcp_inspect": 0, "tls_ciphers": nil, "tls_versions": nil,
	})
}

// showListener is GET /listeners/{id}.
func (c *call) showListener() (answer, error) {
	_, one, err := c.findChild("listener", c.vars["id"])
	if err != nil {
		return answer{}, err
	}
	return ok(fields{"listener": one.shown})
}

// createPool is POST /pools, with a listener.
func (c *call) createPool() (answer, error) {
	var req struct {
		Pool struct {
			Name      string `json:"name"`
			Listener  string `json:"listener_id"`
			Protocol  string `json:"protocol"`
			Algorithm string `json:"lb_algorithm"`
		} `json:"pool"`
	}
	if err := c.decode(&req); err != nil {
		return answer{}, err
	}
	in := req.Pool
	l, _, err := c.findChild("listener", in.Listener)
	if err != nil {
		return answer{}, err
	}
	if err := growable(l); err != nil {
		return answer{}, err
	}
	return c.grow(l, "pool", "", in.Name, fields{
		"protocol": in.Protocol, "lb_algorithm": in.Algorithm, "listeners": []fields{{"id": in.Listener}}, "loadbalancers": []fields{{"id": l.ID}},
		"members": []fields{}, "description": "", "session_persistence": nil, "alpn_protocols": nil, "ca_tls_container_ref": nil,
		"crl_container_ref": nil, "tls_ciphers": nil, "tls_container_ref": nil, "tls_enabled": false, "tls_versions": nil,
	})
}

// showPool is GET /pools/{id}.
func (c *call) showPool() (answer, error) {
	l, one, err := c.findChild("pool", c.vars["id"])
	if err != nil {
		return answer{}, err
	}
	shown := maps.Clone(one.shown)
	members := []fields{}
	for _, m := range l.children {
		if m.parent == one.id {
			members = append(members, fields{"id": m.id})
		}
	}
	shown["members"] = members
	return ok(fields{"pool": shown})
}

// createMember is POST /pools/{id}/members.
func (c *call) createMember() (answer, error) {
	var req struct {
		Member struct {
			Name    string `json:"name"`
			Address string `json:"address"`
			Port    int    `json:"protocol_port"`
		} `json:"member"`
	}
	if err := c.decode(&req); err != nil {
		return answer{}, err
	}
	l, _, err := c.findChild("pool", c.vars["id"])
	if err != nil {
		return answer{}, err
	}
	if err := growable(l); err != nil {
		return answer{}, err
	}
	return c.grow(l, "member", c.vars["id"], req.Member.Name, fields{
		"address": req.Member.Address, "protocol_port": req.Member.Port, "operating_status": "NO_MONITOR", "backup": false,
		"monitor_address": nil, "monitor_port": nil, "subnet_id": nil, "weight": 1,
	})
}
