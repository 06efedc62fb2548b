package main

// Permit is a plug-in that has pods wait. The release has no such plug-ins.
type Permit struct{}

func (w *World) permit(command *Command) *Problem {
	return &Problem{"not-waiting", "pod", command.Pod + " does not wait in Permit"}
}

func (w *World) expire() {}

func (w *World) showWaiting(*State) {}

func (w *World) isFailing(int64) bool { return false }

func (w *World) rejectAll() {}
