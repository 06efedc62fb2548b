#pragma once

#include <atomic>
#include <nlohmann/json.hpp>
#include <vector>

#include "fuzz/campaign/campaign.hpp"

/// The plan of a campaign: its identity and the scenarios that it runs.
namespace touchstone::fuzz {

/// The two sides that one thread of a campaign uses.
struct Pair {
  Participant left;
  Participant right;

  Pair(const CampaignSetup& setup, const std::atomic<bool>& stop)
      : left(setup.left, stop), right(setup.right, stop) {}

  std::optional<Error> begin() {
    if (std::optional<Error> error = left.begin()) return error;
    return right.begin();
  }
};

struct CampaignPlan {
  Json identity;                     ///< distinguishes campaigns; contains no path and no time of day
  std::vector<Scenarios> scenarios;  ///< used in turn, one for each block; several only for engines
};

/// Begins both sides to learn their identities and releases, and makes the plan. Two engines without a
/// release run every release that behaves differently (distinct_releases()). For two releases, the scenarios
/// use the API of the older one, so that both APIs have all objects. Errors: those of Participant::begin().
Result<CampaignPlan> plan_of(const CampaignSetup& setup, const std::atomic<bool>& stop);

/// Whether both sides are engines of this process that are asked without the protocol. They are asked for
/// preemption, with the default configuration.
bool are_engines(const CampaignSetup& setup);

/// The same setup with both sides at one release.
CampaignSetup for_release(const CampaignSetup& setup, const Release& release);

}  // namespace touchstone::fuzz
