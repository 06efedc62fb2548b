#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "faults/faults.hpp"
#include "oracle/protocol/protocol.hpp"
#include "spec/vocabulary/result.hpp"

/// What touchstone faults measured, for programs, and read again.
namespace touchstone::cli {

oracle::Json json_of(const std::vector<fuzz::FaultResult>& results);

/// What json_of() wrote. Errors: those of read_bytes; faults-malformed, naming the file; a fault that this
/// program does not have is one.
Result<std::vector<fuzz::FaultResult>> read_faults(const std::string& file);

/// Writes json_of() to a file, which is never left half written. Errors: file-unwritable.
std::optional<Error> write_faults(const std::string& file, const std::vector<fuzz::FaultResult>& results);

/// The theorems of which a fault is a broken twin.
std::vector<std::string> refuted_by(std::string_view fault);

}  // namespace touchstone::cli
