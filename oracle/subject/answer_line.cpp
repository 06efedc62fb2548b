#include "oracle/subject/answer_line.hpp"

#include <nlohmann/json.hpp>
#include <string>

namespace touchstone::oracle {

namespace {

using Json = nlohmann::ordered_json;

/// Scans the line without building a tree, so a line of 100,000 brackets costs no memory and no recursion.
class Reader final : public nlohmann::json_sax<Json> {
 public:
  enum class Until { end, seq };
  explicit Reader(Until until) : until_(until) {}

  AnswerLine line;

  bool null() override {
    if (at_seq()) line.seq_is_null = true;
    return value();
  }
  bool boolean(bool) override { return value(); }
  bool number_integer(std::int64_t number) override { return integer(Seq(number)); }
  bool number_unsigned(std::uint64_t number) override { return integer(Seq(number)); }
  bool number_float(double, const std::string&) override { return value(); }
  bool string(std::string&) override { return value(); }
  bool binary(Json::binary_t&) override { return value(); }

  bool start_object(std::size_t) override { return open(); }
  bool key(std::string& name) override {
    if (depth_ != 1) return true;
    key_ = name;
    if (name == "error") line.has_error = true;
    if (name == "protocol") line.has_protocol = true;
    if (name != "seq") return true;
    if (seen_seq_) return refuse("seq is there twice");
    return seen_seq_ = true;
  }
  bool end_object() override { return close(); }
  bool start_array(std::size_t) override {
    if (depth_ == 0) return refuse("a list, not an object");
    return open();
  }
  bool end_array() override { return close(); }

  bool parse_error(std::size_t, const std::string&, const Json::exception& error) override {
    return refuse(error.what());
  }

 private:
  bool at_seq() const { return depth_ == 1 && key_ == "seq"; }
  bool refuse(std::string why) {
    line.wrong = std::move(why);
    return false;
  }
  bool value() {
    if (depth_ == 0) return refuse("a value, not an object");
    return true;
  }
  bool integer(Seq number) {
    if (depth_ == 1 && key_ == "protocol") line.protocol = number;
    if (!at_seq()) return value();
    line.seq = number;
    return until_ != Until::seq;
  }
  bool open() {
    if (++depth_ <= k_answer_depth_max) return true;
    return refuse("nested deeper than " + std::to_string(k_answer_depth_max));
  }
  bool close() {
    --depth_;
    return true;
  }

  Until until_;
  std::size_t depth_ = 0;
  bool seen_seq_ = false;
  std::string key_;
};

}  // namespace

AnswerLine read_answer_line(std::string_view line) {
  // nlohmann treats a NUL as the end of the input and ignores the bytes after it.
  if (line.find('\0') != std::string_view::npos) return {.wrong = "a NUL byte"};
  Reader reader(Reader::Until::end);
  Json::sax_parse(line, &reader);
  // The message quotes the last token of the input. This token may have any length.
  reader.line.wrong = escaped(std::string_view(reader.line.wrong).substr(0, 300));
  return std::move(reader.line);
}

std::optional<Seq> seq_of_question(std::string_view line) {
  Reader reader(Reader::Until::seq);
  Json::sax_parse(line, &reader);
  return reader.line.seq;
}

std::string escaped(std::string_view text) {
  constexpr char k_digits[] = "0123456789abcdef";
  std::string out;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if ((byte >= 0x20 && byte < 0x7f) || c == '\n') {
      out += c;
    } else {
      out += {'\\', 'x', k_digits[byte >> 4], k_digits[byte & 15]};
    }
  }
  return out;
}

}  // namespace touchstone::oracle
