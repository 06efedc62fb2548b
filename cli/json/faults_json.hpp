#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "faults/faults.hpp"
#include "oracle/protocol/protocol.hpp"
#include "spec/vocabulary/result.hpp"

/// Results of `touchstone faults` as JSON, and reading them again.
namespace touchstone::cli {

oracle::Json json_of(const std::vector<faults::FaultResult>& results);

/// Reads what json_of() wrote. Errors: those of read_bytes; faults-malformed, with the name of the file, also
/// for a fault that this program does not have.
Result<std::vector<faults::FaultResult>> read_faults(const std::string& file);

/// Writes json_of() to a file. The file is never left half written. Errors: file-unwritable.
std::optional<Error> write_faults(const std::string& file, const std::vector<faults::FaultResult>& results);

/// The theorems that a copy of the reference with this fault refutes.
std::vector<std::string> refuted_by(std::string_view fault);

}  // namespace touchstone::cli
