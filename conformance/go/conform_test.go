package touchstone

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// subjects are schedulers with one thing wrong. TestSubject judges one of them in a process of its own.
var subjects = map[string]SchedulerFunc{
	"evicts no pod": func(context.Context, Question) (Answer, error) { return Answer{Outcome: "none"}, nil },
	"panics":        func(context.Context, Question) (Answer, error) { panic("out of range") },
	"hangs": func(ctx context.Context, _ Question) (Answer, error) {
		<-ctx.Done()
		return Answer{Outcome: "none"}, nil
	},
	"errs": func(context.Context, Question) (Answer, error) { return Answer{}, errors.New("no lister") },
	"supports nothing": func(context.Context, Question) (Answer, error) {
		return Answer{}, fmt.Errorf("%w: priorities", ErrUnsupported)
	},
}

const (
	subjectVariable = "TOUCHSTONE_TEST_SUBJECT"
	knownVariable   = "TOUCHSTONE_TEST_KNOWN"
	levelVariable   = "TOUCHSTONE_TEST_LEVEL"
)

func TestSubject(t *testing.T) {
	subject, ok := subjects[os.Getenv(subjectVariable)]
	if !ok {
		t.Skip("run by the other tests")
	}
	opts := []Option{Release("v1.34"), Levels(os.Getenv(levelVariable)), Timeout(time.Second), Known(os.Getenv(knownVariable)),
		Vectors("../../spec/vectors/examples")}
	if os.Getenv(levelVariable) == "core" {
		opts = append(opts, Case("clauses/PRE-VICTIM-6"))
	}
	Conform(t, subject, opts...)
}

// output is what `go test -v` prints for a subject, and whether the tests pass.
func output(t *testing.T, subject, level, known string) (string, bool) {
	t.Helper()
	command := exec.Command(os.Args[0], "-test.v", "-test.run=^TestSubject$")
	command.Env = append(os.Environ(), subjectVariable+"="+subject, levelVariable+"="+level, knownVariable+"="+known)
	text, err := command.CombinedOutput()
	return string(text), err == nil
}

func expect(t *testing.T, text string, wanted ...string) {
	t.Helper()
	for _, each := range wanted {
		if !strings.Contains(text, each) {
			t.Errorf("no %q in:\n%s", each, text)
		}
	}
}

// expectFailure judges a subject, and checks that it fails and that the output has the wanted texts.
func expectFailure(t *testing.T, subject, level string, wanted ...string) {
	t.Helper()
	text, passes := output(t, subject, level, "")
	if passes {
		t.Error("passes")
	}
	expect(t, text, wanted...)
}

func TestAFailureShowsTheClauseBothAnswersAndTheSmallestCluster(t *testing.T) {
	expectFailure(t, "evicts no pod", "core", "--- FAIL: TestSubject/core/clauses/PRE-VICTIM-6",
		"PRE-VICTIM-3, the preemptor must fit", `answered:   {"outcome":"none"}`,
		`"outcome":"nominated"`, "The smallest cluster that shows this:", "# pod: default/p", "kind: Node")
}

func TestAPanicIsACrashWithItsStack(t *testing.T) {
	expectFailure(t, "panics", "core", "crashed", "panic: out of range", "conform_test.go", "kind: Node")
}

func TestAHangIsAVerdict(t *testing.T) {
	expectFailure(t, "hangs", "core", "hung: ")
}

func TestAnErrorFails(t *testing.T) {
	expectFailure(t, "errs", "core", "malformed: ", "no lister")
}

func TestAQuestionThatIsClaimedAndNotSupportedFails(t *testing.T) {
	expectFailure(t, "supports nothing", "core", "unsupported: ", "priorities")
}

func TestALevelThatIsNotClaimedFails(t *testing.T) {
	expectFailure(t, "evicts no pod", "pdb", "does not claim the features of any case")
}

func TestAKnownFailureIsSkippedWithItsReason(t *testing.T) {
	known := filepath.Join(t.TempDir(), "known.yaml")
	if err := os.WriteFile(known, []byte("- case: clauses/PRE-VICTIM-6\n  reason: evicts nothing yet\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	text, passes := output(t, "evicts no pod", "core", known)
	if !passes {
		t.Error("fails")
	}
	expect(t, text, "--- SKIP: TestSubject/core/clauses/PRE-VICTIM-6", "known failure: evicts nothing yet")
}

func TestAnErrorOfTheBinaryFails(t *testing.T) {
	expectFailure(t, "evicts no pod", "nonsense", `no level "nonsense"`)
}
