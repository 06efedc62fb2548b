#include "fuzz/changes/minor_release.hpp"

#include <algorithm>
#include <cctype>
#include <set>

#include "fuzz/campaign/difference.hpp"

namespace touchstone::fuzz {

namespace {

Version newest_patch(int minor) {
  const std::vector<Version>& known = known_releases();
  return *std::find_if(known.begin(), known.end(), [minor](Version each) { return each.minor == minor; });
}

/// The patches of a minor release, after its first one, in which a behaviour changed.
std::set<int> changed_patches(int minor) {
  std::set<int> patches;
  for (const Change& change : release_table()) {
    for (const FirstPatch& first : change.first) {
      if (first.minor == minor && first.patch > 0) patches.insert(first.patch);
    }
  }
  return patches;
}

}  // namespace

std::vector<ReleaseStep> steps_of(int minor) {
  std::vector<ReleaseStep> steps;
  std::set<const Change*> listed;
  const auto add = [&](Version from, Version to) {
    ReleaseStep step{fold_release(from), fold_release(to), {}};
    step.behaviours = changed_behaviours(step.from, step.to);
    std::erase_if(step.behaviours,
                  [&listed](const ChangedBehaviour& each) { return !listed.insert(each.change).second; });
    if (steps.empty() || !step.behaviours.empty()) steps.push_back(std::move(step));
  };
  add(newest_patch(minor - 1), newest_patch(minor));
  for (const int patch : changed_patches(minor)) add({minor, patch - 1}, {minor, patch});
  return steps;
}

std::string case_name_of(const Change& change) {
  std::string name(change.clause);
  for (const std::string_view part : {change.name, change.value}) {
    name += '-';
    for (const char c : part) {
      const bool is_plain = std::isalnum(static_cast<unsigned char>(c)) != 0;
      if (is_plain) name += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
      if (!is_plain && !name.ends_with('-')) name += '-';
    }
    if (name.ends_with('-')) name.pop_back();
  }
  return name;
}

Json vectors_of(const std::vector<ReleaseStep>& steps, oracle::Command command) {
  std::set<Version> releases;
  Json cases = Json::array();
  for (const ReleaseStep& step : steps) {
    for (const ChangedBehaviour& each : step.behaviours) {
      if (!each.witness || each.witness->command != command) continue;
      releases.insert({step.from.version, step.to.version});
      const auto answer = [](const Release& release, const Json& ours) {
        return Json{{"releases", Json::array({release.version.text()})}, {"answer", vector_answer(ours)}};
      };
      cases.push_back({{"name", case_name_of(*each.change)},
                       {"clauses", Json::array({each.change->clause})},
                       {"question", each.witness->question},
                       {"answers", Json::array({answer(step.from, each.witness->from),
                                                answer(step.to, each.witness->to)})}});
    }
  }
  if (cases.empty()) return nullptr;
  Json names = Json::array();
  for (const Version release : releases) names.push_back(release.text());
  return {{"origin", "touchstone diff: the answers are those of the reference"},
          {"command", oracle::name_of(command)},
          {"releases", names},
          {"cases", cases}};
}

void take_witnesses(std::vector<ReleaseStep>& steps, const oracle::VectorFile& file) {
  for (ReleaseStep& step : steps) {
    for (ChangedBehaviour& each : step.behaviours) {
      const std::string name = case_name_of(*each.change);
      const auto found = std::find_if(file.cases.begin(), file.cases.end(),
                                      [&name](const oracle::VectorCase& one) { return one.name == name; });
      if (found == file.cases.end() || file.command != command_of(*each.change)) continue;
      if (!shows(found->question, step.from, step.to, *each.change)) continue;
      each.witness = ChangeWitness{file.command,
                                   found->question,
                                   name,
                                   answer_to(found->question, file.command, step.from),
                                   answer_to(found->question, file.command, step.to),
                                   false};
    }
  }
}

}  // namespace touchstone::fuzz
