#include <poll.h>
#include <sys/resource.h>
#include <sys/time.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <ctime>
#include <iostream>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <thread>
#include <vector>

#include "faults/mutants/switch.hpp"
#include "faults/worker.hpp"
#include "fuzz/campaign/campaign_plan.hpp"
#include "fuzz/campaign/engines.hpp"
#include "oracle/protocol/engines.hpp"
#include "oracle/protocol/timeline_vectors.hpp"
#include "oracle/protocol/vectors.hpp"

/// Runs mutants of both engines on the recorded answers and timelines of spec/vectors and on the cases of a
/// campaign:
///
///     judge_mutants MUTANTS BLOCKS VECTOR_SECONDS CAMPAIGN_SECONDS JOBS
///
/// reads one mutant on each line of standard input: its number, and "reference" or "optimized". It writes
/// one JSON object on each line. First everything is judged once without a mutant. This shows which items
/// execute which of the MUTANTS. Then each mutant is judged in a child process, by the items that execute
/// it. Seconds are processor time. faults/mutants/run builds the program with mutants in it. Without them,
/// the program agrees with itself.
namespace touchstone::faults {

namespace {

constexpr std::uint64_t k_seed = 1;
/// Added to the time of both judges. A mutant that takes longer hangs.
constexpr std::chrono::seconds k_hung_after{20};
/// An item hangs if it takes longer than both: seconds, and multiples of its time without a mutant.
constexpr double k_item_hangs_seconds = 5;
constexpr double k_item_hangs_times = 100;
constexpr rlim_t k_bytes_most = rlim_t{6} << 30;
constexpr int k_poll_ms = 100;

double cpu_seconds() { return static_cast<double>(std::clock()) / CLOCKS_PER_SEC; }

/// A recorded answer, or a block of a campaign, on which a mutant is judged.
struct Item {
  std::string_view judge;
  std::string name;
  std::function<bool(oracle::Engine)> agrees;
  std::map<oracle::Engine, std::vector<bool>> reached = {};  ///< in the order of the mutants
  double seconds = 0;
};

constexpr std::string_view k_vectors = "vectors";
constexpr std::string_view k_campaign = "campaign";

std::vector<Item> recorded(const std::vector<oracle::VectorFile>& files) {
  std::vector<Item> items;
  for (const oracle::VectorFile& file : files) {
    for (const oracle::VectorCase& each : file.cases) {
      for (const auto& [release, answer] : each.answers) {
        oracle::VectorCase alone = each;
        alone.answers = {{release, answer}};
        const oracle::VectorFile one{
            file.path, file.recorded, file.statuses, {std::move(alone)}, file.command};
        items.push_back({k_vectors, each.name + " " + release, [one](oracle::Engine engine) {
                           return oracle::check_vectors(one, {.engine = engine}, [] {}).disagreements.empty();
                         }});
      }
    }
  }
  return items;
}

/// Whether the reference answers as expected, and in a recorded timeline also cites the clauses that the file
/// names.
bool plays_as_expected(const oracle::RecordedTimeline& timeline) {
  if (oracle::timeline_difference(timeline)) return false;
  const std::set<std::string> named(timeline.clauses.begin(), timeline.clauses.end());
  return !timeline.recorded || oracle::clauses_cited(timeline) == named;
}

/// Only the reference plays timelines.
std::vector<Item> played(const std::vector<oracle::RecordedTimeline>& timelines) {
  std::vector<Item> items;
  for (const oracle::RecordedTimeline& timeline : timelines) {
    items.push_back({k_vectors, timeline.name + " " + timeline.release, [timeline](oracle::Engine engine) {
                       return engine != oracle::Engine::reference || plays_as_expected(timeline);
                     }});
  }
  return items;
}

/// Each scenario with its changes is an item of its own. So the time of a mutant is spent on cases that reach
/// it.
std::vector<Item> campaign(const std::vector<fuzz::Scenarios>& scenarios, std::uint64_t blocks) {
  std::vector<Item> items;
  for (std::uint64_t number = 0; number < blocks * fuzz::k_cases_in_a_block;
       number += fuzz::k_cases_of_a_scenario) {
    items.push_back({k_campaign, "case " + std::to_string(number), [&scenarios, number](oracle::Engine) {
                       optimized::Workers workers(1);
                       const std::uint64_t block = number / fuzz::k_cases_in_a_block;
                       const fuzz::EnginesBlock asked = fuzz::ask_engines_scenario(
                           scenarios[block % scenarios.size()], k_seed, number,
                           [&](const optimized::Snapshot& snapshot, const Question& question) {
                             return oracle::optimized_answer(snapshot, question, workers);
                           });
                       return asked.differ.empty();
                     }});
  }
  return items;
}

/// A mutant that was asked for, and the engine that it is in.
struct Asked {
  int number = 0;
  oracle::Engine engine;
};

/// Judges all items without any mutant, and records which mutants each item reaches. `most`: the highest
/// number of a mutant in the program.
void prepare(std::vector<Item>& items, const std::vector<oracle::Engine>& engines,
             const std::vector<Asked>& mutants, std::size_t most) {
  std::vector<std::uint8_t> reached(most + 1);
  mutants::reached = reached.data();
  for (Item& item : items) {
    for (const oracle::Engine engine : engines) {
      std::fill(reached.begin(), reached.end(), std::uint8_t{0});
      const double begin = cpu_seconds();
      if (!item.agrees(engine)) std::cerr << item.name << " is wrong without a mutant\n", std::exit(2);
      item.seconds = std::max(item.seconds, cpu_seconds() - begin);
      std::vector<bool>& known = item.reached[engine];
      known.reserve(mutants.size());
      for (const Asked& mutant : mutants)
        known.push_back(reached[static_cast<std::size_t>(mutant.number)] != 0);
    }
  }
  mutants::reached = nullptr;
}

using Seconds = std::map<std::string_view, double>;  ///< by judge

/// Ends this process if it sleeps for a minute: a mutant may let threads wait for each other without end,
/// which costs no processor time.
void end_if_asleep() {
  constexpr std::chrono::minutes k_asleep{1};
  constexpr double k_awake_seconds = 0.01;
  std::thread([k_asleep] {
    for (;;) {
      const double before = cpu_seconds();
      std::this_thread::sleep_for(k_asleep);
      if (cpu_seconds() - before < k_awake_seconds) std::cerr << "sleeps without end\n", std::abort();
    }
  }).detach();
}

/// From now on, this process is killed by SIGPROF when it has used so much processor time.
void end_after(double seconds) {
  const auto whole = static_cast<time_t>(seconds);
  const itimerval timer{{0, 0},
                        {whole, static_cast<suseconds_t>(1e6 * (seconds - static_cast<double>(whole)))}};
  ::setitimer(ITIMER_PROF, &timer, nullptr);
}

/// Judges the mutant that was asked for at `place`, in its own process. `detected` is the number of the item,
/// from 1 on.
Trial judged(const std::vector<Item>& items, const std::vector<Asked>& mutants, std::size_t place,
             const Seconds& most) {
  const rlimit memory{k_bytes_most, k_bytes_most};
  ::setrlimit(RLIMIT_AS, &memory);
  end_if_asleep();
  mutants::current = mutants[place].number;
  Trial trial;
  Seconds spent;
  for (std::size_t i = 0; i < items.size() && !trial.detected; ++i) {
    const Item& item = items[i];
    const oracle::Engine asked = item.judge == k_vectors ? mutants[place].engine : oracle::Engine::both;
    if (!item.reached.at(asked)[place]) continue;
    if (spent[item.judge] >= most.at(item.judge)) continue;
    const double begin = cpu_seconds();
    end_after(std::max(k_item_hangs_seconds, k_item_hangs_times * item.seconds));
    if (!item.agrees(asked)) trial.detected = i + 1;
    spent[item.judge] += cpu_seconds() - begin;
  }
  for (const auto& [judge, seconds] : spent) trial.seconds += seconds;
  return trial;
}

void report(const std::vector<Item>& items, int mutant, const Trial& trial) {
  oracle::Json line{{"number", mutant}, {"noticed", ""}, {"seconds", trial.seconds}};
  if (trial.detected) {
    const Item& item = items[*trial.detected - 1];
    line["noticed"] = item.judge;
    line["by"] = item.name;
    line["how"] = "answers";
  } else if (!trial.failed.empty()) {
    line["noticed"] = "vectors or campaign";
    line["by"] = "";
    line["how"] = trial.failed;
  }
  std::cout << line.dump() << std::endl;
}

/// Reads all of standard input before the first result is written, so that its writer need not read results
/// in between.
std::vector<Asked> asked_mutants() {
  std::vector<Asked> asked;
  std::string engine;
  for (int number = 0; std::cin >> number >> engine;)
    asked.push_back({number, engine == "reference" ? oracle::Engine::reference : oracle::Engine::optimized});
  return asked;
}

void judge_all(const std::vector<Asked>& mutants, const std::vector<Item>& items, const Seconds& most,
               std::size_t jobs) {
  const auto limit =
      k_hung_after + std::chrono::seconds(static_cast<long>(most.at(k_vectors) + most.at(k_campaign)));
  std::vector<std::pair<int, Worker>> working;
  for (std::size_t next = 0; next < mutants.size() || !working.empty();) {
    for (; working.size() < jobs && next < mutants.size(); ++next) {
      working.emplace_back(
          mutants[next].number,
          Worker([&] { return std::vector<Trial>{judged(items, mutants, next, most)}; }, limit));
    }
    std::vector<pollfd> outputs;
    for (const auto& [number, worker] : working) outputs.push_back({worker.output(), POLLIN, 0});
    ::poll(outputs.data(), outputs.size(), k_poll_ms);
    for (auto& [number, worker] : working) {
      if (worker.has_ended()) report(items, number, worker.trials().front());
    }
    std::erase_if(working, [](const auto& each) { return each.second.is_reaped(); });
  }
}

int run(std::size_t most_mutants, std::uint64_t block_count, const Seconds& most, std::size_t jobs) {
  const std::vector<Asked> mutants = asked_mutants();
  const Result<std::vector<oracle::VectorFile>> files = oracle::read_vectors("spec/vectors");
  if (!files) return std::cerr << files.error().message << "\n", 2;
  std::vector<Item> items = recorded(files.value());
  for (const char* place : {"spec/vectors/time", "spec/vectors/controllers"}) {
    const Result<std::vector<oracle::RecordedTimeline>> timelines = oracle::read_timelines(place);
    if (!timelines) return std::cerr << timelines.error().message << "\n", 2;
    std::vector<Item> more = played(timelines.value());
    items.insert(items.end(), std::move_iterator(more.begin()), std::move_iterator(more.end()));
  }
  prepare(items, {oracle::Engine::reference, oracle::Engine::optimized}, mutants, most_mutants);
  std::stable_sort(items.begin(), items.end(),
                   [](const Item& a, const Item& b) { return a.seconds < b.seconds; });
  fuzz::CampaignSetup setup;
  setup.families = fuzz::all_scenarios(fold_release(newest_release())).families;
  setup.left.engine = oracle::Engine::reference;
  setup.right.engine = oracle::Engine::optimized;
  const std::atomic<bool> stop = false;
  const Result<fuzz::CampaignPlan> plan = fuzz::plan_of(setup, stop);
  if (!plan) return std::cerr << plan.error().message << "\n", 2;
  std::vector<Item> cases = campaign(plan.value().scenarios, block_count);
  prepare(cases, {oracle::Engine::both}, mutants, most_mutants);
  std::cerr << items.size() << " recorded answers, " << block_count * fuzz::k_cases_in_a_block << " cases\n";
  items.insert(items.end(), std::move_iterator(cases.begin()), std::move_iterator(cases.end()));
  judge_all(mutants, items, most, jobs);
  return 0;
}

}  // namespace

}  // namespace touchstone::faults

int main(int argc, char** argv) {
  using namespace touchstone::faults;
  if (argc != 6) return std::cerr << "judge_mutants MUTANTS BLOCKS VECTOR_SECONDS CAMPAIGN_SECONDS JOBS\n", 2;
  const Seconds most = {{k_vectors, std::stod(argv[3])}, {k_campaign, std::stod(argv[4])}};
  return run(std::stoul(argv[1]), std::stoul(argv[2]), most, std::stoul(argv[5]));
}
