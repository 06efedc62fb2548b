#pragma once

#include <unistd.h>

#include <filesystem>
#include <string>

namespace touchstone::cli {

/// A temporary directory, which the destructor removes.
class Scratch {
 public:
  explicit Scratch(const std::string& command)
      : path_(std::filesystem::temp_directory_path() /
              ("touchstone-" + command + "-" + std::to_string(getpid()))) {
    std::filesystem::create_directories(path_);
  }
  ~Scratch() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;
  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

}  // namespace touchstone::cli
