//go:build stepper

package main

import (
	"context"
	"encoding/json"
	"reflect"
	"time"
	"unsafe"

	"k8s.io/client-go/kubernetes"
	core "k8s.io/client-go/kubernetes/typed/core/v1"
	policy "k8s.io/client-go/kubernetes/typed/policy/v1"
	clientrest "k8s.io/client-go/rest"
	"k8s.io/client-go/tools/record"
	"k8s.io/kubernetes/pkg/controller/disruption"
	"k8s.io/utils/clock"
)

// One run of each worker of the controller.

//go:linkname workOnBudget k8s.io/kubernetes/pkg/controller/disruption.(*DisruptionController).processNextWorkItem
func workOnBudget(controller *disruption.DisruptionController, ctx context.Context) bool

//go:linkname workOnRecheck k8s.io/kubernetes/pkg/controller/disruption.(*DisruptionController).processNextRecheckWorkItem
func workOnRecheck(controller *disruption.DisruptionController) bool

//go:linkname workOnStalePod k8s.io/kubernetes/pkg/controller/disruption.(*DisruptionController).processNextStalePodDisruptionWorkItem
func workOnStalePod(controller *disruption.DisruptionController, ctx context.Context) bool

// staleTimeout is that of kube-controller-manager.
const staleTimeout = 2 * time.Minute

// Disruption is the release's disruption controller. It handles events at once, and its workers do one thing when told to.
type Disruption struct {
	*Bubble
	store      PartStore
	connection *Connection
	controller *disruption.DisruptionController
	informers  map[string]*PartInformer
	made       []*PartCall
	works      map[string]bool // queues whose worker waits for a call
}

// partClient is a client for budgets and pods alone.
type partClient struct {
	kubernetes.Interface
	core   core.CoreV1Interface
	policy policy.PolicyV1Interface
}

func (c partClient) CoreV1() core.CoreV1Interface       { return c.core }
func (c partClient) PolicyV1() policy.PolicyV1Interface { return c.policy }

var queueFields = map[string]string{"budgets": "queue", "rechecks": "recheckQueue", "stalePods": "stalePodDisruptionQueue"}

func init() { registerPart("disruption", newDisruption) }

func newDisruption(command *PartCommand) (Part, *Problem) {
	if command.Now == nil {
		return nil, &Problem{"missing-field", "now", "now is missing"}
	}
	var pods []PartPod
	var budgets []PartPDB
	var workloads []PartWorkload
	for _, list := range []struct {
		name string
		text json.RawMessage
		into any
	}{{"pods", command.Pods, &pods}, {"pdbs", command.PDBs, &budgets}, {"workloads", command.Workloads, &workloads}} {
		if list.text == nil {
			continue
		}
		if err := decodeStrictly(list.text, list.into); err != nil {
			return nil, &Problem{"wrong-type", list.name, err.Error()}
		}
	}
	d := &Disruption{Bubble: newBubble(command.Now.Time), informers: map[string]*PartInformer{}, works: map[string]bool{}}
	d.store = PartStore{
		objects: map[string]map[string]object{kindPod: {}, kindPDB: {}, kindWorkload: {}},
		waiting: map[string][]partEvent{}, deliver: d.deliver,
	}
	d.connection = &Connection{name: nameOfPartCall, perform: d.store.perform, made: &d.made, armed: map[string]int{}}
	d.do(func() {
		d.start()
		for _, each := range workloads {
			d.store.put(kindWorkload, each.Name, each.object())
		}
		for _, each := range budgets {
			d.store.put(kindPDB, each.Name, each.object())
		}
		for _, each := range pods {
			d.store.put(kindPod, each.Name, each.object())
		}
	})
	return d, nil
}

func (d *Disruption) start() {
	for _, kind := range []string{kindPod, kindPDB, "ReplicationController", "ReplicaSet", "Deployment", "StatefulSet"} {
		d.informers[kind] = newPartInformer()
	}
	client := partClient{
		core: clientFor(d.connection, func(c *clientrest.Config) (core.CoreV1Interface, error) {
			return core.NewForConfig(c)
		}),
		policy: clientFor(d.connection, func(c *clientrest.Config) (policy.PolicyV1Interface, error) {
			return policy.NewForConfig(c)
		}),
	}
	d.controller = disruption.NewDisruptionControllerInternal(
		context.Background(), podInformer{d.informers[kindPod]}, pdbInformer{d.informers[kindPDB]},
		rcInformer{d.informers["ReplicationController"]}, rsInformer{d.informers["ReplicaSet"]},
		deploymentInformer{d.informers["Deployment"]}, ssInformer{d.informers["StatefulSet"]}, client, newPartMapper(),
		PartScales{store: &d.store}, PartDiscovery{}, clock.RealClock{}, staleTimeout)
}

func (d *Disruption) deliver(e partEvent) {
	kind := e.kind
	if kind == kindWorkload {
		kind = kindOfWorkload(e.name)
	}
	if informer := d.informers[kind]; informer != nil {
		informer.deliver(e.old, e.now)
	}
}

func kindOfWorkload(name string) string {
	for kind := range groups {
		if len(name) > len(kind) && name[:len(kind)] == kind && name[len(kind)] == '/' {
			return kind
		}
	}
	return ""
}

func (d *Disruption) run(command *PartCommand) (any, *Problem) {
	answer := &PartAnswer{Seq: command.Seq}
	var problem *Problem
	d.do(func() { answer.Outcome, problem = d.step(command) })
	if problem != nil {
		return nil, problem
	}
	answer.Calls = shownCalls(&d.made)
	d.do(func() { answer.State = d.state() })
	if command.Cmd == "work" && answer.Outcome == "" {
		answer.Outcome = "done"
		if d.works[command.Queue] {
			answer.Outcome = "open"
		}
	}
	return answer, nil
}

func (d *Disruption) step(command *PartCommand) (outcome string, problem *Problem) {
	switch command.Cmd {
	case "init", "state":
	case "write":
		problem = d.store.write(command)
	case "evict":
		problem = d.store.evict(command.Pod, command.PDB)
	case "advance":
		time.Sleep(time.Duration(command.Nanos))
	case "work":
		return d.work(command.Queue)
	case "hold":
		if command.Watch == "" {
			d.connection.armed[command.Call]++
		} else if _, isHeld := d.store.waiting[command.Watch]; !isHeld {
			d.store.waiting[command.Watch] = nil
		}
	case "answer":
		problem = d.connection.answer(command.Result)
	case "deliver":
		problem = d.deliverHeld(command)
	default:
		problem = &Problem{"unknown-value", "cmd", "expected a command of the controller, found " + command.Cmd}
	}
	return "", problem
}

func (d *Disruption) deliverHeld(command *PartCommand) *Problem {
	events, isHeld := d.store.waiting[command.Watch]
	if !isHeld {
		return &Problem{"not-held", "watch", "events of this kind are not held"}
	}
	if command.Count == 0 {
		delete(d.store.waiting, command.Watch)
		command.Count = len(events)
	} else {
		command.Count = min(command.Count, len(events))
		d.store.waiting[command.Watch] = events[command.Count:]
	}
	for _, e := range events[:command.Count] {
		d.deliver(e)
		waitBubble()
	}
	return nil
}

// work has a worker do one thing.
func (d *Disruption) work(queue string) (string, *Problem) {
	if queueFields[queue] == "" {
		return "", &Problem{"unknown-value", "queue", "unknown queue " + queue}
	}
	if d.works[queue] {
		return "busy", nil
	}
	if len(d.queue(queue).Ready) == 0 {
		return "idle", nil
	}
	d.works[queue] = true
	go func() {
		switch queue {
		case "budgets":
			workOnBudget(d.controller, context.Background())
		case "rechecks":
			workOnRecheck(d.controller)
		default:
			workOnStalePod(d.controller, context.Background())
		}
		d.works[queue] = false
	}()
	return "", nil
}

// ShownQueue is what can be seen of a work queue.
type ShownQueue struct {
	Ready      []string       `json:"ready"`      // in the order in which they are taken
	Processing []string       `json:"processing"` // taken, not done
	Again      []string       `json:"again"`      // added while they were processed
	Failures   map[string]int `json:"failures,omitempty"`
}

// actual returns a field of the controller as what it is.
func (d *Disruption) actual(name string) reflect.Value {
	field := reflect.ValueOf(d.controller).Elem().FieldByName(name)
	return reflect.NewAt(field.Type(), unsafe.Pointer(field.UnsafeAddr())).Elem().Elem()
}

func (d *Disruption) queue(name string) *ShownQueue {
	value := d.actual(queueFields[name])
	failures := map[string]int{}
	if method := value.MethodByName("NumRequeues"); method.IsValid() {
		for _, kind := range []string{kindPDB, kindPod} {
			for key := range d.store.objects[kind] {
				key = partNamespace + "/" + key
				if n := method.Call([]reflect.Value{reflect.ValueOf(key)})[0].Int(); n > 0 {
					failures[key] = int(n)
				}
			}
		}
	}
	inner := value.Elem()
	for !inner.FieldByName("dirty").IsValid() {
		for i := 0; i < inner.NumField(); i++ {
			if inner.Field(i).Kind() == reflect.Interface && inner.Type().Field(i).Anonymous {
				inner = inner.Field(i).Elem().Elem()
				break
			}
		}
	}
	shown := &ShownQueue{Ready: stringsIn(inner.FieldByName("queue")), Failures: failures, Again: []string{}}
	shown.Processing = stringsIn(inner.FieldByName("processing"))
	for _, key := range stringsIn(inner.FieldByName("dirty")) {
		for _, taken := range shown.Processing {
			if key == taken {
				shown.Again = append(shown.Again, key)
			}
		}
	}
	return shown
}

// end ends all goroutines.
func (d *Disruption) end() {
	d.do(func() {
		d.connection.end()
		for _, field := range queueFields {
			d.actual(field).Interface().(interface{ ShutDown() }).ShutDown()
		}
		hidden[record.EventBroadcaster](d.controller, "broadcaster").Shutdown()
		time.Sleep(time.Minute) // tickers look whether their queue is shut down
	})
	d.Bubble.end()
}
