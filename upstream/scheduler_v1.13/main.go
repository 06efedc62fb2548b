// Command scheduler is the kube-scheduler of v1.13 as a subject of Touchstone, as ../scheduler is that of later releases.
//
// ../build puts the files of this folder together with those of ../scheduler that do not depend on the release
// (shared.txt), as a package below k8s.io/kubernetes/pkg/scheduler, from where it may import the scheduler's internal
// packages.
package main

import (
	"flag"
	"fmt"
	"io"
	"os"
	"runtime"

	"k8s.io/klog"
)

// release is the Kubernetes release that is linked in; the build sets it.
var release = "v0.0.0"

// parallelism is 1 for answers that do not depend on chance. The scheduler has 16 workers all the same.
var parallelism = flag.Int("parallelism", 1, "1: the scheduler's 16 workers share one processor; 16, its own: they have all")

func main() {
	flag.Parse()
	if *parallelism == 1 {
		// The workers then take turns, so that a search with start finds the nodes in their order.
		runtime.GOMAXPROCS(1)
	}
	klog.SetOutput(io.Discard)
	if err := serve(os.Stdin, os.Stdout, &Scheduler{}); err != nil {
		fmt.Fprintln(os.Stderr, "scheduler:", err)
		os.Exit(2)
	}
}
