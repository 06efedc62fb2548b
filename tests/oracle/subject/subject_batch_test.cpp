#include <gtest/gtest.h>
#include <unistd.h>

#include <atomic>
#include <csignal>
#include <nlohmann/json.hpp>
#include <thread>

#include "oracle/subject/subject_process.hpp"
#include "tests/oracle/subject/misbehaving_subject.hpp"

namespace touchstone::oracle::tests {

namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

std::vector<std::string> questions(int first, int last, const std::string& more = "") {
  std::vector<std::string> lines;
  for (int seq = first; seq <= last; ++seq) lines.push_back(question(seq, more));
  return lines;
}

void expect_answers(const Batch& batch, int first, std::size_t count) {
  ASSERT_EQ(batch.answers.size(), count);
  for (std::size_t i = 0; i < count; ++i)
    EXPECT_EQ(read_answer_line(batch.answers[i].text).seq, Seq(static_cast<std::uint64_t>(first) + i));
}

/// Sends questions 1 to 8 in one batch to a subject that fails at 3, then sends 4 to 8. Returns the kind of
/// failure.
FailureKind kind_in_batch(const std::string& mode, const SubjectLimits& limits = k_patient) {
  SubjectProcess process(subject(mode), limits);
  const std::vector<std::string> lines = questions(1, 8);
  const Batch batch = process.ask_many(lines);
  expect_answers(batch, 1, 2);
  EXPECT_FALSE(has_children());
  const Batch rest = process.ask_many(std::span(lines).subspan(3));
  expect_answers(rest, 4, 5);
  EXPECT_FALSE(rest.failure);
  EXPECT_EQ(process.starts(), 2u);
  if (!batch.failure) return FailureKind::cannot_start;
  EXPECT_EQ(batch.failure->moment, Moment::question);
  return batch.failure->kind;
}

}  // namespace

TEST(SubjectBatch, IsAnsweredInOrder) {
  SubjectProcess process(subject("well"), k_patient);
  expect_answers(process.ask_many(questions(1, 64)), 1, 64);
  expect_answers(process.ask_many(questions(65, 5000)), 65, 4936);
  expect_answers(process.ask_many({}), 1, 0);
  EXPECT_EQ(process.starts(), 1u);
}

TEST(SubjectBatch, DoesNotDeadlockWhereBothPipesFill) {
  SubjectProcess process(subject("big-answers"), k_patient);
  expect_answers(process.ask_many(questions(1, 8, much(500'000))), 1, 8);
}

TEST(SubjectBatch, BlamesTheFirstQuestionWithoutAnAnswer) {
  EXPECT_EQ(kind_in_batch("crashes"), FailureKind::crashed);
  EXPECT_EQ(kind_in_batch("segfaults"), FailureKind::crashed);
  EXPECT_EQ(kind_in_batch("exits"), FailureKind::ended);
  // 5 s for each answer. Question 3 alone gets no answer; the others need no computation.
  SubjectLimits limits = k_patient;
  limits.answer_timeout = seconds(5);
  EXPECT_EQ(kind_in_batch("hangs", limits), FailureKind::hung);
  EXPECT_EQ(kind_in_batch("garbage"), FailureKind::garbage);
  EXPECT_EQ(kind_in_batch("other-seq"), FailureKind::out_of_order);
}

TEST(SubjectBatch, DoesNotBlameTheQuestionAfterOneAnsweredTwice) {
  SubjectProcess process(subject("answers-twice"), k_patient);
  const std::vector<std::string> lines = questions(1, 8);
  const Batch batch = process.ask_many(lines);
  expect_answers(batch, 1, 3);
  ASSERT_TRUE(batch.failure);
  EXPECT_EQ(batch.failure->kind, FailureKind::spoke_unasked);
  EXPECT_EQ(batch.failure->moment, Moment::before_question);
  expect_answers(process.ask_many(std::span(lines).subspan(3)), 4, 5);
}

TEST(SubjectBatch, HasTheLastAnswerOfOneThatEnds) {
  SubjectProcess process(subject("much-and-exits"), k_patient);
  expect_answers(process.ask_many(questions(3, 4)), 3, 2);
}

TEST(SubjectBatch, GivesEveryAnswerItsOwnTime) {
  SubjectProcess process({"sh", "-c",
                          R"(read hello; echo '{"protocol":1}'; for seq in 1 2 3 4 5 6 7 8 9 10 11 12; do
                             sleep 0.5; echo "{\"seq\":$seq}"; done; sleep 600)"},
                         {.answer_timeout = seconds(5)});
  expect_answers(process.ask_many(questions(1, 12)), 1, 12);
}

TEST(SubjectStop, ReturnsSoonAndIsNoFailure) {
  std::atomic<bool> stop = false;
  SubjectLimits limits = k_patient;
  limits.answer_timeout = std::chrono::hours(24);  // the test ends only if the stop ends the wait
  SubjectProcess process(subject("hangs"), limits, &stop);
  EXPECT_EQ(what(process.ask(question(1))), "seq 1");
  std::thread other([&] {
    std::this_thread::sleep_for(milliseconds(100));
    stop = true;
  });
  EXPECT_EQ(what(process.ask(question(3))), "stopped");
  EXPECT_FALSE(has_children());
  other.join();
  EXPECT_EQ(what(process.hello()), "stopped");
  EXPECT_EQ(process.starts(), 1u);
  stop = false;
  EXPECT_EQ(what(process.ask(question(4))), "seq 4");
}

TEST(SubjectStop, ReachesAStartToo) {
  std::atomic<bool> stop = false;
  SubjectProcess process(subject("hangs-at-start"), k_patient, &stop);
  std::thread other([&] {
    std::this_thread::sleep_for(milliseconds(100));
    stop = true;
  });
  EXPECT_EQ(what(process.hello()), "stopped");
  other.join();
}

TEST(SubjectProcess, DoesNotOutliveUs) {
  int pipe[2];
  ASSERT_EQ(::pipe(pipe), 0);
  const pid_t us = ::fork();
  if (us == 0) {
    SubjectProcess process(subject("hangs"), k_patient);
    const Reply hello = process.hello();
    const auto json = nlohmann::ordered_json::parse(std::get<Answer>(hello).text);
    const pid_t pid = json["pid"].get<pid_t>();
    if (::write(pipe[1], &pid, sizeof pid) != sizeof pid) ::_exit(1);
    process.ask(question(3));  // the subject does not end when its input ends
    ::_exit(1);
  }
  pid_t pid = -1;
  ASSERT_EQ(::read(pipe[0], &pid, sizeof pid), static_cast<ssize_t>(sizeof pid));
  EXPECT_TRUE(lives(pid));
  ::kill(us, SIGKILL);
  ::waitpid(us, nullptr, 0);
  EXPECT_TRUE(dies(pid));
  ::close(pipe[0]);
  ::close(pipe[1]);
}

}  // namespace touchstone::oracle::tests
