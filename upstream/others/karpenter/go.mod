// Linked with Kubernetes v1.35.4, whose API Karpenter v1.14.1 was written for.
module touchstone/upstream/others/karpenter

go 1.26.6

require sigs.k8s.io/karpenter v1.14.1
