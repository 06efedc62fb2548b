package main

import (
	"context"
	"strings"

	v1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	clientgoscheme "k8s.io/client-go/kubernetes/scheme"
	"k8s.io/utils/clock"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/client/fake"
	"sigs.k8s.io/karpenter/pkg/controllers/provisioning"
	"sigs.k8s.io/karpenter/pkg/controllers/provisioning/scheduling"
	"sigs.k8s.io/karpenter/pkg/controllers/state"
	"sigs.k8s.io/karpenter/pkg/events"
	"sigs.k8s.io/karpenter/pkg/operator/options"
	requirements "sigs.k8s.io/karpenter/pkg/scheduling"
	"sigs.k8s.io/karpenter/pkg/utils/resources"
)

// Simulation is Karpenter's state of one cluster, without NodePools.
type Simulation struct {
	ctx    context.Context
	client client.Client
	state  *state.Cluster
	pod    *v1.Pod
}

// newSimulation fills a client and the state, as Karpenter's own controllers do.
func newSimulation(cluster *Cluster) *Simulation {
	ctx := (&options.Options{
		PreferencePolicy:  options.PreferencePolicyRespect,
		MinValuesPolicy:   options.MinValuesPolicyStrict,
		CPURequests:       1000,
		IgnoreDRARequests: true,
		FeatureGates:      options.DefaultFeatureGates(),
	}).ToContext(context.Background())
	tried := defaulted(cluster.Pod.DeepCopy())
	objects := []client.Object{stored(tried)}
	namespaces := map[string]bool{}
	for _, namespace := range cluster.Namespaces {
		namespaces[namespace.Name] = true
		objects = append(objects, stored(namespace.DeepCopy()))
	}
	var pods []*v1.Pod
	for _, node := range cluster.Nodes {
		objects = append(objects, stored(node.DeepCopy()))
		for _, pod := range cluster.bound[node.Name] {
			pods = append(pods, stored(defaulted(pod.DeepCopy())).(*v1.Pod))
			objects = append(objects, pods[len(pods)-1])
		}
	}
	// Every pod of a live cluster is in a namespace that exists.
	for _, pod := range append(pods, cluster.Pod) {
		if !namespaces[pod.Namespace] {
			namespaces[pod.Namespace] = true
			objects = append(objects, &v1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: pod.Namespace}})
		}
	}
	reader := fake.NewClientBuilder().WithScheme(clientgoscheme.Scheme).WithObjects(objects...).
		WithIndex(&v1.Pod{}, "spec.nodeName", func(object client.Object) []string {
			return []string{object.(*v1.Pod).Spec.NodeName}
		}).Build()
	s := &Simulation{ctx, reader, state.NewCluster(clock.RealClock{}, reader, nil), tried}
	for _, node := range cluster.Nodes {
		must(s.state.UpdateNode(ctx, node.DeepCopy()))
	}
	for _, pod := range pods {
		must(s.state.UpdatePod(ctx, pod.DeepCopy()))
	}
	return s
}

// stored prepares an object for the client, which refuses a version, and one that is being deleted for no finalizer.
func stored(object client.Object) client.Object {
	object.SetResourceVersion("")
	if object.GetDeletionTimestamp() != nil && len(object.GetFinalizers()) == 0 {
		object.SetFinalizers([]string{"touchstone/kept"})
	}
	return object
}

// defaulted gives each port the protocol that an API server gives it. A question may leave it out.
func defaulted(pod *v1.Pod) *v1.Pod {
	for _, containers := range [][]v1.Container{pod.Spec.InitContainers, pod.Spec.Containers} {
		for i := range containers {
			for j := range containers[i].Ports {
				if port := &containers[i].Ports[j]; port.Protocol == "" {
					port.Protocol = v1.ProtocolTCP
				}
			}
		}
	}
	return pod
}

// validate returns what Karpenter refuses about the pod before it tries it.
func (s *Simulation) validate() error {
	provisioner := provisioning.NewProvisioner(s.client, silent{}, nil, s.state, clock.RealClock{}, nil, nil)
	return provisioner.Validate(s.ctx, s.pod.DeepCopy())
}

// solves says whether the simulation puts the pod on this existing node, if there is no other one.
func (s *Simulation) solves(name string) bool {
	pods := []*v1.Pod{s.pod.DeepCopy()}
	topology, one := s.topology(name, pods)
	scheduler := scheduling.NewScheduler(s.ctx, s.client, nil, s.state, one, topology, nil, nil, silent{}, clock.RealClock{}, nil, nil)
	results, err := scheduler.Solve(s.ctx, pods)
	must(err)
	for _, node := range results.ExistingNodes {
		if len(node.Pods) > 0 {
			return true
		}
	}
	return false
}

// topology returns that of all nodes, and the state of one of them.
func (s *Simulation) topology(name string, pods []*v1.Pod) (*scheduling.Topology, []*state.StateNode) {
	nodes := s.state.DeepCopyNodes()
	topology, err := scheduling.NewTopology(s.ctx, s.client, s.state, nodes, nil, nil, pods)
	must(err)
	for _, node := range nodes {
		if node.Name() == name {
			return topology, []*state.StateNode{node}
		}
	}
	panic("no state of node " + name)
}

// criterion returns why the pod cannot be added to a node after all its preferences are dropped, by CanAdd's error. Solve
// keeps only the last error, that there is no NodePool.
func (s *Simulation) criterion(name string) (plugin, reason string) {
	pod := s.pod.DeepCopy()
	for (&scheduling.Preferences{}).Relax(s.ctx, pod) {
	}
	topology, one := s.topology(name, []*v1.Pod{pod})
	node := scheduling.NewExistingNode(one[0], topology, one[0].Taints(), v1.ResourceList{}, nil, false)
	_, _, err := node.CanAdd(s.ctx, pod, &scheduling.PodData{
		Requests:           resources.RequestsForPods(pod),
		Requirements:       requirements.NewPodRequirements(pod),
		StrictRequirements: requirements.NewStrictPodRequirements(pod),
	}, nil, nil)
	if err == nil {
		return "", "Solve finds no node"
	}
	return criterion(err.Error())
}

// criterion returns the plug-in that has the criterion of an error of CanAdd, and the words that name the criterion.
func criterion(text string) (plugin, reason string) {
	for _, each := range []struct{ plugin, words string }{
		{"TaintToleration", "did not tolerate taint"},
		{"NodePorts", "checking host port usage"},
		{"NodeResourcesFit", "exceeds node resources"},
		{"InterPodAffinity", "unsatisfiable topology constraint for pod affinity"},
		{"InterPodAffinity", "unsatisfiable topology constraint for pod anti-affinity"},
		{"PodTopologySpread", "unsatisfiable topology constraint for topology spread"},
		{"NodeAffinity", "incompatible requirements"},
		{"NodeAffinity", "label"},
	} {
		if strings.Contains(text, each.words) {
			return each.plugin, each.words
		}
	}
	return "", text
}

// silent publishes no event.
type silent struct{}

func (silent) Publish(...events.Event) {}

func must(err error) {
	if err != nil {
		panic(err)
	}
}
