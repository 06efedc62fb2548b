#include "proofs/second_solver.hpp"

#include <array>
#include <cstdio>
#include <memory>
#include <vector>

namespace touchstone::proofs {

namespace {

/// Quotes a word for the shell.
std::string quoted(const std::string& word) {
  std::string text = "'";
  for (const char c : word) text += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return text + "'";
}

std::vector<std::string> lines_of(const std::string& command) {
  std::vector<std::string> lines;
  const std::unique_ptr<FILE, int (*)(FILE*)> pipe(popen(command.c_str(), "r"), pclose);
  if (!pipe) return lines;
  std::array<char, 4096> buffer{};
  while (fgets(buffer.data(), buffer.size(), pipe.get()) != nullptr) {
    lines.emplace_back(buffer.data());
    while (!lines.back().empty() && lines.back().back() == '\n') lines.back().pop_back();
  }
  return lines;
}

}  // namespace

std::string second_solver_version() {
  static const std::string k_version = [] {
    const std::vector<std::string> lines = lines_of("cvc5 --version 2> /dev/null");
    const std::string_view begin = "This is ";
    if (lines.empty() || !lines[0].starts_with(begin)) return std::string();
    std::string name = lines[0].substr(begin.size());  // "cvc5 version 1.0.3"
    const std::string_view version = "version ";
    if (const std::size_t at = name.find(version); at != std::string::npos) name.erase(at, version.size());
    return name.substr(0, name.find(' ', name.find(' ') + 1));
  }();
  return k_version;
}

bool has_second_solver() { return !second_solver_version().empty(); }

SecondOpinion second_opinion(const std::filesystem::path& file) {
  SecondOpinion opinion;
  for (const std::string& line : lines_of("cvc5 --incremental " + quoted(file.string()) + " 2>&1")) {
    if (line == "unsat") {
      ++opinion.agreed;
    } else if (line == "sat" || line == "unknown") {
      ++opinion.disagreed;
    } else if (opinion.failure.empty()) {
      opinion.failure = line;
    }
  }
  return opinion;
}

}  // namespace touchstone::proofs
