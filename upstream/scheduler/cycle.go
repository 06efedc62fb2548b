package main

import (
	"context"
	"fmt"
	"reflect"
	"runtime"
	"unsafe"

	v1 "k8s.io/api/core/v1"
	"k8s.io/client-go/tools/events"
	"k8s.io/klog/v2"
	"k8s.io/kubernetes/pkg/scheduler"
	"k8s.io/kubernetes/pkg/scheduler/apis/config"
)

// Cycle is a whole scheduler of the release with one configuration and one set of feature gates. It serves many
// questions: its cache, its nominator and its informers are filled anew for each. Its queue stays empty.
type Cycle struct {
	*scheduler.Scheduler
	profiles   []config.KubeSchedulerProfile
	frameworks map[string]*Framework // for preemption, by the name of the profile
	informers  *Informers
	nominator  *Nominator
	ctx        context.Context
	stop       context.CancelFunc // ends its goroutines, within a second
	undo       []func()           // takes away what show has added
}

// newCycle makes the scheduler as the release's own command does. With `everyNode` it searches all nodes.
func newCycle(configuration *config.KubeSchedulerConfiguration, workers int, everyNode bool) (*Cycle, error) {
	if everyNode {
		all := int32(100)
		configuration.PercentageOfNodesToScore = &all
		for i := range configuration.Profiles {
			configuration.Profiles[i].PercentageOfNodesToScore = &all
		}
	}
	client, _ := newAPI()
	c := &Cycle{
		profiles:   configuration.Profiles,
		frameworks: map[string]*Framework{},
		informers:  newInformers(client),
		nominator:  &Nominator{},
	}
	before := runtime.NumGoroutine()
	c.ctx, c.stop = context.WithCancel(context.Background())
	var err error
	c.Scheduler, err = scheduler.New(c.ctx, client, c.informers, nil, newRecorder,
		scheduler.WithComponentConfigVersion(configuration.TypeMeta.APIVersion),
		scheduler.WithProfiles(configuration.Profiles...),
		scheduler.WithPercentageOfNodesToScore(configuration.PercentageOfNodesToScore),
		scheduler.WithParallelism(int32(workers)))
	if err != nil {
		c.stop()
		settle(before)
		return nil, err
	}
	for _, profile := range c.Profiles {
		// The scheduler's own nominator finds pods in the queue, where none is.
		profile.SetPodNominator(c.nominator)
	}
	return c, nil
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

// show makes the cluster of a question all that the scheduler knows. Its snapshot must be empty, so that the next one has
// the nodes in a new order.
func (c *Cycle) show(cluster *Cluster, question *Question) error {
	c.informers.fill(question)
	c.nominator.cluster = cluster
	logger := klog.Background()
	for _, info := range cluster.nodes {
		node := info.Node()
		c.Cache.AddNode(logger, node)
		c.undo = append(c.undo, func() { must(c.Cache.RemoveNode(logger, node)) })
		for _, entry := range podInfosOf(info) {
			pod := podOf(entry)
			if err := c.Cache.AddPod(logger, pod); err != nil {
				return err
			}
			c.undo = append(c.undo, func() { must(c.Cache.RemovePod(logger, pod)) })
		}
	}
	return c.updateSnapshot()
}

// clear takes away what show has added, the last first.
func (c *Cycle) clear() {
	for ; len(c.undo) > 0; c.undo = c.undo[:len(c.undo)-1] {
		c.undo[len(c.undo)-1]()
	}
	must(c.updateSnapshot())
}

func must(err error) {
	if err != nil {
		panic(err)
	}
}

// run has the scheduler search, score and choose once, from the node of the snapshot with index start.
func (c *Cycle) run(pod *v1.Pod, start int64) (scheduler.ScheduleResult, *Observer, error) {
	observer := &Observer{Framework: c.Profiles[pod.Spec.SchedulerName], rejected: map[string]*status{}}
	c.member("nextStartNodeIndex").SetInt(start)
	result, err := schedulePod(c.ctx, c.Scheduler, observer, newCycleState(), pod)
	return result, observer, err
}

// framework returns one with a profile, for preemption.
func (c *Cycle) framework(name string) (*Framework, error) {
	if made, ok := c.frameworks[name]; ok {
		return made, nil
	}
	for i := range c.profiles {
		if c.profiles[i].SchedulerName == name {
			made, err := newFramework(c.ctx, &c.profiles[i])
			c.frameworks[name] = made
			return made, err
		}
	}
	return nil, fmt.Errorf("there is no profile %q", name)
}
