#include "fuzz/campaign/difference_text.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <sstream>
#include <vector>

#include "kubernetes/objects/question.hpp"
#include "kubernetes/write/written.hpp"
#include "kubernetes/write/yaml_written.hpp"

namespace touchstone::fuzz {

namespace {

using Lines = std::vector<oracle::Line>;

/// The number of characters of a text in UTF-8.
std::size_t width_of(const std::string& text) {
  return static_cast<std::size_t>(
      std::count_if(text.begin(), text.end(), [](char c) { return (c & 0xC0) != 0x80; }));
}

/// Renders rows with aligned cells. The last cell of each row is not padded.
std::string table_of(Lines::const_iterator first, Lines::const_iterator last) {
  std::vector<std::size_t> widths;
  for (auto line = first; line != last; ++line) {
    widths.resize(std::max(widths.size(), line->cells.size()));
    for (std::size_t i = 0; i < line->cells.size(); ++i)
      widths[i] = std::max(widths[i], width_of(line->cells[i]));
  }
  std::string text;
  for (auto line = first; line != last; ++line) {
    text += "    ";
    for (std::size_t i = 0; i < line->cells.size(); ++i) {
      text += line->cells[i];
      if (i + 1 < line->cells.size()) text.append(widths[i] - width_of(line->cells[i]) + 2, ' ');
    }
    text += (line->clause.empty() ? "" : "  [" + std::string(line->clause) + "]") + "\n";
  }
  return text;
}

}  // namespace

std::string text_of(const oracle::Section& section) {
  const auto is_row = [](const oracle::Line& line) { return line.cells.size() > 1; };
  std::string text = "  " + section.title + "\n";
  for (auto first = section.lines.begin(); first != section.lines.end();) {
    const auto last = is_row(*first) ? std::find_if_not(first, section.lines.end(), is_row) : first + 1;
    text += table_of(first, last);
    first = last;
  }
  return text;
}

std::string as_comment(const std::string& text) {
  std::string comment;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) comment += (line.empty() ? "#" : "# " + line) + "\n";
  return comment;
}

std::string cluster_as_yaml(const Question& question) {
  return kubernetes::yaml_of(kubernetes::written_list(question));
}

std::filesystem::path portable(const std::filesystem::path& file) {
  if (file.is_relative()) return file.lexically_normal();
  const std::filesystem::path below = file.lexically_relative(std::filesystem::current_path());
  return below.empty() || *below.begin() == ".." ? file.filename() : below;
}

}  // namespace touchstone::fuzz
