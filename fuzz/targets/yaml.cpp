#include "kubernetes/yaml.hpp"

#include "fuzz/targets/target.hpp"
#include "kubernetes/json.hpp"

namespace {

using namespace touchstone;

/// JSON is YAML, but for characters that YAML wants escaped: what a text became stays as it is. The decimal
/// -0. becomes -0, which is then the integer 0, as in kubectl.
void check_fixed_point(const std::string& json, std::string_view text) {
  if (json.find("-0") != std::string::npos) return;
  const auto again = kubernetes::yaml_to_json(json, "json");
  if (again && again.value() != std::vector<std::string>{json})
    fuzz::broken("the JSON of a YAML text, read as YAML, is the same JSON", json, text);
}

}  // namespace

/// Any bytes are documents in JSON, or an error that says where.
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
