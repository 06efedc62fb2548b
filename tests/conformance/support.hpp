#pragma once

#include <atomic>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "conformance/run.hpp"
#include "conformance/timelines.hpp"
#include "kubernetes/objects/question.hpp"
#include "oracle/protocol/protocol.hpp"

/// Small suites, and subjects inside of the test, for the tests of conformance.
namespace touchstone::conformance {

inline const std::atomic<bool> k_go_on = false;

/// The vectors and timelines of spec/vectors, and the clusters of faults. Requires: the test runs from the
/// root of the project.
inline const FixedCases& fixed_cases() {
  static const FixedCases cases = [] {
    FixedCases all{oracle::read_vectors("spec/vectors").value(),
                   oracle::read_timelines("spec/vectors/time").value()};
    const std::vector<oracle::VectorFile> mistakes = read_mistakes("faults/clusters").value();
    all.vectors.insert(all.vectors.end(), mistakes.begin(), mistakes.end());
    const auto mistaken = read_mistaken_timelines("faults/timelines.jsonl").value();
    all.timelines.insert(all.timelines.end(), mistaken.begin(), mistaken.end());
    return all;
  }();
  return cases;
}

/// The suites of a release, built once.
inline const std::vector<Suite>& suites_for(const std::string& release) {
  static std::map<std::string, std::vector<Suite>> known;
  const auto found = known.find(release);
  if (found != known.end()) return found->second;
  std::set<LevelId> all;
  for (const Level& level : levels()) all.insert(level.id);
  return known[release] = suites_of(
                              fixed_cases(), find_release(release).value(), all, [](std::size_t) {}, k_go_on)
                              .value();
}

/// A cluster with n1 and n2 of one CPU. A pod of priority 0 and one of priority 5 fill n1, so only n1 is full
/// with evictable pods; n2 holds a pod of priority 50.
inline Json small_question() {
  const auto pod = [](const char* name, const char* node, int priority, const char* cpu) {
    return Json{{"metadata", {{"namespace", "default"}, {"name", name}}},
                {"spec",
                 {{"nodeName", node},
                  {"priority", priority},
                  {"containers",
                   Json::array({Json{{"name", "c"}, {"resources", {{"requests", {{"cpu", cpu}}}}}}})}}}};
  };
  const auto node = [](const char* name) {
    return Json{{"metadata", {{"name", name}}},
                {"status", {{"allocatable", {{"cpu", "1"}, {"pods", "110"}}}}}};
  };
  Json preemptor = pod("p", "", 10, "500m");
  preemptor["spec"].erase("nodeName");
  return {
      {"nodes", Json::array({node("n1"), node("n2")})},
      {"pods", Json::array({pod("a", "n1", 0, "500m"), pod("b", "n1", 5, "500m"), pod("c", "n2", 50, "1")})},
      {"pdbs", Json::array()},
      {"pod", preemptor}};
}

/// A case with the reference's answer to a question. Requires: the reference answers it.
inline Case case_of(const std::string& name, const Json& question, const NamedRelease& release) {
  const Question read = kubernetes::read_question_text(question.dump(), name).value();
  Case one{name, "", oracle::Command::run, question, {"core"}, {}, 1};
  one.ours = oracle::answer_of(read, release, {}, oracle::Engine::reference, oracle::reference_decider());
  if (one.ours.contains("admissible")) one.answers = one.ours.at("admissible").size();
  return one;
}

/// A suite of Core with this number of cases, which differ in the priority of the preemptor.
inline Suite small_suite(std::size_t cases, const NamedRelease& release) {
  Suite suite{&level_of(LevelId::core), {}, "0123456789abcdef"};
  for (std::size_t i = 0; i < cases; ++i) {
    Json question = small_question();
    question["pod"]["spec"]["priority"] = 10 + i;
    suite.cases.push_back(case_of("case-" + std::to_string(i), question, release));
  }
  return suite;
}

/// The subject of this test: an engine of this process.
inline Ask ask_of(oracle::Subject& subject) {
  return [&subject](const std::string& line) { return oracle::Reply(oracle::Answer{subject.answer(line)}); };
}

inline NamedRelease a_release() { return find_release("v1.36.3").value(); }

inline RunSetup all_claimed(const NamedRelease& release) {
  RunSetup setup{release, {"message", "filter", "dryRun", "nomination"}, 2, 5};
  for (const Feature& each : features()) setup.claimed.insert(std::string(each.name));
  return setup;
}

}  // namespace touchstone::conformance
