#include "kubernetes/objects/known_fields.hpp"

namespace touchstone::kubernetes {

/// Fields of the Go types in k8s.io/api (core/v1, apps/v1, batch/v1). They were read from v1.8.0, v1.10.0,
/// v1.13.0, v1.17.17 and one patch release of each minor from v1.19 to v1.37.2. A field that appeared between
/// two of these versions counts as known from the first minor after the older version. The fields of statuses
/// and of managedFields are not checked.
const std::string_view k_known_fields = R"(
Pod: kind apiVersion metadata=ObjectMeta spec=PodSpec status
Deployment: kind apiVersion metadata=ObjectMeta spec=DeploymentSpec status
StatefulSet: kind apiVersion metadata=ObjectMeta spec=StatefulSetSpec status
DaemonSet: kind apiVersion metadata=ObjectMeta spec=DaemonSetSpec status
ReplicaSet: kind apiVersion metadata=ObjectMeta spec=ReplicaSetSpec status
Job: kind apiVersion metadata=ObjectMeta spec=JobSpec status
CronJob: kind apiVersion metadata=ObjectMeta spec=CronJobSpec status
ObjectMeta: name generateName namespace selfLink uid resourceVersion generation creationTimestamp deletionTimestamp
  deletionGracePeriodSeconds labels annotations ownerReferences initializers finalizers clusterName managedFields@14
PodSpec: volumes=Volume initContainers=Container containers=Container restartPolicy terminationGracePeriodSeconds
  activeDeadlineSeconds dnsPolicy nodeSelector serviceAccountName serviceAccount automountServiceAccountToken nodeName
  hostNetwork hostPID hostIPC securityContext=PodSecurityContext imagePullSecrets=LocalObjectReference hostname
  subdomain affinity=Affinity schedulerName tolerations=Toleration hostAliases=HostAlias priorityClassName priority
  shareProcessNamespace@9 dnsConfig=PodDNSConfig@9 readinessGates=PodReadinessGate@11 runtimeClassName@11
  enableServiceLinks@11 ephemeralContainers=EphemeralContainer@14 preemptionPolicy@14 overhead@14
  topologySpreadConstraints=TopologySpreadConstraint@14 setHostnameAsFQDN@18 os=PodOS@23 hostUsers@25
  schedulingGates=PodSchedulingGate@26 resourceClaims=PodResourceClaim@26 resources=ResourceRequirements@32
  hostnameOverride@34 workloadRef=WorkloadReference@35 schedulingGroup=PodSchedulingGroup@36
  evictionResponders=EvictionResponder@37
DeploymentSpec: replicas selector=LabelSelector template=PodTemplateSpec strategy=DeploymentStrategy minReadySeconds
  revisionHistoryLimit paused progressDeadlineSeconds
StatefulSetSpec: replicas selector=LabelSelector template=PodTemplateSpec volumeClaimTemplates=PersistentVolumeClaim
  serviceName podManagementPolicy updateStrategy=StatefulSetUpdateStrategy revisionHistoryLimit minReadySeconds@22
  persistentVolumeClaimRetentionPolicy=StatefulSetPersistentVolumeClaimRetentionPolicy@23
  ordinals=StatefulSetOrdinals@26
DaemonSetSpec: selector=LabelSelector template=PodTemplateSpec updateStrategy=DaemonSetUpdateStrategy minReadySeconds
  revisionHistoryLimit
ReplicaSetSpec: replicas minReadySeconds selector=LabelSelector template=PodTemplateSpec
JobSpec: parallelism completions activeDeadlineSeconds backoffLimit selector=LabelSelector manualSelector
  template=PodTemplateSpec ttlSecondsAfterFinished@11 completionMode@21 suspend@21
  podFailurePolicy=PodFailurePolicy@25 backoffLimitPerIndex@28 maxFailedIndexes@28 podReplacementPolicy@28
  successPolicy=SuccessPolicy@30 managedBy@30 scheduling=JobSchedulingConfiguration@37
CronJobSpec: schedule startingDeadlineSeconds concurrencyPolicy suspend jobTemplate=JobTemplateSpec
  successfulJobsHistoryLimit failedJobsHistoryLimit timeZone@24
Volume: name hostPath=HostPathVolumeSource emptyDir=EmptyDirVolumeSource
  gcePersistentDisk=GCEPersistentDiskVolumeSource awsElasticBlockStore=AWSElasticBlockStoreVolumeSource
  gitRepo=GitRepoVolumeSource secret=SecretVolumeSource nfs=NFSVolumeSource iscsi=ISCSIVolumeSource
  glusterfs=GlusterfsVolumeSource persistentVolumeClaim=PersistentVolumeClaimVolumeSource rbd=RBDVolumeSource
  flexVolume=FlexVolumeSource cinder=CinderVolumeSource cephfs=CephFSVolumeSource flocker=FlockerVolumeSource
  downwardAPI=DownwardAPIVolumeSource fc=FCVolumeSource azureFile=AzureFileVolumeSource
  configMap=ConfigMapVolumeSource vsphereVolume=VsphereVirtualDiskVolumeSource quobyte=QuobyteVolumeSource
  azureDisk=AzureDiskVolumeSource photonPersistentDisk=PhotonPersistentDiskVolumeSource
  projected=ProjectedVolumeSource portworxVolume=PortworxVolumeSource scaleIO=ScaleIOVolumeSource
  storageos=StorageOSVolumeSource csi=CSIVolumeSource@14 ephemeral=EphemeralVolumeSource@18 image=ImageVolumeSource@31
Container: name image command args workingDir ports=ContainerPort envFrom=EnvFromSource env=EnvVar
  resources=ResourceRequirements volumeMounts=VolumeMount livenessProbe=Probe readinessProbe=Probe lifecycle=Lifecycle
  terminationMessagePath terminationMessagePolicy imagePullPolicy securityContext=SecurityContext stdin stdinOnce tty
  volumeDevices=VolumeDevice@9 startupProbe=Probe@14 resizePolicy=ContainerResizePolicy@27 restartPolicy@28
  restartPolicyRules=ContainerRestartRule@34
PodSecurityContext: seLinuxOptions=SELinuxOptions runAsUser runAsNonRoot supplementalGroups fsGroup runAsGroup@9
  sysctls=Sysctl@11 windowsOptions=WindowsSecurityContextOptions@14 fsGroupChangePolicy@18
  seccompProfile=SeccompProfile@18 appArmorProfile=AppArmorProfile@30 supplementalGroupsPolicy@31
  seLinuxChangePolicy@32
LocalObjectReference: name
Affinity: nodeAffinity=NodeAffinity podAffinity=PodAffinity podAntiAffinity=PodAntiAffinity
Toleration: key operator value effect tolerationSeconds
HostAlias: ip hostnames
PodDNSConfig: nameservers searches options=PodDNSConfigOption
PodReadinessGate: conditionType
EphemeralContainer: name image command args workingDir ports=ContainerPort envFrom=EnvFromSource env=EnvVar
  resources=ResourceRequirements volumeMounts=VolumeMount volumeDevices=VolumeDevice livenessProbe=Probe
  readinessProbe=Probe startupProbe=Probe lifecycle=Lifecycle terminationMessagePath terminationMessagePolicy
  imagePullPolicy securityContext=SecurityContext stdin stdinOnce tty targetContainerName
  resizePolicy=ContainerResizePolicy@27 restartPolicy@28 restartPolicyRules=ContainerRestartRule@34
TopologySpreadConstraint: maxSkew topologyKey whenUnsatisfiable labelSelector=LabelSelector minDomains@24
  nodeAffinityPolicy@25 nodeTaintsPolicy@25 matchLabelKeys@25
PodOS: name
PodSchedulingGate: name
PodResourceClaim: name source=ClaimSource resourceClaimName@31 resourceClaimTemplateName@31
ResourceRequirements: limits requests claims=ResourceClaim@26
WorkloadReference: name podGroup podGroupReplicaKey
PodSchedulingGroup: podGroupName
EvictionResponder: name priority
LabelSelector: matchLabels matchExpressions=LabelSelectorRequirement
PodTemplateSpec: metadata=ObjectMeta spec=PodSpec
DeploymentStrategy: type rollingUpdate=RollingUpdateDeployment
PersistentVolumeClaim: kind apiVersion metadata=ObjectMeta spec=PersistentVolumeClaimSpec status
StatefulSetUpdateStrategy: type rollingUpdate=RollingUpdateStatefulSetStrategy
StatefulSetPersistentVolumeClaimRetentionPolicy: whenDeleted whenScaled
StatefulSetOrdinals: start
DaemonSetUpdateStrategy: type rollingUpdate=RollingUpdateDaemonSet
PodFailurePolicy: rules=PodFailurePolicyRule
SuccessPolicy: rules=SuccessPolicyRule
JobSchedulingConfiguration: schedulingPolicy schedulingConstraints disruptionMode resourceClaims
JobTemplateSpec: metadata=ObjectMeta spec=JobSpec
HostPathVolumeSource: path type
EmptyDirVolumeSource: medium sizeLimit mode@37
GCEPersistentDiskVolumeSource: pdName fsType partition readOnly
AWSElasticBlockStoreVolumeSource: volumeID fsType partition readOnly
GitRepoVolumeSource: repository revision directory
SecretVolumeSource: secretName items=KeyToPath defaultMode optional defaultUser@37
NFSVolumeSource: server path readOnly
ISCSIVolumeSource: targetPortal iqn lun iscsiInterface fsType readOnly portals chapAuthDiscovery chapAuthSession
  secretRef=LocalObjectReference initiatorName
GlusterfsVolumeSource: endpoints path readOnly
PersistentVolumeClaimVolumeSource: claimName readOnly
RBDVolumeSource: monitors image fsType pool user keyring secretRef=LocalObjectReference readOnly
FlexVolumeSource: driver fsType secretRef=LocalObjectReference readOnly options
CinderVolumeSource: volumeID fsType readOnly secretRef=LocalObjectReference@11
CephFSVolumeSource: monitors path user secretFile secretRef=LocalObjectReference readOnly
FlockerVolumeSource: datasetName datasetUUID
DownwardAPIVolumeSource: items=DownwardAPIVolumeFile defaultMode defaultUser@37
FCVolumeSource: targetWWNs lun fsType readOnly wwids
AzureFileVolumeSource: secretName shareName readOnly
ConfigMapVolumeSource: name items=KeyToPath defaultMode optional defaultUser@37
VsphereVirtualDiskVolumeSource: volumePath fsType storagePolicyName storagePolicyID
QuobyteVolumeSource: registry volume readOnly user group tenant@14
AzureDiskVolumeSource: diskName diskURI cachingMode fsType readOnly kind
PhotonPersistentDiskVolumeSource: pdID fsType
ProjectedVolumeSource: sources=VolumeProjection defaultMode defaultUser@37
PortworxVolumeSource: volumeID fsType readOnly
ScaleIOVolumeSource: gateway system secretRef=LocalObjectReference sslEnabled protectionDomain storagePool storageMode
  volumeName fsType readOnly
StorageOSVolumeSource: volumeName volumeNamespace fsType readOnly secretRef=LocalObjectReference
CSIVolumeSource: driver readOnly fsType volumeAttributes nodePublishSecretRef=LocalObjectReference
EphemeralVolumeSource: volumeClaimTemplate=PersistentVolumeClaimTemplate readOnly
ImageVolumeSource: reference pullPolicy
ContainerPort: name hostPort containerPort protocol hostIP
EnvFromSource: prefix configMapRef=ConfigMapEnvSource secretRef=SecretEnvSource
EnvVar: name value valueFrom=EnvVarSource
VolumeMount: name readOnly mountPath subPath mountPropagation subPathExpr@14 recursiveReadOnly@30 bindMountOptions@37
Probe: exec=ExecAction httpGet=HTTPGetAction tcpSocket=TCPSocketAction initialDelaySeconds timeoutSeconds
  periodSeconds successThreshold failureThreshold terminationGracePeriodSeconds@21 grpc=GRPCAction@23
Lifecycle: postStart=LifecycleHandler preStop=LifecycleHandler stopSignal@33
SecurityContext: capabilities=Capabilities privileged seLinuxOptions=SELinuxOptions runAsUser runAsNonRoot
  readOnlyRootFilesystem allowPrivilegeEscalation runAsGroup@9 procMount@11
  windowsOptions=WindowsSecurityContextOptions@14 seccompProfile=SeccompProfile@18 appArmorProfile=AppArmorProfile@30
VolumeDevice: name devicePath
ContainerResizePolicy: resourceName restartPolicy
ContainerRestartRule: action exitCodes=ContainerRestartRuleOnExitCodes
SELinuxOptions: user role type level
Sysctl: name value
WindowsSecurityContextOptions: gmsaCredentialSpecName gmsaCredentialSpec runAsUserName hostProcess@22
SeccompProfile: type localhostProfile
AppArmorProfile: type localhostProfile
NodeAffinity: requiredDuringSchedulingIgnoredDuringExecution=NodeSelector
  preferredDuringSchedulingIgnoredDuringExecution=PreferredSchedulingTerm
PodAffinity: requiredDuringSchedulingIgnoredDuringExecution=PodAffinityTerm
  preferredDuringSchedulingIgnoredDuringExecution=WeightedPodAffinityTerm
PodAntiAffinity: requiredDuringSchedulingIgnoredDuringExecution=PodAffinityTerm
  preferredDuringSchedulingIgnoredDuringExecution=WeightedPodAffinityTerm
PodDNSConfigOption: name value
ClaimSource: resourceClaimName resourceClaimTemplateName
ResourceClaim: name request@31
LabelSelectorRequirement: key operator values
RollingUpdateDeployment: maxUnavailable maxSurge
PersistentVolumeClaimSpec: accessModes selector=LabelSelector resources=VolumeResourceRequirements volumeName
  storageClassName volumeMode@9 dataSource=TypedLocalObjectReference@11 dataSourceRef=TypedObjectReference@22
  volumeAttributesClassName@29
RollingUpdateStatefulSetStrategy: partition maxUnavailable@24
RollingUpdateDaemonSet: maxUnavailable maxSurge@21
PodFailurePolicyRule: action onExitCodes=PodFailurePolicyOnExitCodesRequirement
  onPodConditions=PodFailurePolicyOnPodConditionsPattern
SuccessPolicyRule: succeededIndexes succeededCount
KeyToPath: key path mode user@37
DownwardAPIVolumeFile: path fieldRef=ObjectFieldSelector resourceFieldRef=ResourceFieldSelector mode user@37
VolumeProjection: secret=SecretProjection downwardAPI=DownwardAPIProjection configMap=ConfigMapProjection
  serviceAccountToken=ServiceAccountTokenProjection@11 clusterTrustBundle=ClusterTrustBundleProjection@29
  podCertificate=PodCertificateProjection@34
PersistentVolumeClaimTemplate: metadata=ObjectMeta spec=PersistentVolumeClaimSpec
ConfigMapEnvSource: name optional
SecretEnvSource: name optional
EnvVarSource: fieldRef=ObjectFieldSelector resourceFieldRef=ResourceFieldSelector configMapKeyRef=ConfigMapKeySelector
  secretKeyRef=SecretKeySelector fileKeyRef=FileKeySelector@34
ExecAction: command
HTTPGetAction: path port host scheme httpHeaders=HTTPHeader protocol@37
TCPSocketAction: port host
GRPCAction: port service mode@37
LifecycleHandler: exec=ExecAction httpGet=HTTPGetAction tcpSocket=TCPSocketAction sleep=SleepAction@29
Capabilities: add drop
ContainerRestartRuleOnExitCodes: operator values
NodeSelector: nodeSelectorTerms=NodeSelectorTerm
PreferredSchedulingTerm: weight preference=NodeSelectorTerm
PodAffinityTerm: labelSelector=LabelSelector namespaces topologyKey namespaceSelector=LabelSelector@21
  matchLabelKeys@29 mismatchLabelKeys@29
WeightedPodAffinityTerm: weight podAffinityTerm=PodAffinityTerm
VolumeResourceRequirements: limits requests
TypedLocalObjectReference: apiGroup kind name
TypedObjectReference: apiGroup kind name namespace
PodFailurePolicyOnExitCodesRequirement: containerName operator values
PodFailurePolicyOnPodConditionsPattern: type status
ObjectFieldSelector: apiVersion fieldPath
ResourceFieldSelector: containerName resource divisor
SecretProjection: name items=KeyToPath optional
DownwardAPIProjection: items=DownwardAPIVolumeFile
ConfigMapProjection: name items=KeyToPath optional
ServiceAccountTokenProjection: audience expirationSeconds path user@37
ClusterTrustBundleProjection: name signerName labelSelector=LabelSelector optional path user@37
PodCertificateProjection: signerName keyType maxExpirationSeconds credentialBundlePath keyPath certificateChainPath
  userAnnotations@35 user@37
ConfigMapKeySelector: name key optional
SecretKeySelector: name key optional
FileKeySelector: volumeName path key optional
HTTPHeader: name value
SleepAction: seconds
NodeSelectorTerm: matchExpressions=NodeSelectorRequirement matchFields=NodeSelectorRequirement@11
NodeSelectorRequirement: key operator values
)";

}  // namespace touchstone::kubernetes
