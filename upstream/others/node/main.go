// Command node is an implementation other than kube-scheduler as a subject of Touchstone: it says for each node whether the
// pod fits. It reads a question a line from standard input and writes an answer a line to standard output, as
// spec/protocol.md has it. The folder beside this one names the implementation and calls it through its published module.
package main

import (
	"fmt"
	"os"

	"github.com/go-logr/logr"
	"k8s.io/klog/v2"
)

// release is the Kubernetes release that the implementation is linked with and compared with; the build sets it.
var release = "v0.0.0"

func main() {
	klog.SetLogger(logr.Discard())
	if err := serve(os.Stdin, os.Stdout, &Scheduler{}); err != nil {
		fmt.Fprintln(os.Stderr, name+":", err)
		os.Exit(2)
	}
}
