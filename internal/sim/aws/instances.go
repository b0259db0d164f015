// SPDX-FileCopyrightText: The Espalier Authors
// SPDX-License-Identifier: Apache-2.0

package aws

// instance is a machine. Machines are planted; nobody makes them here.
type instance struct {
	std
	Subnet, VPC, State string
	Type               string
}

// codes are the numbers of the states.
var codes = map[string]int{"pending": 0, "running": 16, "shutting-down": 32, "terminated": 48, "stopping": 64, "stopped": 80}

var instances = &kind[*instance]{
	resource: "instance", prefix: "i-", noun: "instance ID", notFound: "InvalidInstanceID.NotFound", malformed: "InvalidInstanceID.Malformed",
	of: func(c *Cloud) *table[*instance] { return &c.instances }, ids: "InstanceId", set: "reservationSet",
	filters: map[string]func(*call, *instance) []string{
		"vpc-id":              one(func(i *instance) string { return i.VPC }),
		"subnet-id":           one(func(i *instance) string { return i.Subnet }),
		"instance-id":         one(func(i *instance) string { return i.ID }),
		"instance-state-name": one(func(i *instance) string { return i.State }),
		"instance.group-id":   instanceGroups,
		"network-interface.network-interface-id": func(c *call, i *instance) (all []string) {
			for _, n := range c.cloud.interfacesOf(i) {
				all = append(all, n.ID)
			}
			return all
		},
	},
	show: showInstance,
}

func instanceGroups(c *call, i *instance) (all []string) {
	for _, n := range c.cloud.interfacesOf(i) {
		all = append(all, n.Groups...)
	}
	return all
}

func (c *Cloud) interfacesOf(i *instance) []*networkInterface {
	return c.interfaces.where(func(n *networkInterface) bool { return n.Instance == i.ID })
}

// showInstance shows an instance in a reservation of its own.
func showInstance(c *call, i *instance) object {
	o := object{
		{"instanceId", i.ID}, {"instanceType", i.Type}, {"instanceState", object{{"code", codes[i.State]}, {"name", i.State}}},
		{"subnetId", some(i.Subnet)}, {"vpcId", some(i.VPC)},
	}
	own, held := []object{}, []object{}
	for n, one := range c.cloud.interfacesOf(i) {
		shown := showInterface(c, one)
		own = append(own, shown)
		if n == 0 {
			o = o.with("privateIpAddress", spelledAddress(one.Address))
			held, _ = shown.get("groupSet").([]object)
		}
	}
	if s, ok := c.cloud.subnets.get(i.Subnet); ok {
		o = o.with("placement", object{{"availabilityZone", s.Zone.Name}, {"tenancy", "default"}})
	}
	o = append(o, object{{"sourceDestCheck", true}, {"groupSet", held}, {"networkInterfaceSet", own}, {"tagSet", c.tagsOf(i.self())}}...)
	return object{{"reservationId", "r-" + i.ID[len("i-"):]}, {"ownerId", i.account.id}, {"instancesSet", []object{o}}}
}

var instanceOperations = operations{
	"ec2 DescribeInstances": {"InstanceId Filter MaxResults NextToken", instances.describe},
}
