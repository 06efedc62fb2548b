#include "oracle/protocol/vectors.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <sstream>

#include "kubernetes/configuration/configuration.hpp"
#include "kubernetes/objects/question.hpp"
#include "kubernetes/text/bytes.hpp"
#include "oracle/compare/comparison.hpp"
#include "oracle/protocol/placement_answer.hpp"
#include "oracle/protocol/schedule_vectors.hpp"
#include "reference/preemption/preempt.hpp"

namespace touchstone::oracle {

namespace {

Result<std::string> read_text(const std::filesystem::path& path) {
  return kubernetes::read_bytes(path.string(), kubernetes::Progress());
}

/// Expands ranges "vA..vB" and single releases "vC". `all` is the file's own list of releases, in order.
std::vector<std::string> releases_of(const Json& ranges, const std::vector<std::string>& all) {
  std::vector<std::string> releases;
  for (const std::string range : ranges) {
    const std::size_t dots = range.find("..");
    const std::string first = range.substr(0, dots);
    const std::string last = dots == std::string::npos ? first : range.substr(dots + 2);
    const auto from = std::find(all.begin(), all.end(), first);
    const auto to = std::find(from, all.end(), last);
    if (to == all.end()) throw std::invalid_argument("range " + range + " is not in the file's releases");
    releases.insert(releases.end(), from, to + 1);
  }
  return releases;
}

Command command_of(const Json& json) {
  const std::string command = json.value("command", "run");
  if (command == "schedule") return Command::schedule;
  if (command != "run") throw std::invalid_argument("command is neither run nor schedule: " + command);
  return Command::run;
}

VectorFile parse_file(const std::filesystem::path& path, const std::string& text) {
  const Json json = Json::parse(text);
  const std::vector<std::string> releases = json.at("releases");
  for (const std::string& release : releases) {
    const Result<NamedRelease> known = find_release(release);
    if (!known) throw std::invalid_argument(known.error().message);
  }
  VectorFile file{path, json.value("recorded", false), json.value("statuses", false), {}, command_of(json)};
  for (const Json& entry : json.at("cases")) {
    VectorCase& vector_case = file.cases.emplace_back();
    vector_case.name = entry.at("name");
    vector_case.clauses = entry.at("clauses");
    vector_case.question = entry.at("question");
    for (const Json& answer : entry.at("answers")) {
      for (const std::string& release : releases_of(answer.at("releases"), releases)) {
        vector_case.answers.emplace_back(release, answer.at("answer"));
      }
    }
  }
  return file;
}

/// Number of choices that each release was recorded with.
constexpr std::size_t k_runs_each = 24;

/// Number of runs assumed for a worked example: its `observed` lists every admissible node.
constexpr std::size_t k_runs_all = k_runs_enough;

/// Groups answers in which the choice had the same input: the same candidates, and the same rule for start
/// times. Where no PDB is violated, it does not matter whether the release counts violations.
std::string choice_key(const Release& release, const Json& answer) {
  std::map<std::string, std::string> of_nodes;
  if (answer.contains("candidates")) {
    for (const auto& [node, candidate] : answer["candidates"].items())
      of_nodes[node] = candidate["victims"].dump() + std::to_string(candidate.value("numPDBViolations", 0));
  }
  std::string key = release.choice_by_start_time ? "+" : "-";
  for (const auto& [node, candidate] : of_nodes) key += node + candidate;
  return key;
}

/// The releases of a file, each computed once. Requires: read_vectors() accepted the file.
std::map<std::string, NamedRelease> releases_of(const VectorFile& file) {
  std::map<std::string, NamedRelease> releases;
  for (const VectorCase& vector_case : file.cases) {
    for (const auto& [release, answer] : vector_case.answers) {
      if (!releases.contains(release)) releases.emplace(release, find_release(release).value());
    }
  }
  return releases;
}

/// The recorded answer, without the parts that the engine does not give.
Json in_common(const Json& answer, Engine engine) {
  Json common = answer;
  if (engine != Engine::optimized) return common;
  for (const char* key : {"filter", "dryRun", "message", "anyOrder"}) common.erase(key);
  return common;
}

/// Compares a recorded answer with the engine's answer.
std::vector<Difference> differences_in_file(const VectorFile& file, const Release& release,
                                            const Json& answer, Engine engine, const Json& found,
                                            const std::map<std::string, Observed>& observed,
                                            VectorReport& report) {
  if (found.contains("error")) return {{"error", answer.dump(), found["error"].dump()}};
  if (file.command == Command::schedule) {
    return schedule_differences(in_common(answer, engine), found, release,
                                file.recorded ? Scores::not_zero : Scores::named);
  }
  Json expected = in_common(answer, engine);
  if (answer.contains("chosen")) expected.update(answer["chosen"]);
  const bool statuses = file.statuses && engine != Engine::optimized;
  Given given{expected, statuses, statuses && release.version.minor >= 21, {}};
  if (answer.contains("observed")) {
    given.observed = observed.at(choice_key(release, answer));
    if (!file.recorded) given.observed.runs = k_runs_all;
  }
  Compared compared = compare(given, found, release);
  report.unseen += compared.unseen;
  if (expected.contains("node") && found.contains("node") && expected["node"] != found["node"])
    compared.differences.push_back({"chosen.node", expected["node"].dump(), found["node"].dump()});
  return std::move(compared.differences);
}

Question question_of(const VectorCase& vector_case) {
  return kubernetes::read_question_text(vector_case.question.dump(), vector_case.name).value();
}

std::string decided(const Question& question, const Release& release) {
  Decision decision = reference::preempt(question, release);
  decision.message.clear();  // not recorded
  return answer_of(question.cluster, decision).dump();
}

/// The engine's answer to the question of a case.
Json found_for(Command command, const Question& question, const NamedRelease& named, const Json& answer,
               const VectorCheck& check) {
  if (command == Command::schedule) return placement_answer(question, named, check.engine, check.decider);
  const Wanted wanted{answer.contains("anyOrder"), false};
  return answer_of(question, named, wanted, check.engine, check.decider);
}

}  // namespace

Result<NamedRelease> configured_for(const Json& question, const std::string& name, const Pod& pod,
                                    NamedRelease named) {
  Json members = Json::object();
  for (const char* key : {"config", "featureGates"}) {
    if (question.contains(key)) members[key] = question[key];
  }
  if (members.empty()) return named;
  const Result<kubernetes::Document> document = kubernetes::Document::parse(members.dump(), name);
  if (!document) return document.error();
  const kubernetes::Value root = document.value().root();
  const Result<Release> gated = kubernetes::gated_by_member(root, named.release);
  if (!gated) return gated.error();
  Result<Release> release = kubernetes::configured_by_member(root, gated.value(), pod.scheduler_name);
  if (!release) return release.error();
  named.release = std::move(release).value();
  return named;
}

Result<std::vector<VectorFile>> read_vectors(const std::filesystem::path& place) {
  std::vector<std::filesystem::path> paths;
  std::error_code failure;
  if (std::filesystem::is_directory(place, failure)) {
    for (const auto& entry : std::filesystem::recursive_directory_iterator(place)) {
      if (entry.path().extension() == ".json") paths.push_back(entry.path());
    }
    std::sort(paths.begin(), paths.end());
  } else {
    paths.push_back(place);
  }
  std::vector<VectorFile> files;
  for (const std::filesystem::path& path : paths) {
    const Result<std::string> text = read_text(path);
    if (!text) return text.error();
    try {
      files.push_back(parse_file(path, text.value()));
    } catch (const Json::parse_error& broken) {
      return Error{"json-malformed", path.string(), complaint_of(broken)};
    } catch (const Json::exception& broken) {
      return Error{"vector-malformed", path.string(), complaint_of(broken)};
    } catch (const std::exception& broken) {
      return Error{"vector-malformed", path.string(), broken.what()};
    }
  }
  return files;
}

Result<std::vector<VectorFile>> read_run_vectors(const std::filesystem::path& place) {
  Result<std::vector<VectorFile>> all = read_vectors(place);
  if (!all) return all.error();
  std::vector<VectorFile> files = std::move(all).value();
  std::erase_if(files, [](const VectorFile& file) { return file.command != Command::run; });
  return files;
}

VectorReport check_vectors(const VectorFile& file, const VectorCheck& check,
                           const std::function<void()>& progress) {
  VectorReport report;
  const std::map<std::string, NamedRelease> releases = releases_of(file);
  for (const VectorCase& vector_case : file.cases) {
    progress();
    if (!check.name.empty() && check.name != vector_case.name) continue;
    std::map<std::string, Observed> observed;
    for (const auto& [each, answer] : vector_case.answers) {
      if (!answer.contains("observed")) continue;
      const std::set<std::string> nodes = answer["observed"];
      Observed& all = observed[choice_key(releases.at(each).release, answer)];
      all.nodes.insert(nodes.begin(), nodes.end());
      all.runs += k_runs_each;
    }
    const Result<Question> question =
        kubernetes::read_question_text(vector_case.question.dump(), vector_case.name);
    for (const auto& [each, answer] : vector_case.answers) {
      if (!check.release.empty() && check.release != each) continue;
      Result<NamedRelease> named = releases.at(each);
      if (question)
        named = configured_for(vector_case.question, vector_case.name, question.value().pod, named.value());
      const Json found = !question ? Json{{"error", error_of(question.error())}}
                         : !named  ? Json{{"error", error_of(named.error())}}
                                   : found_for(file.command, question.value(), named.value(), answer, check);
      if (found.contains("skipped")) {
        const std::string what = found["skipped"];
        ++report.skipped[what.substr(0, what.find(':'))];
        continue;
      }
      const std::vector<Difference> differences =
          differences_in_file(file, releases.at(each).release, answer, check.engine, found, observed, report);
      for (const Difference& difference : differences) {
        report.disagreements.push_back(
            {vector_case.name, each, difference.key, difference.given, difference.ours});
      }
      if (differences.empty()) ++report.agreed[each];
    }
  }
  return report;
}

std::set<std::string> clauses_shown(const VectorCase& vector_case) {
  std::set<std::string> shown;
  const Question question = question_of(vector_case);
  const std::string* previous = nullptr;
  for (const auto& [name, answer] : vector_case.answers) {
    const Release release = find_release(name).value().release;
    Trace trace = Trace::full();
    reference::preempt(question, release, trace);
    for (const Step& step : trace.steps()) {
      // A passed step that only lets the attempt continue is no evidence.
      const bool goes_on = step.stage <= Stage::potential || step.stage == Stage::without_victims ||
                           step.stage == Stage::candidate;
      if (!(step.passed && goes_on)) shown.insert(std::string(step.clause));
      for (const Finding& finding : step.findings) shown.insert(std::string(finding.clause));
    }
    // A change is tested with the first release of the case that has it.
    const std::string with_all = decided(question, release);
    for (const Change& change : release_table()) {
      if (is_over_time(change) || !has_change(change, release.version)) continue;
      if (previous != nullptr && has_change(change, find_release(*previous).value().release.version))
        continue;
      if (decided(question, with_toggled(release, change)) != with_all)
        shown.insert(std::string(change.clause));
    }
    previous = &name;
  }
  return shown;
}

Result<bool> update_clauses(const VectorFile& file, const std::function<void()>& progress) {
  if (!file.recorded || file.command != Command::run) return false;
  const Result<std::string> text = read_text(file.path);
  if (!text) return text.error();
  std::istringstream in(text.value());
  std::string updated;
  std::string line;
  auto next = file.cases.begin();
  while (std::getline(in, line)) {
    if (line.starts_with(" \"clauses\": ") && next != file.cases.end()) {
      progress();
      line = " \"clauses\": " + Json(clauses_shown(*next++)).dump() + ",";
    }
    updated += line + "\n";
  }
  if (updated == text.value()) return false;
  if (std::optional<Error> error = kubernetes::write_bytes(file.path, updated)) return *error;
  return true;
}

}  // namespace touchstone::oracle
