#include "fuzz/faults/bench.hpp"

#include <algorithm>
#include <thread>

namespace touchstone::fuzz {

namespace {

Judged ask(const Judge& judge, const Fault& fault, const BenchSetup& setup, const std::atomic<bool>& stop) {
  Judged judged{judge.name, std::string(judge.not_there), {}};
  if (!judge.not_there.empty()) return judged;
  const std::size_t seeds = judge.is_drawn ? setup.seeds : 1;
  const Effort effort{setup.seconds_most, stop};
  for (std::uint64_t seed = 1; seed <= seeds && !stop; ++seed) {
    Trial trial = judge.run(fault, seed, effort);
    if (stop && !trial.detected) break;
    judged.trials.push_back(trial);
    if (!trial.failed.empty()) break;
    const std::size_t missed = judged.trials.size() - judged.detected();
    if (missed > seeds / 2) break;  // the median is missed, whatever comes
  }
  return judged;
}

bool campaign_alone(const FaultResult& result) {
  return std::all_of(result.judged.begin(), result.judged.end(), [](const Judged& judged) {
    return judged.judge == "campaign" || !judged.not_there.empty();
  });
}

}  // namespace

bool is_fault(const FaultResult& result) {
  return result.fault->id != k_canary && result.fault->id != k_identity;
}

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
                                   const std::function<void(std::size_t done)>& show) {
  std::vector<FaultResult> results(setup.faults.size());
  std::vector<char> is_done(setup.faults.size(), 0);
  std::atomic<std::size_t> next = 0;
  std::atomic<std::size_t> done = 0;
  const auto work = [&] {
    for (std::size_t i = next++; i < results.size() && !stop; i = next++) {
      results[i].fault = setup.faults[i];
      for (const Judge& judge : setup.judges)
        results[i].judged.push_back(ask(judge, *setup.faults[i], setup, stop));
      is_done[i] = stop ? 0 : 1;
      ++done;
    }
  };
  std::vector<std::thread> threads;
  for (std::size_t i = 0; i < setup.jobs; ++i) threads.emplace_back(work);
  while (done < results.size() && !stop) {
    show(done);
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
  }
  for (std::thread& thread : threads) thread.join();
  std::vector<FaultResult> finished;
  for (std::size_t i = 0; i < results.size(); ++i)
    if (is_done[i] != 0) finished.push_back(std::move(results[i]));
  return finished;
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
      if (id == k_canary && judged.detected() < judged.trials.size())
        failures.push_back("the canary lives: " + judge + " does not find it");
      if (id == k_identity && judged.detected() > 0)
        failures.push_back("where nothing is wrong " + judge + " finds something");
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

}  // namespace touchstone::fuzz
