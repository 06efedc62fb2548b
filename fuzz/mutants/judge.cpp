#include <poll.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <csignal>
#include <ctime>
#include <iostream>
#include <map>
#include <vector>

#include "fuzz/campaign_plan.hpp"
#include "fuzz/engines.hpp"
#include "fuzz/mutants/switch.hpp"
#include "oracle/engines.hpp"
#include "oracle/vectors.hpp"

/// Shows mutants of both engines to the recorded answers of spec/vectors and to the cases of a campaign:
///
///     judge_mutants MUTANTS BLOCKS VECTOR_SECONDS CAMPAIGN_SECONDS JOBS
///
/// reads one mutant a line from standard input, its number and "reference" or "optimized", and writes one JSON
/// object a line. A program that has no mutants in it agrees with itself; fuzz/mutants/run builds the one that
/// has them. First all judging is done once with none of the MUTANTS, which tells what reaches which of them;
/// each is then shown, in a process of its own, only what reaches it.
namespace touchstone::fuzz {

namespace {

using Clock = std::chrono::steady_clock;

constexpr std::uint64_t k_seed = 1;
constexpr double k_hung_s = 20;  ///< of processor time for one item, of which the slowest takes a second
constexpr rlim_t k_bytes_most = rlim_t{6} << 30;

double seconds_since(Clock::time_point begin) {
  return std::chrono::duration<double>(Clock::now() - begin).count();
}

/// A recorded answer, or a block of a campaign.
struct Item {
  std::string name;
  std::function<bool(oracle::Engine)> agrees;
  std::map<oracle::Engine, std::vector<bool>> reached = {};
  double seconds = 0;
};

/// What a child has come to, seen by its parent.
struct Place {
  std::atomic<std::size_t> judge;  ///< 0: vectors, 1: campaign
  std::atomic<std::size_t> item;
  std::atomic<std::size_t> begun;  ///< how many items
  std::atomic<bool> noticed;
};

std::vector<Item> recorded(const std::vector<oracle::VectorFile>& files) {
  std::vector<Item> items;
  for (const oracle::VectorFile& file : files) {
    for (const oracle::VectorCase& each : file.cases) {
      for (const auto& [release, answer] : each.answers) {
        oracle::VectorCase alone = each;
        alone.answers = {{release, answer}};
        const oracle::VectorFile one{file.path, file.recorded, file.statuses, {std::move(alone)}};
        items.push_back({each.name + " " + release, [one](oracle::Engine engine) {
                           return oracle::check_vectors(one, {.engine = engine}, [] {}).disagreements.empty();
                         }});
      }
    }
  }
  return items;
}

std::vector<Item> campaign(const std::vector<Scenarios>& scenarios, std::uint64_t blocks) {
  std::vector<Item> items;
  for (std::uint64_t block = 0; block < blocks; ++block) {
    items.push_back({"block " + std::to_string(block), [&scenarios, block](oracle::Engine) {
                       optimized::Workers workers(1);
                       const EnginesBlock asked = ask_engines(
                           scenarios[block % scenarios.size()], k_seed, block,
                           [&](const optimized::Snapshot& snapshot, const Question& question) {
                             return oracle::optimized_answer(snapshot, question, workers);
                           });
                       return asked.differ.empty();
                     }});
  }
  return items;
}

/// Judges all items without any mutant, and finds out what reaches which.
void prepare(std::vector<Item>& items, const std::vector<oracle::Engine>& engines, std::size_t mutants) {
  std::vector<std::uint8_t> reached(mutants + 1);
  mutants::reached = reached.data();
  for (Item& item : items) {
    for (const oracle::Engine engine : engines) {
      std::fill(reached.begin(), reached.end(), std::uint8_t{0});
      const Clock::time_point begin = Clock::now();
      if (!item.agrees(engine)) std::cerr << item.name << " is wrong without a mutant\n", std::exit(2);
      item.seconds = seconds_since(begin);
      std::vector<bool>& known = item.reached[engine];
      known.resize(reached.size());
      for (std::size_t i = 0; i < reached.size(); ++i) known[i] = reached[i] != 0;
    }
  }
  mutants::reached = nullptr;
}

class Bench {
 public:
  Bench(std::vector<Item> vectors, std::vector<Item> blocks, double vector_seconds, double campaign_seconds)
      : judges_{std::move(vectors), std::move(blocks)}, seconds_{vector_seconds, campaign_seconds} {
    std::stable_sort(judges_[0].begin(), judges_[0].end(),
                     [](const Item& a, const Item& b) { return a.seconds < b.seconds; });
  }

  void begin(int mutant, oracle::Engine engine);
  /// Waits until one has been judged.
  void finish();
  std::size_t working() const { return children_.size(); }

 private:
  struct Child {
    int mutant;
    pid_t process;
    Place* place;
    Clock::time_point begun;
    std::size_t seen = 0;     ///< of place->begun, when last looked at
    double cpu_at_begin = 0;  ///< of the item that it is at, in seconds
  };
  static bool hangs(Child& child);
  void judge(int mutant, oracle::Engine engine, Place& place) const;
  void report(const Child& child, const std::string& how);

  std::vector<std::vector<Item>> judges_;
  std::vector<double> seconds_;
  std::vector<Child> children_;
};

/// Processor time of another process; 0 where it is gone.
double cpu_seconds_of(pid_t process) {
  clockid_t clock{};
  timespec time{};
  if (::clock_getcpuclockid(process, &clock) != 0 || ::clock_gettime(clock, &time) != 0) return 0;
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) * 1e-9;
}

/// Whether it computes for too long at one item. A machine that stands still makes nobody hang.
bool Bench::hangs(Child& child) {
  const std::size_t begun = child.place->begun;
  const double cpu = cpu_seconds_of(child.process);
  if (begun != child.seen) {
    child.seen = begun;
    child.cpu_at_begin = cpu;
  }
  return cpu - child.cpu_at_begin > k_hung_s;
}

void Bench::judge(int mutant, oracle::Engine engine, Place& place) const {
  mutants::current = mutant;
  for (std::size_t number = 0; number < judges_.size(); ++number) {
    const Clock::time_point begin = Clock::now();
    const oracle::Engine asked = number == 0 ? engine : oracle::Engine::both;
    place.judge = number;
    for (std::size_t i = 0; i < judges_[number].size() && seconds_since(begin) < seconds_[number]; ++i) {
      const Item& item = judges_[number][i];
      if (!item.reached.at(asked)[static_cast<std::size_t>(mutant)]) continue;
      place.item = i;
      ++place.begun;
      if (item.agrees(asked)) continue;
      place.noticed = true;
      return;
    }
  }
}

void Bench::begin(int mutant, oracle::Engine engine) {
  void* shared = ::mmap(nullptr, sizeof(Place), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  Child child{mutant, 0, new (shared) Place{0, 0, 0, false}, Clock::now()};
  child.process = ::fork();
  if (child.process == 0) {
    const rlimit memory{k_bytes_most, k_bytes_most};
    ::setrlimit(RLIMIT_AS, &memory);
    const rlimit none{0, 0};
    ::setrlimit(RLIMIT_CORE, &none);
    if (std::freopen("/dev/null", "w", stderr) == nullptr) std::_Exit(2);
    judge(mutant, engine, *child.place);
    std::_Exit(0);
  }
  children_.push_back(child);
}

void Bench::report(const Child& child, const std::string& how) {
  const bool noticed = how != "answers" || child.place->noticed;
  const std::size_t judge = child.place->judge;
  oracle::Json line{{"number", child.mutant},
                    {"noticed", noticed ? (judge == 0 ? "vectors" : "campaign") : ""},
                    {"seconds", seconds_since(child.begun)}};
  if (noticed) {
    line["by"] = judges_[judge][child.place->item].name;
    line["how"] = how;
  }
  std::cout << line.dump() << std::endl;
  ::munmap(child.place, sizeof(Place));
}

void Bench::finish() {
  while (true) {
    for (std::size_t i = 0; i < children_.size(); ++i) {
      int status = 0;
      bool is_hung = false;
      if (::waitpid(children_[i].process, &status, WNOHANG) == 0) {
        is_hung = hangs(children_[i]);
        if (!is_hung) continue;
        ::kill(children_[i].process, SIGKILL);
        ::waitpid(children_[i].process, &status, 0);
      }
      const Child child = children_[i];
      children_.erase(children_.begin() + static_cast<std::ptrdiff_t>(i));
      return report(child, is_hung ? "hangs" : WIFSIGNALED(status) ? "crashes" : "answers");
    }
    ::poll(nullptr, 0, 2);
  }
}

int run(std::size_t mutants, std::uint64_t block_count, double vector_seconds, double campaign_seconds,
        std::size_t jobs) {
  const Result<std::vector<oracle::VectorFile>> files = oracle::read_vectors("spec/vectors");
  if (!files) return std::cerr << files.error().message << "\n", 2;
  std::vector<Item> vectors = recorded(files.value());
  prepare(vectors, {oracle::Engine::reference, oracle::Engine::optimized}, mutants);
  CampaignSetup setup;
  for (std::size_t i = 0; i < k_family_names.size(); ++i) setup.families.insert(static_cast<Family>(i));
  setup.left.engine = oracle::Engine::reference;
  setup.right.engine = oracle::Engine::optimized;
  const std::atomic<bool> stop = false;
  const Result<CampaignPlan> plan = plan_of(setup, stop);
  if (!plan) return std::cerr << plan.error().message << "\n", 2;
  std::vector<Item> blocks = campaign(plan.value().scenarios, block_count);
  const Clock::time_point begin = Clock::now();
  prepare(blocks, {oracle::Engine::both}, mutants);
  std::cerr << vectors.size() << " recorded answers; " << block_count * k_cases_in_a_block << " cases in "
            << seconds_since(begin) << " s\n";
  Bench bench(std::move(vectors), std::move(blocks), vector_seconds, campaign_seconds);
  for (std::string number, engine; std::cin >> number >> engine;) {
    if (bench.working() == jobs) bench.finish();
    bench.begin(std::stoi(number),
                engine == "reference" ? oracle::Engine::reference : oracle::Engine::optimized);
  }
  while (bench.working() > 0) bench.finish();
  return 0;
}

}  // namespace

}  // namespace touchstone::fuzz

int main(int argc, char** argv) {
  if (argc != 6) return std::cerr << "judge_mutants MUTANTS BLOCKS VECTOR_SECONDS CAMPAIGN_SECONDS JOBS\n", 2;
  return touchstone::fuzz::run(std::stoul(argv[1]), std::stoul(argv[2]), std::stod(argv[3]),
                               std::stod(argv[4]), std::stoul(argv[5]));
}
