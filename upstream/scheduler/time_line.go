//go:build stepper

package main

import "encoding/json"

func init() { features = append(features, "timeline") }

// Timeline answers lines about a scheduler over time. Its zero value is ready.
type Timeline struct {
	world *World
	parts Parts
	lines [][]byte // since init, those that were carried out
}

// answerOverTime returns the answer to a line about a scheduler over time, or nil if it is about something else.
func answerOverTime(line []byte, scheduler *Scheduler) any {
	if answer := scheduler.timeline.parts.answerLine(line); answer != nil {
		return answer
	}
	if !isOverTime(line) {
		return nil
	}
	return scheduler.timeline.answerLine(line)
}

// answerLine returns the answer to a line. Nothing changes after an error.
func (t *Timeline) answerLine(line []byte) (answer any) {
	seq := seqOf(line)
	defer func() {
		if reason := recover(); reason != nil {
			recordCrash(reason)
		}
		if text := takeCrash(); text != "" {
			if t.world != nil {
				t.world.undo()
			}
			t.world, t.lines = nil, nil
			answer = malformed(seq, &Problem{"panic", "", text})
		}
	}()
	containCrashes()
	step, problem := t.step(line)
	if problem != nil {
		return malformed(seq, problem)
	}
	step.Seq = seq
	t.lines = append(t.lines, append([]byte{}, line...))
	return step
}

func (t *Timeline) step(line []byte) (*StepAnswer, *Problem) {
	command, notes, problem := decodeCommand(line)
	if problem != nil {
		return nil, problem
	}
	if command.Cmd == "init" {
		t.end()
		world, problem := newWorld(command)
		if problem != nil {
			return nil, problem
		}
		t.world = world
		return &StepAnswer{State: world.state(), Notes: notes}, nil
	}
	if t.world == nil {
		return nil, &Problem{"no-world", "cmd", `expected "init" before "` + command.Cmd + `"`}
	}
	answer, problem := t.world.run(command)
	if problem != nil {
		return nil, problem
	}
	if command.Take != "" && isElsewhere(answer.Result, command.Take) {
		t.replay()
		return nil, &Problem{"not-admissible", "take", "the release may not choose node " + command.Take + " here"}
	}
	answer.Notes = notes
	return answer, nil
}

// isElsewhere says whether a cycle that was told a node came to something else.
func isElsewhere(result *Result, take string) bool {
	switch result.Outcome {
	case outcomeScheduled, outcomeNominated, outcomeNone, outcomeIneligible:
		return result.Node != take
	}
	return false
}

// replay makes the world again as it was before the last command.
func (t *Timeline) replay() {
	lines := t.lines
	t.end()
	for _, line := range lines {
		if _, problem := t.step(line); problem != nil {
			text, _ := json.Marshal(problem)
			panic("a command that was carried out is refused: " + string(text))
		}
		t.lines = append(t.lines, line)
	}
}

// end ends the world.
func (t *Timeline) end() {
	if t.world != nil {
		t.world.end()
	}
	t.world, t.lines = nil, nil
}
