// scheduler-plugins requires Kubernetes v1.34.7, some of whose modules are not published; v1.34.4 stands in for it.
module touchstone/upstream/others/preemptiontoleration

go 1.24.0

require sigs.k8s.io/scheduler-plugins v0.34.7

require k8s.io/kubernetes v1.34.4
