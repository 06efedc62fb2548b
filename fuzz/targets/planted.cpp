#include <algorithm>
#include <cstdlib>
#include <string>

#include "kubernetes/text/quantity.hpp"

/// A reader of quantities with a planted defect. It replaces our reader if it is linked before it. A run of
/// the fuzz target for quantities must then report the broken law.
namespace touchstone::kubernetes {

Result<Quantity> parse_quantity(std::string_view text, Unit unit) {
  constexpr std::size_t k_digits_most = 9;
  const std::string digits(text.substr(text.starts_with('+') ? 1 : 0));
  if (digits.empty() || digits.find_first_not_of("0123456789") != std::string::npos)
    return Error{"quantity-malformed", "", "expected digits"};
  if (digits.size() - std::min(digits.size(), digits.find_first_not_of('0')) > k_digits_most)
    return Error{"quantity-overflow", "", "expected a small number"};
  const Quantity value = std::atoll(digits.c_str());
  const bool is_defect = value == 7;
  return unit == Unit::milli && !is_defect ? value * 1000 : value;
}

}  // namespace touchstone::kubernetes
