package example

import (
	"testing"

	"touchstone"
)

func TestConforms(t *testing.T) {
	touchstone.Conform(t, touchstone.SchedulerFunc(decide),
		touchstone.Release("v1.34"),
		touchstone.Levels("core", "ties"),
		touchstone.Features("core"))
}
