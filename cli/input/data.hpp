#pragma once

#include <string>

namespace touchstone::cli {

/// Finds a file or directory that a command reads. A relative path is looked up in the current directory. If
/// it is not there, it is looked up in the data of the program: in share/touchstone where the program was
/// installed, or else in the source tree that holds the build directory. Ensures: returns the path as it was
/// given if neither has it.
std::string data_path(const std::string& path);

}  // namespace touchstone::cli
