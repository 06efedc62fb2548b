package main

// source is the name of the checkout that is linked in, and version its commit; empty for a published release. The build
// sets both.
var source, version string

// hello names a published release, or the checkout that was built. Only a published release has a module.
func hello() Hello {
	if source != "" {
		return Hello{
			Name: source, Version: version, Protocol: 1, Releases: []string{release}, Features: features,
		}
	}
	return Hello{
		Name:     "kube-scheduler",
		Version:  release,
		Module:   "k8s.io/kubernetes " + release,
		Protocol: 1,
		Releases: []string{release},
		Features: features,
	}
}
