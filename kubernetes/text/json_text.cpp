#include "kubernetes/text/json_text.hpp"

#include <cassert>
#include <cstddef>

namespace touchstone::kubernetes {

namespace {

constexpr std::string_view k_hex = "0123456789abcdef";

bool is_escaped(char c) { return c == '"' || c == '\\' || static_cast<unsigned char>(c) < 0x20; }

}  // namespace

void append_json_string(std::string& json, std::string_view text) {
  json += '"';
  std::size_t copied = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (!is_escaped(c)) continue;
    json.append(text.substr(copied, i - copied));
    copied = i + 1;
    if (c == '"' || c == '\\') {
      json.append({'\\', c});
    } else if (c == '\n') {
      json.append("\\n");
    } else {
      const auto code = static_cast<unsigned char>(c);
      json.append("\\u00").append({k_hex[code / 16], k_hex[code % 16]});
    }
  }
  json.append(text.substr(copied)).append("\"");
}

std::string_view leading_json_string(std::string_view json) {
  assert(json.starts_with('"'));
  std::size_t end = 1;
  while (json[end] != '"') end += json[end] == '\\' ? 2 : 1;
  return json.substr(0, end + 1);
}

std::vector<std::string_view> parts_of_json(std::string_view json) {
  assert(json.size() >= 2);
  assert(json[0] == '[' || json[0] == '{');
  std::vector<std::string_view> parts;
  std::size_t depth = 0;
  std::size_t begin = 1;
  const std::size_t end = json.size() - 1;
  for (std::size_t at = 1; at < end; ++at) {
    const char c = json[at];
    if (c == '"') {
      at += leading_json_string(json.substr(at)).size() - 1;
    } else if (c == '{' || c == '[') {
      ++depth;
    } else if (c == '}' || c == ']') {
      --depth;
    } else if (c == ',' && depth == 0) {
      parts.push_back(json.substr(begin, at - begin));
      begin = at + 1;
    }
  }
  if (begin < end) parts.push_back(json.substr(begin, end - begin));
  return parts;
}

}  // namespace touchstone::kubernetes
