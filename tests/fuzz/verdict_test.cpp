#include "fuzz/verdict.hpp"

#include <gtest/gtest.h>

/// The judge of campaigns: any answer gets a verdict, and no difference passes.
namespace touchstone::fuzz {

namespace {

const char* const k_answer = R"({"seq": 1, "outcome": "nominated", "node": "n1", "victims": ["default/a"],
  "numPDBViolations": 0,
  "candidates": {"n1": {"victims": ["default/a"], "numPDBViolations": 0},
                 "n2": {"victims": ["default/b"], "numPDBViolations": 0}},
  "admissible": [{"node": "n1", "victims": ["default/a"], "numPDBViolations": 0},
                 {"node": "n2", "victims": ["default/b"], "numPDBViolations": 0}],
  "filter": {"n1": {"code": "Unschedulable", "plugin": "NodeResourcesFit", "reasons": ["Insufficient cpu"]},
             "n2": {"code": "Unschedulable", "plugin": "NodeResourcesFit", "reasons": ["Insufficient cpu"]}},
  "dryRun": {}, "clears": [], "nomination": "set", "message": "m"})";

const Release& release() {
  static const Release newest = find_release("v1.34.4").value().release;
  return newest;
}

Reply reply(const char* json) { return {Json::parse(json), {}}; }

Verdict judged(const Json& answer, LeftAnswers left = LeftAnswers::wholly) {
  return judge(reply(k_answer), {answer, {}}, release(), left);
}

/// The key that differs when a part of the right answer is another.
std::string differs_in(const char* pointer, const Json& value) {
  Json answer = Json::parse(k_answer);
  answer[Json::json_pointer(pointer)] = value;
  const Verdict verdict = judged(answer);
  return verdict.differences.empty() ? "" : verdict.differences[0].key;
}

}  // namespace

TEST(Verdict, OfTheSameAnswerIsThatTheyAgree) {
  const Verdict verdict = judged(Json::parse(k_answer));
  EXPECT_EQ(verdict.judgement, Judgement::agree);
  EXPECT_TRUE(verdict.differences.empty());
}

TEST(Verdict, SeesEachPartThatDiffers) {
  EXPECT_EQ(differs_in("/outcome", "none"), "outcome");
  EXPECT_EQ(differs_in("/node", "n3"), "node");
  EXPECT_EQ(differs_in("/victims", Json::array({"default/b"})), "victims");
  EXPECT_EQ(differs_in("/numPDBViolations", 1), "numPDBViolations");
  EXPECT_EQ(differs_in("/candidates/n2/victims", Json::array()), "candidates.n2");
  EXPECT_EQ(differs_in("/filter/n2/code", "UnschedulableAndUnresolvable"), "filter.n2");
  EXPECT_EQ(differs_in("/filter/n2/reasons", Json::array()), "filter.n2");
  EXPECT_EQ(differs_in("/dryRun", {{"n3", {{"code", "Error"}}}}), "dryRun.n3");
  EXPECT_EQ(differs_in("/clears", Json::array({"default/q"})), "clears");
  EXPECT_EQ(differs_in("/nomination", "kept"), "nomination");
  EXPECT_EQ(differs_in("/message", "other"), "message");
  EXPECT_EQ(differs_in("/observed", Json::parse(R"({"n3": 5})")), "observed");
  EXPECT_EQ(differs_in("/observed", Json::parse(R"({"n1": 5000})")), "admissible");
}

TEST(Verdict, TakesAnotherMemberOfATie) {
  Json answer = Json::parse(k_answer);
  answer["node"] = "n2";
  answer["victims"] = Json::array({"default/b"});
  answer["message"] = "of another node";
  EXPECT_EQ(judged(answer).judgement, Judgement::agree);
  answer["observed"] = Json::parse(R"({"n2": 3})");
  EXPECT_EQ(judged(answer).unseen, 1u);
}

TEST(Verdict, ComparesWhatBothSay) {
  EXPECT_EQ(judged({{"outcome", "nominated"}, {"node", "n1"}}).judgement, Judgement::agree);
  Json left = Json::parse(k_answer);
  for (const char* key : {"filter", "dryRun", "nomination", "clears", "message"}) left.erase(key);
  const auto against = [&left](LeftAnswers answers) {
    return judge({left, {}}, reply(k_answer), release(), answers).judgement;
  };
  EXPECT_EQ(against(LeftAnswers::in_part), Judgement::agree);
  EXPECT_EQ(against(LeftAnswers::wholly), Judgement::differ);
}

TEST(Verdict, OfTwoSubjectsRestsOnWhatOneWasSeenToChoose) {
  Json left = Json::parse(k_answer);
  left.erase("admissible");
  left["observed"] = Json::parse(R"({"n1": 5000})");
  Json right = Json::parse(k_answer);
  right["node"] = "n2";
  right["victims"] = Json::array({"default/b"});
  EXPECT_EQ(judge({left, {}}, {right, {}}, release(), LeftAnswers::in_part).judgement, Judgement::differ);
  left["observed"] = Json::parse(R"({"n1": 5000, "n2": 5000})");
  EXPECT_EQ(judge({left, {}}, {right, {}}, release(), LeftAnswers::in_part).judgement, Judgement::agree);
}

TEST(Verdict, CountsWhatIsNotModelledAsSkipped) {
  const Verdict verdict = judge(reply(R"({"skipped": "InterPodAffinity: a pod has it"})"), reply(k_answer),
                                release(), LeftAnswers::wholly);
  EXPECT_EQ(verdict.judgement, Judgement::skipped);
  EXPECT_EQ(verdict.kind, "InterPodAffinity");
}

TEST(Verdict, OfAnErrorOrAFailureIsADifferenceOfItsOwn) {
  EXPECT_EQ(judged({{"error", {{"code", "bad"}}}}).kind, "error");
  const Verdict crashed =
      judge(reply(k_answer), {nullptr, oracle::Failure{}}, release(), LeftAnswers::wholly);
  EXPECT_EQ(crashed.judgement, Judgement::differ);
  EXPECT_EQ(crashed.kind, oracle::code_of(oracle::Failure{}.kind));
  const Verdict left = judge({nullptr, oracle::Failure{}}, reply(k_answer), release(), LeftAnswers::wholly);
  EXPECT_EQ(left.kind, "left " + crashed.kind);
}

// Whatever stands in place of any part of an answer, the judge answers, and never takes nonsense for
// agreement.
TEST(Verdict, IsReachedForAnyAnswer) {
  const Json whole = Json::parse(k_answer);
  const Json flat = whole.flatten();
  std::set<std::string> places;
  for (const auto& [pointer, value] : flat.items()) {
    for (std::size_t end = pointer.size(); end != std::string::npos && end > 0;
         end = pointer.rfind('/', end - 1))
      places.insert(pointer.substr(0, end));
  }
  EXPECT_GT(places.size(), 25u);
  for (const std::string& place : places) {
    for (const char* text :
         {"null", "7", "-1", "1.5", "true", "\"x\"", "[]", "[1]", "{}", R"({"x": {}})", R"([["x"]])"}) {
      Json answer = whole;
      answer[Json::json_pointer(place)] = Json::parse(text);
      const bool is_read = place != "/seq" && !place.starts_with("/admissible");
      const bool says_nothing = std::string(text) == "null" || answer == whole;
      const Verdict verdict = judged(answer);
      if (is_read && !says_nothing) {
        EXPECT_EQ(verdict.judgement, Judgement::differ) << place << " " << text;
      }
      EXPECT_NO_THROW(judge({answer, {}}, reply(k_answer), release(), LeftAnswers::in_part))
          << place << " " << text;
    }
  }
}

TEST(Verdict, IsReachedForAnyObservation) {
  for (const char* observed : {R"({"n1": -1})", R"({"n1": 1.5})", R"({"n1": "x"})", "[]", "7", "\"x\""}) {
    Json answer = Json::parse(k_answer);
    answer["observed"] = Json::parse(observed);
    EXPECT_EQ(judged(answer).kind, "malformed answer") << observed;
  }
}

}  // namespace touchstone::fuzz
