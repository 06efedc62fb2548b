#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>

/// Scans lines of spec/protocol.md: finds which answer belongs to which question, and reads no more of a
/// line.
namespace touchstone::oracle {

/// The version of the protocol that this program implements.
inline constexpr std::uint64_t k_protocol = 1;

/// A `seq`: an integer as JSON writes it. Non-negative integers are unsigned, so 2^63 keeps its value. A
/// value that is not an integer is no Seq.
using Seq = std::variant<std::int64_t, std::uint64_t>;

/// The maximal nesting depth of an answer. Every valid answer is less deep, and a recursive reader can read
/// this depth.
inline constexpr std::size_t k_answer_depth_max = 512;

/// The members of an answer that decide to which question it belongs.
struct AnswerLine {
  std::string wrong = {};       ///< why the line is not one JSON object; empty if it is
  std::optional<Seq> seq = {};  ///< the top-level `seq`
  bool seq_is_null = false;
  bool has_error = false;            ///< there is a member `error`
  bool has_protocol = false;         ///< there is a member `protocol`, as in the answer to hello
  std::optional<Seq> protocol = {};  ///< the value of `protocol`, if it is an integer
};

/// Scans one line of a subject, given without its line end. A `seq` that occurs twice is also wrong. Ensures:
/// if `wrong` is empty, nlohmann can read the line, and it nests at most k_answer_depth_max deep; `wrong` is
/// printable ASCII; never throws; no recursion.
AnswerLine read_answer_line(std::string_view line);

/// The `seq` of a question; none if it cannot be read. Complexity: linear in the text up to the seq.
std::optional<Seq> seq_of_question(std::string_view line);

/// Escapes text of a subject for messages and for JSON. A byte that is neither printable ASCII nor a line end
/// becomes an escape such as \x1b.
std::string escaped(std::string_view text);

}  // namespace touchstone::oracle
