#include "cli/input/data.hpp"

#include <cstdlib>
#include <filesystem>

namespace touchstone::cli {

namespace {

namespace fs = std::filesystem;

/// The directory of the program's data, which has spec/vectors; empty if there is none.
fs::path data_directory() {
  std::error_code failure;
  // A static program runs from a temporary directory, and its starter says where it was.
  const char* const started = std::getenv("STATICX_PROG_PATH");
  const fs::path program = started != nullptr ? started : fs::read_symlink("/proc/self/exe", failure);
  for (fs::path above = program.parent_path(); above != above.parent_path(); above = above.parent_path()) {
    for (const fs::path& place : {above / "share" / "touchstone", above}) {
      if (fs::is_directory(place / "spec" / "vectors", failure)) return place;
    }
  }
  return {};
}

}  // namespace

std::string data_path(const std::string& path) {
  std::error_code failure;
  if (path.empty() || fs::exists(path, failure)) return path;
  const fs::path ours = data_directory() / path;
  return fs::exists(ours, failure) ? ours.string() : path;
}

}  // namespace touchstone::cli
