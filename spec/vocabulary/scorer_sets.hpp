#pragma once

#include <vector>

#include "spec/vocabulary/scorers.hpp"

/// The scorers that releases run by default, with their weights. SCORE-SET-1.
namespace touchstone {

/// The scorers of v1.8 to v1.11.
inline const std::vector<WeightedScorer> k_first_priorities = {
    {Scorer::selector_spread, "SelectorSpreadPriority", 1},
    {Scorer::inter_pod_affinity, "InterPodAffinityPriority", 1},
    {Scorer::node_resources, "LeastRequestedPriority", 1},
    {Scorer::balanced_allocation, "BalancedResourceAllocation", 1},
    {Scorer::node_prefer_avoid_pods, "NodePreferAvoidPodsPriority", 10000},
    {Scorer::node_affinity, "NodeAffinityPriority", 1},
    {Scorer::taint_toleration, "TaintTolerationPriority", 1}};

/// The scorers of v1.12 to v1.17.
inline const std::vector<WeightedScorer> k_priorities_with_images = {
    {Scorer::selector_spread, "SelectorSpreadPriority", 1},
    {Scorer::inter_pod_affinity, "InterPodAffinityPriority", 1},
    {Scorer::node_resources, "LeastRequestedPriority", 1},
    {Scorer::balanced_allocation, "BalancedResourceAllocation", 1},
    {Scorer::node_prefer_avoid_pods, "NodePreferAvoidPodsPriority", 10000},
    {Scorer::node_affinity, "NodeAffinityPriority", 1},
    {Scorer::taint_toleration, "TaintTolerationPriority", 1},
    {Scorer::image_locality, "ImageLocalityPriority", 1}};

/// The scorers of v1.18.
inline const std::vector<WeightedScorer> k_first_plugins = {
    {Scorer::balanced_allocation, "NodeResourcesBalancedAllocation", 1},
    {Scorer::image_locality, "ImageLocality", 1},
    {Scorer::inter_pod_affinity, "InterPodAffinity", 1},
    {Scorer::node_resources, "NodeResourcesLeastAllocated", 1},
    {Scorer::node_affinity, "NodeAffinity", 1},
    {Scorer::node_prefer_avoid_pods, "NodePreferAvoidPods", 10000},
    {Scorer::selector_spread, "DefaultPodTopologySpread", 1},
    {Scorer::taint_toleration, "TaintToleration", 1},
    {Scorer::pod_topology_spread, "PodTopologySpread", 1}};

/// The scorers of v1.19.
inline const std::vector<WeightedScorer> k_plugins_with_selector_spread = {
    {Scorer::balanced_allocation, "NodeResourcesBalancedAllocation", 1},
    {Scorer::image_locality, "ImageLocality", 1},
    {Scorer::inter_pod_affinity, "InterPodAffinity", 1},
    {Scorer::node_resources, "NodeResourcesLeastAllocated", 1},
    {Scorer::node_affinity, "NodeAffinity", 1},
    {Scorer::node_prefer_avoid_pods, "NodePreferAvoidPods", 10000},
    {Scorer::pod_topology_spread, "PodTopologySpread", 2},
    {Scorer::selector_spread, "SelectorSpread", 1},
    {Scorer::taint_toleration, "TaintToleration", 1}};

/// The scorers of v1.20 and v1.21.
inline const std::vector<WeightedScorer> k_plugins_with_default_spread = {
    {Scorer::balanced_allocation, "NodeResourcesBalancedAllocation", 1},
    {Scorer::image_locality, "ImageLocality", 1},
    {Scorer::inter_pod_affinity, "InterPodAffinity", 1},
    {Scorer::node_resources, "NodeResourcesLeastAllocated", 1},
    {Scorer::node_affinity, "NodeAffinity", 1},
    {Scorer::node_prefer_avoid_pods, "NodePreferAvoidPods", 10000},
    {Scorer::pod_topology_spread, "PodTopologySpread", 2},
    {Scorer::taint_toleration, "TaintToleration", 1}};

/// The scorers of v1.22.
inline const std::vector<WeightedScorer> k_plugins_with_fit = {
    {Scorer::balanced_allocation, "NodeResourcesBalancedAllocation", 1},
    {Scorer::image_locality, "ImageLocality", 1},
    {Scorer::inter_pod_affinity, "InterPodAffinity", 1},
    {Scorer::node_resources, "NodeResourcesFit", 1},
    {Scorer::node_affinity, "NodeAffinity", 1},
    {Scorer::pod_topology_spread, "PodTopologySpread", 2},
    {Scorer::taint_toleration, "TaintToleration", 1}};

/// The scorers of v1.23 to v1.34.
inline const std::vector<WeightedScorer> k_heavier_plugins = {
    {Scorer::taint_toleration, "TaintToleration", 3},
    {Scorer::node_affinity, "NodeAffinity", 2},
    {Scorer::node_resources, "NodeResourcesFit", 1},
    {Scorer::volume_capacity, "VolumeBinding", 1},
    {Scorer::pod_topology_spread, "PodTopologySpread", 2},
    {Scorer::inter_pod_affinity, "InterPodAffinity", 2},
    {Scorer::balanced_allocation, "NodeResourcesBalancedAllocation", 1},
    {Scorer::image_locality, "ImageLocality", 1}};

/// The scorers from v1.35 on.
inline const std::vector<WeightedScorer> k_plugins_with_claims = {
    {Scorer::taint_toleration, "TaintToleration", 3},
    {Scorer::node_affinity, "NodeAffinity", 2},
    {Scorer::node_resources, "NodeResourcesFit", 1},
    {Scorer::volume_capacity, "VolumeBinding", 1},
    {Scorer::pod_topology_spread, "PodTopologySpread", 2},
    {Scorer::inter_pod_affinity, "InterPodAffinity", 2},
    {Scorer::dynamic_resources, "DynamicResources", 2},
    {Scorer::balanced_allocation, "NodeResourcesBalancedAllocation", 1},
    {Scorer::image_locality, "ImageLocality", 1}};

}  // namespace touchstone
