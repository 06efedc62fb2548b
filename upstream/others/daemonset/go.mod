// Linked with Kubernetes v1.34.4.
module touchstone/upstream/others/daemonset

go 1.24.0

require k8s.io/kubernetes v1.34.4
