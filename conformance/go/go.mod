module touchstone

go 1.21
