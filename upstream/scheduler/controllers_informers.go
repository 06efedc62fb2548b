//go:build stepper

package main

import (
	"context"
	"strings"

	autoscaling "k8s.io/api/autoscaling/v1"
	"k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/discovery"
	clientapps "k8s.io/client-go/listers/apps/v1"
	clientcore "k8s.io/client-go/listers/core/v1"
	clientpolicy "k8s.io/client-go/listers/policy/v1"
	"k8s.io/client-go/scale"
	"k8s.io/client-go/tools/cache"
)

// PartInformer is an informer that is told events one at a time.
type PartInformer struct {
	cache.SharedIndexInformer
	store    cache.Indexer
	handlers []cache.ResourceEventHandler
}

func newPartInformer() *PartInformer {
	byNamespace := cache.Indexers{cache.NamespaceIndex: cache.MetaNamespaceIndexFunc}
	return &PartInformer{store: cache.NewIndexer(cache.MetaNamespaceKeyFunc, byNamespace)}
}

func (p *PartInformer) AddEventHandler(handler cache.ResourceEventHandler) (cache.ResourceEventHandlerRegistration, error) {
	p.handlers = append(p.handlers, handler)
	return nil, nil
}

func (p *PartInformer) HasSynced() bool { return true }

func (p *PartInformer) deliver(old, now object) {
	switch {
	case old == nil:
		must(p.store.Add(now))
	case now == nil:
		must(p.store.Delete(old))
	default:
		must(p.store.Update(now))
	}
	for _, handler := range p.handlers {
		switch {
		case old == nil:
			handler.OnAdd(now, false)
		case now == nil:
			handler.OnDelete(old)
		default:
			handler.OnUpdate(old, now)
		}
	}
}

// Lists of one kind, as the controller wants them.
type (
	podInformer        struct{ *PartInformer }
	pdbInformer        struct{ *PartInformer }
	rcInformer         struct{ *PartInformer }
	rsInformer         struct{ *PartInformer }
	deploymentInformer struct{ *PartInformer }
	ssInformer         struct{ *PartInformer }
)

func (i podInformer) Informer() cache.SharedIndexInformer        { return i.PartInformer }
func (i pdbInformer) Informer() cache.SharedIndexInformer        { return i.PartInformer }
func (i rcInformer) Informer() cache.SharedIndexInformer         { return i.PartInformer }
func (i rsInformer) Informer() cache.SharedIndexInformer         { return i.PartInformer }
func (i deploymentInformer) Informer() cache.SharedIndexInformer { return i.PartInformer }
func (i ssInformer) Informer() cache.SharedIndexInformer         { return i.PartInformer }

func (i podInformer) Lister() clientcore.PodLister { return clientcore.NewPodLister(i.store) }
func (i pdbInformer) Lister() clientpolicy.PodDisruptionBudgetLister {
	return clientpolicy.NewPodDisruptionBudgetLister(i.store)
}
func (i rcInformer) Lister() clientcore.ReplicationControllerLister {
	return clientcore.NewReplicationControllerLister(i.store)
}
func (i rsInformer) Lister() clientapps.ReplicaSetLister {
	return clientapps.NewReplicaSetLister(i.store)
}
func (i deploymentInformer) Lister() clientapps.DeploymentLister {
	return clientapps.NewDeploymentLister(i.store)
}
func (i ssInformer) Lister() clientapps.StatefulSetLister {
	return clientapps.NewStatefulSetLister(i.store)
}

// PartScales answers for the scale of any kind, from what the API has now.
type PartScales struct {
	scale.ScaleInterface
	store *PartStore
}

// Scales returns itself: all is in one namespace.
func (s PartScales) Scales(string) scale.ScaleInterface { return s }

// Get returns the scale of a controller of pods.
func (s PartScales) Get(_ context.Context, resource schema.GroupResource, name string, _ metav1.GetOptions) (*autoscaling.Scale, error) {
	for key, o := range s.store.objects[kindWorkload] {
		kind, itsName, _ := strings.Cut(key, "/")
		if itsName == name && strings.ToLower(kind)+"s" == resource.Resource {
			found := &autoscaling.Scale{Spec: autoscaling.ScaleSpec{Replicas: scaleOf(o)}}
			found.UID = o.GetUID()
			return found, nil
		}
	}
	return nil, errors.NewNotFound(resource, name)
}

// PartDiscovery says that every kind of controllers has a scale.
type PartDiscovery struct{ discovery.DiscoveryInterface }

// ServerResourcesForGroupVersion lists the scales.
func (PartDiscovery) ServerResourcesForGroupVersion(groupVersion string) (*metav1.APIResourceList, error) {
	list := &metav1.APIResourceList{GroupVersion: groupVersion}
	for kind := range groups {
		list.APIResources = append(list.APIResources, metav1.APIResource{
			Name: strings.ToLower(kind) + "s/scale", Group: "autoscaling", Version: "v1", Kind: "Scale",
		})
	}
	return list, nil
}

// newPartMapper knows the kinds of controllers.
func newPartMapper() meta.RESTMapper {
	mapper := meta.NewDefaultRESTMapper(nil)
	for kind, version := range groups {
		gv, err := schema.ParseGroupVersion(version)
		must(err)
		mapper.Add(gv.WithKind(kind), meta.RESTScopeNamespace)
	}
	return mapper
}
