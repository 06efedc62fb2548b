#pragma once

#include <string>
#include <vector>

#include "bench/bench.hpp"
#include "oracle/protocol/protocol.hpp"
#include "spec/vocabulary/result.hpp"

/// Results of `touchstone bench` as JSON, and reading them again.
namespace touchstone::cli {

/// One object for each row, in the order in which the rows were measured.
oracle::Json json_of(const std::vector<bench::BenchRow>& rows, const std::string& release);

/// Rows that were saved.
struct KeptBench {
  std::string release;
  std::vector<bench::BenchRow> rows;
};

/// Reads what json_of() wrote. Errors: those of read_bytes; bench-malformed, with the name of the file.
Result<KeptBench> read_bench(const std::string& file);

}  // namespace touchstone::cli
