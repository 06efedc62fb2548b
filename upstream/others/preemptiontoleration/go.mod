// Linked with Kubernetes v1.34.4. scheduler-plugins v0.34.7 requires v1.34.7, some of whose modules are not published.
module touchstone/upstream/others/preemptiontoleration

go 1.24.0

require sigs.k8s.io/scheduler-plugins v0.34.7

require k8s.io/kubernetes v1.34.4
