#pragma once

#include <string>
#include <vector>

#include "spec/vocabulary/result.hpp"

namespace touchstone::kubernetes {

/// Lists the files to read, in order.
///  - The path of a file, or "-" for standard input, stands for itself.
///  - A directory, such as `kubectl cluster-info dump --output-directory` writes, stands for the files in it,
///    at any depth, whose names end in .json, .yaml or .yml, also with .gz. They are sorted. Links to
///    directories inside it are not followed, so there are no loops. A broken link counts as a file. Entries
///    that are not files are left out.
/// Errors: file-unreadable; no-objects (a directory without such a file); repeated-source ("-" twice).
Result<std::vector<std::string>> files_of(const std::vector<std::string>& paths);

}  // namespace touchstone::kubernetes
