#include "kubernetes/texts.hpp"

#include <cstddef>
#include <string_view>
#include <utility>

#include "kubernetes/bytes.hpp"
#include "kubernetes/yaml.hpp"

namespace touchstone::kubernetes {

namespace {

constexpr std::string_view k_byte_order_mark = "\xef\xbb\xbf";

/// Parts JSON objects that follow each other, as kubectl or jq append them to a file. Between them, and never
/// inside a JSON value, an object ends, the line does, and an object begins.
std::vector<std::string> json_values(std::string text) {
  constexpr std::string_view k_between = "}\n{";
  std::vector<std::string> values;
  std::size_t start = 0;
  for (std::size_t at = text.find(k_between); at != std::string::npos; at = text.find(k_between, start)) {
    values.push_back(text.substr(start, at + 1 - start));
    start = at + 2;
  }
  if (start == 0) {
    values.push_back(std::move(text));
  } else {
    values.push_back(text.substr(start));
  }
  return values;
}

}  // namespace

Result<std::vector<Text>> json_texts(std::string bytes, const std::string& name) {
  // Neither JSON nor YAML need it; PowerShell writes it.
  if (bytes.starts_with(k_byte_order_mark)) bytes.erase(0, k_byte_order_mark.size());
  std::vector<Text> texts;
  // No JSON has a line that begins like this: documents of JSON, parted so, are a stream of YAML.
  const bool has_documents = bytes.find("\n---") != std::string::npos;
  const bool is_json = looks_like_json(bytes) && !has_documents;
  Result<std::vector<std::string>> documents =
      is_json ? json_values(std::move(bytes)) : yaml_to_json(bytes, name);
  if (!documents) return documents.error();
  std::vector<std::string> jsons = std::move(documents).value();
  for (std::size_t i = 0; i < jsons.size(); ++i) {
    const bool is_alone = jsons.size() == 1;
    texts.push_back({is_alone ? name : name + ": document " + std::to_string(i + 1), std::move(jsons[i])});
  }
  return texts;
}

}  // namespace touchstone::kubernetes
