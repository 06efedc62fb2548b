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

/// A foreign subject of spec/protocol.md as a child process, contained: whatever it does, asking goes on.
/// The house keeps I/O and the clock to main() files; this module, with child.hpp, is the exception, being
/// nothing else. Its deadlines are those of a monotonic clock.
namespace touchstone::oracle {

struct SubjectLimits {
  std::chrono::milliseconds start_timeout{30'000};   ///< from exec to the answer to hello
  std::chrono::milliseconds answer_timeout{10'000};  ///< for each answer, from the one before it
  std::chrono::milliseconds exit_timeout{500};   ///< from the end of its output to its exit, for the verdict
  std::chrono::milliseconds bye_timeout{1'000};  ///< from bye to its exit
  std::size_t answer_bytes_max = std::size_t{64} << 20;
  std::size_t stderr_bytes_kept = 4096;  ///< of the last it wrote
};

enum class FailureKind {
  cannot_start,   ///< no such program, or the system refuses to run it
  crashed,        ///< ended by a signal, or with an exit code that is not 0
  hung,           ///< no whole line in time
  garbage,        ///< a line that is no JSON object, or too long, or at hello one without `protocol`
  out_of_order,   ///< an answer whose `seq` is not the asked one, or that has none
  ended,          ///< exit code 0, or closed its standard output, or its input and no answer in time
  spoke_unasked,  ///< wrote something more after an answer
};

/// Stable, as cannot-start.
std::string_view code_of(FailureKind kind);

/// When a failure was found.
enum class Moment {
  start,            ///< before any question could be put
  before_question,  ///< after the answer before: this question was not judged, ask it again
  question,
};

/// What a subject did wrong. The text of the subject in it is escaped().
struct Failure {
  FailureKind kind;
  Moment moment;
  std::string detail;            ///< a sentence's worth
  Exit exit;                     ///< with crashed, and with ended where it ended
  std::string stderr_tail = {};  ///< what it last wrote to standard error
};

/// The last lines of a text, without blanks at their ends and without those that are blank.
std::vector<std::string> last_lines(std::string_view text, std::size_t lines_most);

/// Ensures: nlohmann reads it as an object, nested at most k_answer_depth_max deep; no end of line.
/// (An ordered_json of it is quadratic in the members of one object.)
struct Answer {
  std::string text;
};

/// The caller's `stop` became true.
struct Stopped {};

using Reply = std::variant<Answer, Failure, Stopped>;

/// What became of the first questions of many.
struct Batch {
  std::vector<Answer> answers;     ///< to the first so many, in order
  std::optional<Failure> failure;  ///< at question answers.size(); from there on, ask again
  bool stopped = false;
};

/// A subject, started when first needed and after each failure, and each time asked hello.
/// Used by one thread at a time; the thread that makes it start must outlive its use (see Child).
/// After any failure, and after a stop, the process is killed with its session's descendants.
class SubjectProcess {
 public:
  /// Starts nothing yet. Requires: command is not empty; `stop`, where there is one, outlives this.
  /// `stop` is looked at every 50 ms.
  explicit SubjectProcess(std::vector<std::string> command, SubjectLimits limits = {},
                          const std::atomic<bool>* stop = nullptr);
  SubjectProcess(const SubjectProcess&) = delete;
  SubjectProcess& operator=(const SubjectProcess&) = delete;
  /// Says bye, waits at most 1 s, and kills what is left.
  ~SubjectProcess();

  /// What it answered to hello when it last started; starts it if it does not run.
  Reply hello();

  /// Asks one question and waits for its answer: the next line, with the `seq` asked for, or with `seq` null
  /// and an `error`. Of a question without a readable `seq`, any `seq` is right.
  /// Requires: no end of line in it. Ensures: returns within start_timeout + answer_timeout, and seconds.
  Reply ask(const std::string& line);

  /// Asks all without waiting for answers between them: of a subject that does nothing, 64 small questions at
  /// a time, about 220,000 a second instead of 26,000 one by one (two busy cores). A failure belongs to the
  /// first question that is not answered; of a subject that works on several at once, or keeps answers back,
  /// that may be another than the one that caused it, and only asking it alone tells. Requires: as ask().
  /// Ensures: neither side waits for the other to read, whatever the sizes.
  Batch ask_many(std::span<const std::string> lines);

  /// How often a process was started; all but the first are restarts.
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
  std::optional<Seq> answered_;  ///< the last answer's seq
};

}  // namespace touchstone::oracle
