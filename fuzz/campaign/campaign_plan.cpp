#include "fuzz/campaign/campaign_plan.hpp"

#include <nlohmann/json.hpp>

#include "fuzz/campaign/engines.hpp"
#include "spec/releases/known_releases.hpp"

namespace touchstone::fuzz {

namespace {

constexpr const char* k_every_release = "of every release";

Json identity_of(const CampaignSetup& setup, const Pair& pair, bool one_release) {
  Json families = Json::array();
  for (const Family family : setup.families)
    families.push_back(std::string(k_family_names[static_cast<std::size_t>(family)]));
  Json identity{{"left", pair.left.identity()},
                {"leftRelease", one_release ? pair.left.release() : k_every_release},
                {"right", pair.right.identity()},
                {"rightRelease", one_release ? pair.right.release() : k_every_release},
                {"seed", setup.seed},
                {"families", families},
                {"repeat", setup.right.repeat}};
  // Campaigns of older versions have none of these keys.
  const QuestionPlan& questions = setup.questions;
  if (questions.command != oracle::Command::run) identity[k_command] = name_of(questions.command);
  if (!questions.configurations.fixed.is_null()) identity["config"] = questions.configurations.fixed;
  if (questions.configurations.are_random) identity["randomConfigurations"] = true;
  return identity;
}

std::vector<Release> releases_of_engines(const CampaignSetup& setup) {
  if (!setup.right.release.empty()) return {find_release(setup.right.release).value().release};
  std::vector<Release> releases;
  for (const Version& version : distinct_releases()) releases.push_back(fold_release(version));
  return releases;
}

Release older_release(const Pair& pair) {
  const Release a = find_release(pair.left.release()).value().release;
  const Release b = find_release(pair.right.release()).value().release;
  return a.version < b.version ? a : b;
}

/// The blocks of small clusters for each block of clusters of any size, if both sides are engines. Engines
/// that differ nearly always differ on few nodes, and small clusters take less time.
constexpr std::size_t k_small_blocks = 7;

Scenarios small_scenarios(const Release& release, std::set<Family> families) {
  families.erase(Family::many_nodes);
  return {release, std::move(families), 3, 3};
}

}  // namespace

bool are_engines(const CampaignSetup& setup) {
  return setup.left.command.empty() && setup.right.command.empty() && is_plain(setup.questions);
}

CampaignSetup for_release(const CampaignSetup& setup, const Release& release) {
  CampaignSetup one = setup;
  one.left.release = release.version.text();
  one.right.release = one.left.release;
  return one;
}

Result<CampaignPlan> plan_of(const CampaignSetup& setup, const std::atomic<bool>& stop) {
  std::vector<Release> releases;
  if (are_engines(setup)) releases = releases_of_engines(setup);
  Pair pair(releases.empty() ? setup : for_release(setup, releases[0]), stop);
  if (const std::optional<Error> error = pair.begin()) return *error;
  for (const Participant* side : {&pair.left, &pair.right}) {
    const bool knows_them = side->is_engine() || side->features().contains("extenders");
    if (setup.families.contains(Family::extenders) && !knows_them)
      return Error{"not-supported", "--families", side->name() + " does not have the feature extenders"};
  }
  if (releases.empty()) releases.push_back(older_release(pair));
  CampaignPlan plan{identity_of(setup, pair, releases.size() == 1), {}};
  if (are_engines(setup)) {
    plan.identity[k_cases_a_behaviour] = k_blocks_a_behaviour * k_cases_in_a_block;
    plan.identity["blocksOfSmallClusters"] = k_small_blocks;
    for (std::size_t i = 0; i < k_small_blocks; ++i) {
      for (const Release& release : releases)
        plan.scenarios.push_back(small_scenarios(release, setup.families));
    }
  }
  for (const Release& release : releases) plan.scenarios.push_back({release, setup.families, 8, 4});
  return plan;
}

}  // namespace touchstone::fuzz
