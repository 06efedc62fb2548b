#include "oracle/subject/subject_process.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <csignal>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <thread>

#include "tests/oracle/subject/misbehaving_subject.hpp"
#include "tests/support/files.hpp"

namespace touchstone::oracle::tests {

namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;
using touchstone::tests::TemporaryDirectory;
using Json = nlohmann::ordered_json;

std::ptrdiff_t open_descriptors() {
  return std::distance(std::filesystem::directory_iterator("/proc/self/fd"), {});
}

/// Waits until a child is dead, and does not reap it.
bool has_died() {
  siginfo_t info{};
  return ::waitid(P_ALL, 0, &info, WEXITED | WNOWAIT) == 0;
}

pid_t number_in(const std::string& file) {
  pid_t number = -1;
  std::ifstream(file) >> number;
  return number;
}

/// Sends questions 1 to 4, one by one, to a subject that fails at question 3. Returns the failure.
Failure at_question_3(const std::string& mode, const SubjectLimits& limits,
                      const std::string& argument = "") {
  const std::ptrdiff_t descriptors = open_descriptors();
  Reply third;
  {
    SubjectProcess process(subject(mode, argument), limits);
    EXPECT_EQ(what(process.ask(question(1))), "seq 1");
    EXPECT_EQ(what(process.ask(question(2))), "seq 2");
    third = process.ask(question(3));
    EXPECT_FALSE(has_children());
    EXPECT_EQ(what(process.ask(question(4))), "seq 4");
    EXPECT_EQ(process.starts(), 2u);
  }
  EXPECT_FALSE(has_children());
  EXPECT_EQ(open_descriptors(), descriptors);
  if (const auto* failure = std::get_if<Failure>(&third)) {
    EXPECT_EQ(failure->moment, Moment::question);
    return *failure;
  }
  ADD_FAILURE() << "no failure, but " << what(third);
  return {};
}

FailureKind kind_at_question_3(const std::string& mode, const SubjectLimits& limits = k_patient) {
  return at_question_3(mode, limits).kind;
}

/// Sends only question 3 to a subject that hangs there. Hello has a longer limit.
void expect_hung(const std::string& mode) {
  SubjectProcess process(subject(mode), k_impatient);
  EXPECT_TRUE(std::holds_alternative<Answer>(process.hello())) << mode;
  EXPECT_EQ(what(process.ask(question(3))), "hung") << mode;
  EXPECT_FALSE(has_children()) << mode;
  EXPECT_TRUE(std::holds_alternative<Answer>(process.hello())) << mode;
  EXPECT_EQ(process.starts(), 2u) << mode;
}

/// Sends question 3, after whose answer the subject writes more, then sends question 4 twice.
void finds_it_before_question_4(const std::string& mode) {
  SubjectProcess process(subject(mode), k_patient);
  EXPECT_EQ(what(process.ask(question(3))), "seq 3");
  const Reply next = process.ask(question(4));
  EXPECT_EQ(what(next), "spoke-unasked");
  EXPECT_EQ(std::get<Failure>(next).moment, Moment::before_question);
  EXPECT_EQ(what(process.ask(question(4))), "seq 4");
}

}  // namespace

TEST(SubjectProcess, AnswersQuestionAfterQuestion) {
  SubjectProcess process(subject("well"), k_patient);
  for (int seq = 1; seq < 50; ++seq)
    EXPECT_EQ(what(process.ask(question(seq))), "seq " + std::to_string(seq));
  EXPECT_EQ(process.starts(), 1u);
}

TEST(SubjectProcess, SaysHelloWhenItStarts) {
  SubjectProcess process(subject("well"), k_patient);
  EXPECT_EQ(process.starts(), 0u);
  const Json hello = Json::parse(std::get<Answer>(process.hello()).text);
  EXPECT_EQ(hello["protocol"], 1);
  EXPECT_EQ(Json::parse(std::get<Answer>(process.hello()).text), hello);
  EXPECT_EQ(what(process.ask(question(1))), "seq 1");
  EXPECT_EQ(process.starts(), 1u);
}

TEST(SubjectProcess, RefusesAnotherProtocol) {
  SubjectProcess process(subject("other-protocol"), k_patient);
  const Reply reply = process.hello();
  ASSERT_EQ(what(reply), "garbage");
  EXPECT_NE(std::get<Failure>(reply).detail.find("another protocol than 1"), std::string::npos);
}

TEST(SubjectProcess, TellsACrashByExitCodeWithTheEndOfItsErrors) {
  const Failure failure = at_question_3("crashes", k_patient);
  EXPECT_EQ(failure.kind, FailureKind::crashed);
  EXPECT_EQ(failure.exit.code, 1);
  EXPECT_EQ(failure.exit.signal, std::nullopt);
  EXPECT_NE(failure.stderr_tail.find("RuntimeError: out of \\x01 luck\n"), std::string::npos);
}

TEST(SubjectProcess, TellsACrashBySignal) {
  const Failure failure = at_question_3("segfaults", k_patient);
  EXPECT_EQ(failure.kind, FailureKind::crashed);
  EXPECT_EQ(failure.exit.code, std::nullopt);
  EXPECT_EQ(failure.exit.signal, SIGSEGV);
}

TEST(SubjectProcess, TellsAnEndFromACrash) {
  EXPECT_EQ(kind_at_question_3("exits"), FailureKind::ended);
  EXPECT_EQ(kind_at_question_3("half-line-and-exit"), FailureKind::ended);
  SubjectLimits limits = k_patient;
  limits.exit_timeout = milliseconds(100);  // the process never ends
  EXPECT_EQ(kind_at_question_3("closes-stdout", limits), FailureKind::ended);
  EXPECT_EQ(at_question_3("exits-7", k_patient).exit.code, 7);
}

TEST(SubjectProcess, DoesNotWaitForOneThatHangs) {
  for (const char* mode : {"hangs", "half-line"}) expect_hung(mode);
}

TEST(SubjectProcess, KillsDescendantsWithIt) {
  const TemporaryDirectory directory;
  const std::string pid = directory.path() + "/pid";
  SubjectProcess process(subject("hangs-with-grandchild", pid), k_impatient);
  EXPECT_TRUE(std::holds_alternative<Answer>(process.hello()));
  const pid_t grandchild = number_in(pid);
  ASSERT_GT(grandchild, 1);
  EXPECT_EQ(what(process.ask(question(3))), "hung");
  EXPECT_TRUE(dies(grandchild));
}

TEST(SubjectProcess, KillsDescendantsThatLeftTheSession) {
  const TemporaryDirectory directory;
  const std::string hung = directory.path() + "/hung";
  EXPECT_EQ(at_question_3("hangs-with-runaway", {.answer_timeout = seconds(3)}, hung).kind,
            FailureKind::hung);
  ASSERT_GT(number_in(hung), 1);
  EXPECT_FALSE(lives(number_in(hung)));
  const std::string crashed = directory.path() + "/crashed";
  EXPECT_EQ(at_question_3("crashes-with-runaway", k_patient, crashed).exit.code, 3);
  ASSERT_GT(number_in(crashed), 1);
  EXPECT_FALSE(lives(number_in(crashed)));
}

TEST(SubjectProcess, SeesACrashWhereADescendantHoldsTheStreamsOpen) {
  const TemporaryDirectory directory;
  const std::string pid = directory.path() + "/pid";
  EXPECT_EQ(at_question_3("crashes-with-grandchild", k_patient, pid).exit.code, 3);
  ASSERT_GT(number_in(pid), 1);
  EXPECT_TRUE(dies(number_in(pid)));
}

TEST(SubjectProcess, RefusesGarbage) {
  for (const char* mode : {"garbage", "blank-line", "two-objects", "list", "not-utf-8", "nul", "deep",
                           "deep-and-open", "seq-twice"})
    EXPECT_EQ(kind_at_question_3(mode), FailureKind::garbage) << mode;
}

TEST(SubjectProcess, RefusesALineThatIsTooLong) {
  EXPECT_EQ(kind_at_question_3("long-line"), FailureKind::garbage);
  SubjectLimits limits = k_patient;
  limits.answer_bytes_max = 1 << 20;
  EXPECT_EQ(kind_at_question_3("endless", limits), FailureKind::garbage);
}

TEST(SubjectProcess, RefusesAnAnswerToAnotherQuestion) {
  for (const char* mode : {"other-seq", "no-seq", "text-seq", "float-seq", "null-seq", "inner-seq"})
    EXPECT_EQ(kind_at_question_3(mode), FailureKind::out_of_order) << mode;
}

TEST(SubjectProcess, TakesSeqNullWithAnErrorForAnAnswer) {
  SubjectProcess process(subject("could-not-read"), k_patient);
  EXPECT_EQ(what(process.ask(question(3))), "seq null");
  EXPECT_EQ(what(process.ask("what?")), "seq null");
  EXPECT_EQ(process.starts(), 1u);
}

TEST(SubjectProcess, TakesEverySeqOf64Bits) {
  SubjectProcess process(subject("well"), k_patient);
  for (const char* seq : {"9223372036854775808", "18446744073709551615", "-9223372036854775808"})
    EXPECT_EQ(what(process.ask(R"({"cmd":"run","seq":)" + std::string(seq) + "}")),
              std::string("seq ") + seq);
}

TEST(SubjectProcess, FindsWhatItSaidUnaskedBeforeTheNextQuestion) {
  finds_it_before_question_4("answers-twice");
  finds_it_before_question_4("half-more");
}

TEST(SubjectProcess, KnowsASecondAnswerThatComesLate) { finds_it_before_question_4("answers-twice-late"); }

TEST(SubjectProcess, FindsWhatItSaidBeforeAnyQuestion) {
  for (const char* mode : {"banner", "json-banner"}) {
    SubjectProcess process(subject(mode), k_patient);
    const Reply reply = process.ask(question(1));
    EXPECT_EQ(what(reply), "garbage");
    EXPECT_EQ(std::get<Failure>(reply).moment, Moment::start);
  }
  SubjectProcess process(subject("speaks-after-hello"), k_patient);
  EXPECT_TRUE(std::holds_alternative<Answer>(process.hello()));
  EXPECT_EQ(what(process.ask(question(1))), "spoke-unasked");
}

TEST(SubjectProcess, ReadsItsErrorsHoweverMany) {
  {
    SubjectProcess process(subject("stderr-flood"), k_patient);
    EXPECT_EQ(what(process.ask(question(3))), "seq 3");
  }
  const Failure failure = at_question_3("stderr-flood-and-crash", k_patient);
  EXPECT_EQ(failure.stderr_tail.size(), k_patient.stderr_bytes_kept);
  EXPECT_TRUE(
      failure.stderr_tail.ends_with("xxx"
                                    "the end\n"));
}

TEST(SubjectProcess, DoesNotWaitForOneThatDoesNotRead) {
  SubjectProcess process(subject("never-reads"), k_impatient);
  const std::string large = much(10'000'000);
  const std::string lines[] = {question(3), question(4, large)};
  const Batch batch = process.ask_many(lines);
  ASSERT_TRUE(batch.failure);
  EXPECT_EQ(batch.failure->kind, FailureKind::hung);
  EXPECT_EQ(batch.answers.size(), 0u);
}

TEST(SubjectProcess, SurvivesOneThatClosesItsInput) {
  // The subject reads question 3, closes its input and hangs without an answer.
  SubjectProcess process(subject("closes-stdin"), k_impatient);
  const std::string lines[] = {question(3), question(4, much(10'000'000))};
  const Batch batch = process.ask_many(lines);
  ASSERT_TRUE(batch.failure);
  EXPECT_EQ(batch.failure->kind, FailureKind::ended);
  EXPECT_TRUE(std::holds_alternative<Answer>(process.hello()));
  EXPECT_EQ(process.starts(), 2u);
}

TEST(SubjectProcess, FindsAnEndBeforeTheNextQuestion) {
  SubjectProcess process(subject("answers-and-exits"), k_patient);
  EXPECT_EQ(what(process.ask(question(3))), "seq 3");
  ASSERT_TRUE(has_died());
  const Reply next = process.ask(question(4));
  EXPECT_EQ(what(next), "ended");
  EXPECT_EQ(std::get<Failure>(next).moment, Moment::before_question);
  EXPECT_EQ(what(process.ask(question(4))), "seq 4");
}

TEST(SubjectProcess, SaysByeToADeadOneWithoutASignalToUs) {
  SubjectProcess process(subject("answers-and-exits"), k_patient);
  EXPECT_EQ(what(process.ask(question(3))), "seq 3");
  EXPECT_TRUE(has_died());
}

TEST(SubjectProcess, WaitsLongerForAStartThanForAnAnswer) {
  SubjectProcess process(subject("slow-start"),
                         {.start_timeout = std::chrono::minutes(5), .answer_timeout = seconds(1)});
  EXPECT_TRUE(std::holds_alternative<Answer>(process.hello()));
}

TEST(SubjectProcess, TellsWhatFailedAtTheStart) {
  SubjectProcess crashing(subject("crashes-at-start"), k_patient);
  const Reply crashed = crashing.hello();
  EXPECT_EQ(what(crashed), "crashed");
  EXPECT_EQ(std::get<Failure>(crashed).moment, Moment::start);
  EXPECT_EQ(std::get<Failure>(crashed).stderr_tail, "no license\n");
  SubjectProcess hanging(subject("hangs-at-start"), {.start_timeout = milliseconds(300)});
  EXPECT_EQ(what(hanging.ask(question(1))), "hung");
  EXPECT_EQ(what(hanging.ask(question(1))), "hung");
  EXPECT_EQ(hanging.starts(), 2u);
}

TEST(SubjectProcess, TellsAProgramThatCannotBeStarted) {
  const TemporaryDirectory directory;
  const std::ptrdiff_t descriptors = open_descriptors();
  const std::string no_program = directory.write("text", "text");
  const std::string no_interpreter = directory.write("script", "#!/does/not/exist\n");
  ::chmod(no_interpreter.c_str(), 0700);
  const std::string no_format = directory.write("format", "\x01\x02");
  ::chmod(no_format.c_str(), 0700);
  for (const std::string& file :
       {std::string("does-not-exist-8461"), std::string("/does/not/exist"), std::string(), directory.path(),
        no_program, no_interpreter, no_format, no_program + "/below"}) {
    SubjectProcess process({file});
    const Reply reply = process.ask(question(1));
    EXPECT_EQ(what(reply), "cannot-start") << file;
    EXPECT_EQ(what(process.hello()), "cannot-start") << file;
  }
  EXPECT_FALSE(has_children());
  EXPECT_EQ(open_descriptors(), descriptors);
}

TEST(SubjectProcess, HasNothingOfOursButItsStreams) {
  const int ours = ::open("/dev/null", O_RDONLY);  // without O_CLOEXEC
  SubjectProcess process(subject("environment", "a b'\"$HOME"), k_patient);
  const Json found = Json::parse(std::get<Answer>(process.ask(question(3))).text);
  EXPECT_EQ(found, Json::parse(R"({"seq":3,"fds":[0,1,2],"core":[1,1],"session":true,
                                   "arguments":["a b'\"$HOME"],"blocked":0})"));
  ::close(ours);
}

TEST(SubjectProcess, SaysByeAtTheEnd) {
  const TemporaryDirectory directory;
  {
    SubjectProcess process(subject("notes-bye", directory.path() + "/bye"), k_patient);
    process.hello();
  }
  EXPECT_TRUE(std::filesystem::exists(directory.path() + "/bye"));
}

TEST(SubjectProcess, KillsAtTheEndWhatIgnoresBye) {
  {
    SubjectLimits limits = k_patient;
    limits.bye_timeout = milliseconds(300);
    SubjectProcess process(subject("ignores-bye"), limits);
    process.hello();
  }
  EXPECT_FALSE(has_children());
}

}  // namespace touchstone::oracle::tests
