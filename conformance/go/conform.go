package touchstone

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// Conform judges a scheduler by the suites of a release: a subtest for each level, and in it one for each case. The
// text of a failure has the verdict, both answers, and the smallest cluster that shows it. Known failures are skipped,
// and so are cases that need features that the scheduler does not claim. A level that Levels names fails if the
// scheduler claims the features of none of its cases.
func Conform(t *testing.T, scheduler Scheduler, opts ...Option) {
	t.Helper()
	o := options{features: []string{"core"}, timeout: 10 * time.Second}
	for _, opt := range opts {
		opt(&o)
	}
	report, err := judge(t.Name(), scheduler, &o)
	if err != nil {
		t.Fatal(err)
	}
	failures := map[string]*failure{}
	for i := range report.Failures {
		failures[report.Failures[i].Level+"/"+report.Failures[i].Case] = &report.Failures[i]
	}
	judged := 0
	for _, each := range report.Levels {
		judged += len(each.Results)
		t.Run(each.Level, func(t *testing.T) {
			t.Helper()
			for _, name := range each.names() {
				t.Run(name, func(t *testing.T) {
					t.Helper()
					report.verdict(t, failures[each.Level+"/"+name])
				})
			}
			if len(each.Results) == 0 && len(o.levels) > 0 {
				t.Error("the scheduler does not claim the features of any case of this level")
			} else if each.NotClaimed > 0 {
				t.Run("not claimed", func(t *testing.T) {
					t.Skipf("%d cases need features that the scheduler does not claim", each.NotClaimed)
				})
			}
		})
	}
	for _, each := range report.Known {
		if each.Problem != "" {
			t.Errorf("known failure (%s): %s", each.Reason, each.Problem)
		}
	}
	if judged == 0 {
		t.Error("no case was judged")
	}
}

// judge runs the binary and answers its questions. It does not read the exit code, which is not 0 if the scheduler does
// not conform.
func judge(name string, scheduler Scheduler, o *options) (*report, error) {
	binary := o.binary
	if binary == "" {
		binary = os.Getenv("TOUCHSTONE")
	}
	if binary == "" {
		found, err := exec.LookPath("touchstone")
		if err != nil {
			return nil, errors.New("no touchstone binary: set TOUCHSTONE, or add its directory to PATH")
		}
		binary = found
	}
	self, err := os.Executable()
	if err != nil {
		return nil, err
	}
	place, err := os.MkdirTemp("", "touchstone-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(place)
	listener, err := net.Listen("unix", filepath.Join(place, "socket"))
	if err != nil {
		return nil, err
	}
	defer listener.Close()
	go accept(listener, &subject{name, scheduler, o})

	command := exec.Command(binary, append(o.arguments(), "--", self)...)
	command.Env = append(os.Environ(), relayVariable+"="+listener.Addr().String())
	var stdout, stderr bytes.Buffer
	command.Stdout, command.Stderr = &stdout, &stderr
	err = command.Run()
	var judged report
	if json.Unmarshal(stdout.Bytes(), &judged) != nil || judged.Interrupted {
		return nil, fmt.Errorf("%s: %v\n%s", strings.Join(command.Args, " "), err, stderr.String())
	}
	return &judged, nil
}
