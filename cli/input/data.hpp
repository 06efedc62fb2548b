#pragma once

#include <string>

namespace touchstone::cli {

/// The path of a file or directory that a command reads. A relative path is that of the current directory; if
/// that has no such file, the path is looked up in the data of the program: in share/touchstone where the
/// program was installed, else in the source tree that holds the build directory. Ensures: returns the path
/// as it was given if neither has it.
std::string data_path(const std::string& path);

}  // namespace touchstone::cli
