package main

import (
	"context"
	"os"
	"os/signal"
	"reflect"
	"syscall"
	"unsafe"

	"k8s.io/client-go/tools/events"
	"k8s.io/klog/v2"
	"k8s.io/kubernetes/pkg/scheduler"
	"k8s.io/kubernetes/pkg/scheduler/apis/config"
	"k8s.io/kubernetes/pkg/scheduler/framework"
	frameworkruntime "k8s.io/kubernetes/pkg/scheduler/framework/runtime"
)

// Cycle is a whole scheduler of the release with one configuration and one set of feature gates. It serves many
// questions: its cache, its nominator and its informers are filled anew for each. Its queue stays empty.
type Cycle struct {
	*scheduler.Scheduler
	configuration *config.KubeSchedulerConfiguration
	frameworks    map[string]*Framework // of run and of preemption, by the name of the profile
	informers     *Informers
	nominator     *Nominator
	extenders     *Extenders // of the question
	refusing      []extender // the scheduler's own, and one that leaves no node
	cluster       *Cluster   // what show has added
}

// newCycle makes the scheduler as the release's own command does.
func newCycle(configuration *config.KubeSchedulerConfiguration) (*Cycle, error) {
	client, _ := newAPI()
	c := &Cycle{
		configuration: configuration,
		frameworks:    map[string]*Framework{},
		informers:     newInformers(client),
		nominator:     &Nominator{},
	}
	var err error
	c.Scheduler, err = scheduler.New(ended(), client, c.informers, nil, newRecorder,
		scheduler.WithComponentConfigVersion(configuration.TypeMeta.APIVersion),
		scheduler.WithProfiles(configuration.Profiles...),
		scheduler.WithExtenders(configuration.Extenders...),
		scheduler.WithPercentageOfNodesToScore(configuration.PercentageOfNodesToScore),
		scheduler.WithParallelism(int32(*parallelism)))
	if err != nil {
		return nil, err
	}
	if err := c.answerForAll(); err != nil {
		return nil, err
	}
	for _, profile := range c.Profiles {
		// The scheduler's own nominator finds pods in the queue, where none is.
		profile.SetPodNominator(c.nominator)
	}
	return c, nil
}

// ended returns a context that has ended. What a scheduler or a framework starts beside cycles (metrics, the expiry of
// assumed pods, signals) then ends at once. No cycle needs it, and nothing is left when another scheduler is made.
func ended() context.Context {
	ctx, end := context.WithCancel(context.Background())
	end()
	return ctx
}

// A scheduler listens to a signal, and the first listener of a process starts a goroutine for good. This is the first, so
// that making a scheduler leaves as many goroutines as there were.
func init() {
	signals := make(chan os.Signal, 1)
	signal.Notify(signals, syscall.SIGUSR2)
	signal.Stop(signals)
}

// newRecorder returns a recorder of events that keeps none; its type is another from v1.36 on.
func newRecorder[R any](string) R {
	var recorder any = &events.FakeRecorder{}
	return recorder.(R)
}

// member returns an unexported member of the scheduler.
func (c *Cycle) member(name string) reflect.Value {
	field := reflect.ValueOf(c.Scheduler).Elem().FieldByName(name)
	return reflect.NewAt(field.Type(), unsafe.Pointer(field.UnsafeAddr())).Elem()
}

// updateSnapshot has the cache bring the snapshot up to date. Up to v1.31 no other package may name its type.
func (c *Cycle) updateSnapshot() error {
	logger := reflect.ValueOf(klog.Background())
	result := reflect.ValueOf(c.Cache).MethodByName("UpdateSnapshot").Call([]reflect.Value{logger, c.member("nodeInfoSnapshot")})
	err, _ := result[0].Interface().(error)
	return err
}

// show makes a cluster all that the scheduler knows. Its snapshot must be empty, so that the next one has the nodes in a
// new order.
func (c *Cycle) show(cluster *Cluster) error {
	c.cluster = cluster
	c.informers.fill(cluster.question)
	c.nominator.cluster = cluster
	logger := klog.Background()
	for _, node := range cluster.question.Nodes {
		c.Cache.AddNode(logger, node)
		for _, pod := range cluster.bound[node.Name] {
			if err := c.Cache.AddPod(logger, pod); err != nil {
				return err
			}
		}
	}
	return c.updateSnapshot()
}

// clear removes what show has added, the last first.
func (c *Cycle) clear() {
	logger := klog.Background()
	nodes := c.cluster.question.Nodes
	for i := len(nodes) - 1; i >= 0; i-- {
		pods := c.cluster.bound[nodes[i].Name]
		for j := len(pods) - 1; j >= 0; j-- {
			must(c.Cache.RemovePod(logger, pods[j]))
		}
		must(c.Cache.RemoveNode(logger, nodes[i]))
	}
	must(c.updateSnapshot())
}

func must(err error) {
	if err != nil {
		panic(err)
	}
}

// everyNode is the framework of a profile that searches all nodes, whatever the configuration says.
type everyNode struct{ framework.Framework }

func (everyNode) PercentageOfNodesToScore() *int32 {
	all := int32(100)
	return &all
}

// profile returns the framework of the pod's profile. Without start it searches every node.
func (c *Cycle) profile(question *Question) framework.Framework {
	profile := c.Profiles[question.Pod.Spec.SchedulerName]
	if question.Start == nil {
		return everyNode{profile}
	}
	return profile
}

// run has the scheduler search, score and choose once.
func (c *Cycle) run(profile framework.Framework, question *Question) (scheduler.ScheduleResult, error) {
	c.member("nextStartNodeIndex").SetInt(startOf(question))
	return schedulePod(context.Background(), c.Scheduler, profile, newCycleState(), question.Pod)
}

// startOf returns where the search begins.
func startOf(question *Question) int64 {
	if question.Start == nil {
		return 0
	}
	return *question.Start
}

// framework returns one with a profile of the configuration.
func (c *Cycle) framework(name string) *Framework {
	if c.frameworks[name] == nil {
		for i := range c.configuration.Profiles {
			if profile := &c.configuration.Profiles[i]; profile.SchedulerName == name {
				made, err := newFramework(profile, frameworkruntime.WithExtenders(c.Extenders))
				must(err)
				c.frameworks[name] = made
			}
		}
	}
	return c.frameworks[name]
}
