#include "tests/kubernetes/text/quantity_row.hpp"

#include <algorithm>
#include <charconv>

#include "kubernetes/text/quantity.hpp"

namespace touchstone::kubernetes {

namespace {

std::string unescaped(std::string_view text) {
  std::string bytes;
  for (std::size_t at = text.find('%'); at != std::string_view::npos; at = text.find('%')) {
    unsigned char byte = 0;
    const std::string_view hex = text.substr(at + 1, 2);
    std::from_chars(hex.data(), hex.data() + hex.size(), byte, 16);
    bytes += text.substr(0, at);
    bytes += static_cast<char>(byte);
    text.remove_prefix(std::min(at + 3, text.size()));
  }
  return bytes += text;
}

std::string ours(std::string_view text, Unit unit) {
  const Result<Quantity> quantity = parse_quantity(text, unit);
  if (quantity) return std::to_string(quantity.value());
  return quantity.error().code.substr(std::string_view("quantity-").size());
}

}  // namespace

QuantityRow read_quantity_row(std::string_view line) {
  const std::size_t first = line.find('\t');
  const std::size_t second = line.find('\t', first + 1);
  if (first == std::string_view::npos || second == std::string_view::npos) return {std::string(line), "", ""};
  return {unescaped(line.substr(0, first)), std::string(line.substr(first + 1, second - first - 1)),
          std::string(line.substr(second + 1))};
}

std::string difference(const QuantityRow& row) {
  const std::string whole = ours(row.text, Unit::whole);
  const std::string milli = ours(row.text, Unit::milli);
  if (whole == row.whole && milli == row.milli) return "";
  return "\"" + row.text + "\": Kubernetes " + row.whole + " and " + row.milli + " milli, parse_quantity " +
         whole + " and " + milli + " milli";
}

}  // namespace touchstone::kubernetes
