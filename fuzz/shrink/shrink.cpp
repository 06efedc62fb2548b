#include "fuzz/shrink/shrink.hpp"

#include <array>
#include <nlohmann/json.hpp>

#include "fuzz/shrink/moves.hpp"
#include "fuzz/shrink/places.hpp"

namespace touchstone::fuzz {

namespace {

/// From coarse to fine: what is dropped early needs no lowering later.
constexpr std::array k_moves = {drop_nodes_with_pods, drop_values,  drop_pods_with_room, move_pods,
                                make_objects_alike,   lower_groups, lower_amounts,       lower_pairs,
                                raise_priorities,     join_names,   plain_names};

}  // namespace

Shrunk shrink(Json question, const StillShows& still_shows, std::size_t limit, const GivesUp& gives_up) {
  // A document that is too deep is not copied, because copying recurses.
  if (deeper_than(question, k_depth_max)) return {std::move(question), 0, false};
  Search search(std::move(question), still_shows, limit, gives_up);
  // Ends when no move is taken in a whole round. There is an end, because each taken question is smaller.
  for (std::size_t idle = 0, next = 0; idle < k_moves.size() && !search.stopped();
       next = (next + 1) % k_moves.size()) {
    idle = k_moves[next](search) ? 0 : idle + 1;
  }
  return {search.question(), search.asked(), !search.stopped()};
}

}  // namespace touchstone::fuzz
