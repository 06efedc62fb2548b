#include "cli/terminal/text.hpp"

#include <sstream>

namespace touchstone::cli {

namespace {

struct Character {
  char32_t code = 0;
  std::size_t bytes = 0;  ///< 0: not UTF-8
};

/// The first character of a text that is not empty, by the table of well-formed UTF-8 (Unicode 15, 3.9).
Character first_of(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned lead = byte(0);
  if (lead < 0x80) return {lead, 1};
  if (lead < 0xC2 || lead > 0xF4) return {};
  const std::size_t bytes = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : 2;
  if (text.size() < bytes) return {};
  char32_t code = lead & (0xFFu >> (bytes + 1));
  for (std::size_t i = 1; i < bytes; ++i) {
    if ((byte(i) & 0xC0u) != 0x80u) return {};
    code = code << 6 | (byte(i) & 0x3Fu);
  }
  constexpr char32_t smallest[] = {0, 0, 0x80, 0x800, 0x10000};
  if (code < smallest[bytes] || code > 0x10FFFF || (code >= 0xD800 && code <= 0xDFFF)) return {};
  return {code, bytes};
}

/// Whether a terminal would obey a character instead of showing it. True for control characters, and for
/// characters that separate lines or change the direction of text.
bool steers(char32_t code) {
  return code < 0x20 || (code >= 0x7F && code <= 0x9F) || code == 0x61C || code == 0x200E || code == 0x200F ||
         (code >= 0x2028 && code <= 0x202E) || (code >= 0x2066 && code <= 0x2069);
}

std::string escaped(char32_t code) {
  if (code == '\n') return "\\n";
  if (code == '\r') return "\\r";
  if (code == '\t') return "\\t";
  const std::size_t digits = code < 0x20 ? 2 : 4;
  std::string text = code < 0x20 ? "\\x" : "\\u";
  for (std::size_t i = digits; i-- > 0;) text += "0123456789abcdef"[code >> (4 * i) & 0xF];
  return text;
}

std::string byte_escaped(char byte) {
  const unsigned value = static_cast<unsigned char>(byte);
  return {'\\', 'x', "0123456789abcdef"[value >> 4], "0123456789abcdef"[value & 0xF]};
}

}  // namespace

std::string printable(std::string_view text) {
  std::string shown;
  while (!text.empty()) {
    const Character next = first_of(text);
    if (next.bytes == 0) {
      shown += byte_escaped(text.front());
    } else {
      shown += steers(next.code) ? escaped(next.code) : std::string(text.substr(0, next.bytes));
    }
    text.remove_prefix(next.bytes == 0 ? 1 : next.bytes);
  }
  return shown;
}

std::string printable(std::string_view text, std::size_t bytes_most) {
  if (text.size() <= bytes_most) return printable(text);
  const auto continues = [&](std::size_t at) {
    return (static_cast<unsigned char>(text[at]) & 0xC0u) == 0x80u;
  };
  std::size_t end = bytes_most;
  while (end > 0 && end + 3 > bytes_most && continues(end)) --end;
  return printable(text.substr(0, end)) + "...";
}

std::size_t displayed_width(std::string_view text) {
  std::size_t width = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '\x1b') {
      i = text.find('m', i);
      if (i == std::string_view::npos) break;
    } else if ((static_cast<unsigned char>(text[i]) & 0xC0u) != 0x80u) {
      ++width;
    }
  }
  return width;
}

std::string wrapped(std::string_view text, std::size_t width, std::size_t indent) {
  std::string all;
  std::string line;
  const auto end_line = [&] {
    if (!line.empty()) all += std::string(indent, ' ') + line + "\n";
    line.clear();
  };
  std::istringstream lines{std::string(text)};
  for (std::string given; std::getline(lines, given);) {
    if (given.empty() || given.front() == ' ') {
      end_line();
      all += given.empty() ? "\n" : std::string(indent, ' ') + given + "\n";
      continue;
    }
    std::istringstream words(given);
    for (std::string word; words >> word;) {
      const bool fits = indent + displayed_width(line) + 1 + displayed_width(word) <= width;
      if (!line.empty() && !fits) end_line();
      line += (line.empty() ? "" : " ") + word;
    }
  }
  end_line();
  return all;
}

}  // namespace touchstone::cli
