#pragma once

#include <functional>
#include <type_traits>
#include <vector>

#include "spec/releases/release.hpp"

namespace touchstone {

/// The first patch of a change that a whole minor release has, from its patch 0 on.
inline std::vector<FirstPatch> since(int minor) { return {{minor, 0}}; }

/// A change that gives fields of a release new values: sets(&Release::zone_unresolvable, true). More fields
/// and values may follow.
template <class Topic, class Value, class... More>
std::function<void(Release&)> sets(Value Topic::* field, std::type_identity_t<Value> value,
                                   const More&... more) {
  if constexpr (sizeof...(more) == 0) {
    return [field, value](Release& release) { release.*field = value; };
  } else {
    return [field, value, rest = sets(more...)](Release& release) {
      release.*field = value;
      rest(release);
    };
  }
}

/// The first rows of the table, up to those of v1.23.
const std::vector<Change>& changes_through_v1_23();

/// The rows of the whole cycle: the search for feasible nodes, the scores and the host.
const std::vector<Change>& changes_of_scores();

/// The rows of a scheduler over time: its queue, events and calls.
const std::vector<Change>& changes_of_queue();

/// The rows of extenders.
const std::vector<Change>& changes_of_extenders();

/// The rows of what only a Policy can run.
const std::vector<Change>& changes_of_policy();

/// The minor release that exists only as alpha builds. Its patch 0 stands for these builds.
inline constexpr int k_alpha_minor = 38;

}  // namespace touchstone
