#include "fuzz/campaign/verdict.hpp"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

/// The verdict of campaigns: every answer gets a verdict, and every difference is noticed.
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

const std::set<std::string> k_features = {"core", "filter", "dryRun", "nomination", "message"};

Verdict judged(const Json& answer, LeftAnswers left = LeftAnswers::wholly,
               const std::set<std::string>& features = {}) {
  return judge(reply(k_answer), {answer}, release(), left, features);
}

/// The first key that differs if a part of the right answer has another value.
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

// A subject that lists the admissible answers must list all of them and no others.
TEST(Verdict, HoldsATieAgainstTheTie) {
  Json fewer = Json::parse(k_answer);
  fewer["admissible"].erase(1);
  EXPECT_EQ(judged(fewer).signature(), "answers admissible");
  Json more = Json::parse(k_answer);
  more["admissible"].push_back({{"node", "n3"}});
  EXPECT_EQ(judged(more).signature(), "answers admissible");
  Json other = Json::parse(k_answer);
  other["admissible"][1]["victims"] = {"default/c"};
  EXPECT_EQ(judged(other).signature(), "answers admissible");
  Json nodes_alone = Json::parse(k_answer);
  for (Json& each : nodes_alone["admissible"]) each = {{"node", each["node"]}};
  EXPECT_EQ(judged(nodes_alone).judgement, Judgement::agree);
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
  EXPECT_EQ(judged(answer).judgement, Judgement::agree);
  answer["observed"] = Json::parse(R"({"n2": 3})");
  EXPECT_EQ(judged(answer).unseen, 1u);
}

TEST(Verdict, ComparesWhatBothSay) {
  const Json least{{"outcome", "nominated"}, {"node", "n1"}, {"victims", Json::array({"default/a"})}};
  EXPECT_EQ(judged(least).judgement, Judgement::agree);
  Json left = Json::parse(k_answer);
  for (const char* key : {"filter", "dryRun", "nomination", "clears", "message"}) left.erase(key);
  const auto against = [&left](LeftAnswers answers) {
    return judge({left}, reply(k_answer), release(), answers, {}).judgement;
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
  EXPECT_EQ(judge({left}, {right}, release(), LeftAnswers::in_part, {}).judgement, Judgement::differ);
  left["observed"] = Json::parse(R"({"n1": 5000, "n2": 5000})");
  EXPECT_EQ(judge({left}, {right}, release(), LeftAnswers::in_part, {}).judgement, Judgement::agree);
}

TEST(Verdict, CountsWhatIsNotModelledAsSkipped) {
  const Verdict verdict = judge(reply(R"({"skipped": "InterPodAffinity: a pod has it"})"), reply(k_answer),
                                release(), LeftAnswers::wholly, {});
  EXPECT_EQ(verdict.judgement, Judgement::skipped);
  EXPECT_EQ(verdict.kind, "InterPodAffinity");
  EXPECT_EQ(judged({{"skipped", "all"}}).kind, "by the subject: all");
}

TEST(Verdict, SkipsAQuestionThatTheReferenceRefusesAndTheSubjectLeavesOut) {
  const Verdict verdict =
      judge(reply(R"({"error": {"code": "refused-configuration"}})"),
            reply(R"({"skipped": "a configuration"})"), release(), LeftAnswers::wholly, {});
  EXPECT_EQ(verdict.judgement, Judgement::skipped);
  EXPECT_EQ(verdict.kind, "by the subject: a configuration");
}

TEST(Verdict, SkipsNeitherErrorsNorNonsense) {
  const Reply skipped = reply(R"({"skipped": "InterPodAffinity: a pod has it"})");
  const auto kind = [&skipped](const char* answer) {
    return judge(skipped, reply(answer), release(), LeftAnswers::wholly, {}).kind;
  };
  EXPECT_EQ(kind(R"({"error": {"code": "panic"}})"), "error");
  EXPECT_EQ(kind(R"({"outcome": 17})"), "malformed answer");
  EXPECT_EQ(kind(R"({"outcome": "none", "filter": "boom"})"), "malformed answer");
}

TEST(Verdict, DemandsWhatASubjectSaysThatItAnswers) {
  for (const char* key : {"filter", "nomination", "message"}) {
    Json answer = Json::parse(k_answer);
    answer.erase(key);
    EXPECT_EQ(judged(answer).judgement, Judgement::agree) << key;
    EXPECT_EQ(judged(answer, LeftAnswers::wholly, k_features).judgement, Judgement::differ) << key;
  }
  EXPECT_EQ(judged(Json::parse(k_answer), LeftAnswers::wholly, k_features).judgement, Judgement::agree);
}

TEST(Verdict, OfAnErrorBesideCandidatesIsNotThatTheyAgree) {
  Json answer = Json::parse(k_answer);
  for (const char* key : {"node", "victims", "numPDBViolations"}) answer.erase(key);
  answer["outcome"] = "error";
  EXPECT_EQ(judged(answer).judgement, Judgement::differ);
}

// A subject that does not preempt says for each node whether the pod fits.
TEST(Verdict, OnNodesIsThatOfTheClaimedPlugins) {
  const std::set<std::string> claimed = {"core", "fits.NodeResourcesFit"};
  const auto on_nodes = [&](const char* fits, const std::set<std::string>& features) {
    return judged({{"seq", 1}, {"fits", Json::parse(fits)}}, LeftAnswers::wholly, features);
  };
  const Verdict same = on_nodes(R"({"n1": {}, "n2": {"reasons": ["full"]}})", claimed);
  EXPECT_EQ(same.judgement, Judgement::agree);
  EXPECT_EQ(same.nodes.agree, 2u);
  const Verdict accepts = on_nodes(R"({"n1": {}, "n2": true})", claimed);
  EXPECT_EQ(accepts.judgement, Judgement::differ);
  EXPECT_EQ(accepts.signature(), "answers accepted");
  EXPECT_EQ(accepts.differences[0].key, "filter.n2");
  EXPECT_EQ(on_nodes(R"({"n1": {}, "n2": true})", {}).judgement, Judgement::skipped);
  EXPECT_EQ(on_nodes(R"({"n1": "a: b", "n2": "a: c"})", claimed).kind, "no node is judged");
  EXPECT_EQ(on_nodes(R"({"n1": 7})", claimed).kind, "malformed answer");
}

TEST(Verdict, OnNodesNamesTheReasonOfAWrongRejection) {
  const Json ours = Json::parse(R"({"outcome": "fits", "feasible": ["n1"]})");
  const Json given = Json::parse(R"({"fits": {"n1": {"plugin": "NodePorts", "reasons": ["a port"]}}})");
  EXPECT_EQ(judge({ours}, {given}, release(), LeftAnswers::wholly, {}).signature(),
            "answers rejected: a port");
}

TEST(Verdict, OfTwoPlainSubjectsComparesWhatTheyChose) {
  const auto kind = [](const char* left, const char* right) {
    const Verdict verdict = judge(reply(left), reply(right), release(), LeftAnswers::in_part, {});
    return verdict.differences.empty() ? "" : verdict.differences[0].key;
  };
  const char* const one = R"({"outcome": "nominated", "node": "n1", "victims": ["default/a"]})";
  EXPECT_EQ(kind(one, one), "");
  EXPECT_EQ(kind(one, R"({"outcome": "nominated", "node": "n2", "victims": ["default/a"]})"), "node");
  EXPECT_EQ(kind(one, R"({"outcome": "nominated", "node": "n1", "victims": ["default/b"]})"), "victims");
}

TEST(Verdict, OfTwoSubjectsWaitsForEnoughRuns) {
  Json left = Json::parse(k_answer);
  left.erase("admissible");
  left["observed"] = Json::parse(R"({"n1": 5})");
  const Verdict verdict = judge({left}, reply(k_answer), release(), LeftAnswers::in_part, {});
  EXPECT_EQ(verdict.judgement, Judgement::agree);
  EXPECT_EQ(verdict.unseen, 1u);
}

TEST(Verdict, OfAFailureThatPassedIsADifference) {
  Reply right = reply(k_answer);
  right.passing = oracle::Failure{};
  const Verdict verdict = judge(reply(k_answer), right, release(), LeftAnswers::wholly, {});
  EXPECT_EQ(verdict.judgement, Judgement::differ);
  EXPECT_EQ(verdict.kind, "not repeated: " + std::string(oracle::code_of(oracle::Failure{}.kind)));
}

TEST(Verdict, OfAnErrorOrAFailureIsADifferenceOfItsOwn) {
  EXPECT_EQ(judged({{"error", {{"code", "bad"}}}}).kind, "error");
  const Verdict crashed =
      judge(reply(k_answer), {nullptr, oracle::Failure{}}, release(), LeftAnswers::wholly, {});
  EXPECT_EQ(crashed.judgement, Judgement::differ);
  EXPECT_EQ(crashed.kind, oracle::code_of(oracle::Failure{}.kind));
  const Verdict left =
      judge({nullptr, oracle::Failure{}}, reply(k_answer), release(), LeftAnswers::wholly, {});
  EXPECT_EQ(left.kind, "left " + crashed.kind);
}

// Whatever value replaces a part of an answer, judge() returns a verdict, and it never takes a malformed
// answer for agreement.
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
      EXPECT_NO_THROW(judge({answer}, reply(k_answer), release(), LeftAnswers::in_part, {}))
          << place << " " << text;
    }
  }
}

namespace {

/// The right answer without a part.
Json without(const std::string& place) {
  Json answer = Json::parse(k_answer);
  const Json::json_pointer at(place);
  Json& parent = answer[at.parent_pointer()];
  if (parent.is_object()) {
    parent.erase(at.back());
  } else {
    parent.erase(std::stoul(at.back()));
  }
  return answer;
}

/// The verdict on an answer without a part: "agree", the key that differs, or the kind of the verdict.
std::string told_without(const std::string& place) {
  const Verdict verdict = judged(without(place));
  if (verdict.judgement == Judgement::agree) return "agree";
  return verdict.kind == "answers" ? verdict.differences.at(0).key : verdict.kind;
}

}  // namespace

// A missing optional part is not compared. A missing required part makes the answer malformed. Every other
// missing part is a difference.
TEST(Verdict, IsReachedWhateverIsLeftOut) {
  for (const char* optional : {"/seq", "/numPDBViolations", "/candidates", "/admissible", "/filter",
                               "/dryRun", "/clears", "/nomination", "/message"})
    EXPECT_EQ(told_without(optional), "agree") << optional;
  for (const char* needed :
       {"/outcome", "/node", "/victims", "/candidates/n1/victims", "/admissible/0/node", "/filter/n1/code"})
    EXPECT_EQ(told_without(needed), "malformed answer") << needed;
  EXPECT_EQ(told_without("/victims/0"), "victims");
  EXPECT_EQ(told_without("/candidates/n2"), "candidates.n2");
  EXPECT_EQ(told_without("/candidates/n2/victims/0"), "candidates.n2");
  EXPECT_EQ(told_without("/admissible/1"), "admissible.n2");
  EXPECT_EQ(told_without("/admissible/1/victims/0"), "admissible.n2");
  EXPECT_EQ(told_without("/filter/n2"), "filter.n2");
  EXPECT_EQ(told_without("/filter/n2/reasons/0"), "filter.n2");
  const Json flat = Json::parse(k_answer).flatten();
  for (const auto& [pointer, value] : flat.items()) {
    for (std::string place = pointer; !place.empty(); place = place.substr(0, place.rfind('/')))
      EXPECT_NO_THROW(judge({without(place)}, reply(k_answer), release(), LeftAnswers::in_part, {})) << place;
  }
}

TEST(Verdict, OfAnAnswerWithAnUnknownKeyNamesIt) {
  Json answer = Json::parse(k_answer);
  answer["victim"] = Json::array({"default/a"});
  EXPECT_EQ(judged(answer).kind, "unknown key");
  EXPECT_EQ(judged(answer).differences.at(0).given, "\"victim\"");
  const Verdict of_left = judge({answer}, reply(k_answer), release(), LeftAnswers::wholly, {});
  EXPECT_EQ(of_left.differences.at(0).ours, "\"victim\"");
}

TEST(Verdict, IsReachedForAnyObservation) {
  for (const char* observed : {R"({"n1": -1})", R"({"n1": 1.5})", R"({"n1": "x"})", "[]", "7", "\"x\""}) {
    Json answer = Json::parse(k_answer);
    answer["observed"] = Json::parse(observed);
    EXPECT_EQ(judged(answer).kind, "malformed answer") << observed;
  }
}

namespace {

const char* const k_placement = R"({"seq": 1, "outcome": "scheduled", "node": "n1", "feasible": ["n1", "n2"],
  "scores": {"n1": {"A": 0, "B": 7}, "n2": {"A": 0, "B": 3}}, "totals": {"n1": 7, "n2": 3}, "best": ["n1"],
  "filter": {"n3": {"code": "Unschedulable", "plugin": "NodePorts", "reasons": ["x"]}}})";

/// The verdict on the right placement with another value for one part.
Verdict judged_with(const char* pointer, const Json& value) {
  Json answer = Json::parse(k_placement);
  answer[Json::json_pointer(pointer)] = value;
  return judge(reply(k_placement), {answer}, release(), LeftAnswers::wholly, {"schedule", "filter"});
}

}  // namespace

TEST(Verdict, OnPlacementsSeesEachPartThatDiffers) {
  const auto key = [](const char* pointer, const Json& value) {
    const Verdict verdict = judged_with(pointer, value);
    return verdict.differences.empty() ? "" : verdict.differences[0].key;
  };
  EXPECT_EQ(key("/node", "n1"), "");
  EXPECT_EQ(key("/outcome", "none"), "outcome");
  EXPECT_EQ(key("/node", "n2"), "node");
  EXPECT_EQ(key("/feasible", Json::array({"n1"})), "feasible");
  EXPECT_EQ(key("/scores/n2/B", 4), "scores.n2.B");
  EXPECT_EQ(key("/scores/n9", Json::object()), "scores");
  EXPECT_EQ(key("/totals/n2", 4), "totals.n2");
  EXPECT_EQ(key("/best", Json::array({"n1", "n2"})), "best");
  EXPECT_EQ(key("/observed", Json::parse(R"({"n1": 19, "n2": 1})")), "observed");
  EXPECT_EQ(key("/filter/n3/code", "Error"), "filter.n3");
}

// A scheduler that says no more than the node is judged by the node.
TEST(Verdict, OnPlacementsComparesWhatIsThere) {
  const Json node{{"outcome", "scheduled"}, {"node", "n1"}};
  EXPECT_EQ(judge(reply(k_placement), {node}, release(), LeftAnswers::wholly, {}).judgement,
            Judgement::agree);
  EXPECT_EQ(judge({node}, reply(k_placement), release(), LeftAnswers::in_part, {}).judgement,
            Judgement::agree);
  const Json other{{"outcome", "scheduled"}, {"node", "n2"}};
  EXPECT_EQ(judge({other}, reply(k_placement), release(), LeftAnswers::in_part, {}).signature(),
            "answers node");
  Json often = other;
  often["observed"] = {{"n1", 40U}, {"n2", 40U}};
  EXPECT_EQ(judge({often}, reply(k_placement), release(), LeftAnswers::in_part, {}).judgement,
            Judgement::agree);
}

TEST(Verdict, OnPlacementsRefusesMalformedAnswers) {
  const auto kind = [](const char* pointer, const Json& value) { return judged_with(pointer, value).kind; };
  const std::string malformed = "malformed answer";
  EXPECT_EQ(kind("/scores", Json::array()), malformed);
  EXPECT_EQ(kind("/scores/n1", 7), malformed);
  EXPECT_EQ(kind("/scores/n1/B", "7"), malformed);
  EXPECT_EQ(kind("/scores/n1/B", 7.5), malformed);
  EXPECT_EQ(kind("/scores/n1/B", nullptr), malformed);
  EXPECT_EQ(kind("/scores/n1/B", 18446744073709551615U), malformed);
  EXPECT_EQ(kind("/totals", "many"), malformed);
  EXPECT_EQ(kind("/totals/n1", Json::array()), malformed);
  EXPECT_EQ(kind("/feasible", "n1"), malformed);
  EXPECT_EQ(kind("/feasible/0", 1), malformed);
  EXPECT_EQ(kind("/best", Json::object()), malformed);
  EXPECT_EQ(kind("/node", 5), malformed);
  EXPECT_EQ(kind("/observed", Json::array({"n1"})), malformed);
  EXPECT_EQ(kind("/observed/n1", -1), malformed);
  Json no_node = Json::parse(k_placement);
  no_node.erase("node");
  EXPECT_EQ(judge(reply(k_placement), {no_node}, release(), LeftAnswers::wholly, {}).kind, malformed);
}

}  // namespace touchstone::fuzz
