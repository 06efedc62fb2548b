#pragma once

#include <optional>
#include <string>

#include "conformance/reports/report.hpp"
#include "spec/vocabulary/result.hpp"

/// The page of `touchstone conform`.
namespace touchstone::cli {

/// The report for html_page(): a summary of the levels, and each case with its picture. The cases that do not
/// conform come first, with both answers, the question, and the command that judges the case again.
conformance::Json conformance_page(const conformance::Report& report);

/// Writes the page to `file`; does nothing if `file` is empty. Errors: file-unwritable.
std::optional<Error> write_conformance_page(const std::string& file, const conformance::Report& report);

}  // namespace touchstone::cli
