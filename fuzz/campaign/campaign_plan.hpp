#pragma once

#include <atomic>
#include <vector>

#include "fuzz/campaign/campaign.hpp"

/// What a campaign is going to ask, and whom.
namespace touchstone::fuzz {

/// A thread's own sides, and how they are begun.
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
  Json identity;                     ///< what tells one campaign from another; no path and no time of day
  std::vector<Scenarios> scenarios;  ///< taken in turn, a block each; more than one only of engines
};

/// Begins the sides to see who they are. Two engines without a release are asked for every release that
/// behaves in its own way; of two releases the scenarios are those whose objects both APIs have. Errors:
/// those of Participant::begin().
Result<CampaignPlan> plan_of(const CampaignSetup& setup, const std::atomic<bool>& stop);

/// Whether both sides are engines of this process.
bool are_engines(const CampaignSetup& setup);

/// The same campaign for one release.
CampaignSetup for_release(const CampaignSetup& setup, const Release& release);

}  // namespace touchstone::fuzz
