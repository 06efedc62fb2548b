#include "kubernetes/configuration/configuration_fields.hpp"

namespace touchstone::kubernetes {

/// Fields of the Go types in k8s.io/kube-scheduler/config and k8s.io/component-base/config. Types with the
/// suffix Beta are those of v1beta1 and v1beta2. Fields that end in Args are checked by themselves, because
/// their type depends on the plug-in.
const std::string_view k_configuration_fields = R"(
KubeSchedulerConfiguration: kind apiVersion parallelism leaderElection=LeaderElectionConfiguration
  clientConnection=ClientConnectionConfiguration enableProfiling enableContentionProfiling percentageOfNodesToScore
  podInitialBackoffSeconds podMaxBackoffSeconds profiles=KubeSchedulerProfile extenders=Extender
  delayCacheUntilActive@29
KubeSchedulerConfigurationBeta: kind apiVersion parallelism@20 leaderElection=LeaderElectionConfiguration
  clientConnection=ClientConnectionConfiguration healthzBindAddress metricsBindAddress enableProfiling
  enableContentionProfiling percentageOfNodesToScore podInitialBackoffSeconds podMaxBackoffSeconds
  profiles=KubeSchedulerProfileBeta extenders=Extender
KubeSchedulerConfigurationAlpha2: kind apiVersion algorithmSource leaderElection=LeaderElectionConfiguration
  clientConnection=ClientConnectionConfiguration healthzBindAddress metricsBindAddress enableProfiling
  enableContentionProfiling disablePreemption percentageOfNodesToScore bindTimeoutSeconds podInitialBackoffSeconds
  podMaxBackoffSeconds profiles=KubeSchedulerProfileBeta extenders=Extender
LeaderElectionConfiguration: leaderElect leaseDuration renewDeadline retryPeriod resourceLock resourceName
  resourceNamespace
ClientConnectionConfiguration: kubeconfig acceptContentTypes contentType qps burst
KubeSchedulerProfile: schedulerName percentageOfNodesToScore@26 plugins=Plugins pluginConfig=PluginConfig
KubeSchedulerProfileBeta: schedulerName plugins=PluginsBeta pluginConfig=PluginConfig
Plugins: preEnqueue=PluginSet@26 queueSort=PluginSet preFilter=PluginSet filter=PluginSet postFilter=PluginSet
  preScore=PluginSet score=PluginSet reserve=PluginSet permit=PluginSet preBind=PluginSet bind=PluginSet
  postBind=PluginSet multiPoint=PluginSet
PluginsBeta: queueSort=PluginSet preFilter=PluginSet filter=PluginSet postFilter=PluginSet preScore=PluginSet
  score=PluginSet reserve=PluginSet permit=PluginSet preBind=PluginSet bind=PluginSet postBind=PluginSet
PluginSet: enabled=Plugin disabled=Plugin
Plugin: name weight
PluginConfig: name args
Extender: urlPrefix filterVerb preemptVerb prioritizeVerb weight bindVerb enableHTTPS tlsConfig=ExtenderTLSConfig
  httpTimeout nodeCacheCapable managedResources=ExtenderManagedResource ignorable
ExtenderTLSConfig: insecure serverName certFile keyFile caFile certData keyData caData
ExtenderManagedResource: name ignoredByScheduler
DefaultPreemptionArgs: kind apiVersion minCandidateNodesPercentage minCandidateNodesAbsolute
InterPodAffinityArgs: kind apiVersion hardPodAffinityWeight ignorePreferredTermsOfExistingPods@27
NodeAffinityArgs: kind apiVersion addedAffinity=NodeAffinity
NodeResourcesBalancedAllocationArgs: kind apiVersion resources=ResourceSpec
NodeResourcesFitArgs: kind apiVersion ignoredResources ignoredResourceGroups scoringStrategy=ScoringStrategy@22
PodTopologySpreadArgs: kind apiVersion defaultConstraints=TopologySpreadConstraint defaultingType@20
VolumeBindingArgs: kind apiVersion bindTimeoutSeconds shape=UtilizationShapePoint@21
DynamicResourcesArgs: kind apiVersion filterTimeout bindingTimeout
ScoringStrategy: type resources=ResourceSpec requestedToCapacityRatio=RequestedToCapacityRatioParam
ResourceSpec: name weight
RequestedToCapacityRatioParam: shape=UtilizationShapePoint
UtilizationShapePoint: utilization score
)";

}  // namespace touchstone::kubernetes
