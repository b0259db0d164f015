// SPDX-FileCopyrightText: The Espalier Authors
// SPDX-License-Identifier: Apache-2.0

package openstack

import (
	"fmt"
	"net/netip"
	"slices"

	"github.com/espalier-io/espalier/internal/engine"
)

// A Layout is the graph of a cluster's network, and those of its nodes that
// the status tells others about.
type Layout struct {
	*Graph
	c        Config
	external *engine.Node[Network]
	network  *engine.Node[Network]
	router   *engine.Node[Router]
	subnet   *engine.Node[Subnet]
	ipv6     ipv6Subnets
	group    *engine.Node[SecurityGroup]
	keyPair  *engine.Node[KeyPair]      // nil without a public key
	share    *engine.Node[ShareNetwork] // nil if none is asked for

	pools          map[engine.ID]*engine.Node[SubnetPool]
	gatewaySubnets []engine.ID
	podRanges      []netip.Prefix
	routes         []string        // of the router, as routeID spells them
	swept          map[string]bool // leftovers that the plan of a deletion lists
}

// kinds are all kinds that were ever managed, in an order of creation.
func kinds() []engine.Remover[Writer] {
	return []engine.Remover[Writer]{Networks{}, Routers{}, Subnets{}, Interfaces{}, SecurityGroups{}, KeyPairs{}, ShareNetworks{}, ExtraRoutes{}, LoadBalancers{}}
}

// Given are the IDs that the configuration names: the user's. An empty one is
// of something that we make.
type Given struct{ Network, Router, Subnet, SubnetIPv6, SecurityGroup, ShareNetwork engine.ID }

func (c Config) given() (g Given) {
	n := c.infra.Networks
	for _, ref := range []struct {
		from *string
		to   *engine.ID
	}{{n.ID, &g.Network}, {n.SubnetID, &g.Subnet}, {n.SecurityGroupID, &g.SecurityGroup}, {n.ShareNetworkID, &g.ShareNetwork}} {
		if ref.from != nil {
			*ref.to = canonical(*ref.from)
		}
	}
	if c.DualStack && n.IPv6 != nil && n.IPv6.NodeSubnetID != nil {
		g.SubnetIPv6 = canonical(*n.IPv6.NodeSubnetID)
	}
	if n.Router != nil {
		g.Router = canonical(n.Router.ID)
	}
	return g
}

// Topology describes the cluster's network. It is a pure function. Whether a
// resource is the user's is decided here, once, and nowhere else: what the
// configuration names is referred to, all else is managed.
//
// Source: proposal, "Resource Ownership Overview" and "Configuration Patterns".
func Topology(c Config, f *Facts) *Layout {
	t := &topology{c: c, f: f, given: c.given(), Layout: Layout{
		Graph: engine.New(f.State, f.Cloud, kinds()...), c: c,
		pools: map[engine.ID]*engine.Node[SubnetPool]{}, gatewaySubnets: f.GatewaySubnets, swept: map[string]bool{},
	}}
	t.external = t.addExternal()
	t.network = t.addNetwork()
	t.router = t.addRouter()
	t.subnet = t.addSubnet()
	t.addInterface(t.subnet, t.given.Subnet, subnetNode, rules.attached)
	if c.DualStack {
		t.ipv6 = t.addIPv6()
	}
	t.group = t.addGroup()
	t.keyPair = t.addKeyPair()
	t.share = t.addShareNetwork()
	t.checks()
	t.strays()
	if f.Purpose == Deletion {
		t.sweepRoutes()
		t.sweepLoadBalancers()
	}
	return &t.Layout
}

// topology is a Layout in the making.
type topology struct {
	Layout
	c     Config
	f     *Facts
	given Given
}

// The external network is found by its name: exactly one must have it.
func (t *topology) addExternal() *engine.Node[Network] {
	name := t.c.infra.FloatingPoolName
	fact := engine.Absent[Network](engine.ID(name))
	rule := rules.floatingPool.engine()
	rule.Absent = fmt.Sprintf("there is no external network %q that these credentials can see", name)
	switch found, err := t.f.External, t.f.ExternalErr; {
	case err != nil:
		fact = engine.Unknown[Network](fact.ID, err)
	case len(found) == 1:
		fact = engine.There(found[0].ID, found[0].State)
	case len(found) > 1:
		rule = rules.floatingPoolAmbiguous.engine()
		rule.Absent = fmt.Sprintf("%d external networks are called %q", len(found), name)
	}
	return engine.Refer(t.Graph, externalNode, rule, fact, nil)
}

func (t *topology) addNetwork() *engine.Node[Network] {
	if id := t.given.Network; id != "" {
		return engine.Refer(t.Graph, networkNode, rules.network.engine(), t.f.Networks.Get(id), nil)
	}
	return engine.Manage(t.Graph, networkNode, Networks{}, marked(t, networkNode, &t.f.Networks, func(n Network) bool { return n.Name == t.c.TechnicalID && n.Project == t.f.Project }), nil,
		func(_ engine.Deps, have *Network) Network {
			want := Network{Name: t.c.TechnicalID, Mark: t.c.mark(networkNode)}
			if have != nil {
				want.Name = have.Name
			}
			return want
		})
}

func (t *topology) addRouter() *engine.Node[Router] {
	if id := t.given.Router; id != "" {
		return engine.Refer(t.Graph, routerNode, rules.router.engine(), t.f.Routers.Get(id), nil)
	}
	return engine.Manage(t.Graph, routerNode, Routers{}, marked(t, routerNode, &t.f.Routers, func(r Router) bool { return r.Name == t.c.TechnicalID && r.Project == t.f.Project }), engine.Needs(t.external),
		func(d engine.Deps, have *Router) Router {
			want := Router{
				Name: t.c.TechnicalID, Mark: t.c.mark(routerNode), External: t.external.ID(d),
				GatewaySubnets: t.f.GatewaySubnets, SNAT: t.c.snat,
			}
			if have != nil {
				want.Name, want.GatewaySubnets = have.Name, nil
				if have.SNAT == nil {
					want.SNAT = nil // these credentials can not see it
				}
			}
			return want
		})
}

func (t *topology) addSubnet() *engine.Node[Subnet] {
	if id := t.given.Subnet; id != "" {
		return engine.Refer(t.Graph, subnetNode, rules.subnet.engine(), t.f.Subnets.Get(id), engine.Needs(t.network))
	}
	want := Subnet{IPVersion: 4, CIDR: t.c.workers(), DNS: t.c.resolvers(4)}
	if pool := t.c.infra.Networks.SubnetPool; pool != nil {
		want.CIDR, want.Pool, want.PrefixLength = engine.Chosen, canonical(pool.ID), &pool.PrefixLength
	}
	return t.manageSubnet(subnetNode, t.c.TechnicalID, want)
}

// manageSubnet adds a subnet of ours in the network. What is only asked for at
// creation is not asked of one that is there.
func (t *topology) manageSubnet(node, name string, wanted Subnet) *engine.Node[Subnet] {
	needs := engine.Needs(t.network)
	if wanted.Pool != "" {
		needs = append(needs, t.addPool(wanted))
	}
	return engine.Manage(t.Graph, node, Subnets{}, marked(t, node, &t.f.Subnets, func(s Subnet) bool { return s.Name == name && s.Project == t.f.Project }), needs,
		func(d engine.Deps, have *Subnet) Subnet {
			want := wanted
			want.Name, want.Mark, want.Network = name, t.c.mark(node), t.network.ID(d)
			if have != nil {
				want.Name, want.Gateway, want.DHCP, want.PrefixLength = have.Name, nil, nil, nil
			}
			return want
		})
}

// addPool refers to the pool that a subnet comes from: one node per pool,
// however many subnets come from it.
func (t *topology) addPool(of Subnet) *engine.Node[SubnetPool] {
	if n := t.pools[of.Pool]; n != nil {
		return n
	}
	rule := rules.subnetPool
	if of.IPVersion == 6 {
		rule.field = "networks.ipv6.subnetPoolID"
	}
	n := engine.Refer(t.Graph, "subnet-pool "+string(of.Pool), rule.engine(), t.f.SubnetPools.Get(of.Pool), nil)
	t.pools[of.Pool] = n
	return n
}

// workers is the CIDR of the node subnet that we make.
func (c Config) workers() string {
	if c.infra.Networks.Workers != "" {
		return c.infra.Networks.Workers
	}
	return c.infra.Networks.Worker
}

// The interface goes with the subnet: a subnet that is ours has to be attached
// by us, even to the user's router; a subnet of the user's is attached already.
func (t *topology) addInterface(subnet *engine.Node[Subnet], given engine.ID, node string, attached rule) {
	needs := engine.Needs(t.router, subnet)
	if given != "" {
		rule := attached.engine()
		rule.Absent = fmt.Sprintf("router %s has no interface on subnet %s", t.given.Router, given)
		rule.Fix = fmt.Sprintf("openstack router add subnet %s %s", t.given.Router, given)
		engine.Refer(t.Graph, "router-interface "+node, rule, t.f.Interfaces.Get(interfaceID(t.given.Router, given)), needs)
		return
	}
	name := "router/interface " + node
	if t.given.Router != "" {
		name = fmt.Sprintf("router %s/interface %s", t.given.Router, node)
	}
	fact := engine.Absent[Interface]("")
	if id := interfaceID(t.router.Found(), subnet.Found()); id != "" {
		fact = t.f.Interfaces.Get(id)
	}
	engine.Manage(t.Graph, name, Interfaces{}, engine.Contained(subnet, fact), needs,
		func(d engine.Deps, _ *Interface) Interface {
			return Interface{Router: t.router.ID(d), Subnet: subnet.ID(d)}
		})
}

func (t *topology) addGroup() *engine.Node[SecurityGroup] {
	if id := t.given.SecurityGroup; id != "" {
		return engine.Refer(t.Graph, groupNode, rules.securityGroup.engine(), t.f.SecurityGroups.Get(id), nil)
	}
	return engine.Manage(t.Graph, groupNode, SecurityGroups{}, marked(t, groupNode, &t.f.SecurityGroups, func(g SecurityGroup) bool { return g.Name == t.c.TechnicalID && g.Project == t.f.Project }), nil,
		func(_ engine.Deps, have *SecurityGroup) SecurityGroup {
			want := SecurityGroup{Name: t.c.TechnicalID, Mark: t.c.mark(groupNode), Rules: t.c.groupRules()}
			if have != nil {
				want.Name = have.Name
			}
			return want
		})
}

// groupRules are what nodes need. While overlay is off pods talk with their own
// addresses, which the rule of the group itself does not cover.
func (c Config) groupRules() engine.Set[Rule] {
	rs := nodeRules(c.families()...)
	if !c.Overlay {
		for _, pods := range c.Pods {
			family := "IPv4"
			if pods.Addr().Is6() {
				family = "IPv6"
			}
			rs = append(rs, Rule{"ingress", family, "", 0, 0, pods.Masked().String()})
		}
	}
	return rs
}

// neededRules are those of them that a group of the user's must have.
func (c Config) neededRules() engine.Set[Rule] {
	return slices.DeleteFunc(c.groupRules(), func(r Rule) bool { return !slices.Contains(c.families(), r.EtherType) })
}

func (t *topology) addKeyPair() *engine.Node[KeyPair] {
	key := publicKey(t.c.SSHPublicKey)
	if key == "" {
		return nil
	}
	fact := t.f.KeyPairs.Get(engine.ID(t.c.TechnicalID))
	claim := engine.Named(t.f.State, keyPairNode, fact, func(k KeyPair) bool {
		return k.PublicKey == key || t.c.inherited(keyPairNode) == engine.ID(k.Name)
	})
	return engine.Manage(t.Graph, keyPairNode, KeyPairs{}, claim, nil,
		func(engine.Deps, *KeyPair) KeyPair { return KeyPair{Name: t.c.TechnicalID, PublicKey: key} })
}

// addShareNetwork adds the share network of the node subnet, if one is asked
// for. One that was there and fits by name, network and subnet is adopted and
// deleted with the cluster. Source: proposal, "Share Network (Manila CSI)
// Considerations".
func (t *topology) addShareNetwork() *engine.Node[ShareNetwork] {
	asked := t.c.infra.Networks.ShareNetwork
	switch {
	case t.given.ShareNetwork != "":
		rule := rules.shareNetwork.engine()
		if t.f.NoManila {
			rule.Absent = errNoManila.Error()
		}
		return engine.Refer(t.Graph, shareNode, rule, t.f.ShareNetworks.Get(t.given.ShareNetwork), nil)
	case asked == nil || !asked.Enabled:
		return nil
	}
	fit, err := t.fittingShares()
	claim := engine.Adopted(t.f.State, shareNode, &t.f.ShareNetworks, fit, err)
	if id := t.c.inherited(shareNode); id != "" {
		claim = engine.Inherited(claim, t.f.ShareNetworks.Get(id), func(s ShareNetwork) bool {
			return s.Name == t.c.TechnicalID && s.Network == t.network.Found() && s.Subnet == t.subnet.Found()
		})
	}
	return engine.Manage(t.Graph, shareNode, ShareNetworks{}, claim, engine.Needs(t.network, t.subnet),
		func(d engine.Deps, have *ShareNetwork) ShareNetwork {
			want := ShareNetwork{Name: t.c.TechnicalID, Mark: t.c.mark(shareNode), Network: t.network.ID(d), Subnet: t.subnet.ID(d)}
			if have != nil {
				want.Name = have.Name
			}
			return want
		})
}

// fittingShares are the share networks that are just as ours would be.
func (t *topology) fittingShares() (fit []engine.Fact[ShareNetwork], err error) {
	all, err := t.f.ShareNetworks.All()
	for _, f := range all {
		s, serr := f.State()
		if serr == nil && s.Name == t.c.TechnicalID && s.Network == t.network.Found() && s.Subnet == t.subnet.Found() {
			fit = append(fit, f)
		}
	}
	return fit, err
}

// strays takes what bears our mark and has no place in the graph any more.
func (t *topology) strays() {
	engine.Stray(t.Graph, Networks{}, &t.f.Networks)
	engine.Stray(t.Graph, Routers{}, &t.f.Routers)
	engine.Stray(t.Graph, Subnets{}, &t.f.Subnets)
	engine.Stray(t.Graph, SecurityGroups{}, &t.f.SecurityGroups)
}
