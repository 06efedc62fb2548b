#include "kubernetes/text/yaml.hpp"

#include <nlohmann/json.hpp>

#include "fuzz/targets/target.hpp"
#include "kubernetes/text/json.hpp"

namespace {

using namespace touchstone;

/// Whether the JSON contains the number -0, outside of strings and not as the start of another number.
bool has_negative_zero(const std::string& json) {
  bool in_string = false;
  for (std::size_t i = 0; i < json.size(); ++i) {
    if (in_string && json[i] == '\\') {
      ++i;
    } else if (json[i] == '"') {
      in_string = !in_string;
    } else if (!in_string && json.compare(i, 2, "-0") == 0) {
      if (i + 2 == json.size() || std::string_view(",]}").find(json[i + 2]) != std::string_view::npos)
        return true;
    }
  }
  return false;
}

/// Checks that the JSON of a YAML text, read as YAML, gives the same JSON. JSON is YAML, except for
/// characters that YAML requires to be escaped. The decimal -0. becomes -0, which is then read as the
/// integer 0, as in kubectl; such texts are not checked.
void check_fixed_point(const std::string& json, std::string_view text) {
  if (has_negative_zero(json)) return;
  const auto again = kubernetes::yaml_to_json(json, "json");
  if (again && again.value() != std::vector<std::string>{json})
    fuzz::broken("the JSON of a YAML text, read as YAML, is the same JSON", json, text);
}

}  // namespace

/// Law: any bytes are documents in JSON, or give an error that says where.
int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text = fuzz::text_of(data, size);
  const auto documents = kubernetes::yaml_to_json(text, "a.yaml");
  if (!documents) return fuzz::check_error(documents.error(), "a.yaml", text), 0;
  for (const std::string& json : documents.value()) {
    if (!kubernetes::Document::parse(json, "")) fuzz::broken("what is read of YAML is JSON", json, text);
    check_fixed_point(json, text);
  }
  return 0;
}
