#include <gtest/gtest.h>

#include <map>
#include <nlohmann/json.hpp>
#include <string>

#include "tests/cli/shell.hpp"

/// `touchstone prove`: what it lists, checks and refuses.
namespace touchstone {

TEST(ProveCommand, ListsTheorems) {
  const Ran result = run("prove");
  EXPECT_EQ(result.exit_code, 0);
  EXPECT_TRUE(contains(result.output, "victims-have-lower-priority")) << result.output;
  const nlohmann::json json = nlohmann::json::parse(run("prove -o json").output);
  EXPECT_GT(json.size(), 40u);
  EXPECT_EQ(json[0]["clauses"].empty(), false);
}

TEST(ProveCommand, ChecksATheorem) {
  const Ran result = run("prove --theorem quota-of-candidates -o json");
  EXPECT_EQ(result.exit_code, 0) << result.output;
  const nlohmann::json theorem = nlohmann::json::parse(result.output)[0];
  EXPECT_EQ(theorem["result"], "proved");
  EXPECT_EQ(theorem["paths"], 3);
  EXPECT_EQ(theorem["replayed"], 3);
  EXPECT_EQ(theorem["refutedVariants"].size(), 2u);
  EXPECT_EQ(theorem["witnesses"].size(), 1u);
}

TEST(ProveCommand, ShowsAnExhibit) {
  const Ran result = run("prove --theorem quota-overflows-32-bits");
  EXPECT_EQ(result.exit_code, 0) << result.output;
  EXPECT_TRUE(contains(result.output, "potential nodes 214748365")) << result.output;
}

TEST(ProveCommand, KeepsWhatSolversWereAsked) {
  const Ran result = shell(
      "dir=$(mktemp -d); trap 'rm -r $dir' EXIT; touchstone prove --theorem quota-of-candidates --dump $dir "
      "> /dev/null; "
      "grep set-logic $dir/quota-of-candidates.smt2");
  EXPECT_EQ(result.output, "(set-logic QF_LIA)\n");
}

TEST(ProveCommand, TellsWhatWasMeant) {
  const Ran result = run("prove --theorem quota-of-candidate");
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_TRUE(contains(result.output, "did you mean quota-of-candidates?"));
}

TEST(ProveCommand, TellsWhatItHasFoundWhenInterrupted) {
  // The theorem that is checked second takes minutes. Two signals at once are one interrupt.
  const Ran result = shell(
      "d=$(mktemp -d); touchstone prove --jobs 1 -o json --dump $d --theorem "
      "best-of-several-victims,ended-pods-take-nothing & p=$!; "
      "until [ -e $d/best-of-several-victims.smt2 ]; do kill -0 $p || break; sleep 0.1; done; "
      "kill -INT $p; kill -INT $p; wait $p; code=$?; rm -r $d; exit $code");
  EXPECT_EQ(result.exit_code, 130) << result.output;
  const nlohmann::json found = nlohmann::json::parse(result.output);
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0]["theorem"], "ended-pods-take-nothing");
}

TEST(ProveCommand, ShowsWhatWasKeptOfEachTheorem) {
  const std::string kept = "prove --kept proofs/measured/all.json";
  const Ran text = run(kept);
  EXPECT_EQ(text.exit_code, 0);
  EXPECT_FALSE(contains(text.output, "RED"));
  EXPECT_EQ(shell("touchstone " + kept + " -o json | diff - proofs/measured/all.json").exit_code, 0);
  const auto statements = [](const std::string& command) {
    std::map<std::string, std::string> of_theorems;
    for (const nlohmann::json& theorem : nlohmann::json::parse(run(command).output))
      of_theorems[theorem["theorem"]] = theorem["statement"];
    return of_theorems;
  };
  EXPECT_EQ(statements(kept + " -o json"), statements("prove -o json"));
}

TEST(ProveCommand, RefusesToShowWhatItDidNotKeep) {
  const Ran result = shell("echo '[{}]' | touchstone prove --kept /dev/stdin");
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_TRUE(contains(result.output, "/dev/stdin: key 'theorem' not found [proofs-malformed]"))
      << result.output;
  EXPECT_TRUE(contains(run("prove --kept tests").output, "[file-unreadable]"));
  const Ran negative =
      shell("sed 's/\"obligations\": /&-/' proofs/measured/all.json | touchstone prove --kept /dev/stdin");
  EXPECT_EQ(negative.exit_code, 2);
  EXPECT_TRUE(contains(negative.output, "obligations: expected a whole number")) << negative.output;
}

TEST(ProveCommand, WantsToBeAskedOneThing) { EXPECT_EQ(run("prove --quick --all").exit_code, 2); }

}  // namespace touchstone
