#include "fuzz/campaign/campaign.hpp"

#include <algorithm>
#include <cassert>
#include <mutex>
#include <nlohmann/json.hpp>
#include <thread>
#include <vector>

#include "fuzz/behaviour/ineffective_eviction.hpp"
#include "fuzz/campaign/campaign_plan.hpp"
#include "fuzz/campaign/difference.hpp"
#include "fuzz/campaign/engines.hpp"
#include "fuzz/campaign/shown_case.hpp"
#include "fuzz/campaign/verdict.hpp"
#include "oracle/protocol/engines.hpp"

namespace touchstone::fuzz {

namespace {

using Clock = std::chrono::steady_clock;

constexpr std::chrono::milliseconds k_show_period{100};
constexpr std::chrono::seconds k_write_period{5};
constexpr std::chrono::hours k_no_end{24 * 365};  ///< the time limit of a campaign that has none

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

/// The cases of one block, from index `first` on.
struct Block {
  std::uint64_t number;
  std::uint64_t first = 0;
};

struct Case {
  const SentQuestion& sent;
  std::uint64_t number;
};

class Campaign {
 public:
  Campaign(const CampaignSetup& setup, const std::atomic<bool>& stop) : setup_(setup), stop_asked_(stop) {}

  Result<Tally> run(const std::function<void(const Progress&)>& show);

 private:
  std::optional<Error> resume();
  std::optional<Block> next_block();
  void work();
  std::optional<Error> begin();
  bool judge_block(Pair& pair, const Block& block);
  bool judge_engines(std::uint64_t block);
  void judge_again(const Release& release, EnginesBlock& asked, std::uint64_t block);
  bool judge_case(Participants& sides, const Case& asked, Exchange exchange);
  void follow(Participants& sides, const SentQuestion& sent, const Exchange& exchange,
              const oracle::BrokenRule& broken, std::uint64_t number);
  void end_by(const std::optional<Error>& error);
  void keep(Participants& sides, const Difference& difference);
  void shrink_ineffective(const Case& asked, const Release& release,
                          const std::map<std::string, bool>& classes);
  bool wants_example(const std::string& signature);
  void add(const Tally& part, std::uint64_t block, std::uint64_t cases_judged);
  std::optional<Error> write();
  Progress progress();

  const CampaignSetup& setup_;
  const std::atomic<bool>& stop_asked_;
  std::atomic<bool> stop_ = false;    ///< set by the caller's stop, an error, or the time limit
  std::vector<Scenarios> scenarios_;  ///< used in turn, one for each block
  Clock::time_point start_ = Clock::now();

  std::mutex mutex_;  ///< guards all members below
  Tally tally_;
  double seconds_before_ = 0;
  std::uint64_t cases_before_ = 0;
  std::uint64_t next_ = 0;                       ///< the next block to hand out
  std::map<std::uint64_t, std::uint64_t> left_;  ///< begun by an earlier session, with judged cases
  std::uint64_t cases_handed_out_ = 0;
  std::map<std::string, std::size_t> examples_;    ///< by signature and clause
  std::map<std::string, std::size_t> duplicates_;  ///< shrunk to a known difference, by the same key
  std::set<std::string> witnessed_;  ///< classes of ineffective evictions that are shrunk or being shrunk
  std::size_t shrinking_ = 0;
  std::size_t working_ = 0;
  std::optional<Error> error_;
};

std::optional<Error> Campaign::resume() {
  const std::filesystem::path file = setup_.out / "campaign.json";
  if (setup_.out.empty() || !std::filesystem::exists(file)) return std::nullopt;
  Result<Tally> before = read_tally(file);
  if (!before) return before.error();
  Tally kept = std::move(before).value();
  if (kept.setup != tally_.setup || kept.shards != tally_.shards || kept.shard.count != setup_.shard.count)
    return Error{"campaigns-differ", file.string(),
                 "expected a directory without a campaign, or with the same campaign: same sides, releases, "
                 "seed, families and shard"};
  if (kept.behaviours.is_brief())
    return Error{"campaign-in-brief", file.string(),
                 "a campaign that was saved with --brief cannot be continued"};
  tally_ = std::move(kept);
  left_ = tally_.begun;
  for (const Found& found : tally_.found) ++examples_[found.signature + " " + found.clause];
  for (const Found& found : tally_.witnesses) witnessed_.insert(found.signature);
  return std::nullopt;
}

std::optional<Block> Campaign::next_block() {
  const std::lock_guard lock(mutex_);
  if (stop_ || stop_asked_) return std::nullopt;
  if (setup_.cases_most && cases_handed_out_ >= *setup_.cases_most) return std::nullopt;
  Block block{0};
  if (!left_.empty()) {
    const auto begun = left_.extract(left_.begin());
    block = {begun.key(), begun.mapped()};
  } else {
    next_ = std::max(next_, tally_.next_block);
    while (tally_.done.contains(next_) || tally_.begun.contains(next_)) next_ += setup_.shard.count;
    block = {next_};
    next_ += setup_.shard.count;
  }
  cases_handed_out_ += k_cases_in_a_block - block.first;
  return block;
}

bool Campaign::wants_example(const std::string& signature) {
  const std::lock_guard lock(mutex_);
  if (examples_[signature] >= setup_.examples_each) return false;
  ++examples_[signature];
  ++shrinking_;
  return true;
}

/// Shrinks and saves a difference, unless enough differences of its signature and clause are saved.
void Campaign::follow(Participants& sides, const SentQuestion& sent, const Exchange& exchange,
                      const oracle::BrokenRule& broken, std::uint64_t number) {
  const std::string example = exchange.verdict.signature() + " " + broken.clause;
  if (!wants_example(example)) return;
  Difference difference = follow_up(sides, sent, exchange, broken, setup_.shrinking, stop_);
  difference.found.number = number;
  const std::lock_guard lock(mutex_);
  --shrinking_;
  tally_.recount(broken.clause, difference.found.clause);
  for (const auto& [kind, count] : difference.failures) tally_.shrink_failures[kind] += count;
  if (difference.failed) {
    const Found& found = difference.failed->found;
    difference.failed->found.number = number;
    if (++examples_[found.signature + " " + found.clause] == 1) keep(sides, *difference.failed);
  }
  const auto same = [&](const Found& known) { return known.hash == difference.found.hash; };
  if (std::any_of(tally_.found.begin(), tally_.found.end(), same)) {
    // The next case may shrink to another question. But cases that always shrink to the same one must end.
    if (++duplicates_[example] <= setup_.examples_each) --examples_[example];
    return;
  }
  keep(sides, difference);
}

/// Ends the campaign if there is an error. Requires: the mutex is held.
void Campaign::end_by(const std::optional<Error>& error) {
  if (!error) return;
  error_ = error;
  stop_ = true;
}

/// Writes a difference and adds it to the tally. Requires: the mutex is held.
void Campaign::keep(Participants& sides, const Difference& difference) {
  if (!setup_.out.empty()) end_by(write_difference(setup_.out, sides, difference));
  if (!error_) tally_.found.push_back(difference.found);
}

/// Shrinks the first case of each class of ineffective evictions that spec/divergences.md does not describe.
void Campaign::shrink_ineffective(const Case& asked, const Release& release,
                                  const std::map<std::string, bool>& classes) {
  for (const auto& [name, is_described] : classes) {
    if (is_described && !setup_.witness_described) continue;
    {
      const std::lock_guard lock(mutex_);
      if (!witnessed_.insert(name).second) continue;
      ++shrinking_;
    }
    Witness witness = shrunk_witness(asked.sent.line, release, name, setup_.shrinking.asks, stop_);
    witness.found.number = asked.number;
    const std::lock_guard lock(mutex_);
    --shrinking_;
    if (!setup_.out.empty()) end_by(write_witness(setup_.out, release, witness));
    if (!error_) tally_.witnesses.push_back(witness.found);
  }
}

/// Judges a case. Returns false if a stop prevented that. A case is counted as soon as it is judged.
/// Shrinking comes after that, because a stop may interrupt it.
bool Campaign::judge_case(Participants& sides, const Case& asked, Exchange exchange) {
  exchange.verdict = judged(sides, exchange.left, exchange.right);
  const bool failed =
      exchange.left.failure || exchange.right.failure || exchange.left.passing || exchange.right.passing;
  if (!failed && (exchange.verdict.judgement == Judgement::differ || exchange.verdict.unseen > 0)) {
    std::optional<Exchange> again = run_both(sides, asked.sent.line);
    if (!again) return false;
    const bool passed = exchange.verdict.judgement == Judgement::differ && !misses_a_member(exchange.verdict);
    if (passed && again->verdict.judgement != Judgement::differ) {
      exchange.verdict = passing(exchange.verdict);
    } else {
      exchange = std::move(*again);
    }
  }
  const Release release = oracle::release_for(asked.sent.asked(), sides.release).value_or(sides.release);
  const ShownCase shown = shown_case(asked.sent, release);
  const Decision& decision = shown.decision;
  const auto ineffective = ineffective_classes(asked.sent.question, release, decision);
  const Verdict& verdict = exchange.verdict;
  oracle::BrokenRule broken;
  Tally part;
  part.cases = 1;
  part.behaviours.add(shown.signature);
  part.nominated = decision.outcome == Outcome::nominated ? 1 : 0;
  for (const auto& [name, is_described] : ineffective) ++part.ineffective_eviction[name];
  if (exchange.left.answer.contains("outcome")) ++part.outcomes[exchange.left.answer["outcome"].dump()];
  part.count(verdict.nodes);
  if (verdict.judgement == Judgement::skipped) {
    ++part.skipped[verdict.kind];
  } else if (verdict.judgement == Judgement::agree) {
    ++part.agree;
  } else {
    ++part.differ;
    broken = rule_of(sides, asked.sent, exchange);
    ++part.by_clause[broken.clause];
  }
  add(part, asked.number / k_cases_in_a_block, asked.number % k_cases_in_a_block + 1);
  // A witness is shrunk with the release's own configuration.
  if (!asked.sent.line.contains("config")) shrink_ineffective(asked, sides.release, ineffective);
  if (verdict.judgement == Judgement::differ) follow(sides, asked.sent, exchange, broken, asked.number);
  return true;
}

bool Campaign::judge_block(Pair& pair, const Block& block) {
  const std::uint64_t first = block.number * k_cases_in_a_block + block.first;
  Participants sides{pair.left, pair.right, find_release(pair.left.release()).value().release};
  std::vector<SentQuestion> questions;
  std::vector<std::string> lines;
  for (std::uint64_t i = block.first; i < k_cases_in_a_block; ++i) {
    questions.push_back(
        numbered_question(setup_.questions, scenarios_[0], setup_.seed, first + questions.size()));
    lines.push_back(questions.back().line.dump());
  }
  for (std::size_t first_asked = 0; first_asked < lines.size();) {
    std::vector<Reply> left = pair.left.ask(std::span(lines).subspan(first_asked));
    std::vector<Reply> right = pair.right.ask(std::span(lines).subspan(first_asked, left.size()));
    if (right.empty()) return false;
    for (std::size_t i = 0; i < right.size(); ++i, ++first_asked) {
      const Case asked{questions[first_asked], first + first_asked};
      if (!judge_case(sides, asked, {std::move(left[i]), std::move(right[i]), {}})) return false;
    }
  }
  return true;
}

bool Campaign::judge_engines(std::uint64_t block) {
  const Scenarios& scenarios = scenarios_[block % scenarios_.size()];
  optimized::Workers workers(1);
  EnginesBlock asked = ask_engines(scenarios, setup_.seed, block,
                                   [&](const optimized::Snapshot& snapshot, const Question& question) {
                                     return oracle::optimized_answer(snapshot, question, workers);
                                   });
  if (asked.differ.empty()) {
    add(asked.tally, block, k_cases_in_a_block);
  } else {
    judge_again(scenarios.release, asked, block);
  }
  return !stop_;
}

/// Repeats the differing cases of a block as JSON: the decision, or the whole cycle if it alone differs. Then
/// follows the differences up.
void Campaign::judge_again(const Release& release, EnginesBlock& asked, std::uint64_t block) {
  CampaignSetup setup = for_release(setup_, release);
  setup.questions.command = oracle::Command::run;
  Pair decisions(setup, stop_);
  setup.questions.command = oracle::Command::schedule;
  Pair cycles(setup, stop_);
  if (decisions.begin() || cycles.begin()) assert(false);  // engines always begin
  const auto sides_of = [&](const EnginesDiffer& each) {
    return each.in_cycle_alone ? Participants{cycles.left, cycles.right, release}
                               : Participants{decisions.left, decisions.right, release};
  };
  std::vector<Repeated> repeated;
  for (const EnginesDiffer& each : asked.differ) {
    Participants sides = sides_of(each);
    repeated.push_back(repeat(sides, each));
    ++asked.tally.by_clause[repeated.back().broken.clause];
  }
  add(asked.tally, block, k_cases_in_a_block);
  for (std::size_t i = 0; i < repeated.size(); ++i) {
    Participants sides = sides_of(asked.differ[i]);
    follow(sides, repeated[i].sent, repeated[i].exchange, repeated[i].broken, asked.differ[i].number);
  }
}

void Campaign::work() {
  std::optional<Error> error;
  std::optional<Pair> pair;
  if (!are_engines(setup_)) error = pair.emplace(setup_, stop_).begin();
  if (!error) {
    while (const std::optional<Block> block = next_block()) {
      if (pair ? !judge_block(*pair, *block) : !judge_engines(block->number)) break;
    }
  }
  const std::lock_guard lock(mutex_);
  if (error && error->code != "stopped") end_by(error);
  --working_;
}

void Campaign::add(const Tally& part, std::uint64_t block, std::uint64_t cases_judged) {
  const std::lock_guard lock(mutex_);
  tally_.add(part);
  tally_.judged(block, cases_judged);
}

std::optional<Error> Campaign::write() {
  if (setup_.out.empty()) return std::nullopt;
  Tally now;
  {
    const std::lock_guard lock(mutex_);
    tally_.seconds = seconds_before_ + seconds_since(start_);
    now = tally_;
  }
  return write_tally(setup_.out / "campaign.json", now);
}

Progress Campaign::progress() {
  const std::lock_guard lock(mutex_);
  Progress now;
  now.cases = tally_.cases;
  now.cases_of_session = tally_.cases - cases_before_;
  now.seconds_of_session = seconds_since(start_);
  now.differ = tally_.differ;
  for (const auto& [what, count] : tally_.skipped) now.skipped += count;
  now.behaviours = tally_.behaviours.seen();
  now.next_new = tally_.behaviours.next_new();
  now.by_clause = tally_.by_clause;
  now.shrinking = shrinking_ > 0;
  return now;
}

/// Plans the campaign: identities, scenarios and the first block.
std::optional<Error> Campaign::begin() {
  Result<CampaignPlan> plan = plan_of(setup_, stop_asked_);
  if (!plan) return plan.error();
  scenarios_ = std::move(plan.value().scenarios);
  tally_.setup = std::move(plan.value().identity);
  tally_.shard = setup_.shard;
  tally_.shards = {setup_.shard.number};
  tally_.next_block = setup_.shard.number;
  return std::nullopt;
}

Result<Tally> Campaign::run(const std::function<void(const Progress&)>& show) {
  if (const std::optional<Error> error = begin()) return *error;
  if (const std::optional<Error> error = resume()) return *error;
  seconds_before_ = tally_.seconds;
  cases_before_ = tally_.cases;
  cases_handed_out_ = tally_.cases;
  next_ = tally_.next_block;
  start_ = Clock::now();
  if (const std::optional<Error> error = write()) return *error;

  working_ = setup_.jobs;
  std::vector<std::thread> threads;
  for (std::size_t i = 0; i < setup_.jobs; ++i) threads.emplace_back([this] { work(); });
  Clock::time_point written = Clock::now();
  for (bool working = true; working;) {
    std::this_thread::sleep_for(k_show_period);
    if (stop_asked_ || Clock::now() - start_ >= setup_.time_most.value_or(k_no_end)) stop_ = true;
    show(progress());
    if (Clock::now() - written >= k_write_period) {
      const std::optional<Error> error = write();
      const std::lock_guard lock(mutex_);
      end_by(error);
      written = Clock::now();
    }
    const std::lock_guard lock(mutex_);
    working = working_ > 0;
  }
  for (std::thread& thread : threads) thread.join();
  if (error_) return *error_;
  if (const std::optional<Error> error = write()) return *error;
  tally_.seconds = seconds_before_ + seconds_since(start_);
  return tally_;
}

}  // namespace
Result<Tally> run_campaign(const CampaignSetup& setup, const std::atomic<bool>& stop,
                           const std::function<void(const Progress&)>& show) {
  return Campaign(setup, stop).run(show);
}

}  // namespace touchstone::fuzz
