// SPDX-FileCopyrightText: The Espalier Authors
// SPDX-License-Identifier: Apache-2.0

package peer

import (
	"context"
	"encoding/json"
	"net/http"
	"testing"

	"github.com/aws/aws-sdk-go-v2/service/ec2"
	classic "github.com/aws/aws-sdk-go-v2/service/elasticloadbalancing"
	elb "github.com/aws/aws-sdk-go-v2/service/elasticloadbalancingv2"
	"github.com/aws/aws-sdk-go-v2/service/iam"
	"github.com/aws/aws-sdk-go-v2/service/sts"
	"github.com/gardener/gardener-extension-provider-aws/pkg/apis/aws/helper"
	awsinstall "github.com/gardener/gardener-extension-provider-aws/pkg/apis/aws/install"
	"github.com/gardener/gardener-extension-provider-aws/pkg/aws"
	"github.com/gardener/gardener-extension-provider-aws/pkg/aws/client"
	"github.com/gardener/gardener-extension-provider-aws/pkg/controller/infrastructure"
	"github.com/gardener/gardener-extension-provider-aws/pkg/controller/infrastructure/infraflow"
	corev1beta1 "github.com/gardener/gardener/pkg/apis/core/v1beta1"
	extensionsv1alpha1 "github.com/gardener/gardener/pkg/apis/extensions/v1alpha1"
	"github.com/go-logr/logr"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	kube "sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/client/fake"
	"sigs.k8s.io/controller-runtime/pkg/manager"
	"sigs.k8s.io/yaml"

	sim "github.com/espalier-io/espalier/internal/sim/aws"
	"github.com/espalier-io/espalier/test/bench"
)

// A provider is Gardener's AWS provider, as far as it makes networks, with the
// Infrastructure that it is asked for.
type provider struct {
	t     *testing.T
	cloud *sim.Cloud
	kube  kube.Client
	shoot *corev1beta1.Shoot
}

const secret = "cloudprovider"

func newProvider(t *testing.T, s bench.Setting) *provider {
	t.Helper()
	t.Setenv("AWS_ENDPOINT_URL", "http://aws.invalid") // what is not sent to the embedded cloud goes nowhere
	p := &provider{t: t, cloud: bench.NewAWSCloud(t), shoot: shootOf(s)}
	scheme := runtime.NewScheme()
	for _, add := range []func(*runtime.Scheme) error{corev1.AddToScheme, extensionsv1alpha1.AddToScheme, awsinstall.AddToScheme} {
		p.must(add(scheme))
	}
	config, err := yaml.YAMLToJSON(s.Configuration(t))
	p.must(err)
	shoot, err := json.Marshal(p.shoot)
	p.must(err)
	in := metav1.ObjectMeta{Namespace: bench.TechnicalID}
	infra, credentials := &extensionsv1alpha1.Infrastructure{ObjectMeta: in}, &corev1.Secret{ObjectMeta: in}
	infra.Name, credentials.Name = "one", secret
	infra.Spec = extensionsv1alpha1.InfrastructureSpec{
		DefaultSpec:  extensionsv1alpha1.DefaultSpec{Type: "aws", ProviderConfig: &runtime.RawExtension{Raw: config}},
		SecretRef:    corev1.SecretReference{Namespace: bench.TechnicalID, Name: secret},
		Region:       bench.Region,
		SSHPublicKey: []byte(bench.SSHKey),
	}
	credentials.Data = map[string][]byte{aws.AccessKeyID: []byte("a"), aws.SecretAccessKey: []byte("secret")}
	cluster := &extensionsv1alpha1.Cluster{ObjectMeta: metav1.ObjectMeta{Name: bench.TechnicalID}}
	cluster.Spec.Shoot.Raw = shoot
	p.kube = fake.NewClientBuilder().WithScheme(scheme).WithStatusSubresource(infra).WithObjects(infra, credentials, cluster).Build()
	return p
}

func shootOf(s bench.Setting) *corev1beta1.Shoot {
	shoot := &corev1beta1.Shoot{
		TypeMeta:   metav1.TypeMeta{APIVersion: corev1beta1.SchemeGroupVersion.String(), Kind: "Shoot"},
		ObjectMeta: metav1.ObjectMeta{Name: "one", Namespace: "garden-dev", UID: bench.UID},
	}
	n := &corev1beta1.Networking{ProviderConfig: &runtime.RawExtension{Raw: []byte(`{"overlay":{"enabled":false}}`)}}
	n.Type = new("calico")
	if s.IPv4 {
		n.IPFamilies = append(n.IPFamilies, corev1beta1.IPFamilyIPv4)
		n.Nodes, n.Pods, n.Services = new(bench.Nodes), new(bench.Pods), new(bench.Services)
	}
	if s.IPv6 {
		n.IPFamilies = append(n.IPFamilies, corev1beta1.IPFamilyIPv6)
	}
	shoot.Spec.Networking = n
	return shoot
}

func (p *provider) must(err error) {
	p.t.Helper()
	if err != nil {
		p.t.Fatal(err)
	}
}

// connect is what the provider does, with every service that it uses here sent
// to the embedded cloud, and with its own retries, polls and user agent.
func (p *provider) connect(auth client.AuthConfig) (client.Interface, error) {
	c, err := client.NewClient(auth)
	if err != nil {
		return nil, err
	}
	wire := &http.Client{Transport: p.cloud.Transport()}
	c.EC2 = *ec2.New(c.EC2.Options(), func(o *ec2.Options) { o.HTTPClient = wire })
	c.IAM = *iam.New(c.IAM.Options(), func(o *iam.Options) { o.HTTPClient = wire })
	c.STS = *sts.New(c.STS.Options(), func(o *sts.Options) { o.HTTPClient = wire })
	c.ELB = *classic.New(c.ELB.Options(), func(o *classic.Options) { o.HTTPClient = wire })
	c.ELBv2 = *elb.New(c.ELBv2.Options(), func(o *elb.Options) { o.HTTPClient = wire })
	return c, nil
}

// A caller is a manager that is asked for its client, and for nothing else.
type caller struct {
	manager.Manager
	kube kube.Client
}

// GetClient implements manager.Manager.
func (c caller) GetClient() kube.Client { return c.kube }

func (p *provider) infrastructure(ctx context.Context) *extensionsv1alpha1.Infrastructure {
	p.t.Helper()
	infra := &extensionsv1alpha1.Infrastructure{}
	p.must(p.kube.Get(ctx, kube.ObjectKey{Namespace: bench.TechnicalID, Name: "one"}, infra))
	return infra
}

// Validate is its config validator, which Gardener runs before every
// reconciliation.
func (p *provider) Validate(ctx context.Context) {
	p.t.Helper()
	v := infrastructure.NewConfigValidator(caller{kube: p.kube}, client.FactoryFunc(p.connect), logr.Discard())
	if found := v.Validate(ctx, p.infrastructure(ctx)); len(found) > 0 {
		p.t.Fatal(found.ToAggregate())
	}
}

// flow is its flow with the state that the Infrastructure holds.
func (p *provider) flow(ctx context.Context) *infraflow.FlowContext {
	p.t.Helper()
	infra := p.infrastructure(ctx)
	auth, err := aws.GetCredentialsFromSecretRef(ctx, p.kube, infra.Spec.SecretRef, false, infra.Spec.Region)
	p.must(err)
	connection, err := p.connect(*auth)
	p.must(err)
	state, err := helper.InfrastructureStateFromRaw(infra.Status.State)
	p.must(err)
	f, err := infraflow.NewFlowContext(infraflow.Opts{
		Log: logr.Discard(), Infrastructure: infra, State: state, AwsClient: connection, RuntimeClient: p.kube, Shoot: p.shoot,
	})
	p.must(err)
	return f
}

// Reconcile is its flow that makes a network.
func (p *provider) Reconcile(ctx context.Context) { p.t.Helper(); p.must(p.flow(ctx).Reconcile(ctx)) }

// Delete is its flow that takes it away.
func (p *provider) Delete(ctx context.Context) { p.t.Helper(); p.must(p.flow(ctx).Delete(ctx)) }
