#include "faults/fault_levels.hpp"

#include <algorithm>
#include <set>

#include "conformance/timelines.hpp"
#include "faults/timeline_judges.hpp"
#include "kubernetes/objects/question.hpp"
#include "kubernetes/text/bytes.hpp"
#include "oracle/protocol/placement_answer.hpp"

namespace touchstone::faults {

namespace {

using conformance::Case;
using conformance::CaseVerdict;
using conformance::LevelId;
using conformance::Suite;
using oracle::Json;

/// The answer of the reference with a fault. Requires: the reference without it answers the case.
Json faulty_answer(const Fault& fault, const Case& one, const NamedRelease& named) {
  if (one.is_timeline()) {
    const TimelineScript script = conformance::script_of(one, named.release);
    const FaultOn on(fault);
    CanonicalChoices choices;
    return {{"answers", fuzz::model_answers(script, faulty_timeline_model, choices)}};
  }
  const Question question = kubernetes::read_question_text(one.question.dump(), one.name).value();
  const NamedRelease release = oracle::configured_for(one.question, one.name, question.pod, named).value();
  const FaultOn on(fault);
  const oracle::Wanted wanted{one.question.contains("anyOrder"), false};
  if (one.command == oracle::Command::run)
    return oracle::answer_of(question, release, wanted, oracle::Engine::reference, faulty_decider());
  return oracle::placement_answer(question, release, oracle::Engine::reference, faulty_decider());
}

/// All features that a subject can claim.
const std::set<std::string>& all_features() {
  static const std::set<std::string> all = [] {
    std::set<std::string> names = {"filter", "dryRun", "anyOrder", "nomination", "scores"};
    for (const conformance::Feature& each : conformance::features()) names.insert(std::string(each.name));
    return names;
  }();
  return all;
}

/// The fault with this id, of all tables; null if there is none.
const Fault* fault_named(const std::string& id) {
  for (const std::vector<Fault>* table : {&faults(), &timeline_faults()}) {
    for (const Fault& each : *table) {
      if (each.id == id) return &each;
    }
  }
  return nullptr;
}

std::vector<const Case*> smallest_first(const Suite& suite) {
  std::vector<std::pair<std::size_t, const Case*>> sized;
  for (const Case& one : suite.cases) sized.emplace_back(one.question.dump().size(), &one);
  std::stable_sort(sized.begin(), sized.end(),
                   [](const auto& a, const auto& b) { return a.first < b.first; });
  std::vector<const Case*> cases;
  for (const auto& [size, one] : sized) cases.push_back(one);
  return cases;
}

/// Messages judges cases of other levels once more, with their texts.
std::vector<const Suite*> messages_last(const std::vector<Suite>& suites) {
  std::vector<const Suite*> ordered;
  for (const Suite& suite : suites) ordered.push_back(&suite);
  std::stable_partition(ordered.begin(), ordered.end(),
                        [](const Suite* suite) { return suite->level->id != LevelId::messages; });
  return ordered;
}

}  // namespace

std::set<std::string> clauses_violated(const Fault& fault, const Case& one, LevelId level,
                                       const NamedRelease& release) {
  const Json answer = faulty_answer(fault, one, release);
  if (answer == one.ours) return {};
  const std::string clause =
      conformance::judge_answer(one, level, release.release, answer, all_features()).clause;
  if (clause.empty()) return {};
  std::set<std::string> clauses(one.example_of.begin(), one.example_of.end());
  clauses.insert(clause);
  return clauses;
}

FaultLevel level_of(const Fault& fault, const std::vector<Suite>& suites, const std::atomic<bool>& stop) {
  const NamedRelease release = find_release(fault.release).value();
  FaultLevel result{&fault, ""};
  std::set<std::string> others;
  for (const Suite* suite : messages_last(suites)) {
    if ((suite->level->id == LevelId::time) != is_over_time(fault)) continue;
    for (const Case* one : smallest_first(*suite)) {
      if (stop) return result;
      // A decision to preempt does not reach the rules of the whole cycle.
      if (is_of_whole_cycle(fault) && command_of(*one) == "run") continue;
      std::set<std::string> clauses = clauses_violated(fault, *one, suite->level->id, release);
      if (clauses.contains(std::string(fault.clause)))
        return {&fault, std::string(suite->level->name), one->name, {}};
      others.merge(clauses);
    }
  }
  result.instead.assign(others.begin(), others.end());
  return result;
}

Json json_of(const std::vector<FaultLevel>& levels) {
  Json json{{"suiteVersion", conformance::k_suite_version}, {"faults", Json::array()}};
  for (const FaultLevel& each : levels) {
    Json row{{"fault", each.fault->id}, {"clause", each.fault->clause}, {"release", each.fault->release}};
    if (!each.level.empty()) row["level"] = each.level;
    if (!each.case_name.empty()) row["case"] = each.case_name;
    if (!each.instead.empty()) row["instead"] = each.instead;
    json["faults"].push_back(std::move(row));
  }
  return json;
}

Result<std::vector<FaultLevel>> read_fault_levels(const std::string& file) {
  const Result<std::string> text = kubernetes::read_bytes(file, kubernetes::Progress());
  if (!text) return text.error();
  try {
    std::vector<FaultLevel> levels;
    const Json json = Json::parse(text.value());
    for (const Json& row : json.at("faults")) {
      const std::string id = row.at("fault");
      const Fault* found = fault_named(id);
      if (found == nullptr) return Error{"faults-malformed", file, "unknown fault \"" + id + "\""};
      levels.push_back({found, row.value("level", ""), row.value("case", ""),
                        row.value("instead", std::vector<std::string>())});
    }
    return levels;
  } catch (const Json::exception& broken) {
    return Error{"faults-malformed", file, oracle::complaint_of(broken)};
  }
}

}  // namespace touchstone::faults
