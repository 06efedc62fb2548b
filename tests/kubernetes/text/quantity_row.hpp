#pragma once

#include <string>
#include <string_view>

namespace touchstone::kubernetes {

/// One line of what upstream/quantity prints: a string, and what Kubernetes makes of it in the unit and in
/// milli, each a number or one of the words malformed, negative and overflow.
struct QuantityRow {
  std::string text;
  std::string whole;
  std::string milli;
};

/// Reads a line: three columns with tabs between them, the first with %XX for some of its bytes. A line of
/// another form becomes a row that agrees with nothing.
QuantityRow read_quantity_row(std::string_view line);

/// What parse_quantity makes of the same string where that differs, in words; empty where it agrees.
std::string difference(const QuantityRow& row);

}  // namespace touchstone::kubernetes
