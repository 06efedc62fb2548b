#include "fuzz/campaign/questions.hpp"

#include <gtest/gtest.h>

#include "kubernetes/write/written.hpp"
#include "tests/support/builder.hpp"

namespace touchstone::fuzz {

namespace {

const Scenarios& scenarios() {
  static const Scenarios all = whole_cycle_scenarios(tests::release("v1.34.4"));
  return all;
}

}  // namespace

TEST(NumberedQuestion, HasTheClusterOfItsNumberWhateverItsConfiguration) {
  const QuestionPlan plain{oracle::Command::schedule, {}};
  const QuestionPlan random{oracle::Command::schedule, {nullptr, true}};
  std::size_t with_config = 0;
  for (std::uint64_t number = 0; number < 50; ++number) {
    const SentQuestion sent = numbered_question(random, scenarios(), 3, number);
    Json line = sent.line;
    with_config += line.erase("config");
    if (sent.question.pod.scheduler_name.empty()) {
      EXPECT_EQ(line, numbered_question(plain, scenarios(), 3, number).line);
    }
    EXPECT_EQ(sent.line, numbered_question(random, scenarios(), 3, number).line);
    EXPECT_EQ(sent.asked().config->dump(), sent.line["config"].dump());
    EXPECT_EQ(sent.asked().command, oracle::Command::schedule);
  }
  EXPECT_EQ(with_config, 50u);
}

TEST(NumberedQuestion, HasTheFixedConfiguration) {
  const Json config{{"kind", "KubeSchedulerConfiguration"}};
  const QuestionPlan plan{oracle::Command::run, {config, false}};
  EXPECT_EQ(numbered_question(plan, scenarios(), 3, 1).line["config"], config);
  EXPECT_EQ(numbered_question({}, scenarios(), 3, 1).asked().config, nullptr);
}

TEST(QuestionPlan, IsPlainForRunWithoutConfigurations) {
  EXPECT_TRUE(is_plain({}));
  EXPECT_FALSE(is_plain({oracle::Command::schedule, {}}));
  EXPECT_FALSE(is_plain({oracle::Command::run, {nullptr, true}}));
  EXPECT_FALSE(is_plain({oracle::Command::run, {Json::object(), false}}));
}

}  // namespace touchstone::fuzz
