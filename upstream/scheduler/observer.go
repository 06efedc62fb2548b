package main

import (
	"context"
	"sync"

	v1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/util/sets"
	"k8s.io/kubernetes/pkg/scheduler/framework"
)

// Observer is the framework of a profile. It keeps what the plugins answer to the scheduler.
type Observer struct {
	framework.Framework
	mutex    sync.Mutex
	searched sets.Set[string]   // the nodes that PreFilter leaves; nil: all
	excludes sets.Set[string]   // the plugins of the other nodes, where the release names them
	rejected map[string]*status // the nodes that Filter rejects
	passed   []string           // the nodes that Filter lets pass, in this order
	scores   []nodeScores       // what the scorers answer; nil: they were not asked
}

// RunFilterPluginsWithNominatedPods runs in as many goroutines as the scheduler has.
func (o *Observer) RunFilterPluginsWithNominatedPods(ctx context.Context, state cycleState, pod *v1.Pod, node nodeInfo) *status {
	status := o.Framework.RunFilterPluginsWithNominatedPods(ctx, state, pod, node)
	o.mutex.Lock()
	defer o.mutex.Unlock()
	if status.IsSuccess() {
		o.passed = append(o.passed, node.Node().Name)
	} else if status.IsRejected() {
		o.rejected[node.Node().Name] = status
	}
	return status
}

func (o *Observer) RunScorePlugins(ctx context.Context, state cycleState, pod *v1.Pod, nodes []scoredNode) ([]nodeScores, *status) {
	scores, status := o.Framework.RunScorePlugins(ctx, state, pod, nodes)
	o.scores = scores
	return scores, status
}

// preFiltered keeps which nodes PreFilter leaves.
func (o *Observer) preFiltered(result *preFilterInfo, status *status, plugins sets.Set[string]) {
	if status.IsSuccess() && !result.AllNodes() {
		// The scheduler adds the plugins that reject nodes later to the same set.
		o.searched, o.excludes = result.NodeNames, plugins.Clone()
	}
}
