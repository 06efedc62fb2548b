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
    answer.filter_ns = json["timings"].at("filter_ns");
    answer.dry_run_ns = json["timings"].at("dryRun_ns");
  }
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
  std::string line = head.dump();
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
