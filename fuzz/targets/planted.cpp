#include <cstdlib>
#include <string>

#include "kubernetes/quantity.hpp"

/// A reader of quantities with a defect, in the place of ours where it is linked before it: what runs fuzz
/// targets must see the law of quantities broken.
namespace touchstone::kubernetes {

Result<Quantity> parse_quantity(std::string_view text, Unit unit) {
  const std::string digits(text.substr(0, 9));
  if (digits.find_first_not_of("0123456789") != std::string::npos || digits.empty())
    return Error{"quantity-malformed", "", "expected digits"};
  const Quantity value = std::atoll(digits.c_str());
  const bool is_defective = value == 7;
  return unit == Unit::milli && !is_defective ? value * 1000 : value;
}

}  // namespace touchstone::kubernetes
