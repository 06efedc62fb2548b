#include "fuzz/campaign/record.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <optional>

#include "fuzz/behaviour/coverage_selection.hpp"
#include "fuzz/campaign/difference.hpp"
#include "fuzz/campaign/verdict.hpp"
#include "oracle/compare/comparison.hpp"
#include "oracle/protocol/vectors.hpp"

namespace touchstone::fuzz {

namespace {

/// The releases of equal answers, as ranges within the list of all releases. `which`: indices, ascending.
std::vector<std::string> ranges_of(const std::vector<std::size_t>& which,
                                   const std::vector<std::string>& releases) {
  std::vector<std::string> ranges;
  for (std::size_t i = 0; i < which.size();) {
    std::size_t last = i;
    while (last + 1 < which.size() && which[last + 1] == which[last] + 1) ++last;
    ranges.push_back(releases[which[i]] + (last > i ? ".." + releases[which[last]] : ""));
    i = last + 1;
  }
  return ranges;
}

/// The JSON of a question, with one Kubernetes object per line.
std::string lines_of(const Json& question) {
  std::string text = "{";
  std::string before;
  for (const auto& [key, value] : question.items()) {
    text += before + "\n  \"" + key + "\": ";
    before = ",";
    if (!value.is_array()) {
      text += value.dump();
      continue;
    }
    std::string between;
    text += "[";
    for (const Json& object : value) {
      text += between + "\n   " + object.dump();
      between = ",";
    }
    text += "]";
  }
  return text + "}";
}

std::string case_text(const NamedQuestion& asked,
                      const std::vector<std::pair<std::vector<std::string>, Json>>& answers) {
  std::string text = "{\"name\": " + Json(asked.name).dump() +
                     ",\n \"clauses\": [],\n \"question\": " + lines_of(asked.question) +
                     ",\n \"answers\": [";
  std::string between;
  for (const auto& [releases, answer] : answers) {
    text += between + "\n  {\"releases\": " + Json(releases).dump() + ", \"answer\": " + answer.dump() + "}";
    between = ",";
  }
  return text + "]}";
}

/// What a release does with an answer of `schedule` in every run: all but how often each host was chosen.
Json comparable(const Json& answer) {
  Json same = answer;
  if (same["outcome"] == "scheduled") same.erase("chosen");
  return same;
}

/// Adds how often each host was chosen.
void add_chosen(Json& sum, const Json& answer) {
  if (answer["outcome"] != "scheduled" || !answer.contains("chosen")) return;
  for (const auto& [node, count] : answer["chosen"].items())
    sum["chosen"][node] = sum["chosen"].value(node, std::size_t{0}) + count.get<std::size_t>();
}

/// Whether all sides are real schedulers. Only a real scheduler names its Go module in hello.
bool is_running(const std::vector<std::unique_ptr<Participant>>& sides) {
  return std::all_of(sides.begin(), sides.end(), [](const std::unique_ptr<Participant>& side) {
    return side->identity().contains("module");
  });
}

std::string origin_of(const std::vector<std::unique_ptr<Participant>>& sides,
                      const std::vector<NamedQuestion>& questions, const std::string& date) {
  const bool is_default = std::none_of(questions.begin(), questions.end(), [](const NamedQuestion& each) {
    return each.question.contains("config") || each.question.contains("policy");
  });
  const std::string profile = is_default ? "default profile: " : "with the configuration of each case: ";
  std::string text = is_running(sides) ? "Recorded on " + date + " from running kube-schedulers, " + profile
                                       : "Answered on " + date + " by ";
  std::string between;
  for (const std::unique_ptr<Participant>& side : sides) {
    const auto module = side->identity().find("module");
    text += between + (module != side->identity().end() && module->is_string() ? module->get<std::string>()
                                                                               : side->name());
    between = ", ";
  }
  return text;
}

}  // namespace

std::vector<NamedQuestion> chosen_questions(const QuestionPlan& plan, const Scenarios& scenarios,
                                            const std::vector<Release>& releases, std::uint64_t seed,
                                            std::uint64_t cases, std::size_t each, const std::string& name,
                                            const std::function<void(std::uint64_t)>& progress,
                                            const std::atomic<bool>& stop) {
  std::vector<std::uint64_t> numbers;
  std::vector<Choosable> all;
  for (std::uint64_t number = 0; number < cases && !stop; ++number) {
    progress(number);
    const SentQuestion sent = numbered_question(plan, scenarios, seed, number);
    std::set<std::string> shows = shown_by(sent.asked(), releases);
    if (shows.empty()) continue;
    numbers.push_back(number);
    all.push_back({sent.line.dump().size(), std::move(shows)});
  }
  std::vector<NamedQuestion> asked;
  for (const std::size_t i : chosen(all, each)) {
    asked.push_back(
        {name + "-" + std::to_string(numbers[i]), numbered_question(plan, scenarios, seed, numbers[i]).line});
  }
  return asked;
}

Result<std::vector<NamedQuestion>> read_asked(const std::filesystem::path& file, oracle::Command command) {
  const Result<std::vector<oracle::VectorFile>> files = oracle::read_vectors(file);
  if (!files) return files.error();
  std::vector<NamedQuestion> asked;
  for (const oracle::VectorFile& vectors : files.value()) {
    if (vectors.command != command) continue;
    for (const oracle::VectorCase& each : vectors.cases) asked.push_back({each.name, each.question});
  }
  return asked;
}

Result<std::string> recorded(std::vector<std::unique_ptr<Participant>>& sides,
                             const std::vector<NamedQuestion>& questions, const std::string& date,
                             const std::function<void(std::size_t)>& progress,
                             const std::function<void(const std::string&)>& left_out,
                             const std::atomic<bool>& stop) {
  std::vector<std::string> releases;
  for (const std::unique_ptr<Participant>& side : sides) releases.push_back(side->release());
  std::string cases;
  bool statuses = true;
  std::string between;
  for (std::size_t q = 0; q < questions.size(); ++q) {
    progress(q);
    std::vector<std::pair<std::vector<std::size_t>, Json>> answers;
    bool answered = true;
    const std::string text = questions[q].question.dump();
    for (std::size_t s = 0; s < sides.size() && answered; ++s) {
      const std::vector<Reply> replies = sides[s]->ask({&text, 1});
      if (replies.empty() || stop) return Error{"stopped", "", "stopped"};
      answered = !replies[0].failure && !replies[0].passing && is_well_formed(replies[0].answer);
      if (!answered) continue;
      for (const char* key : {"filter", "dryRun"}) {
        const Json& outcome = replies[0].answer["outcome"];
        if (outcome != "error" && outcome != "scheduled" && !replies[0].answer.contains(key))
          statuses = false;
      }
      const Json answer = vector_answer(replies[0].answer);
      const auto same = std::find_if(answers.begin(), answers.end(), [&answer](const auto& known) {
        return comparable(known.second) == comparable(answer);
      });
      if (same == answers.end()) {
        answers.push_back({{s}, answer});
      } else {
        same->first.push_back(s);
        add_chosen(same->second, answer);
      }
    }
    if (!answered) {
      left_out(questions[q].name);
      continue;
    }
    std::vector<std::pair<std::vector<std::string>, Json>> grouped;
    for (const auto& [which, answer] : answers) grouped.emplace_back(ranges_of(which, releases), answer);
    cases += between + "\n" + case_text(questions[q], grouped);
    between = ",";
  }
  const oracle::Command command = sides.front()->setup().asks;
  const std::string of_command =
      command == oracle::Command::run ? "" : ",\n\"command\": " + Json(name_of(command)).dump();
  return "{\n\"origin\": " + Json(origin_of(sides, questions, date)).dump() + of_command +
         ",\n\"recorded\": " + (is_running(sides) ? "true" : "false") +
         ",\n\"statuses\": " + (statuses ? "true" : "false") + ",\n\"releases\": " + Json(releases).dump() +
         ",\n\"cases\": [" + cases + "\n]\n}\n";
}

}  // namespace touchstone::fuzz
