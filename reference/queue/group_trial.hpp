#pragma once

#include "reference/queue/world.hpp"
#include "spec/vocabulary/choices.hpp"

/// The trial of a pod group that was popped as a whole.
namespace touchstone::reference {

/// What a trial came to. QUE-ENTITY-5
struct GroupTrial {
  std::vector<GroupMember> tried;  ///< in their order; with an error or without enough pods, not all
  GroupVerdict verdict = GroupVerdict::infeasible;
  std::string reason;   ///< of `infeasible`, if too few pods can be placed
  std::string error;    ///< of `error`
  std::string skipped;  ///< why the reference cannot answer; empty: it can
};

/// Tries the pods of the group of the loop one after the other on what the cache shows. The cache stays as it
/// was. Clauses: QUE-ENTITY-5.
GroupTrial try_queued_group(World& world, const std::vector<GroupMember>& members, Choices& choices);

/// A pod with the node where a trial placed it.
PodObject with_node(const GroupMember& member);

/// The first reason of some rejections of a group.
inline constexpr const char* k_group_is_unschedulable = "pod group is unschedulable";

/// A number in decimal.
std::string decimal(Quantity number);

}  // namespace touchstone::reference
