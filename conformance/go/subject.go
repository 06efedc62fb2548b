package touchstone

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"runtime/debug"
	"strings"
)

// The binary starts each subject as a child of its own. That child is this test binary, with an environment variable:
// init makes it a relay, which only copies lines between the binary and a socket of the test. So the scheduler runs in
// the test's own process, with its breakpoints and coverage, and one that hangs or panics is judged like any other: the
// binary kills the relay, or sees that it ends, and starts another one.
const relayVariable = "TOUCHSTONE_RELAY"

func init() {
	if address := os.Getenv(relayVariable); address != "" {
		os.Exit(relay(address))
	}
}

func relay(address string) int {
	connection, err := net.Dial("unix", address)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	go func() {
		io.Copy(connection, os.Stdin)
		connection.(*net.UnixConn).CloseWrite()
	}()
	code := 0
	for lines := bufio.NewReader(connection); ; {
		line, err := lines.ReadBytes('\n')
		if err != nil {
			return code
		}
		if line[0] == '!' { // a line about a panic; an answer begins with a brace
			code = 2
			os.Stderr.Write(line[1:])
		} else {
			os.Stdout.Write(line)
		}
	}
}

// subject answers the protocol for a scheduler.
type subject struct {
	name      string
	scheduler Scheduler
	options   *options
}

func accept(listener net.Listener, s *subject) {
	for {
		connection, err := listener.Accept()
		if err != nil { // the binary has ended
			return
		}
		go s.serve(connection)
	}
}

// serve answers one relay, until the binary ends or kills it.
func (s *subject) serve(connection net.Conn) {
	defer connection.Close()
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	questions := make(chan []byte)
	go func() { // reads ahead, to learn of the end of the relay while the scheduler decides
		defer cancel()
		defer close(questions)
		for lines := bufio.NewReader(connection); ; {
			line, err := lines.ReadBytes('\n')
			if err != nil {
				return
			}
			select {
			case questions <- line:
			case <-ctx.Done():
				return
			}
		}
	}()
	for line := range questions {
		reply := s.reply(ctx, line)
		if reply == nil {
			return
		}
		if _, err := connection.Write(append(reply, '\n')); err != nil || reply[0] == '!' {
			return
		}
	}
}

// reply is the answer to a line, nil to bye, and lines that begin with "!" if the scheduler panics.
func (s *subject) reply(ctx context.Context, line []byte) (reply []byte) {
	defer func() {
		if value := recover(); value != nil {
			text := strings.ReplaceAll(fmt.Sprintf("%spanic: %v", debug.Stack(), value), "\t", "  ")
			reply = append([]byte("!"), bytes.ReplaceAll([]byte(text), []byte("\n"), []byte("\n!"))...)
		}
	}()
	var question struct {
		Question
		Seq json.RawMessage `json:"seq"`
	}
	if err := json.Unmarshal(line, &question); err != nil {
		panic(err)
	}
	switch question.Command {
	case "bye":
		return nil
	case "hello":
		return marshal(map[string]any{"name": s.name, "version": s.options.version, "protocol": 1,
			"releases": []string{}, "features": s.options.features})
	}
	question.Raw = line
	answer, err := s.scheduler.Decide(ctx, question.Question)
	if errors.Is(err, ErrUnsupported) {
		return marshal(map[string]any{"seq": question.Seq, "skipped": err.Error()})
	}
	if err != nil {
		return marshal(map[string]any{"seq": question.Seq,
			"error": map[string]string{"code": "scheduler", "path": "", "message": err.Error()}})
	}
	answer.More = with(answer.More, "seq", question.Seq)
	return marshal(answer)
}

func with(keys map[string]any, key string, value any) map[string]any {
	all := map[string]any{key: value}
	for key, value := range keys {
		all[key] = value
	}
	return all
}

func marshal(value any) []byte {
	text, err := json.Marshal(value)
	if err != nil {
		panic(err)
	}
	return text
}
