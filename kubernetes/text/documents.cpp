#include "kubernetes/text/documents.hpp"

#include <cstddef>
#include <nlohmann/json.hpp>
#include <string_view>
#include <utility>

#include "kubernetes/text/bytes.hpp"
#include "kubernetes/text/yaml.hpp"

namespace touchstone::kubernetes {

namespace {

using Texts = std::vector<std::string>;

constexpr std::string_view k_byte_order_mark = "\xef\xbb\xbf";

/// Splits JSON objects that follow each other, as kubectl or jq append them to a file. The separator is "}",
/// end of line, "{". This sequence never occurs inside a JSON value.
Texts json_values(std::string text) {
  constexpr std::string_view k_between = "}\n{";
  Texts values;
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

/// Parses each text. Errors: those of Document::take. Ensures: after an error, a single text in `jsons` is as
/// it was.
Result<std::vector<Document>> parsed(Texts& jsons, const std::string& name) {
  std::vector<Document> documents;
  for (std::size_t i = 0; i < jsons.size(); ++i) {
    const bool is_alone = jsons.size() == 1;
    Result<Document> document =
        Document::take(std::move(jsons[i]), is_alone ? name : name + ": document " + std::to_string(i + 1));
    if (!document) return document.error();
    documents.push_back(std::move(document).value());
  }
  return documents;
}

Result<std::vector<Document>> parsed_yaml(const std::string& text, const std::string& name) {
  Result<Texts> jsons = yaml_to_json(text, name);
  if (!jsons) return jsons.error();
  Texts texts = std::move(jsons).value();
  return parsed(texts, name);
}

}  // namespace

Result<std::vector<Document>> documents_of(std::string bytes, const std::string& name) {
  // PowerShell writes a byte order mark; JSON and YAML do not need it.
  if (bytes.starts_with(k_byte_order_mark)) bytes.erase(0, k_byte_order_mark.size());
  // No line of a JSON text begins with ---, so JSON documents separated by it are a YAML stream.
  const bool has_documents = bytes.find("\n---") != std::string::npos;
  if (!looks_like_json(bytes) || has_documents) return parsed_yaml(bytes, name);
  Texts jsons = json_values(std::move(bytes));
  Result<std::vector<Document>> documents = parsed(jsons, name);
  if (documents || jsons.size() > 1 || documents.error().code != "json-malformed") return documents;
  Result<std::vector<Document>> flow = parsed_yaml(jsons.front(), name);
  return flow ? std::move(flow) : std::move(documents);
}

}  // namespace touchstone::kubernetes
