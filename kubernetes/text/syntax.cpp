#include "kubernetes/text/syntax.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <nlohmann/json.hpp>

namespace touchstone::kubernetes {

namespace {

/// Accepts every value and stores none. Records where the parser fails.
class Listener : public nlohmann::json_sax<nlohmann::json> {
 public:
  bool null() override { return true; }
  bool boolean(bool) override { return true; }
  bool number_integer(number_integer_t) override { return true; }
  bool number_unsigned(number_unsigned_t) override { return true; }
  bool number_float(number_float_t, const string_t&) override { return true; }
  bool string(string_t&) override { return true; }
  bool binary(binary_t&) override { return true; }
  bool start_object(std::size_t) override { return true; }
  bool key(string_t&) override { return true; }
  bool end_object() override { return true; }
  bool start_array(std::size_t) override { return true; }
  bool end_array() override { return true; }

  bool parse_error(std::size_t position, const std::string& last_token,
                   const nlohmann::detail::exception& what) override {
    // Error 406: a number outside the range of double. Such a number is valid JSON.
    if (what.id != 406) bytes_read = position;
    token = last_token;
    return false;
  }

  std::size_t bytes_read = 0;  ///< up to and including the wrong byte; at an early end, size + 1
  std::string token;           ///< the last token read
};

std::string shown(char c) {
  const auto byte = static_cast<unsigned char>(c);
  if (byte >= 0x20 && byte < 0x7f) return std::string("'") + c + "'";
  constexpr std::string_view k_digits = "0123456789abcdef";
  return {'b', 'y', 't', 'e', ' ', '0', 'x', k_digits[byte >> 4], k_digits[byte & 15]};
}

}  // namespace

std::optional<std::string> find_syntax_error(std::string_view json) {
  Listener listener;
  if (nlohmann::json::sax_parse(json, &listener) || listener.bytes_read == 0) return std::nullopt;
  const bool is_at_end = listener.bytes_read > json.size();
  std::string_view before = json.substr(0, listener.bytes_read - 1);
  // If a complete string is in the wrong place, the error is at its first quote.
  const std::string_view token = listener.token;
  const bool is_string = token.size() > 1 && token.starts_with('"') && token.ends_with('"');
  if (is_string && json.substr(0, listener.bytes_read).ends_with(token)) {
    before.remove_suffix(token.size() - 1);
  }
  const auto line = std::count(before.begin(), before.end(), '\n') + 1;
  const std::size_t line_start = before.rfind('\n') + 1;  // npos + 1 is 0
  const std::string place =
      "line " + std::to_string(line) + ", column " + std::to_string(before.size() - line_start + 1) + ": ";
  return place + (is_at_end ? "the text ends too early" : "unexpected " + shown(json[before.size()]));
}

}  // namespace touchstone::kubernetes
