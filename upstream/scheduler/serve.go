package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"io"
)

// lineBytesMax bounds what one question may occupy; a dump of 5,000 nodes and 150,000 pods takes a tenth of it.
const lineBytesMax = 1 << 30

// serve answers each line of in with a line on out, until bye or the end of in. A line that is no question, and a
// question that makes Kubernetes panic, is answered with an error; the next one finds a clean scheduler.
func serve(in io.Reader, out io.Writer, scheduler *Scheduler) error {
	return serveLines(in, out, scheduler, lineBytesMax)
}

func serveLines(in io.Reader, out io.Writer, scheduler *Scheduler, bytesMax int) error {
	reader := bufio.NewReaderSize(in, 1<<16)
	writer := bufio.NewWriterSize(out, 1<<16)
	encoder := json.NewEncoder(writer)
	encoder.SetEscapeHTML(false)
	for {
		line, err := readLine(reader, bytesMax)
		if err == io.EOF {
			return nil
		}
		if err != nil && !errors.Is(err, errLineTooLong) {
			return err
		}
		var answer any
		if err != nil {
			answer = malformed(nil, &Problem{"input-too-large", "", err.Error()})
		} else if answer = answerOverTime(line, scheduler); answer == nil {
			var last bool
			if answer, last = answerLine(line, scheduler); last {
				return nil
			}
		}
		if err := encoder.Encode(answer); err != nil {
			return err
		}
		if err := writer.Flush(); err != nil {
			return err
		}
	}
}

// answerLine returns the answer to a line, or true where the line says bye.
func answerLine(line []byte, scheduler *Scheduler) (answer any, last bool) {
	question, problem := decodeQuestion(line)
	if problem != nil {
		return malformed(seqOf(line), problem), false
	}
	switch question.Cmd {
	case "bye":
		return nil, true
	case "hello":
		return hello(), false
	}
	decision, problem := scheduler.Decide(question)
	if problem != nil {
		return malformed(question.Seq, problem), false
	}
	return decision, false
}

var errLineTooLong = errors.New("the line is too long")

// readLine returns the next line without its end; a last line needs no end. It reads over a line that is longer than
// bytesMax and returns errLineTooLong.
func readLine(reader *bufio.Reader, bytesMax int) ([]byte, error) {
	var line []byte
	tooLong := false
	for {
		part, err := reader.ReadSlice('\n')
		if tooLong = tooLong || len(line)+len(part) > bytesMax; !tooLong {
			line = append(line, part...)
		}
		switch {
		case err == bufio.ErrBufferFull:
			continue
		case err == io.EOF && (len(line) > 0 || tooLong):
		case err != nil:
			return nil, err
		}
		if tooLong {
			return nil, errLineTooLong
		}
		return bytes.TrimRight(line, "\r\n"), nil
	}
}
