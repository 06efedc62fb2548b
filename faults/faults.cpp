#include "faults/faults.hpp"

#include <poll.h>

#include <algorithm>

#include "faults/worker.hpp"

namespace touchstone::faults {

namespace {

constexpr int k_show_period_ms = 100;

std::vector<Trial> trials_of(const Judge& judge, const Fault& fault, const BenchSetup& setup,
                             const std::atomic<bool>& stop) {
  std::vector<Trial> trials;
  if (!judge.not_there.empty()) return trials;
  const std::size_t seeds = judge.is_drawn ? setup.seeds : 1;
  const Effort effort{setup.seconds_most, stop};
  std::size_t missed = 0;
  for (std::uint64_t seed = 1; seed <= seeds; ++seed) {
    trials.push_back(judge.run(fault, seed, effort));
    if (!trials.back().failed.empty()) break;
    if (!trials.back().detected) ++missed;
    if (missed > seeds / 2) break;  // the median is already known to be a miss
  }
  return trials;
}

bool campaign_alone(const FaultResult& result) {
  return std::all_of(result.judged.begin(), result.judged.end(), [](const Judged& judged) {
    return judged.judge == "campaign" || !judged.not_there.empty();
  });
}

}  // namespace

bool is_fault(const FaultResult& result) { return !is_canary(*result.fault) && !is_identity(*result.fault); }

std::size_t Judged::detected() const {
  return static_cast<std::size_t>(
      std::count_if(trials.begin(), trials.end(), [](const Trial& trial) { return trial.detected; }));
}

std::optional<Median> Judged::median() const {
  const std::size_t middle = trials.empty() ? 0 : (trials.size() - 1) / 2;
  std::vector<std::uint64_t> cases;
  std::vector<double> seconds;
  for (const Trial& trial : trials) {
    if (!trial.detected) continue;
    cases.push_back(*trial.detected);
    seconds.push_back(trial.seconds);
  }
  if (cases.size() <= middle) return std::nullopt;
  std::sort(cases.begin(), cases.end());
  std::sort(seconds.begin(), seconds.end());
  return Median{cases[middle], seconds[middle]};
}

std::string Judged::failed() const {
  const auto found =
      std::find_if(trials.begin(), trials.end(), [](const Trial& trial) { return !trial.failed.empty(); });
  return found == trials.end() ? "" : found->failed;
}

bool Judged::reached() const {
  return std::any_of(trials.begin(), trials.end(), [](const Trial& trial) { return trial.reached; });
}

bool Judged::triggered() const {
  return std::any_of(trials.begin(), trials.end(), [](const Trial& trial) { return trial.triggered; });
}

bool FaultResult::reached() const {
  return std::any_of(judged.begin(), judged.end(), [](const Judged& each) { return each.reached(); });
}

bool FaultResult::triggered() const {
  return std::any_of(judged.begin(), judged.end(), [](const Judged& each) { return each.triggered(); });
}

bool FaultResult::detected() const {
  return std::any_of(judged.begin(), judged.end(), [](const Judged& each) { return each.detected() > 0; });
}

bool FaultResult::asked() const {
  return std::any_of(judged.begin(), judged.end(), [](const Judged& each) { return each.not_there.empty(); });
}

std::vector<FaultResult> run_bench(const BenchSetup& setup, const std::atomic<bool>& stop,
                                   const std::function<void(const std::vector<FaultResult>& done)>& show) {
  const std::size_t judges = setup.judges.size();
  std::vector<std::vector<std::optional<Judged>>> judged(setup.faults.size(),
                                                         std::vector<std::optional<Judged>>(judges));
  const auto done = [&] {
    std::vector<FaultResult> results;
    for (std::size_t i = 0; i < judged.size(); ++i) {
      const auto is_known = [](const std::optional<Judged>& each) { return each.has_value(); };
      if (!std::all_of(judged[i].begin(), judged[i].end(), is_known)) continue;
      FaultResult& result = results.emplace_back(FaultResult{setup.faults[i], {}});
      for (const std::optional<Judged>& each : judged[i]) result.judged.push_back(*each);
    }
    return results;
  };
  std::vector<std::pair<std::size_t, Worker>> working;  // the number stands for fault and judge
  std::size_t next = 0;
  std::vector<FaultResult> results = done();
  while ((next < judged.size() * judges || !working.empty()) && !stop) {
    while (working.size() < setup.jobs && next < judged.size() * judges) {
      const Judge& judge = setup.judges[next % judges];
      const Fault& fault = *setup.faults[next / judges];
      working.emplace_back(next++,
                           Worker([&] { return trials_of(judge, fault, setup, stop); }, setup.judge_most));
    }
    std::vector<pollfd> outputs;
    for (const auto& [number, worker] : working) outputs.push_back({worker.output(), POLLIN, 0});
    ::poll(outputs.data(), outputs.size(), k_show_period_ms);
    std::size_t finished = 0;
    for (auto& [number, worker] : working) {
      if (!worker.has_ended()) continue;
      const Judge& judge = setup.judges[number % judges];
      judged[number / judges][number % judges] =
          Judged{judge.name, std::string(judge.not_there), worker.trials()};
      ++finished;
    }
    std::erase_if(working, [](const auto& each) { return each.second.is_reaped(); });
    if (finished > 0) results = done();
    show(results);
  }
  return results;
}

std::vector<std::string> failures_of(const std::vector<FaultResult>& results) {
  std::vector<std::string> failures;
  for (const FaultResult& result : results) {
    const std::string id(result.fault->id);
    for (const Judged& judged : result.judged) {
      const std::string judge(judged.judge);
      if (const std::string failed = judged.failed(); !failed.empty()) {
        failures.push_back(judge + " failed on " + id + ": " + failed);
        continue;
      }
      if (is_canary(*result.fault) && judged.detected() < judged.trials.size())
        failures.push_back(judge + " does not find the canary");
      if (is_identity(*result.fault) && judged.detected() > 0)
        failures.push_back(judge + " finds a fault in the identity, which has none");
    }
    const bool excused = !result.fault->unseen.empty() && campaign_alone(result);
    const bool failed = std::any_of(result.judged.begin(), result.judged.end(),
                                    [](const Judged& judged) { return !judged.failed().empty(); });
    if (is_fault(result) && result.asked() && !result.detected() && !excused && !failed)
      failures.push_back(id + " is detected by no judge");
  }
  return failures;
}

Soon soon_by_campaign(const std::vector<FaultResult>& results) {
  constexpr double k_soon_s = 1;
  Soon soon;
  for (const FaultResult& result : results) {
    const auto campaign = std::find_if(result.judged.begin(), result.judged.end(),
                                       [](const Judged& judged) { return judged.judge == "campaign"; });
    if (!is_fault(result) || campaign == result.judged.end()) continue;
    const std::optional<Median> median = campaign->median();
    if (median && median->seconds < k_soon_s) {
      ++soon.in_a_second;
    } else {
      (result.fault->unseen.empty() ? soon.unexplained : soon.explained).push_back(&result);
    }
  }
  return soon;
}

}  // namespace touchstone::faults
