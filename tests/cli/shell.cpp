#include "tests/cli/shell.hpp"

#include <sys/wait.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

namespace touchstone {

Ran shell(const std::string& script) {
  const char* binary = std::getenv("TOUCHSTONE");
  if (binary == nullptr) return {-1, "TOUCHSTONE is not set"};
  const std::string directory = std::filesystem::path(binary).parent_path().string();
  ::setenv("TEST_DIRECTORY", directory.c_str(), 1);
  ::setenv("TEST_SCRIPT", ("PATH=\"$TEST_DIRECTORY:$PATH\"; " + script).c_str(), 1);
  FILE* pipe = ::popen("exec env -u NO_COLOR TERM=xterm bash -c \"$TEST_SCRIPT\" 2>&1", "r");
  Ran result;
  char buffer[4096];
  std::size_t got = 0;
  while ((got = std::fread(buffer, 1, sizeof buffer, pipe)) > 0) result.output.append(buffer, got);
  const int status = ::pclose(pipe);
  result.exit_code = WIFEXITED(status) ? WEXITSTATUS(status) : -2;
  return result;
}

Ran on_terminal(const std::string& script, int columns) {
  return shell("SHELL=/bin/bash script --quiet --return --command 'stty cols " + std::to_string(columns) +
               "; " + script + "' /dev/null < /dev/null");
}

std::string text_of(const std::filesystem::path& path) {
  std::ostringstream text;
  text << std::ifstream(path).rdbuf();
  return text.str();
}

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

}  // namespace touchstone
