#include "kubernetes/text/json.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <optional>

#include "fuzz/targets/target.hpp"

namespace {

using namespace touchstone;
using Json = nlohmann::json;

constexpr std::size_t k_depth_most = 1024;
constexpr std::string_view k_law = "JSON is what another reader takes for JSON, and says the same";

std::string json_string(std::string_view text) { return Json(std::string(text)).dump(); }

/// The other reader reads -0 as 0.
std::string number(std::string text) { return text == "-0" ? "0" : text; }

/// The document that another reader finds, written without blanks; numbers keep their text.
struct Other final : nlohmann::json_sax<Json> {
  std::string text;
  std::size_t depth = 0;
  std::size_t depth_most = 0;
  bool is_beyond_range = false;

  bool add(const std::string& part) { return text += part + ",", true; }
  bool open(const char* bracket) {
    text += bracket;
    depth_most = std::max(depth_most, ++depth);
    return true;
  }
  bool close(const char* bracket) { return --depth, add(bracket); }

  bool null() override { return add("null"); }
  bool boolean(bool value) override { return add(value ? "true" : "false"); }
  bool number_integer(std::int64_t value) override { return add(std::to_string(value)); }
  bool number_unsigned(std::uint64_t value) override { return add(std::to_string(value)); }
  bool number_float(double, const std::string& raw) override { return add(number(raw)); }
  bool string(std::string& value) override { return add(json_string(value)); }
  bool binary(Json::binary_t&) override { return false; }
  bool start_object(std::size_t) override { return open("{"); }
  bool key(std::string& value) override { return text += json_string(value) + ":", true; }
  bool end_object() override { return close("}"); }
  bool start_array(std::size_t) override { return open("["); }
  bool end_array() override { return close("]"); }
  bool parse_error(std::size_t, const std::string&, const Json::exception& broken) override {
    constexpr int k_number_beyond_range = 406;
    is_beyond_range = broken.id == k_number_beyond_range;
    return false;
  }
};

/// Calls `read`. Returns false if the value has another type.
template <typename F>
bool is_read(const F& read) {
  try {
    read();
    return true;
  } catch (const kubernetes::InvalidInput&) {
    return false;
  }
}

/// Writes the document that our reader finds in the same form. Recursion ends at k_depth_most.
void write(const kubernetes::Value& value, std::string& text) {
  std::optional<kubernetes::Elements> elements;
  if (value.is_null()) {
    text += "null,";
  } else if (is_read([&] { text += json_string(value.string()) + ","; }) ||
             is_read([&] { text += number(value.number_or_string()) + ","; }) ||
             is_read([&] { text += value.boolean() ? "true," : "false,"; })) {
    return;
  } else if (is_read([&] { elements = value.elements(); })) {
    text += "[";
    for (const kubernetes::Value element : *elements) write(element, text);
    text += "],";
  } else {
    text += "{";
    const kubernetes::Members members = value.members();
    for (const kubernetes::Value member : members) {
      text += json_string(member.key()) + ":";
      write(member, text);
    }
    text += "},";
  }
}

}  // namespace

/// Law: our reader and another one accept the same texts as JSON, with the same content. Numbers keep their
/// text.
int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  constexpr std::string_view k_byte_order_mark = "\xef\xbb\xbf";
  const std::string_view text = fuzz::text_of(data, size);
  const auto document = kubernetes::Document::parse(text, "a.json");
  if (!document) fuzz::check_error(document.error(), "a.json", text);
  Other other;
  // NUL ends the text for the other reader. JSON never contains NUL.
  const bool is_json =
      Json::sax_parse(text.begin(), text.end(), &other) && text.find('\0') == std::string_view::npos;
  if (other.is_beyond_range || text.starts_with(k_byte_order_mark) || other.depth_most > k_depth_most)
    return 0;
  if (is_json != static_cast<bool>(document))
    fuzz::broken(k_law, is_json ? document.error().message : "it is none to the other", text);
  if (!is_json) return 0;
  std::string ours;
  write(document.value().root(), ours);
  if (ours != other.text) fuzz::broken(k_law, ours + "\n" + other.text, text);
  return 0;
}
