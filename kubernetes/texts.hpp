#pragma once

#include <string>
#include <vector>

#include "spec/result.hpp"

namespace touchstone::kubernetes {

/// A JSON text, and what heads the paths into it.
struct Text {
  std::string name;
  std::string json;
};

/// The JSON texts of what read_bytes gave: one for JSON, one for each document of YAML that is not empty;
/// JSON documents parted by `---` are YAML. Ensures: of several documents each is named, as "cluster.yaml:
/// document 2". Errors: those of yaml_to_json.
Result<std::vector<Text>> json_texts(std::string bytes, const std::string& name);

}  // namespace touchstone::kubernetes
