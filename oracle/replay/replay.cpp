#include "oracle/replay/replay.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "kubernetes/text/json.hpp"
#include "oracle/protocol/timeline.hpp"
#include "oracle/protocol/timeline_state.hpp"
#include "oracle/protocol/timeline_vectors.hpp"
#include "reference/queue/drive.hpp"
#include "reference/queue/play.hpp"

namespace touchstone::oracle {

namespace {

using reference::World;

/// Whether two worlds have the same possible continuations.
bool have_same_future(const World& a, const World& b) {
  return a.now_ns == b.now_ns && a.queue == b.queue && a.nominations == b.nominations && a.loop == b.loop &&
         a.calls == b.calls && a.preemptions == b.preemptions && a.bindings == b.bindings &&
         a.cache == b.cache && a.events == b.events && a.stored == b.stored && a.seen == b.seen &&
         a.held_kinds == b.held_kinds && a.armed == b.armed && a.next_uid == b.next_uid;
}

/// A state of the model on some path, and what the last commands answered.
struct Reached {
  World world;
  std::vector<Call> calls;  ///< since the last step of the trace
  Json answer;
};

/// The states that were reached, each once.
class Frontier {
 public:
  explicit Frontier(std::size_t most) : most_(most) {}

  /// Returns whether the state is new.
  bool add(Reached reached) {
    std::string key = reached.answer.dump();
    std::vector<std::size_t>& same_answer = by_answer_[std::move(key)];
    const bool is_known = std::any_of(same_answer.begin(), same_answer.end(), [&](std::size_t i) {
      return all_[i].calls == reached.calls && have_same_future(all_[i].world, reached.world);
    });
    if (is_known) return false;
    if (all_.size() >= most_) {
      is_cut_ = true;
      return false;
    }
    same_answer.push_back(all_.size());
    all_.push_back(std::move(reached));
    return true;
  }

  const std::vector<Reached>& all() const { return all_; }
  bool is_cut() const { return is_cut_; }

 private:
  std::size_t most_;
  bool is_cut_ = false;
  std::vector<Reached> all_;
  std::map<std::string, std::vector<std::size_t>> by_answer_;
};

/// The value of a key of an answer, as it is printed. Calls for different pods may come in any order, so they
/// are sorted by pod.
std::string shown(const std::string& key, const std::string& value) {
  Json json = Json::parse(value, nullptr, false);
  if (key != "calls" || !json.is_array()) return value;
  std::stable_sort(json.begin(), json.end(),
                   [](const Json& a, const Json& b) { return a.value("pod", "") < b.value("pod", ""); });
  for (Json& call : json) {
    const nlohmann::json sorted = call;
    call = Json(sorted);
  }
  return json.dump();
}

/// The command of one step of a trace, as it was read.
struct ReadStep {
  std::optional<Beginning> beginning;
  std::optional<TimelineCommand> command;  ///< no value: it is not known
};

/// Errors: those of read_beginning() and read_command().
Result<ReadStep> read_step(const TraceStep& step) {
  ReadStep read;
  if (step.command.is_null()) {
    // Only a cycle has an outcome.
    if (step.answer.contains("outcome")) read.command = CycleCommand{};
    return read;
  }
  const Result<kubernetes::Document> document = kubernetes::Document::parse(step.command.dump(), step.place);
  if (!document) return document.error();
  try {
    const kubernetes::Value line = document.value().root();
    const std::string cmd(line.require("cmd").string());
    if (!is_timeline_command(cmd))
      line.require("cmd").fail("unknown-value", "expected a command about a scheduler over time");
    if (cmd == "init") {
      read.beginning = read_beginning(line);
    } else {
      read.command = read_command(line, cmd);
    }
  } catch (const kubernetes::InvalidInput& invalid) {
    Error error = invalid.error;
    if (!error.path.starts_with(step.place)) error.path = step.place + ": " + error.path;
    return error;
  }
  return read;
}

/// The steps that a trace may leave out.
std::vector<TimelineCommand> hidden_commands(const World& world) {
  std::vector<TimelineCommand> commands = {CycleCommand{}, FlushCommand{Timer::backoff},
                                           FlushCommand{Timer::leftover}};
  for (const WatchedKind kind : world.held_kinds) commands.emplace_back(DeliverCommand{kind, 1});
  return commands;
}

class Replayer {
 public:
  Replayer(const std::vector<TraceStep>& trace, const std::vector<ReadStep>& read, const ReplayLimits& limits,
           std::size_t hidden)
      : trace_(trace), read_(read), limits_(limits), hidden_(hidden) {}

  Result<Replayed> run() {
    std::vector<Reached> now;
    for (std::size_t i = 0; i < trace_.size(); ++i) {
      const ReadStep& read = read_[i];
      Frontier next(limits_.worlds);
      differences_.clear();
      if (read.beginning) {
        if (auto error = begin(i, next)) return *error;
      } else if (now.empty()) {
        return Error{"no-world", trace_[i].place, "expected \"init\" first"};
      } else {
        explain(i, now, next);
      }
      done_.is_cut = done_.is_cut || next.is_cut();
      if (next.all().empty()) {
        done_.unexplained = unexplained(i);
        return done_;
      }
      now = next.all();
      for (Reached& each : now) each.calls.clear();
    }
    done_.hidden = hidden_;
    done_.worlds = now.size();
    return done_;
  }

 private:
  std::optional<Error> begin(std::size_t i, Frontier& next) {
    const Beginning& beginning = *read_[i].beginning;
    Result<World> world = reference::world_of(beginning.release, beginning.now_ns, beginning.objects);
    if (!world) return Error{world.error().code, trace_[i].place, world.error().message};
    StepAnswer first;
    first.state = reference::observe(world.value());
    Reached reached{std::move(world).value(), {}, oracle::json_of(first, false)};
    keep_if_explained(i, std::move(reached), next);
    return std::nullopt;
  }

  /// Adds what explains step `i` to `next`: after no hidden step, after one, and so on.
  void explain(std::size_t i, const std::vector<Reached>& now, Frontier& next) {
    std::vector<Reached> before = now;
    for (std::size_t hidden = 0;; ++hidden) {
      for (const Reached& each : before) take_step(i, each, next);
      if (hidden == hidden_) return;
      Frontier after(limits_.worlds);
      for (const Reached& each : before) {
        for (const TimelineCommand& command : hidden_commands(each.world))
          run_command(each, command, [&after](Reached reached) { after.add(std::move(reached)); });
      }
      done_.is_cut = done_.is_cut || after.is_cut();
      before = after.all();
    }
  }

  void take_step(std::size_t i, const Reached& from, Frontier& next) {
    const auto keep = [&](Reached reached) { keep_if_explained(i, std::move(reached), next); };
    run_command(from, read_[i].command.value_or(TimelineCommand(StateCommand{})), keep);
  }

  /// Runs a command in every order, with every choice.
  template <typename Keep>
  void run_command(const Reached& from, const TimelineCommand& command, Keep keep) {
    const bool is_whole = explore(
        [&](Choices& choices) {
          Reached reached{from.world, from.calls, Json()};
          StepAnswer answer = reference::play(reached.world, command, choices);
          if (answer.error) {
            reached.answer = Json{{"error", answer.error->message}};
          } else {
            reached.calls.insert(reached.calls.end(), answer.calls.begin(), answer.calls.end());
            answer.calls = reached.calls;
            reached.answer = oracle::json_of(answer, false);
          }
          keep(std::move(reached));
        },
        limits_.paths);
    done_.is_cut = done_.is_cut || !is_whole;
  }

  void keep_if_explained(std::size_t i, Reached reached, Frontier& next) {
    const Json& recorded = trace_[i].answer;
    if (!recorded.is_null()) {
      Json found = reached.answer;
      if (!recorded.contains("calls")) found.erase("calls");
      if (const auto difference = answer_difference(recorded, found)) {
        const std::string& key = difference->key;
        differences_.insert({key, shown(key, difference->given), shown(key, difference->ours)});
        return;
      }
    }
    next.add(std::move(reached));
  }

  /// The key in which some path differs last: the order of the keys is that of the comparison.
  Unexplained unexplained(std::size_t i) const {
    const auto rank = [](const std::string& key) {
      return key == "error" ? 0 : key == "calls" ? 1 : key.starts_with("state.") ? 3 : 2;
    };
    Unexplained step{i, trace_[i].place, "", "", {}};
    for (const auto& [key, found, recorded] : differences_) {
      if (step.key.empty() || rank(key) > rank(step.key)) {
        step.key = key;
        step.recorded = recorded;
      }
    }
    for (const auto& [key, found, recorded] : differences_) {
      if (key == step.key) step.admissible.push_back(found);
    }
    return step;
  }

  const std::vector<TraceStep>& trace_;
  const std::vector<ReadStep>& read_;
  const ReplayLimits& limits_;
  std::size_t hidden_;
  Replayed done_;
  /// Of the present step: key, value on a path, value in the trace.
  std::set<std::array<std::string, 3>> differences_;
};

}  // namespace

Result<Replayed> replay(const std::vector<TraceStep>& trace, const ReplayLimits& limits) {
  std::vector<ReadStep> steps;
  for (const TraceStep& step : trace) {
    Result<ReadStep> read = read_step(step);
    if (!read) return read.error();
    if (read.value().beginning) {
      Replayed skipped;
      skipped.skipped = not_modelled_over_time(read.value().beginning->release);
      if (!skipped.skipped.empty()) return skipped;
    }
    steps.push_back(std::move(read).value());
  }
  // Few orders explain most runs, and all orders of one command may be many.
  constexpr std::size_t k_few_paths = 20;
  std::optional<Replayed> best;
  bool is_cut = false;
  for (std::size_t hidden = 0; hidden <= limits.hidden; ++hidden) {
    for (const std::size_t paths : {std::min(k_few_paths, limits.paths), limits.paths}) {
      ReplayLimits few = limits;
      few.paths = paths;
      const Result<Replayed> done = Replayer(trace, steps, few, hidden).run();
      if (!done || !done.value().unexplained) return done;
      const bool goes_further = !best || done.value().unexplained->step > best->unexplained->step;
      const bool tried_more_paths = best && hidden == 0 && best->is_cut;
      if (goes_further || tried_more_paths) best = done.value();
      const bool is_last = paths == limits.paths || !done.value().is_cut;
      is_cut = is_cut || (is_last && done.value().is_cut);
      if (is_last) break;
    }
  }
  best->is_cut = is_cut;
  return *best;
}

}  // namespace touchstone::oracle
