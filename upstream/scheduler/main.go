// Command scheduler is the kube-scheduler of one Kubernetes release as a subject of Touchstone: it reads a question a
// line from standard input and writes an answer a line to standard output, as spec/protocol.md has it.
//
// The release is chosen when it is built; see ../build. Files named after a release hold what is written differently
// from that release on.
package main

import (
	"flag"
	"fmt"
	"os"

	"github.com/go-logr/logr"
	"k8s.io/klog/v2"
)

// release is the Kubernetes release that is linked in, such as v1.34.4; the build sets it.
var release = "v0.0.0"

// parallelism is how many nodes are filtered, scored or dry-run at the same time. With more than 1 the order in which nodes
// and candidates are found is left to chance.
var parallelism = flag.Int("parallelism", 1, "nodes that are handled at the same time; kube-scheduler's own default is 16")

func main() {
	flag.Parse()
	klog.SetLogger(logr.Discard())
	if err := serve(os.Stdin, os.Stdout, &Scheduler{}); err != nil {
		fmt.Fprintln(os.Stderr, "scheduler:", err)
		os.Exit(2)
	}
}
