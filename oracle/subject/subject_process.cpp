#include "oracle/subject/subject_process.hpp"

#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cassert>
#include <cerrno>
#include <cstring>
#include <nlohmann/json.hpp>

namespace touchstone::oracle {

namespace {

using Clock = std::chrono::steady_clock;
using std::chrono::milliseconds;

constexpr milliseconds k_stop_looked_at{50};
constexpr std::size_t k_piece = std::size_t{64} << 10;

int poll_timeout(Clock::time_point until) {
  const auto left = std::chrono::ceil<milliseconds>(until - Clock::now());
  return static_cast<int>(std::max<std::int64_t>(left.count(), 0));
}

/// Reads once. Returns whether it got any bytes. Ensures: a stream at its end is closed.
template <typename Take>
bool read_piece(Descriptor& from, const Take& take) {
  if (from.number() < 0) return false;
  std::array<char, k_piece> piece;
  const ssize_t got = ::read(from.number(), piece.data(), piece.size());
  if (got > 0) take(std::string_view(piece.data(), static_cast<std::size_t>(got)));
  const bool later = got < 0 && (errno == EAGAIN || errno == EINTR);
  if (got <= 0 && !later) from.close();
  return got > 0;
}

std::string words_of(const Exit& exit) {
  if (exit.signal)
    return "killed by signal " + std::to_string(*exit.signal) + ", " + ::strsignal(*exit.signal);
  if (exit.code) return "ended with exit code " + std::to_string(*exit.code);
  return "ended, its exit code taken by another";
}

std::string shown(std::string_view line) {
  constexpr std::size_t k_shown = 200;
  return "\"" + escaped(line.substr(0, k_shown)) + (line.size() > k_shown ? "...\"" : "\"");
}

std::string words_of_silence(milliseconds limit, std::size_t begun, bool input_open, bool all_read) {
  std::string words = "no answer in " + std::to_string(limit.count()) + " ms";
  if (begun > 0) words += ", only " + std::to_string(begun) + " bytes of a line";
  if (!input_open) return words + "; it closed its standard input";
  return all_read ? words : words + "; it does not read its standard input";
}

Reply reply_of(Batch batch) {
  if (batch.stopped) return Stopped{};
  if (batch.failure) return *std::move(batch.failure);
  return std::move(batch.answers.front());
}

}  // namespace

std::string_view code_of(FailureKind kind) {
  switch (kind) {
    case FailureKind::cannot_start:
      return "cannot-start";
    case FailureKind::crashed:
      return "crashed";
    case FailureKind::hung:
      return "hung";
    case FailureKind::garbage:
      return "garbage";
    case FailureKind::out_of_order:
      return "out-of-order";
    case FailureKind::ended:
      return "ended";
    case FailureKind::spoke_unasked:
      return "spoke-unasked";
  }
  assert(false);
  return "";
}

std::vector<std::string> last_lines(std::string_view text, std::size_t lines_most) {
  std::vector<std::string> lines;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    std::string line(text.substr(0, end));
    line.erase(line.find_last_not_of(" \t\r") + 1);
    if (!line.empty()) lines.push_back(std::move(line));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  if (lines.size() > lines_most)
    lines.erase(lines.begin(), lines.end() - static_cast<std::ptrdiff_t>(lines_most));
  return lines;
}

SubjectProcess::SubjectProcess(std::vector<std::string> command, SubjectLimits limits,
                               const std::atomic<bool>* stop)
    : command_(std::move(command)), limits_(limits), stop_(stop) {
  assert(!command_.empty());
}

SubjectProcess::~SubjectProcess() {
  if (!child_) return;
  write_quietly(child_->input(), "{\"cmd\":\"bye\"}\n");
  child_->input().close();
  const auto deadline = Clock::now() + limits_.bye_timeout;
  const auto ignore = [](std::string_view) {};
  while (!child_->ended_within(milliseconds(0)) && Clock::now() < deadline) {
    pollfd streams[] = {{child_->process().number(), POLLIN, 0},
                        {child_->output().number(), POLLIN, 0},
                        {child_->errors().number(), POLLIN, 0}};
    ::poll(streams, std::size(streams), poll_timeout(deadline));
    if (streams[1].revents != 0) read_piece(child_->output(), ignore);
    if (streams[2].revents != 0) read_piece(child_->errors(), ignore);
  }
}

Reply SubjectProcess::hello() {
  Batch batch;
  if (!child_ && !start(batch)) return reply_of(std::move(batch));
  return Answer{hello_};
}

Reply SubjectProcess::ask(const std::string& line) { return reply_of(ask_many({&line, 1})); }

Batch SubjectProcess::ask_many(std::span<const std::string> lines) {
  for (const std::string& line : lines) assert(line.find('\n') == std::string::npos);
  Batch batch;
  if (!lines.empty() && ready(batch)) exchange(lines, Moment::question, batch);
  return batch;
}

bool SubjectProcess::ready(Batch& batch) {
  if (stop_asked(batch)) return false;
  if (!child_) return start(batch);
  pollfd streams[] = {{child_->output().number(), POLLIN, 0}, {child_->process().number(), POLLIN, 0}};
  const bool quiet = ::poll(streams, std::size(streams), 0) == 0;
  if (quiet && lines_.size() == 0) return true;
  read_some();
  if (lines_.size() > 0)
    return fail(batch, FailureKind::spoke_unasked, Moment::before_question,
                std::to_string(lines_.size()) + " bytes after its last answer");
  return fail_by_end(batch, Moment::before_question);
}

bool SubjectProcess::start(Batch& batch) {
  if (stop_asked(batch)) return false;
  ++starts_;
  lines_ = {};
  errors_.clear();
  answered_.reset();
  Result<Child> started = Child::start(command_);
  if (!started)
    return fail(batch, FailureKind::cannot_start, Moment::start, escaped(started.error().message));
  child_.emplace(std::move(started).value());
  const std::string question = R"({"cmd":"hello"})";
  Batch greeting;
  if (exchange({&question, 1}, Moment::start, greeting)) {
    hello_ = std::move(greeting.answers.front().text);
    return true;
  }
  batch.failure = std::move(greeting.failure);
  batch.stopped = greeting.stopped;
  return false;
}

bool SubjectProcess::exchange(std::span<const std::string> lines, Moment moment, Batch& batch) {
  const milliseconds limit = moment == Moment::start ? limits_.start_timeout : limits_.answer_timeout;
  Outbox outbox(lines);
  bool input_open = true;
  auto deadline = Clock::now() + limit;
  while (batch.answers.size() < lines.size()) {
    if (stop_asked(batch)) return false;
    const short want_out = outbox.empty() ? 0 : POLLOUT;
    pollfd streams[] = {{child_->output().number(), POLLIN, 0},
                        {child_->errors().number(), POLLIN, 0},
                        {input_open ? child_->input().number() : -1, want_out, 0},
                        {child_->process().number(), POLLIN, 0}};
    const auto wake = stop_ == nullptr ? deadline : std::min(deadline, Clock::now() + k_stop_looked_at);
    // Check once more after the deadline. If this process did not run in time, the answer may be there.
    const bool last_look = Clock::now() >= deadline;
    const bool something = ::poll(streams, std::size(streams), last_look ? 0 : poll_timeout(wake)) > 0;
    if (!something && !last_look) continue;

    const auto& [output, errors, input, process] = streams;
    const std::size_t answers_before = batch.answers.size();
    if (errors.revents != 0) drain_errors();
    if (output.revents != 0) {
      read_some();
      if (!read_answers(lines, moment, batch)) return false;
      // The time starts again here: the time to read an answer is not the subject's time.
      if (batch.answers.size() > answers_before) deadline = Clock::now() + limit;
    }
    if (process.revents != 0) {
      // Output from before the end is still in the pipe. A descendant may hold the pipe open and go on
      // writing, so this loop has a deadline.
      while (batch.answers.size() < lines.size() && Clock::now() < deadline && read_some())
        if (!read_answers(lines, moment, batch)) return false;
    }
    if (batch.answers.size() == lines.size()) break;
    if (process.revents != 0 || child_->output().number() < 0) return fail_by_end(batch, moment);
    if (last_look && batch.answers.size() == answers_before)
      return fail(batch, input_open ? FailureKind::hung : FailureKind::ended, moment,
                  words_of_silence(limit, lines_.size(), input_open, outbox.empty()));

    if ((input.revents & POLLERR) != 0) input_open = false;
    if (input_open && (input.revents & POLLOUT) != 0) {
      const ssize_t written = write_quietly(child_->input(), outbox.front());
      if (written > 0) outbox.written(static_cast<std::size_t>(written));
      if (written < 0 && errno != EAGAIN && errno != EINTR) input_open = false;
    }
  }
  return true;
}

/// Takes complete lines as answers until each question has one. ready() finds any further output before the
/// next question.
bool SubjectProcess::read_answers(std::span<const std::string> lines, Moment moment, Batch& batch) {
  while (batch.answers.size() < lines.size()) {
    std::optional<std::string> line = lines_.next_line();
    if ((line ? line->size() : lines_.size()) > limits_.answer_bytes_max)
      return fail(batch, FailureKind::garbage, moment,
                  "a line of more than " + std::to_string(limits_.answer_bytes_max) + " bytes");
    if (!line) return true;
    if (!judge(*std::move(line), lines, moment, batch)) return false;
  }
  return true;
}

bool SubjectProcess::judge(std::string line, std::span<const std::string> lines, Moment moment,
                           Batch& batch) {
  const AnswerLine answer = read_answer_line(line);
  if (!answer.wrong.empty())
    return fail(batch, FailureKind::garbage, moment, answer.wrong + ": " + shown(line));
  if (moment == Moment::start) {
    if (!answer.has_protocol)
      return fail(batch, FailureKind::garbage, moment, "no answer to hello: " + shown(line));
    if (answer.protocol != Seq(k_protocol))
      return fail(batch, FailureKind::garbage, moment,
                  "answers another protocol than " + std::to_string(k_protocol) + ": " + shown(line));
  } else {
    const std::optional<Seq> asked = seq_of_question(lines[batch.answers.size()]);
    const bool could_not_read = answer.seq_is_null && answer.has_error;
    const bool same = asked ? answer.seq == asked : answer.seq.has_value();
    if (!same && !could_not_read) {
      if (answer.seq && answer.seq == answered_)
        return fail(batch, FailureKind::spoke_unasked, Moment::before_question,
                    "answers a question twice: " + shown(line));
      return fail(batch, FailureKind::out_of_order, moment, "not the seq asked for: " + shown(line));
    }
    answered_ = answer.seq;
  }
  batch.answers.push_back({std::move(line)});
  return true;
}

bool SubjectProcess::read_some() {
  return read_piece(child_->output(), [&](std::string_view bytes) { lines_.append(bytes); });
}

void SubjectProcess::drain_errors() {
  // Read one piece only: a subject that writes without end must not block this loop.
  read_piece(child_->errors(), [&](std::string_view bytes) {
    errors_.append(bytes);
    if (errors_.size() > limits_.stderr_bytes_kept)
      errors_.erase(0, errors_.size() - limits_.stderr_bytes_kept);
  });
}

bool SubjectProcess::fail_by_end(Batch& batch, Moment moment) {
  child_->ended_within(limits_.exit_timeout);
  return fail(batch, FailureKind::ended, moment, "closed its standard output");
}

bool SubjectProcess::fail(Batch& batch, FailureKind kind, Moment moment, std::string detail) {
  Failure failure{.kind = kind, .moment = moment, .detail = std::move(detail), .exit = {}};
  if (child_) {
    const std::optional<Exit> exit = child_->kill();
    if (kind == FailureKind::ended && exit) {
      failure.exit = *exit;
      failure.detail = words_of(*exit);
      if (exit->code != 0) failure.kind = FailureKind::crashed;
    }
    drain_errors();
    child_.reset();
  }
  failure.stderr_tail = escaped(errors_);
  batch.failure = std::move(failure);
  return false;
}

bool SubjectProcess::stop_asked(Batch& batch) {
  if (stop_ == nullptr || !*stop_) return false;
  // Kill the subject: its late answer would come before the answer to the next question.
  child_.reset();
  batch.stopped = true;
  return true;
}

}  // namespace touchstone::oracle
