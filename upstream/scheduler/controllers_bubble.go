//go:build stepper

// The settings of the runtime that virtual time and chosen jitter need, whatever the release's own go.mod says.

//go:debug asynctimerchan=0
//go:debug randseednop=0

package main

import (
	"time"
	_ "unsafe" // for linkname
)

// The functions behind testing/synctest, which can be called in tests only.

//go:linkname runBubble internal/synctest.Run
func runBubble(f func())

//go:linkname waitBubble internal/synctest.Wait
func waitBubble()

// Bubble is a group of goroutines with a clock of its own. The clock stands still while no command is carried out, and
// jumps to the next timer while one sleeps.
type Bubble struct {
	asked chan func()
	done  chan any
}

// newBubble makes a bubble whose clock shows a time after the year 2000.
func newBubble(now time.Time) *Bubble {
	b := &Bubble{make(chan func()), make(chan any)}
	go runBubble(func() {
		time.Sleep(time.Until(now))
		b.done <- nil
		for f := range b.asked {
			b.done <- carriedOut(f)
		}
	})
	<-b.done
	return b
}

// carriedOut calls a function, waits until nothing in the bubble can go on, and returns why it panicked.
func carriedOut(f func()) (reason any) {
	defer func() { reason = recover() }()
	f()
	waitBubble()
	return nil
}

// do calls a function in the bubble, and waits until nothing there can go on by itself.
func (b *Bubble) do(f func()) {
	b.asked <- f
	if reason := <-b.done; reason != nil {
		panic(reason)
	}
}

// end ends the bubble. Its goroutines have ended.
func (b *Bubble) end() { close(b.asked) }
