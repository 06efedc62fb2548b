module example

go 1.21

require touchstone v0.0.0

replace touchstone => ../
