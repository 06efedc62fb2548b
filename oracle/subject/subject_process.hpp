#pragma once

#include <atomic>
#include <chrono>
#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "oracle/subject/answer_line.hpp"
#include "oracle/subject/child.hpp"
#include "oracle/subject/line_buffer.hpp"

/// Runs a subject of spec/protocol.md as a child process. A crash, hang or flood of output ends the child,
/// not the campaign. In this project only main() files use I/O and the clock. This module and child.hpp are
/// the exception, and do nothing else. Deadlines use a monotonic clock.
namespace touchstone::oracle {

/// Limits of time and size for a subject.
struct SubjectLimits {
  std::chrono::milliseconds start_timeout{30'000};   ///< from exec to the answer to hello
  std::chrono::milliseconds answer_timeout{10'000};  ///< for each answer, from the answer before it
  std::chrono::milliseconds exit_timeout{500};       ///< from the end of its output to its exit
  std::chrono::milliseconds bye_timeout{1'000};      ///< from bye to its exit
  std::size_t answer_bytes_max = std::size_t{64} << 20;
  std::size_t stderr_bytes_kept = 4096;  ///< of its last output to standard error
};

/// How a subject failed.
enum class FailureKind {
  cannot_start,   ///< no such program, or the system refuses to run it
  crashed,        ///< ended by a signal, or with an exit code that is not 0
  hung,           ///< no complete line in time
  garbage,        ///< a line is not a JSON object or is too long, or hello got no `protocol`
  out_of_order,   ///< an answer without `seq`, or with another `seq` than the question
  ended,          ///< exit code 0, closed its output, or closed its input and gave no answer in time
  spoke_unasked,  ///< wrote more output after its answer
};

/// The stable name of a failure kind, such as cannot-start.
std::string_view code_of(FailureKind kind);

/// When a failure was found.
enum class Moment {
  start,            ///< before the first question
  before_question,  ///< after the previous answer: this question was not judged, send it again
  question,
};

/// What a subject did wrong. Text that comes from the subject is escaped().
struct Failure {
  FailureKind kind;
  Moment moment;
  std::string detail;            ///< one phrase
  Exit exit;                     ///< with crashed; with ended only if the process ended by itself
  std::string stderr_tail = {};  ///< the end of its output to standard error
};

/// The last lines of a text. Blank lines and blanks at line ends are removed.
std::vector<std::string> last_lines(std::string_view text, std::size_t lines_most);

/// The line that a subject answered. Ensures: nlohmann can read it as an object; it nests at most
/// k_answer_depth_max deep; it has no line end. (Building an ordered_json from it is quadratic in the members
/// of one object.)
struct Answer {
  std::string text;
};

/// The caller's `stop` became true.
struct Stopped {};

using Reply = std::variant<Answer, Failure, Stopped>;

/// The result of sending several questions.
struct Batch {
  std::vector<Answer> answers;     ///< answers to the first questions, in order
  std::optional<Failure> failure;  ///< at question answers.size(); send this and later questions again
  bool stopped = false;
};

/// A subject process. It starts when first needed and again after each failure; each start begins with hello.
/// Used by one thread at a time. The thread whose call starts the process must outlive the use of the process
/// (see Child). After a failure or a stop, the process and all its descendants are killed.
class SubjectProcess {
 public:
  /// Starts no process yet. Reads `stop` every 50 ms while it waits. Requires: command is not empty; `stop`
  /// is null or outlives this object.
  explicit SubjectProcess(std::vector<std::string> command, SubjectLimits limits = {},
                          const std::atomic<bool>* stop = nullptr);
  SubjectProcess(const SubjectProcess&) = delete;
  SubjectProcess& operator=(const SubjectProcess&) = delete;
  /// Sends bye, waits at most bye_timeout for the end of the subject, and kills what still runs.
  ~SubjectProcess();

  /// The subject's answer to hello at its last start. Starts the subject if there is no process.
  Reply hello();

  /// Sends one question and waits for its answer. The answer is the next line. It must have the question's
  /// `seq`, or `seq` null and an `error`. If the question has no readable `seq`, the answer may have any.
  /// Requires: `line` has no line end. Ensures: returns within start_timeout + answer_timeout and a few
  /// seconds.
  Reply ask(const std::string& line);

  /// Sends all questions without waiting for each answer. With a subject that computes nothing, 64 small
  /// questions per call give about 220,000 questions per second; ask() gives 26,000 (two busy cores). A
  /// failure is reported at the first question without an answer. If the subject works on several questions
  /// at once, or holds answers back, another question may be the cause. To find the cause, send each question
  /// alone. Requires: as ask(). Ensures: no deadlock, whatever the sizes of questions and answers.
  Batch ask_many(std::span<const std::string> lines);

  /// Number of process starts. All but the first are restarts.
  std::size_t starts() const { return starts_; }

 private:
  bool ready(Batch& batch);
  bool start(Batch& batch);
  bool exchange(std::span<const std::string> lines, Moment moment, Batch& batch);
  bool read_answers(std::span<const std::string> lines, Moment moment, Batch& batch);
  bool judge(std::string line, std::span<const std::string> lines, Moment moment, Batch& batch);
  bool read_some();
  void drain_errors();
  bool fail(Batch& batch, FailureKind kind, Moment moment, std::string detail);
  bool fail_by_end(Batch& batch, Moment moment);
  bool stop_asked(Batch& batch);

  std::vector<std::string> command_;
  SubjectLimits limits_;
  const std::atomic<bool>* stop_;
  std::size_t starts_ = 0;
  std::optional<Child> child_;
  std::string hello_;
  LineBuffer lines_;
  std::string errors_;
  std::optional<Seq> answered_;  ///< the `seq` of the last answer
};

}  // namespace touchstone::oracle
