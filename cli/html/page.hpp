#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "oracle/protocol/protocol.hpp"
#include "spec/vocabulary/result.hpp"

/// Writes a report as one HTML page that loads nothing from elsewhere.
namespace touchstone::cli {

/// The page for a report. The report has `title`, `subtitle`, and `cases`. It may have `summary`, a table
/// with `headings`, `rows`, and the indices of its columns of `numbers`; and `notes`. A case has `name`,
/// `state` (good, bad or other), `verdict` and `text`; it may have `group`, `clause`, `notes`, `picture`
/// (picture_of()), `ladder` (ladder_of()), `ours` and `given` (answers of the protocol), `differences`,
/// `question`, `steps` (explanation_of()) and `command`. Ensures: text of the report cannot become markup or
/// a script. The page has the text of each clause that it names.
std::string html_page(oracle::Json report);

/// Writes the page to a file. Errors: file-unwritable.
std::optional<Error> write_html(const std::string& path, const oracle::Json& report);

}  // namespace touchstone::cli
