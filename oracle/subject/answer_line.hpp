#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>

/// Lines of spec/protocol.md, read as far as is needed to tell which answer belongs to which question.
namespace touchstone::oracle {

/// The version of the protocol that is spoken here.
inline constexpr std::uint64_t k_protocol = 1;

/// An integer as JSON writes it; what is not negative is unsigned, so that 2^63 is itself. Others have none.
using Seq = std::variant<std::int64_t, std::uint64_t>;

/// How deep an answer may nest: more than any answer needs, and few enough for readers that recurse.
inline constexpr std::size_t k_answer_depth_max = 512;

struct AnswerLine {
  std::string wrong = {};       ///< why it is not one JSON object; empty if it is
  std::optional<Seq> seq = {};  ///< of the object itself
  bool seq_is_null = false;
  bool has_error = false;     ///< a member `error`
  bool has_protocol = false;  ///< a member `protocol`, as in the answer to hello
  std::optional<Seq> protocol = {};  ///< its value, where that is an integer
};

/// Reads one line that a subject wrote, without its end.
/// Ensures: where nothing is wrong, nlohmann reads the line, and it nests at most k_answer_depth_max deep;
/// `wrong` is printable ASCII; never throws; no recursion. Wrong is also a `seq` that is there twice.
AnswerLine read_answer_line(std::string_view line);

/// The `seq` of a question; nothing where none can be read. Complexity: reads no further than to the seq.
std::optional<Seq> seq_of_question(std::string_view line);

/// Text of a subject for people and for JSON: what is not printable ASCII or a line's end is written \x1b.
std::string escaped(std::string_view text);

}  // namespace touchstone::oracle
