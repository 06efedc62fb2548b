// The modules of kube-scheduler v1.13.0. Its own repository has no go.mod: the revisions are those of its Godeps.json, but
// for four that decide nothing, where a neighbouring version stands for one that cannot be had (go-spew, json-patch,
// golang-lru, go-digest). sigs.k8s.io/json is this adapter's: it decodes questions. The staging folders are made by ../build.
module k8s.io/kubernetes/pkg/scheduler/touchstone

go 1.23

require (
	github.com/beorn7/perks v0.0.0-20160229213445-3ac7bf7a47d1
	github.com/davecgh/go-spew v1.1.1
	github.com/docker/distribution v0.0.0-20170726174610-edc3ab29cdff
	github.com/evanphx/json-patch v4.2.0+incompatible
	github.com/gogo/protobuf v0.0.0-20171007142547-342cbe0a0415
	github.com/golang/groupcache v0.0.0-20160516000752-02826c3e7903
	github.com/golang/protobuf v1.1.0
	github.com/google/btree v0.0.0-20160524151835-7d79101e329e
	github.com/google/gofuzz v0.0.0-20161122191042-44d81051d367
	github.com/googleapis/gnostic v0.0.0-20170729233727-0c5108395e2d
	github.com/gregjones/httpcache v0.0.0-20170728041850-787624de3eb7
	github.com/hashicorp/golang-lru v0.5.0
	github.com/json-iterator/go v0.0.0-20180701071628-ab8a2e0c74be
	github.com/matttproud/golang_protobuf_extensions v1.0.1
	github.com/modern-go/concurrent v0.0.0-20180306012644-bacd9c7ef1dd
	github.com/modern-go/reflect2 v1.0.1
	github.com/opencontainers/go-digest v1.0.0
	github.com/peterbourgon/diskv v2.0.1+incompatible
	github.com/prometheus/client_golang v0.0.0-20170531130054-e7e903064f5e
	github.com/prometheus/client_model v0.0.0-20150212101744-fa8ad6fec335
	github.com/prometheus/common v0.0.0-20170427095455-13ba4ddd0caa
	github.com/prometheus/procfs v0.0.0-20170519190837-65c1f6f8f0fc
	github.com/spf13/pflag v1.0.1
	golang.org/x/crypto v0.0.0-20180808211826-de0752318171
	golang.org/x/net v0.0.0-20180124060956-0ed95abb35c4
	golang.org/x/oauth2 v0.0.0-20170412232759-a6bd8cefa181
	golang.org/x/sys v0.0.0-20171031081856-95c657629925
	golang.org/x/text v0.0.0-20170810154203-b19bf474d317
	golang.org/x/time v0.0.0-20161028155119-f51c12702a4d
	gopkg.in/inf.v0 v0.9.0
	gopkg.in/square/go-jose.v2 v2.0.0-20180411045311-89060dee6a84
	gopkg.in/yaml.v2 v2.2.1
	k8s.io/api v0.0.0
	k8s.io/apiextensions-apiserver v0.0.0
	k8s.io/apimachinery v0.0.0
	k8s.io/apiserver v0.0.0
	k8s.io/client-go v0.0.0
	k8s.io/cloud-provider v0.0.0
	k8s.io/csi-api v0.0.0
	k8s.io/klog v0.0.0-20181108234604-8139d8cb77af
	k8s.io/kube-openapi v0.0.0-20181109181836-c59034cc13d5
	k8s.io/kubernetes v1.13.0
	k8s.io/utils v0.0.0-20180726175726-66066c83e385
	sigs.k8s.io/json v0.0.0-20250730193827-2d320260d730
	sigs.k8s.io/yaml v1.1.0
)

replace (
	k8s.io/api => ../staging/api
	k8s.io/apiextensions-apiserver => ../staging/apiextensions-apiserver
	k8s.io/apimachinery => ../staging/apimachinery
	k8s.io/apiserver => ../staging/apiserver
	k8s.io/client-go => ../staging/client-go
	k8s.io/cloud-provider => ../staging/cloud-provider
	k8s.io/csi-api => ../staging/csi-api
)
