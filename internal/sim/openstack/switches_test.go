// SPDX-FileCopyrightText: The Espalier Authors
// SPDX-License-Identifier: Apache-2.0

package openstack

import (
	"io"
	"net/http"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/gophercloud/gophercloud/v2"
	sdk "github.com/gophercloud/gophercloud/v2/openstack"
	"github.com/gophercloud/gophercloud/v2/openstack/networking/v2/networks"
)

// inProcess returns gophercloud's client for Neutron, without a socket.
func inProcess(t *testing.T, c *Cloud) *gophercloud.ServiceClient {
	t.Helper()
	p, err := sdk.NewClient("http://cloud.invalid/identity/v3")
	if err != nil {
		t.Fatal(err)
	}
	p.HTTPClient = http.Client{Transport: c.Transport()}
	if err := sdk.Authenticate(t.Context(), p, gophercloud.AuthOptions{
		IdentityEndpoint: "http://cloud.invalid/identity/v3", Username: "a", Password: "a", TenantName: "a", DomainID: Domain,
	}); err != nil {
		t.Fatal(err)
	}
	s, err := sdk.NewNetworkV2(p, gophercloud.EndpointOpts{Region: Region})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func TestLatencyAndDepthInVirtualTime(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := New(Options{})
		net := inProcess(t, c)
		c.ClearCalls()
		c.SetLatency(100 * time.Millisecond)
		start := time.Now()
		for range 2 {
			var all sync.WaitGroup
			for range 5 {
				all.Go(func() {
					if _, err := networks.List(net, nil).AllPages(t.Context()); err != nil {
						t.Error(err)
					}
				})
			}
			all.Wait()
		}
		if _, err := networks.Create(t.Context(), net, networks.CreateOpts{Name: "n"}).Extract(); err != nil {
			t.Fatal(err)
		}
		if took := time.Since(start); took != 300*time.Millisecond {
			t.Errorf("two rounds of five calls and one call took %s", took)
		}
		calls := c.Calls()
		if len(calls) != 11 || Depth(calls) != 3 || len(Writes(calls)) != 1 {
			t.Errorf("the log has %d calls, %d writes and depth %d, want 11, 1 and 3", len(calls), len(Writes(calls)), Depth(calls))
		}
		last := calls[10]
		if last.Method != "POST" || last.Path != neutron+"/networks" || last.Status != 201 || last.Project != "a" || last.End.Sub(last.Start) != 100*time.Millisecond {
			t.Errorf("the last call of the log is %+v", last)
		}
	})
}

func TestFaults(t *testing.T) {
	for _, test := range []struct {
		name   string
		fault  Fault
		status int // of the client; 0: an error
		made   bool
	}{
		{"no answer and no effect", Fault{}, 0, false},
		{"no answer after the effect", Fault{After: true}, 0, true},
		{"an answer instead of the effect", Fault{Status: 503}, 503, false},
		{"another answer after the effect", Fault{Status: 504, After: true}, 504, true},
		{"a call of that number", Fault{Call: 1, Status: 500}, 500, false},
		{"another number", Fault{Call: 2, Status: 500}, 201, true},
		{"a call that fits", Fault{Match: func(l Call) bool { return l.Write }, Status: 429, RetryAfter: 1500 * time.Millisecond}, 429, false},
		{"a call that does not fit", Fault{Match: func(l Call) bool { return !l.Write }, Status: 500}, 201, true},
	} {
		t.Run(test.name, func(t *testing.T) {
			c, s := serve(t, Options{})
			a := login(t, s, "a")
			c.ClearCalls()
			c.Inject(test.fault)
			req, err := http.NewRequestWithContext(t.Context(), "POST", s.URL+neutron+"/networks", strings.NewReader(`{"network":{"name":"n"}}`))
			if err != nil {
				t.Fatal(err)
			}
			req.Header.Set("X-Auth-Token", a.token)
			resp, err := http.DefaultClient.Do(req)
			if (err != nil) != (test.status == 0) {
				t.Fatalf("the client got the error %v", err)
			}
			if err == nil {
				defer resp.Body.Close()
				if resp.StatusCode != test.status {
					t.Errorf("the client got %d, want %d", resp.StatusCode, test.status)
				}
				if test.fault.RetryAfter > 0 && resp.Header.Get("Retry-After") != "2" {
					t.Errorf("Retry-After is %q, want 2", resp.Header.Get("Retry-After"))
				}
			}
			if calls := c.Calls(); calls[0].Status != test.status {
				t.Errorf("the log says %d", calls[0].Status)
			}
			c.ClearFaults()
			list, _ := a.must("GET", neutron+"/networks", "")["networks"].([]any)
			if made := len(list) == 1; made != test.made {
				t.Errorf("the network was made: %v, want %v", made, test.made)
			}
		})
	}
}

func TestTheHookSeesEachPhaseInOrder(t *testing.T) {
	c, s := serve(t, Options{})
	a := login(t, s, "a")
	c.ClearCalls()
	var mu sync.Mutex
	var seen []string
	done := make(chan struct{})
	c.Hook(func(l Call, p Phase) {
		mu.Lock()
		defer mu.Unlock()
		n, _ := Count(c.Snapshot("a"))
		seen = append(seen, l.Method+" "+string(p)+" "+map[bool]string{true: "made", false: "not made"}[n > 1])
		if p == Answered {
			close(done)
		}
	})
	a.must("POST", neutron+"/networks", `{"network":{"name":"n"}}`)
	<-done
	c.Hook(nil)
	want := "POST before not made, POST after made, POST answered made"
	mu.Lock()
	defer mu.Unlock()
	if got := strings.Join(seen, ", "); got != want {
		t.Errorf("the hook saw %s, want %s", got, want)
	}
}

func TestTooManyCallsAreThrottled(t *testing.T) {
	now := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	c, s := serve(t, Options{Now: func() time.Time { return now }})
	a := login(t, s, "a")
	c.Throttle(2, 3)
	var got []int
	for range 5 {
		status, _ := a.send("GET", neutron+"/networks", "")
		got = append(got, status)
	}
	now = now.Add(500 * time.Millisecond) // one token more
	for range 2 {
		status, _ := a.send("GET", neutron+"/networks", "")
		got = append(got, status)
	}
	for i, want := range []int{200, 200, 200, 429, 429, 200, 429} {
		if got[i] != want {
			t.Errorf("call %d got %d, want %d", i+1, got[i], want)
		}
	}
}

func TestNewThingsAreHiddenForSomeReads(t *testing.T) {
	c, s := serve(t, Options{})
	a := login(t, s, "a")
	c.HideNew(2)
	id := a.id(neutron+"/networks", `{"network":{"name":"n"}}`)
	if status, _ := a.send("GET", neutron+"/networks/"+id, ""); status != 404 {
		t.Errorf("the first read gets %d, want 404", status)
	}
	if list, _ := a.must("GET", neutron+"/networks?name=n", "")["networks"].([]any); len(list) != 0 {
		t.Errorf("the second read sees %v", list)
	}
	if status, _ := a.send("GET", neutron+"/networks/"+id, ""); status != 200 {
		t.Errorf("the third read gets %d, want 200", status)
	}
	a.id(neutron+"/subnets", `{"subnet":{"network_id":"`+id+`","ip_version":4,"cidr":"10.0.0.0/24"}}`) // what refers to it works
}

func TestDeniedOperations(t *testing.T) {
	c, s := plantedCloud(t, "testdata/errors.yaml", 0)
	a := login(t, s, "a")
	for _, test := range []struct{ rule, method, path, body string }{
		{"create_network", "POST", neutron + "/networks", `{"network":{}}`},
		{"get_network", "GET", neutron + "/networks", ""},
		{"get_router", "GET", neutron + "/routers/{router:router}", ""},
		{"delete_security_group", "DELETE", neutron + "/security-groups/{security group:group}", ""},
		{"add_router_interface", "PUT", neutron + "/routers/{router:router}/add_router_interface", `{"subnet_id":"{subnet:lonely}"}`},
		{"os_compute_api:os-keypairs:create", "POST", comp + "/os-keypairs", `{"keypair":{"name":"x","public_key":"` + publicKey + `"}}`},
		{"share_network:create", "POST", share + "/share-networks", `{"share_network":{}}`},
		{"os_load-balancer_api:loadbalancer:get_all", "GET", balance + "/loadbalancers", ""},
	} {
		t.Run(test.rule, func(t *testing.T) {
			c.SetPolicy(test.rule, Nobody)
			if status, body := a.send(test.method, fill(t, c, test.path), fill(t, c, test.body)); status != 403 {
				t.Errorf("the answer is %d %v, want 403", status, body)
			}
			c.SetPolicy(test.rule, Owner)
		})
	}
	c.SetPolicy("update_router:external_gateway_info:enable_snat", Owner)
	a.must("PUT", fill(t, c, neutron+"/routers/{router:router}"), fill(t, c, `{"router":{"external_gateway_info":{"network_id":"{network:public}","enable_snat":false}}}`))
}

func TestWhatTheCloudDoesNotKnowIs501(t *testing.T) {
	c := New(Options{})
	s, err := c.Start()
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	resp, err := http.Post(s.URL+"/network/v2.0/trunks?x=y", "application/json", strings.NewReader(`{"trunk":{}}`))
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	raw, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	for _, part := range []string{"POST /network/v2.0/trunks?x=y", "trunk", "NeutronError"} {
		if resp.StatusCode != 501 || !strings.Contains(string(raw), part) {
			t.Errorf("the answer is %d %s, want 501 and %s", resp.StatusCode, raw, part)
		}
	}
	if got := c.Unknown(); len(got) != 1 {
		t.Errorf("the unknown requests are %v", got)
	}
}
