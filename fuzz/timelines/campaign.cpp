#include "fuzz/timelines/campaign.hpp"

#include <algorithm>
#include <mutex>
#include <nlohmann/json.hpp>
#include <thread>

#include "fuzz/campaign/difference_text.hpp"
#include "fuzz/hash.hpp"
#include "fuzz/timelines/campaign_tally.hpp"
#include "fuzz/timelines/parts.hpp"
#include "kubernetes/text/bytes.hpp"
#include "oracle/protocol/parts.hpp"
#include "oracle/protocol/timeline.hpp"
#include "oracle/protocol/timeline_state.hpp"

namespace touchstone::fuzz {

namespace {

using SteadyClock = std::chrono::steady_clock;

double elapsed_since(SteadyClock::time_point start) {
  return std::chrono::duration<double>(SteadyClock::now() - start).count();
}

/// The timeline as a vector of spec/vectors/time.
Json timeline_vector_of(const ShrunkTimeline& shrunk) {
  std::vector<Json> answers = shrunk.answers;
  for (Json& answer : answers) answer.erase("seq");
  answers.resize(shrunk.lines.size(), Json::object());
  return {{"name", "timelines/" + shrunk.found.hash},
          {"release", shrunk.lines.front()["release"]},
          {"clauses", shrunk.difference.clauses},
          {"recorded", true},
          {"commands", shrunk.lines},
          {"answers", answers}};
}

std::string command_text_of(const TimelineSubject& subject) {
  std::string text;
  for (const std::string& word : subject.command()) text += " " + word;
  return text;
}

/// Compares the answers to a timeline with those of the model of its part.
std::optional<StepDifference> lines_difference(const std::vector<Json>& lines,
                                               const TimelineAnswers& played) {
  if (!part_of_lines(lines).empty()) return part_difference(lines, played);
  return difference_of(script_of(lines).value(), played);
}

/// Shrinks a timeline of any part.
void shrink_lines(const std::vector<Json>& lines,
                  const std::function<bool(const std::vector<Json>&)>& still_shows) {
  if (!part_of_lines(lines).empty()) {
    shrink_part(lines, still_shows);
  } else {
    shrink_timeline(script_of(lines).value(),
                    [&](const TimelineScript& smaller) { return still_shows(lines_of(smaller)); });
  }
}

class TimelineCampaign {
 public:
  TimelineCampaign(const TimelineCampaignSetup& setup, const std::atomic<bool>& stop)
      : setup_(setup), asked_(stop) {}

  Result<TimelineTally> run(const std::function<void(const TimelineProgress&)>& show);

 private:
  std::optional<Error> begin();
  std::optional<Error> resume();
  std::optional<std::uint64_t> next_number();
  void work();
  bool judge(TimelineSubject& subject, std::uint64_t number);
  std::vector<Json> lines_of_number(std::uint64_t number) const;
  void follow(TimelineSubject& subject, std::vector<Json> lines, const StepDifference& difference,
              std::uint64_t number);
  void end_by(const std::optional<Error>& error);
  std::optional<Error> save();
  TimelineProgress progress();

  const TimelineCampaignSetup& setup_;
  const std::atomic<bool>& asked_;
  std::atomic<bool> stop_ = false;
  std::optional<TimelinePlan> plan_;
  SteadyClock::time_point start_ = SteadyClock::now();

  std::mutex mutex_;  ///< guards all members below
  TimelineTally tally_;
  double seconds_before_ = 0;
  std::uint64_t timelines_before_ = 0;
  std::uint64_t handed_out_ = 0;
  std::uint64_t next_ = 0;
  std::map<std::string, std::size_t> examples_;  ///< by part and clause
  std::size_t shrinking_ = 0;
  std::size_t working_ = 0;
  std::optional<Error> error_;
};

std::optional<Error> TimelineCampaign::begin() {
  TimelineSubject subject(setup_.subject, setup_.make, asked_);
  if (std::optional<Error> error = subject.begin()) return error;
  const Release release = find_release(subject.release()).value().release;
  const std::string reason = setup_.part.empty() ? oracle::not_modelled_over_time(release)
                                                 : oracle::part_not_modelled(setup_.part, release.version);
  if (!reason.empty()) return Error{"not-modelled", "--release", reason};
  plan_ = campaign_timelines(release);
  tally_.setup = {{"subject", subject.identity()},
                  {"release", subject.release()},
                  {"seed", setup_.seed},
                  {"shard", std::to_string(setup_.shard.number) + "/" + std::to_string(setup_.shard.count)}};
  if (!setup_.part.empty()) tally_.setup["part"] = setup_.part;
  tally_.next = setup_.shard.number;
  return std::nullopt;
}

std::optional<Error> TimelineCampaign::resume() {
  const std::filesystem::path file = setup_.out / "campaign.json";
  if (setup_.out.empty() || !std::filesystem::exists(file)) return std::nullopt;
  Result<TimelineTally> before = read_timeline_tally(file);
  if (!before) return before.error();
  if (before.value().setup != tally_.setup)
    return Error{"campaigns-differ", file.string(),
                 "expected a directory without a campaign, or with the same campaign: same subject, release, "
                 "seed and shard"};
  tally_ = std::move(before).value();
  for (const TimelineFound& found : tally_.found) ++examples_[found.key + " " + found.clause];
  return std::nullopt;
}

std::optional<std::uint64_t> TimelineCampaign::next_number() {
  const std::lock_guard lock(mutex_);
  if (stop_ || (setup_.timelines_most && handed_out_ >= *setup_.timelines_most)) return std::nullopt;
  next_ = std::max(next_, tally_.next);
  while (tally_.done.contains(next_)) next_ += setup_.shard.count;
  ++handed_out_;
  const std::uint64_t number = next_;
  next_ += setup_.shard.count;
  return number;
}

/// Adds the compared commands of a timeline, and its result, to the counts.
void add_timeline(TimelineTally& tally, const std::vector<Json>& lines, const TimelineAnswers& played,
                  const std::optional<StepDifference>& difference) {
  const std::size_t compared = difference ? difference->line : lines.size();
  ++tally.timelines;
  const bool is_skipped = difference && !difference->skipped.empty();
  ++(is_skipped ? tally.skipped[difference->skipped] : difference ? tally.differ : tally.agree);
  tally.commands += compared;
  for (std::size_t i = 0; i < compared; ++i) {
    ++tally.by_command[lines[i].at("cmd").get<std::string>()];
    const auto outcome = played.answers[i].find("outcome");
    if (outcome != played.answers[i].end()) ++tally.outcomes[outcome->get<std::string>()];
  }
  if (difference && !is_skipped) ++tally.by_clause[clause_of(*difference)];
}

std::vector<Json> TimelineCampaign::lines_of_number(std::uint64_t number) const {
  if (setup_.part.empty()) return lines_of(numbered_timeline(*plan_, setup_.seed, number));
  return numbered_part_timeline(setup_.part, plan_->release, setup_.seed, number);
}

/// Plays and judges a timeline. Returns false if a stop prevented that.
bool TimelineCampaign::judge(TimelineSubject& subject, std::uint64_t number) {
  const std::vector<Json> lines = lines_of_number(number);
  TimelineAnswers played = subject.play(lines);
  if (played.stopped) return false;
  std::optional<StepDifference> difference = lines_difference(lines, played);
  if (difference && difference->skipped.empty()) {
    played = subject.play(lines);
    if (played.stopped) return false;
    const std::optional<StepDifference> again = lines_difference(lines, played);
    if (again && again->key == difference->key) {
      difference = again;
    } else {
      difference->key = "not repeated: " + difference->key;
    }
  }
  {
    const std::lock_guard lock(mutex_);
    add_timeline(tally_, lines, played, difference);
    tally_.done.insert(number);
    for (; tally_.done.contains(tally_.next); tally_.next += setup_.shard.count)
      tally_.done.erase(tally_.next);
  }
  if (difference && difference->skipped.empty()) follow(subject, lines, *difference, number);
  return true;
}

/// Shrinks and saves a difference, unless enough of its part and clause are saved.
void TimelineCampaign::follow(TimelineSubject& subject, std::vector<Json> lines,
                              const StepDifference& difference, std::uint64_t number) {
  const std::string example = difference.key + " " + clause_of(difference);
  {
    const std::lock_guard lock(mutex_);
    if (examples_[example] >= setup_.examples_each) return;
    ++examples_[example];
    ++shrinking_;
  }
  ShrunkTimeline shrunk{{}, lines, difference, {}};
  std::size_t asks = 0;
  const auto still_shows = [&](const std::vector<Json>& smaller) {
    if (stop_ || ++asks > setup_.shrink_asks) return false;
    const std::optional<ShrunkTimeline> shows = replay_timeline(subject, smaller);
    if (!shows || !shows->difference.skipped.empty() || shows->difference.key != difference.key) return false;
    shrunk = *shows;
    return true;
  };
  lines.resize(std::min(lines.size(), difference.line + 1));
  if (still_shows(lines)) shrink_lines(lines, still_shows);
  TimelineFound& found = shrunk.found;
  found.key = shrunk.difference.key;
  found.clause = clause_of(shrunk.difference);
  found.number = number;
  found.commands = shrunk.lines.size() - 1;
  found.nodes = shrunk.lines.front().value("nodes", Json::array()).size();
  found.pods = shrunk.lines.front().value("pods", Json::array()).size();
  found.hash = hash_of(found.key + found.clause + Json(shrunk.lines).dump());
  const std::lock_guard lock(mutex_);
  --shrinking_;
  const auto same = [&](const TimelineFound& known) { return known.hash == found.hash; };
  if (std::any_of(tally_.found.begin(), tally_.found.end(), same)) return;
  tally_.found.push_back(found);
  if (setup_.out.empty()) return;
  const std::filesystem::path file = setup_.out / "differences" / (found.hash + ".jsonl");
  std::error_code failure;  // write_bytes() reports it
  std::filesystem::create_directories(file.parent_path(), failure);
  end_by(kubernetes::write_bytes(file, timeline_vector_of(shrunk).dump() + "\n"));
  end_by(kubernetes::write_bytes(setup_.out / "differences" / (found.hash + ".txt"),
                                 report_of(shrunk, subject, portable(file).string())));
}

/// Ends the campaign if there is an error. Requires: the mutex is held.
void TimelineCampaign::end_by(const std::optional<Error>& error) {
  if (!error) return;
  error_ = error;
  stop_ = true;
}

void TimelineCampaign::work() {
  TimelineSubject subject(setup_.subject, setup_.make, stop_);
  const std::optional<Error> error = subject.begin();
  while (!error) {
    const std::optional<std::uint64_t> number = next_number();
    if (!number || !judge(subject, *number)) break;
  }
  const std::lock_guard lock(mutex_);
  if (error && error->code != "stopped") end_by(error);
  --working_;
}

std::optional<Error> TimelineCampaign::save() {
  if (setup_.out.empty()) return std::nullopt;
  std::string text;
  {
    const std::lock_guard lock(mutex_);
    tally_.seconds = seconds_before_ + elapsed_since(start_);
    text = json_of(tally_).dump(2) + "\n";
  }
  std::error_code failure;  // write_bytes() reports it
  std::filesystem::create_directories(setup_.out, failure);
  return kubernetes::write_bytes(setup_.out / "campaign.json", text);
}

TimelineProgress TimelineCampaign::progress() {
  const std::lock_guard lock(mutex_);
  return {tally_.timelines,      tally_.timelines - timelines_before_,
          elapsed_since(start_), tally_.differ,
          tally_.by_clause,      shrinking_ > 0};
}

Result<TimelineTally> TimelineCampaign::run(const std::function<void(const TimelineProgress&)>& show) {
  constexpr std::chrono::milliseconds k_show_every{100};
  constexpr std::chrono::seconds k_save_every{5};
  if (const std::optional<Error> error = begin()) return *error;
  if (const std::optional<Error> error = resume()) return *error;
  seconds_before_ = tally_.seconds;
  timelines_before_ = handed_out_ = tally_.timelines;
  start_ = SteadyClock::now();
  if (const std::optional<Error> error = save()) return *error;
  working_ = setup_.jobs;
  std::vector<std::thread> threads;
  for (std::size_t i = 0; i < setup_.jobs; ++i) threads.emplace_back([this] { work(); });
  SteadyClock::time_point saved = SteadyClock::now();
  for (bool works = true; works;) {
    std::this_thread::sleep_for(k_show_every);
    const bool is_over = setup_.time_most && SteadyClock::now() - start_ >= *setup_.time_most;
    if (asked_ || is_over) stop_ = true;
    show(progress());
    if (SteadyClock::now() - saved >= k_save_every) {
      const std::optional<Error> error = save();
      const std::lock_guard lock(mutex_);
      end_by(error);
      saved = SteadyClock::now();
    }
    const std::lock_guard lock(mutex_);
    works = working_ > 0;
  }
  for (std::thread& thread : threads) thread.join();
  if (error_) return *error_;
  if (const std::optional<Error> error = save()) return *error;
  tally_.seconds = seconds_before_ + elapsed_since(start_);
  return tally_;
}

}  // namespace

std::optional<ShrunkTimeline> replay_timeline(TimelineSubject& subject, const std::vector<Json>& lines) {
  if (part_of_lines(lines).empty()) {
    const TimelineScript script = script_of(lines).value();
    const std::unique_ptr<TimelineModel> model = reference::timeline_model();
    if (model->begin(script.release, script.now_ns, script.objects)) return std::nullopt;
  }
  const TimelineAnswers played = subject.play(lines);
  if (played.stopped) return std::nullopt;
  const std::optional<StepDifference> difference = lines_difference(lines, played);
  if (!difference) return std::nullopt;
  ShrunkTimeline shown{{}, lines, *difference, played.answers};
  shown.lines.resize(std::min(lines.size(), difference->line + 1));
  return shown;
}

std::string report_of(const ShrunkTimeline& shrunk, const TimelineSubject& subject,
                      const std::string& vector) {
  const StepDifference& difference = shrunk.difference;
  const std::vector<Json>& lines = shrunk.lines;
  std::string text = subject.name() + " differs from touchstone-reference in " + difference.key +
                     ", after command " + std::to_string(difference.line) + " of " +
                     std::to_string(lines.size() - 1) + "\n\n";
  for (std::size_t i = 0; i < lines.size(); ++i) text += std::to_string(i) + "  " + lines[i].dump() + "\n";
  text += "\nsubject:    " + difference.given + "\nreference:  " + difference.ours + "\nclauses:   ";
  for (const std::string& clause : difference.clauses) text += " " + clause;
  text += "\nattributed: " + clause_of(difference) + "\n\nreplay:\n  touchstone fuzz --timelines --replay " +
          vector + " --" + command_text_of(subject) + "\n  touchstone play " + vector + " --clauses\n";
  return text;
}

Result<TimelineTally> run_timeline_campaign(const TimelineCampaignSetup& setup, const std::atomic<bool>& stop,
                                            const std::function<void(const TimelineProgress&)>& show) {
  return TimelineCampaign(setup, stop).run(show);
}

}  // namespace touchstone::fuzz
