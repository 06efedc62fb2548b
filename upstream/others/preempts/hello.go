package main

// source is what a checkout is named by; here a published module is linked in.
var source string

// hello names the published module whose plug-in preempts in the kube-scheduler that is linked in.
func hello() Hello {
	return Hello{
		Name:     name,
		Version:  version,
		Module:   module + " " + version,
		Protocol: 1,
		Releases: []string{release},
		Features: features,
	}
}
