#include "cli/output.hpp"

#include <algorithm>
#include <iostream>

namespace touchstone::cli {

void add_output_option(CLI::App& command, std::string& output) {
  command.add_option("-o,--output", output, "How to print: text or json")
      ->check(CLI::IsMember({"text", "json"}))
      ->capture_default_str();
}

void print_error(const Error& error) {
  std::cerr << "touchstone: " << error.path << (error.path.empty() ? "" : ": ")
            << error.message.substr(0, 500) << " [" << error.code << "]\n";
}

std::string table(const std::vector<std::vector<std::string>>& rows) {
  std::vector<std::size_t> widths;
  for (const std::vector<std::string>& row : rows) {
    widths.resize(std::max(widths.size(), row.size()));
    for (std::size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], row[i].size());
  }
  std::string text;
  for (const std::vector<std::string>& row : rows) {
    std::string line;
    for (std::size_t i = 0; i < row.size(); ++i) {
      line += row[i];
      if (i + 1 < row.size()) line.append(widths[i] - row[i].size() + 2, ' ');
    }
    line.erase(line.find_last_not_of(' ') + 1);
    text += line + "\n";
  }
  return text;
}

}  // namespace touchstone::cli
