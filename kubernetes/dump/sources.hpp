#pragma once

#include <string>
#include <vector>

#include "spec/vocabulary/result.hpp"

namespace touchstone::kubernetes {

/// The files to read, in order: a path of a file, or "-" for standard input, stands for itself; that of a
/// directory, such as `kubectl cluster-info dump --output-directory` writes, for the files in it, at any
/// depth, whose names end in .json, .yaml or .yml, also with .gz, sorted. In a directory links to directories
/// are not followed, so there are no loops, and what is neither a file nor a link is left out. Errors:
/// file-unreadable; no-objects (a directory without such a file); repeated-source ("-" twice).
Result<std::vector<std::string>> files_of(const std::vector<std::string>& paths);

}  // namespace touchstone::kubernetes
