#include "conformance/suite.hpp"

#include <algorithm>
#include <cctype>

#include "conformance/timelines.hpp"
#include "fuzz/behaviour/coverage_selection.hpp"
#include "fuzz/campaign/questions.hpp"
#include "fuzz/hash.hpp"
#include "kubernetes/configuration/early_configuration.hpp"
#include "kubernetes/objects/question.hpp"
#include "kubernetes/text/bytes.hpp"
#include "oracle/protocol/placement_answer.hpp"

namespace touchstone::conformance {

namespace {

/// What the names of generated cases begin with.
constexpr std::string_view k_generated = "generated/";

std::size_t answers_in(const Json& ours) {
  for (const char* key : {"admissible", "best"}) {
    if (ours.contains(key) && !ours.at(key).empty()) return ours.at(key).size();
  }
  return 1;
}

/// A text without its numbers: texts that differ in numbers alone show the same rule.
std::string shape_of(const std::string& text) {
  std::string shape;
  for (const char c : text) {
    const bool is_digit = std::isdigit(static_cast<unsigned char>(c)) != 0;
    if (!is_digit) shape += c;
    if (is_digit && !shape.ends_with('#')) shape += '#';
  }
  return shape;
}

/// The shapes of the texts in an answer: the statuses of nodes, and the message.
std::set<std::string> texts_in(const Json& ours) {
  std::set<std::string> texts;
  for (const char* key : {"filter", "dryRun"}) {
    const Json statuses = ours.value(key, Json::object());
    for (const Json& status : statuses) texts.insert(key + shape_of(status.dump()));
  }
  for (const char* key : {"message", "ineligible", "reason"}) {
    if (ours.contains(key)) texts.insert(key + shape_of(ours.at(key).dump()));
  }
  return texts;
}

/// The path of a file of the project, from its root.
std::string path_in_project(const std::string& path) {
  for (const char* const directory : {"spec/vectors/", "faults/clusters/"}) {
    const std::size_t at = path.rfind(directory);
    if (at != std::string::npos) return path.substr(at);
  }
  return path;
}

bool is_mistake(const std::string& name) { return name.starts_with(k_mistakes); }

/// Sets the features that a case needs, and the answer of the reference. False if the reference has none: the
/// release does not read the configuration, something is not modelled, or fuzz::finds_any_node().
bool add_answer(Case& one, const Question& question, const NamedRelease& named) {
  one.needed = features_needed(question, one.command, one.question);
  const Result<NamedRelease> release = oracle::configured_for(one.question, one.name, question.pod, named);
  if (!release) return false;
  if (fuzz::finds_any_node(one.question, one.command, named.release)) return false;
  const oracle::Decider& decider = oracle::reference_decider();
  const oracle::Wanted wanted{one.question.contains("anyOrder"), false};
  one.ours = one.command == oracle::Command::run
                 ? oracle::answer_of(question, release.value(), wanted, oracle::Engine::reference, decider)
                 : oracle::placement_answer(question, release.value(), oracle::Engine::reference, decider);
  one.answers = answers_in(one.ours);
  return one.ours.contains("outcome") && !one.ours.contains("skipped");
}

/// Collects the cases of all levels for one release.
class Builder {
 public:
  Builder(const NamedRelease& named, const std::set<LevelId>& wanted) : named_(named), wanted_(wanted) {
    for (const Level& level : levels()) suites_.push_back({&level, {}, ""});
  }

  /// Builds only the case with this name.
  void restrict_to(const std::string& name) { name_ = name; }

  std::optional<Error> add_vector(const oracle::VectorFile& file, const oracle::VectorCase& each) {
    // The name of a case does not depend on the wanted levels.
    std::string name = each.name;
    if (!names_.insert(name).second) name += "-of-" + file.path.stem().string();
    if (!is_named(name)) return std::nullopt;
    const bool is_example = file.path.parent_path().filename() == "examples" || is_mistake(each.name);
    return add({.name = name,
                .source = path_in_project(file.path.generic_string()),
                .command = file.command,
                .question = each.question,
                .needed = {},
                .ours = {},
                .answers = 1,
                .example_of = is_example ? each.clauses : std::vector<std::string>()},
               std::nullopt);
  }

  /// Adds a timeline to Time, if the reference has an answer to each command.
  void add_timeline(const std::string& name, const std::string& source, const std::vector<Json>& commands,
                    const std::vector<std::string>& example_of = {}) {
    if (!wanted_.contains(LevelId::time) || !is_named(name)) return;
    std::optional<Case> one = timeline_case(name, source, commands, named_.release);
    if (!one) return;
    one->example_of = example_of;
    const bool is_new = timelines_.insert(one->question.dump()).second;
    if (is_new || !example_of.empty()) suite(LevelId::time).cases.push_back(*std::move(one));
  }

  void add_timeline(const oracle::RecordedTimeline& each) {
    if (is_mistake(each.name)) {
      add_timeline(each.name, "faults/timelines.jsonl", each.commands, each.clauses);
    } else {
      add_timeline(each.name, "spec/vectors/time", each.commands);
    }
  }

  /// Adds generated cases to a level, from clusters that have the families of the levels up to it. The cases
  /// of Cycle also have generated configurations, but no Policy: that is of Extenders.
  void generate(const Level& level, const std::atomic<bool>& stop) {
    if (!name_.empty() && !name_.starts_with(k_generated)) return;
    if (level.id == LevelId::time) return generate_timelines(level, stop);
    const fuzz::Scenarios scenarios = scenarios_of(level);
    fuzz::QuestionPlan plan;
    if (level.id >= LevelId::scores) plan.command = oracle::Command::schedule;
    plan.configurations.are_random =
        level.id == LevelId::cycle && !kubernetes::reads_early_configuration(named_.release);
    const std::size_t enough = suite(level.id).cases.size() + level.generated;
    for (std::uint64_t number = 0; number < level.generated_at_most && !stop; ++number) {
      if (suite(level.id).cases.size() == enough) break;
      const std::string name =
          std::string(k_generated) + std::string(level.name) + "-" + std::to_string(number);
      if (!is_named(name)) continue;
      fuzz::SentQuestion sent = fuzz::numbered_question(plan, scenarios, k_suite_seed, number);
      const LevelId likely =
          level_of_question(features_needed(sent.question, sent.command, sent.line), 1, true);
      // Whether nodes tie is not known before the answer.
      if (likely != (level.id == LevelId::ties ? LevelId::core : level.id)) continue;
      add({.name = name,
           .source = "",
           .command = sent.command,
           .question = std::move(sent.line),
           .needed = {},
           .ours = {},
           .answers = 1},
          level.id);
    }
  }

  std::vector<Suite> finished() {
    choose_messages();
    std::vector<Suite> done;
    for (Suite& each : suites_) {
      if (!wanted_.contains(each.level->id)) continue;
      fuzz::Fnv1a hash;
      for (const Case& one : each.cases) {
        hash.add(one.name);
        hash.add(" " + std::string(command_of(one)) + " ");
        hash.add(one.question.dump());
      }
      each.hash = fuzz::hex_of(hash.value());
      done.push_back(std::move(each));
    }
    return done;
  }

  bool wants(LevelId id) const { return wanted_.contains(id) || wanted_.contains(LevelId::messages); }

 private:
  void generate_timelines(const Level& level, const std::atomic<bool>& stop) {
    if (!queue_is_modelled(named_.release.version)) return;
    const fuzz::TimelinePlan plan = fuzz::campaign_timelines(named_.release);
    for (std::uint64_t number = 0; number < level.generated && !stop; ++number) {
      const std::string name =
          std::string(k_generated) + std::string(level.name) + "-" + std::to_string(number);
      if (is_named(name))
        add_timeline(name, "", fuzz::lines_of(fuzz::numbered_timeline(plan, k_suite_seed, number)));
    }
  }

  bool is_named(const std::string& name) const { return name_.empty() || name == name_; }

  Suite& suite(LevelId id) { return suites_[static_cast<std::size_t>(id)]; }

  fuzz::Scenarios scenarios_of(const Level& level) const {
    fuzz::Scenarios scenarios = fuzz::all_scenarios(named_.release);
    scenarios.families = level.families;
    if (level.id == LevelId::ties) return scenarios;
    for (const Level& each : levels()) {
      const bool is_left_out = each.id == LevelId::sampling && level.id != LevelId::sampling;
      if (each.id <= level.id && !is_left_out)
        scenarios.families.insert(each.families.begin(), each.families.end());
    }
    return scenarios;
  }

  /// Whether a wanted level may have a question that needs these features, whatever its answer is.
  bool may_be_wanted(const std::set<std::string_view>& needed) const {
    return wants(level_of_question(needed, 1, true)) || wants(level_of_question(needed, 2, true)) ||
           wants(level_of_question(needed, 1, false));
  }

  /// Adds a case to the level of its question. With `only`, a case of another level is left out.
  std::optional<Error> add(Case one, std::optional<LevelId> only) {
    const Result<Question> read = kubernetes::read_question_text(one.question.dump(), one.name);
    if (!read) return read.error();
    if (!may_be_wanted(features_needed(read.value(), one.command, one.question))) return std::nullopt;
    if (!add_answer(one, read.value(), named_)) return std::nullopt;
    const LevelId level = level_of_question(one.needed, one.answers, one.ours.contains("scores"));
    if (only && level != *only) return std::nullopt;
    if (!wants(level)) return std::nullopt;
    // Each worked example stays, because each names clauses.
    const bool is_new = seen_.emplace(one.command, one.question.dump()).second;
    if (is_new || !one.example_of.empty()) suite(level).cases.push_back(std::move(one));
    return std::nullopt;
  }

  /// Chooses the cases of Messages: all mistakes, and cases that together show each shape of a text twice, if
  /// two cases do.
  void choose_messages() {
    if (!wanted_.contains(LevelId::messages)) return;
    std::vector<fuzz::Choosable> choosable;
    std::vector<const Case*> cases;
    std::vector<std::size_t> mistakes;
    for (const Suite& each : suites_) {
      if (each.level->id == LevelId::time) break;  // timelines have no texts of nodes
      for (const Case& one : each.cases) {
        if (is_mistake(one.name)) mistakes.push_back(cases.size());
        // Of later levels only the mistakes: a text alone may show one.
        if (each.level->id >= LevelId::messages && !is_mistake(one.name)) continue;
        const bool is_later = each.level->id > LevelId::messages;
        choosable.push_back(
            {one.question.dump().size(), is_later ? std::set<std::string>() : texts_in(one.ours)});
        cases.push_back(&one);
      }
    }
    std::vector<std::size_t> wanted = fuzz::chosen(choosable, 2);
    for (const std::size_t i : mistakes) {
      if (std::find(wanted.begin(), wanted.end(), i) == wanted.end()) wanted.push_back(i);
    }
    std::vector<Case> chosen;
    for (const std::size_t i : wanted) {
      Case one = *cases[i];
      one.needed.insert("message");
      chosen.push_back(std::move(one));
    }
    suite(LevelId::messages).cases = std::move(chosen);
  }

  const NamedRelease& named_;
  const std::set<LevelId>& wanted_;
  std::string name_;  ///< of the only case to build; empty: all
  std::vector<Suite> suites_;
  std::set<std::pair<oracle::Command, std::string>> seen_;
  std::set<std::string> names_;
  std::set<std::string> timelines_;
};

}  // namespace

std::string_view command_of(const Case& one) {
  return one.is_timeline() ? "timeline" : oracle::name_of(one.command);
}

Result<std::vector<oracle::VectorFile>> read_mistakes(const std::filesystem::path& directory) {
  std::vector<std::filesystem::path> paths;
  std::error_code failure;
  for (const auto& entry : std::filesystem::directory_iterator(directory, failure))
    paths.push_back(entry.path());
  if (failure) return Error{"file-unreadable", directory.string(), failure.message()};
  std::sort(paths.begin(), paths.end());
  std::vector<oracle::VectorFile> files;
  for (const std::filesystem::path& path : paths) {
    const Result<std::string> text = kubernetes::read_bytes(path.string(), kubernetes::Progress());
    if (!text) return text.error();
    try {
      const Json json = Json::parse(text.value());
      const std::string clause = json.at("clause");
      oracle::VectorFile& file = files.emplace_back();
      file.path = path;
      file.command = clause.starts_with("PRE-") ? oracle::Command::run : oracle::Command::schedule;
      oracle::VectorCase& one = file.cases.emplace_back();
      one.name = std::string(k_mistakes) + path.stem().string();
      one.clauses = {clause};
      one.question = json.at("question");
      if (clause.starts_with("PRE-ANYORDER-")) one.question["anyOrder"] = true;
    } catch (const Json::parse_error& broken) {
      return Error{"json-malformed", path.string(), oracle::complaint_of(broken)};
    } catch (const Json::exception& broken) {
      return Error{"vector-malformed", path.string(), oracle::complaint_of(broken)};
    }
  }
  return files;
}

Result<std::vector<Suite>> suites_of(const FixedCases& fixed, const NamedRelease& release,
                                     const std::set<LevelId>& wanted,
                                     const std::function<void(std::size_t)>& progress,
                                     const std::atomic<bool>& stop, const Selection& selection) {
  Builder builder(release, wanted);
  // The choice of the cases of Messages needs all cases of the other levels.
  if (!wanted.contains(LevelId::messages)) builder.restrict_to(selection.only);
  std::size_t done = 0;
  for (const oracle::VectorFile& file : fixed.vectors) {
    for (const oracle::VectorCase& each : file.cases) {
      if (stop) break;
      if (const auto error = builder.add_vector(file, each)) return *error;
      progress(++done);
    }
  }
  for (const oracle::RecordedTimeline& each : fixed.timelines) builder.add_timeline(each);
  for (const Level& level : levels()) {
    if (selection.generates && builder.wants(level.id)) builder.generate(level, stop);
  }
  return builder.finished();
}

std::optional<Case> find_case(const FixedCases& fixed, const NamedRelease& release, const Level& level,
                              const std::string& name) {
  const std::set<LevelId> wanted = {level.id};
  Builder builder(release, wanted);
  builder.restrict_to(name);
  for (const oracle::VectorFile& file : fixed.vectors) {
    for (const oracle::VectorCase& each : file.cases) {
      if (builder.add_vector(file, each)) return std::nullopt;
    }
  }
  for (const oracle::RecordedTimeline& each : fixed.timelines) builder.add_timeline(each);
  const std::atomic<bool> go_on = false;
  for (const Level& each : levels()) {
    if (builder.wants(each.id)) builder.generate(each, go_on);
  }
  const std::vector<Suite> suites = builder.finished();
  return suites.front().cases.empty() ? std::nullopt : std::optional(suites.front().cases.front());
}

std::optional<Case> with_question(const Case& one, const Json& question, const NamedRelease& release) {
  if (one.is_timeline()) return timeline_case(one.name, one.source, question.at("commands"), release.release);
  const Result<Question> read = kubernetes::read_question_text(question.dump(), one.name);
  if (!read) return std::nullopt;
  Case changed = one;
  changed.question = question;
  changed.example_of.clear();
  if (!add_answer(changed, read.value(), release)) return std::nullopt;
  return changed;
}

std::map<std::string, PublishedSuite> published_of(const std::vector<Suite>& suites) {
  std::map<std::string, PublishedSuite> published;
  for (const Suite& each : suites) published[std::string(each.level->name)] = {each.cases.size(), each.hash};
  return published;
}

Result<Published> read_published(const std::string& file) {
  const Result<std::string> text = kubernetes::read_bytes(file, kubernetes::Progress());
  if (!text) return text.error();
  try {
    const Json json = Json::parse(text.value());
    Published published{json.at("version").get<int>(), {}};
    for (const auto& [release, suites] : json.at("releases").items()) {
      for (const auto& [level, suite] : suites.items())
        published.releases[release][level] = {suite.at("cases").get<std::size_t>(),
                                              suite.at("hash").get<std::string>()};
    }
    return published;
  } catch (const Json::exception& broken) {
    return Error{"json-malformed", file, oracle::complaint_of(broken)};
  }
}

std::optional<Error> write_published(const std::string& file, const Published& published) {
  Json json{{"version", published.version}, {"releases", Json::object()}};
  for (const auto& [release, suites] : published.releases) {
    for (const auto& [level, suite] : suites)
      json["releases"][release][level] = {{"cases", suite.cases}, {"hash", suite.hash}};
  }
  return kubernetes::write_bytes(file, json.dump(1) + "\n");
}

}  // namespace touchstone::conformance
