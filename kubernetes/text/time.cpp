#include "kubernetes/text/time.hpp"

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <optional>
#include <string>

namespace touchstone::kubernetes {

namespace {

constexpr std::int64_t k_nanoseconds = 1'000'000'000;
constexpr std::size_t k_fraction_digits = 9;

/// Reads a text from left to right. `ok` is true as long as the text has the expected form.
class Reader {
 public:
  explicit Reader(std::string_view text) : text_(text) {}

  int number(std::size_t digits, int max) {
    int value = 0;
    for (std::size_t i = 0; i < digits; ++i) value = value * 10 + digit();
    ok = ok && value <= max;
    return value;
  }

  void expect(char c) { ok = ok && take(c); }

  bool take(char c) {
    if (!text_.starts_with(c)) return false;
    text_.remove_prefix(1);
    return true;
  }

  /// Reads at least one digit. Returns billionths.
  std::int64_t fraction() {
    const std::size_t size = std::min(text_.find_first_not_of("0123456789"), text_.size());
    ok = ok && size > 0;
    std::int64_t value = 0;
    for (std::size_t i = 0; i < k_fraction_digits; ++i) value = value * 10 + (i < size ? text_[i] - '0' : 0);
    text_.remove_prefix(size);
    return value;
  }

  bool at_end() const { return text_.empty(); }

  bool ok = true;

 private:
  int digit() {
    ok = ok && !text_.empty() && text_[0] >= '0' && text_[0] <= '9';
    if (!ok) return 0;
    const int value = text_[0] - '0';
    text_.remove_prefix(1);
    return value;
  }

  std::string_view text_;
};

std::int64_t read_date_seconds(Reader& reader) {
  const int year = reader.number(4, 9999);
  reader.expect('-');
  const int month = reader.number(2, 12);
  reader.expect('-');
  const int day = reader.number(2, 31);
  const std::chrono::year_month_day date{std::chrono::year{year},
                                         std::chrono::month{static_cast<unsigned>(month)},
                                         std::chrono::day{static_cast<unsigned>(day)}};
  reader.ok = reader.ok && date.ok();
  if (!reader.ok) return 0;
  return std::chrono::sys_days{date}.time_since_epoch().count() * std::int64_t{24 * 60 * 60};
}

std::int64_t read_offset_seconds(Reader& reader) {
  if (reader.take('Z')) return 0;
  const bool west = reader.take('-');
  if (!west) reader.expect('+');
  const int hours = reader.number(2, 23);
  reader.expect(':');
  const int minutes = reader.number(2, 59);
  const int seconds = (hours * 60 + minutes) * 60;
  return west ? -seconds : seconds;
}

/// Returns nothing if the time in nanoseconds exceeds int64. Requires: 0 <= nanoseconds < 10^9.
std::optional<Quantity> in_nanoseconds(std::int64_t seconds, std::int64_t nanoseconds) {
  // Before 1970, count down from the next second. Otherwise the product overflows for the earliest times of
  // int64.
  if (seconds < 0 && nanoseconds > 0) {
    ++seconds;
    nanoseconds -= k_nanoseconds;
  }
  Quantity time = 0;
  if (__builtin_mul_overflow(seconds, k_nanoseconds, &time)) return std::nullopt;
  if (__builtin_add_overflow(time, nanoseconds, &time)) return std::nullopt;
  return time;
}

}  // namespace

Result<Quantity> parse_time(std::string_view text) {
  Reader reader(text);
  std::int64_t seconds = read_date_seconds(reader);
  reader.expect('T');
  seconds += reader.number(2, 23) * 3600;
  reader.expect(':');
  seconds += reader.number(2, 59) * 60;
  reader.expect(':');
  seconds += reader.number(2, 59);
  const std::int64_t nanoseconds = reader.take('.') ? reader.fraction() : 0;
  seconds -= read_offset_seconds(reader);
  if (!reader.ok || !reader.at_end()) {
    return Error{"time-malformed", "", "expected a time such as 2026-11-21T10:00:00Z"};
  }
  const std::optional<Quantity> time = in_nanoseconds(seconds, nanoseconds);
  if (!time) return Error{"time-overflow", "", "expected a time between the years 1677 and 2262"};
  return *time;
}

}  // namespace touchstone::kubernetes
