// SPDX-FileCopyrightText: The Espalier Authors
// SPDX-License-Identifier: Apache-2.0

package aws

import (
	"maps"
	"slices"
	"strings"
)

// region is a region with its zones.
type region struct{ zones []*zone }

// zone is an Availability, Local or Wavelength Zone.
type zone struct {
	Name, ID string
	Type     string // availability-zone, local-zone, wavelength-zone
	Group    string
	Parent   string // the Availability Zone that a Local or Wavelength Zone hangs on
}

// Regions are what a new cloud has, each with the Availability Zones a, b and c.
var Regions = []string{
	"ap-northeast-1", "ap-southeast-1", "ap-southeast-2", "ca-central-1", "eu-central-1", "eu-north-1", "eu-west-1", "eu-west-2",
	"us-east-1", "us-east-2", "us-west-1", "us-west-2",
}

func defaultRegions() map[string]*region {
	all := map[string]*region{}
	for _, name := range Regions {
		r := &region{}
		for i, letter := range []string{"a", "b", "c"} {
			r.zones = append(r.zones, &zone{Name: name + letter, ID: zoneID(name, i+1), Type: "availability-zone", Group: name + "-zg-1"})
		}
		all[name] = r
	}
	return all
}

// zoneID spells the ID of a zone: "euc1-az1".
func zoneID(region string, n int) string {
	parts := strings.Split(region, "-")
	short := parts[0]
	for _, p := range parts[1:] {
		for _, d := range []string{"north", "south", "east", "west", "central"} {
			if rest, ok := strings.CutPrefix(p, d); ok {
				short += d[:1]
				p = rest
			}
		}
		short += p
	}
	return short + "-az" + text(n)
}

func (r *region) zone(name string) *zone {
	i := slices.IndexFunc(r.zones, func(z *zone) bool { return z.Name == name })
	if i < 0 {
		return nil
	}
	return r.zones[i]
}

var zoneOperations = operations{
	"ec2 DescribeAvailabilityZones": {"ZoneName ZoneId AllAvailabilityZones Filter", describeZones},
	"ec2 DescribeRegions":           {"RegionName AllRegions", describeRegions},
}

func (z *zone) shown(region string) object {
	o := object{
		{"zoneName", z.Name}, {"zoneId", z.ID}, {"zoneState", "available"}, {"regionName", region}, {"zoneType", z.Type},
		{"groupName", z.Group}, {"networkBorderGroup", region}, {"optInStatus", "opt-in-not-required"}, {"messageSet", []object{}},
	}
	if z.Parent != "" {
		o = o.with("parentZoneName", z.Parent)
	}
	return o
}

func describeZones(c *call) (object, error) {
	zones := slices.Clone(c.cloud.regions[c.region].zones)
	for name, read := range map[string]func(*zone) string{
		"ZoneName": func(z *zone) string { return z.Name }, "ZoneId": func(z *zone) string { return z.ID },
	} {
		wanted := c.strs(name)
		for _, w := range wanted {
			if !slices.ContainsFunc(zones, func(z *zone) bool { return read(z) == w }) {
				return nil, invalid("Invalid availability zone: [%s]", w)
			}
		}
		if len(wanted) > 0 {
			zones = slices.DeleteFunc(zones, func(z *zone) bool { return !slices.Contains(wanted, read(z)) })
		}
	}
	for _, f := range c.list("Filter") {
		read := map[string]func(*zone) string{
			"zone-name": func(z *zone) string { return z.Name }, "zone-id": func(z *zone) string { return z.ID },
			"zone-type": func(z *zone) string { return z.Type }, "group-name": func(z *zone) string { return z.Group },
			"region-name": func(*zone) string { return c.region }, "state": func(*zone) string { return "available" },
			"opt-in-status": func(*zone) string { return "opt-in-not-required" },
		}[f.str("Name")]
		if read == nil {
			return nil, invalid("The filter '%s' is invalid", f.str("Name"))
		}
		zones = slices.DeleteFunc(zones, func(z *zone) bool { return !matches(f.strs("Value"), read(z)) })
	}
	shown := []object{}
	for _, z := range zones {
		shown = append(shown, z.shown(c.region))
	}
	return object{{"availabilityZoneInfo", shown}}, nil
}

func describeRegions(c *call) (object, error) {
	shown := []object{}
	wanted := c.strs("RegionName")
	for _, name := range slices.Sorted(maps.Keys(c.cloud.regions)) {
		if len(wanted) == 0 || slices.Contains(wanted, name) {
			shown = append(shown, object{
				{"regionName", name}, {"regionEndpoint", "ec2." + name + ".amazonaws.com"}, {"optInStatus", "opt-in-not-required"},
			})
		}
	}
	if len(shown) < len(wanted) {
		return nil, invalid("Invalid region names: [%s]", strings.Join(wanted, ", "))
	}
	return object{{"regionInfo", shown}}, nil
}
