#pragma once

#include <string>
#include <vector>

#include "kubernetes/text/json.hpp"
#include "spec/vocabulary/result.hpp"

namespace touchstone::kubernetes {

/// Parses the bytes that read_bytes returned.
///  - JSON gives one document. If objects follow each other ("}", end of line, "{"), each gives a document.
///  - YAML gives one document for each YAML document that is not empty. JSON documents separated by `---` are
///    a YAML stream.
///  - Text that begins like JSON, but is not JSON, is parsed as flow-style YAML. kubectl v1.34 does the same.
/// Ensures: if there are several documents, each has a name such as "cluster.yaml: document 2".
/// Errors: those of yaml_to_json and Document::take. Text that begins like JSON and is neither JSON nor YAML
/// has the error of Document::take.
Result<std::vector<Document>> documents_of(std::string bytes, const std::string& name);

}  // namespace touchstone::kubernetes
