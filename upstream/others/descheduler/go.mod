// Linked with Kubernetes v1.36.3, whose API the descheduler v0.36.0 was written for.
module touchstone/upstream/others/descheduler

go 1.26.0

require sigs.k8s.io/descheduler v0.36.0
