#pragma once

#include <string>
#include <vector>

#include "kubernetes/text/json.hpp"
#include "spec/vocabulary/result.hpp"

namespace touchstone::kubernetes {

/// Parses what read_bytes gave: one document for JSON, one for each document of YAML that is not empty. JSON
/// documents parted by `---` are YAML. Text that begins like JSON and is none is YAML in flow style, if it is
/// YAML: kubectl v1.34 reads it so.
/// Ensures: of several documents each is named, as "cluster.yaml: document 2".
/// Errors: those of yaml_to_json and Document::take; of text that begins like JSON those of Document::take.
Result<std::vector<Document>> documents_of(std::string bytes, const std::string& name);

}  // namespace touchstone::kubernetes
