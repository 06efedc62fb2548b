#include "kubernetes/dump/sources.hpp"

#include <algorithm>
#include <filesystem>
#include <string_view>
#include <system_error>

namespace touchstone::kubernetes {

namespace {

namespace fs = std::filesystem;

bool is_name_of_objects(std::string_view name) {
  if (name.ends_with(".gz")) name.remove_suffix(3);
  return name.ends_with(".json") || name.ends_with(".yaml") || name.ends_with(".yml");
}

/// True for a file. A broken link counts as a file; opening it then fails with an error.
bool is_file(const fs::directory_entry& entry) {
  std::error_code error;
  const fs::file_type type = entry.status(error).type();
  return type == fs::file_type::regular || type == fs::file_type::not_found;
}

Result<std::vector<std::string>> files_in(const std::string& directory) {
  const Error unreadable{"file-unreadable", directory, "expected a directory that can be read"};
  std::vector<std::string> files;
  std::error_code error;
  fs::recursive_directory_iterator entry(directory, error);
  if (error) return unreadable;
  for (; entry != fs::recursive_directory_iterator(); entry.increment(error)) {
    const std::string path = entry->path().string();
    if (is_name_of_objects(path) && is_file(*entry)) files.push_back(path);
  }
  if (error) return unreadable;
  if (files.empty()) {
    return Error{"no-objects", directory,
                 "expected files named *.json, *.yaml or *.yml, also with .gz, in this directory"};
  }
  std::sort(files.begin(), files.end());
  return files;
}

}  // namespace

Result<std::vector<std::string>> files_of(const std::vector<std::string>& paths) {
  if (std::count(paths.begin(), paths.end(), "-") > 1) {
    return Error{"repeated-source", "standard input", "expected - once"};
  }
  std::vector<std::string> files;
  for (const std::string& path : paths) {
    std::error_code error;
    if (path == "-" || !fs::is_directory(path, error)) {
      files.push_back(path);
      continue;
    }
    Result<std::vector<std::string>> inside = files_in(path);
    if (!inside) return inside.error();
    files.insert(files.end(), inside.value().begin(), inside.value().end());
  }
  return files;
}

}  // namespace touchstone::kubernetes
