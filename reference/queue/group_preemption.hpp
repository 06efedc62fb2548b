#pragma once

#include "reference/queue/world.hpp"
#include "spec/vocabulary/choices.hpp"

/// Preemption for a pod group as a whole.
namespace touchstone::reference {

/// What preemption for a group came to.
struct GroupPreemption {
  bool is_success = false;                       ///< the group waits for it
  bool is_error = false;                         ///< of preemption itself
  std::string message;                           ///< joins the reasons of the rejection, or replaces them
  std::map<std::string, std::string> nominated;  ///< UID of a pod → node; an empty node clears the nomination
  std::string skipped;                           ///< why the reference cannot answer; empty: it can
};

/// Looks for victims for the pods of the group of the loop, and begins to evict them. Requires: its trial was
/// infeasible. `any_was_tried`: the trial filtered a node for one of the pods. Clauses: QUE-ENTITY-7,
/// QUE-ENTITY-8.
GroupPreemption preempt_for_group(World& world, const std::vector<GroupMember>& members, bool any_was_tried,
                                  Choices& choices);

}  // namespace touchstone::reference
