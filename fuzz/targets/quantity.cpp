#include "kubernetes/text/quantity.hpp"

#include <limits>

#include "fuzz/targets/target.hpp"
#include "kubernetes/write/written.hpp"

namespace {

using namespace touchstone;
using kubernetes::parse_quantity;
using kubernetes::Unit;

/// The value, or the code of the error.
std::string read(std::string_view text, Unit unit) {
  const Result<Quantity> read = parse_quantity(text, unit);
  if (!read) return read.error().code;
  if (read.value() < 0) fuzz::broken("a quantity is not negative", std::to_string(read.value()), text);
  return std::to_string(read.value());
}

void check_same(std::string_view law, const std::string& given, const std::string& wanted,
                std::string_view text) {
  if (given != wanted) fuzz::broken(law, "'" + given + "', not '" + wanted + "'", text);
}

/// Checks that the value in whole units is the value in thousandths, rounded up.
void check_units(std::string_view text) {
  constexpr Quantity k_milli = 1000;
  const Result<Quantity> milli = parse_quantity(text, Unit::milli);
  const std::string whole = read(text, Unit::whole);
  constexpr std::string_view k_law = "whole units are thousandths rounded up";
  if (milli) {
    const Quantity rounded = milli.value() / k_milli + (milli.value() % k_milli == 0 ? 0 : 1);
    return check_same(k_law, whole, std::to_string(rounded), text);
  }
  // A quantity that overflows in thousandths may be valid in whole units, but then it is large.
  const std::string& code = milli.error().code;
  if (code == "quantity-overflow" && whole != code) {
    if (parse_quantity(text, Unit::whole).value() < std::numeric_limits<Quantity>::max() / k_milli)
      fuzz::broken(k_law, whole + " units, but too many thousandths", text);
    return;
  }
  check_same(k_law, whole, code, text);
}

}  // namespace

/// Law: a quantity is the same in both units, with a sign or a leading zero, and when written and read
/// again.
int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text(fuzz::text_of(data, size));
  check_units(text);
  for (const Unit unit : {Unit::whole, Unit::milli}) {
    const std::string value = read(text, unit);
    if (!text.empty() && text[0] >= '0' && text[0] <= '9') {
      check_same("a sign changes nothing", read("+" + text, unit), value, text);
      check_same("a leading zero changes nothing", read("0" + text, unit), value, text);
    }
    if (const Result<Quantity> amount = parse_quantity(text, unit)) {
      const std::string written =
          kubernetes::written_amount(unit == Unit::milli ? "cpu" : "memory", amount.value());
      check_same("what is written is read again", read(written, unit), value, text);
    }
  }
  return 0;
}
