#pragma once

#include <string>
#include <vector>

#include "bench/bench.hpp"
#include "oracle/protocol/protocol.hpp"
#include "spec/vocabulary/result.hpp"

/// What touchstone bench measured, for programs, and read again.
namespace touchstone::cli {

/// An object a row, in the order in which they were measured.
oracle::Json json_of(const std::vector<oracle::BenchRow>& rows, const std::string& release);

/// Rows that were kept.
struct KeptBench {
  std::string release;
  std::vector<oracle::BenchRow> rows;
};

/// What json_of() wrote. Errors: those of read_bytes; bench-malformed, naming the file.
Result<KeptBench> read_bench(const std::string& file);

}  // namespace touchstone::cli
