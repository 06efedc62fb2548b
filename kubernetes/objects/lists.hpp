#pragma once

#include <array>
#include <map>
#include <string>
#include <string_view>

#include "kubernetes/text/json.hpp"
#include "spec/vocabulary/cluster.hpp"
#include "spec/vocabulary/result.hpp"

/// The lists of a question without its pod: a cluster that is read once and changes afterwards.
namespace touchstone::kubernetes {

/// The names of the lists.
inline constexpr std::array<std::string_view, 16> k_lists = {"nodes",
                                                             "pods",
                                                             "pdbs",
                                                             "namespaces",
                                                             "priorityClasses",
                                                             "services",
                                                             "replicationControllers",
                                                             "replicaSets",
                                                             "statefulSets",
                                                             "pvcs",
                                                             "pvs",
                                                             "storageClasses",
                                                             "csiNodes",
                                                             "csiDrivers",
                                                             "volumeAttachments",
                                                             "csiStorageCapacities"};

/// The check of Totals for pods that come and go.
class ChangingTotals {
 public:
  /// As Totals::add(). Ensures: after an error the totals are as before.
  void add(const Value& value, const Pod& pod);
  /// The check of add() alone. `instead_of`: a pod that was added, and that does not count; may be null.
  void check(const Value& value, const Pod& pod, const Pod* instead_of) const;
  /// Subtracts the amounts of a pod. Requires: add() has added them.
  void remove(const Pod& pod);

 private:
  std::map<std::string, ResourceList> of_node_;
};

/// Reads the lists of a question alone, without its pod. Adds the amounts of its pods to `totals`. Ignores
/// other members. Ensures: as read_question(). Errors: those of read_question() that concern the lists.
Result<Cluster> read_cluster(const Value& object, ChangingTotals& totals);

}  // namespace touchstone::kubernetes
