#include "bench/subject.hpp"

#include <nlohmann/json.hpp>

#include "kubernetes/write/written.hpp"
#include "oracle/protocol/protocol.hpp"

namespace touchstone::bench {

namespace {

std::vector<std::string> with_parallelism(std::vector<std::string> command, std::size_t parallelism) {
  command.push_back("--parallelism=" + std::to_string(parallelism));
  return command;
}

oracle::SubjectLimits patient() {
  oracle::SubjectLimits limits;
  limits.answer_timeout = std::chrono::minutes(10);
  return limits;
}

/// Reads an answer. Throws the exception of the JSON library if the answer does not follow the protocol.
Result<SchedulerAnswer> read_answer(const std::string& text) {
  const oracle::Json json = oracle::Json::parse(text);
  if (json.contains("error")) return Error{"subject-errs", "kube-scheduler", json["error"].dump()};
  SchedulerAnswer answer;
  answer.outcome = json.at("outcome");
  const oracle::Json candidates = json.value("candidates", oracle::Json::object());
  for (const auto& [node, candidate] : candidates.items()) answer.candidates.push_back(node);
  answer.dry_runs = candidates.size() + json.value("dryRun", oracle::Json::object()).size();
  if (json.contains("timings")) {
    answer.filter_ns = json["timings"].value("filter_ns", Quantity{0});
    answer.dry_run_ns = json["timings"].value("dryRun_ns", Quantity{0});
    answer.schedule_ns = json["timings"].value("schedule_ns", Quantity{0});
  }
  if (answer.outcome == "scheduled") answer.node = json.at("node");
  if (answer.outcome != "nominated") return answer;
  answer.node = json.at("node");
  answer.victims = json.at("victims").get<std::vector<std::string>>();
  answer.pdb_violations = json.at("numPDBViolations");
  return answer;
}

}  // namespace

BenchSubject::BenchSubject(std::vector<std::string> command, std::size_t parallelism, const Release& release,
                           const std::atomic<bool>& stop)
    : process_(with_parallelism(std::move(command), parallelism), patient(), &stop),
      release_(release.version.text()) {}

std::string BenchSubject::written(const Question& question) { return kubernetes::written(question).dump(); }

Result<SchedulerAnswer> BenchSubject::ask(const std::string& question, std::optional<Quantity> offset) {
  oracle::Json head{{"cmd", "run"}, {"seq", ++seq_}, {"release", release_}, {"timings", true}};
  if (offset) head["offset"] = *offset;
  return ask_with(head.dump(), question);
}

Result<SchedulerAnswer> BenchSubject::ask_cycle(const std::string& question, Quantity percentage) {
  oracle::Json head{{"cmd", "schedule"}, {"seq", ++seq_}, {"release", release_}, {"timings", true}};
  if (percentage > 0)
    head["config"] = {{"apiVersion", "kubescheduler.config.k8s.io/v1"},
                      {"kind", "KubeSchedulerConfiguration"},
                      {"percentageOfNodesToScore", percentage}};
  return ask_with(head.dump(), question);
}

/// `head`: an object with the keys of the protocol, which the keys of the question follow.
Result<SchedulerAnswer> BenchSubject::ask_with(const std::string& head, const std::string& question) {
  std::string line = head;
  line.back() = ',';  // replaces the closing brace
  const oracle::Reply reply = process_.ask(line.append(question, 1));
  if (std::holds_alternative<oracle::Stopped>(reply)) return Error{"stopped", "kube-scheduler", "stopped"};
  if (const auto* failure = std::get_if<oracle::Failure>(&reply))
    return Error{"subject-failed", "kube-scheduler", failure->detail};
  try {
    return read_answer(std::get<oracle::Answer>(reply).text);
  } catch (const oracle::Json::exception& broken) {
    return Error{"subject-failed", "kube-scheduler", oracle::complaint_of(broken)};
  }
}

}  // namespace touchstone::bench
