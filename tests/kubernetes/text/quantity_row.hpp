#pragma once

#include <string>
#include <string_view>

namespace touchstone::kubernetes {

/// One line of the output of upstream/quantity: a string, and its value in Kubernetes, in the unit and in
/// milli. Each value is a number, or one of the words malformed, negative and overflow.
struct QuantityRow {
  std::string text;
  std::string whole;
  std::string milli;
};

/// Parses a line: three columns separated by tabs. In the first column, %XX stands for a byte. A line of
/// another form becomes a row that differs from every result.
QuantityRow read_quantity_row(std::string_view line);

/// Describes how the result of parse_quantity for the same string differs; empty if it agrees.
std::string difference(const QuantityRow& row);

}  // namespace touchstone::kubernetes
