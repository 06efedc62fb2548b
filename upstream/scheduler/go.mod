// The build writes the requirements of one release into a file of its own; see ../build.
module touchstone/upstream/scheduler

go 1.21
