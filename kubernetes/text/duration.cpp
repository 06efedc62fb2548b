#include "kubernetes/text/duration.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <string>

namespace touchstone::kubernetes {

namespace {

struct DurationUnit {
  std::string_view name;
  double nanoseconds;
};

/// The units, in an order in which no unit begins an earlier one.
constexpr std::array k_units = {DurationUnit{"ns", 1},  DurationUnit{"us", 1e3}, DurationUnit{"ms", 1e6},
                                DurationUnit{"s", 1e9}, DurationUnit{"m", 6e10}, DurationUnit{"h", 3.6e12}};

}  // namespace

Result<Quantity> parse_duration(std::string_view text) {
  const Error malformed{"duration-malformed", "",
                        "expected a duration such as \"5s\", found \"" + std::string(text) + "\""};
  if (text.empty()) return malformed;
  double sum = 0;
  for (std::string_view rest = text; !rest.empty();) {
    double number = 0;
    const auto [end, error] =
        std::from_chars(rest.data(), rest.data() + rest.size(), number, std::chars_format::fixed);
    if (error != std::errc() || !(number >= 0)) return malformed;
    rest.remove_prefix(static_cast<std::size_t>(end - rest.data()));
    const auto unit = std::find_if(k_units.begin(), k_units.end(),
                                   [rest](const DurationUnit& each) { return rest.starts_with(each.name); });
    if (unit == k_units.end()) return malformed;
    sum += number * unit->nanoseconds;
    rest.remove_prefix(unit->name.size());
  }
  if (!(sum <= 9e18)) return malformed;
  return static_cast<Quantity>(sum);
}

}  // namespace touchstone::kubernetes
