// Command quantity prints what Kubernetes makes of strings as resource quantities, one a line:
//
//	quantity < STRINGS          the strings of a file, a line each; lines that begin with # are passed on
//	quantity COUNT SEED         COUNT different strings that it makes up itself, the same for the same SEED
//
// A line of the answer is the string, the amount rounded up to the unit, and rounded up to a thousandth of it, with
// tabs between them. See answer.go for what stands in place of an amount. In both directions a string is written with
// %XX for each byte that is not plain in the path of a URL.
package main

import (
	"bufio"
	"fmt"
	"net/url"
	"os"
	"runtime/debug"
	"strconv"
	"strings"
)

const apimachinery = "k8s.io/apimachinery"

func main() {
	out := bufio.NewWriter(os.Stdout)
	var err error
	switch len(os.Args) {
	case 1:
		err = answerFile(out)
	case 3:
		err = answerGenerated(out, os.Args[1], os.Args[2])
	default:
		err = fmt.Errorf("expected no arguments, or COUNT SEED")
	}
	if err == nil {
		err = out.Flush()
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "quantity:", err)
		os.Exit(2)
	}
}

func answerFile(out *bufio.Writer) error {
	fmt.Fprintln(out, "# Written by upstream/quantity/table with", apimachinery, version()+"; not to be edited.")
	in := bufio.NewScanner(os.Stdin)
	for in.Scan() {
		if strings.HasPrefix(in.Text(), "#") {
			fmt.Fprintln(out, in.Text())
			continue
		}
		text, err := url.PathUnescape(in.Text())
		if err != nil {
			return err
		}
		print(out, text)
	}
	return in.Err()
}

func answerGenerated(out *bufio.Writer, count, seed string) error {
	n, err := strconv.Atoi(count)
	if err != nil {
		return err
	}
	s, err := strconv.ParseUint(seed, 10, 64)
	if err != nil {
		return err
	}
	generate(n, s, func(text string) { print(out, text) })
	return nil
}

func print(out *bufio.Writer, text string) {
	whole, milli := answer(text)
	fmt.Fprintf(out, "%s\t%s\t%s\n", url.PathEscape(text), whole, milli)
}

// version of the module that answers, as pinned in go.mod.
func version() string {
	info, _ := debug.ReadBuildInfo()
	for _, module := range info.Deps {
		if module.Path == apimachinery {
			return module.Version
		}
	}
	return "unknown"
}
