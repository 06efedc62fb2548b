#pragma once

#include <string_view>
#include <utility>
#include <vector>

#include "spec/releases/release.hpp"
#include "spec/vocabulary/cluster.hpp"

namespace touchstone::optimized {

/// Amounts by resource, sorted by name. The names point into the pod, which must outlive them.
using Amounts = std::vector<std::pair<std::string_view, Quantity>>;

/// Whose requests are computed: those of the preemptor, or those of a pod on a node or nominated to one.
enum class RequestsOf { preemptor, node_pod };

/// The resource requests of a pod in this release. `defaults`, sorted by name, are the amounts for a
/// container that does not request a resource; filters have none. Ensures: only resource names that count.
/// Clauses: PRE-REQUESTS-1 to PRE-REQUESTS-8, SCORE-REQUESTS-1.
Amounts requests_of(const Pod& pod, const Release& release, RequestsOf whom, const Amounts& defaults = {});

/// Whether a resize of the pod is pending and infeasible. Clauses: PRE-REQUESTS-6.
bool resize_is_infeasible(const Pod& pod);

/// A host port, used or requested, with the default protocol and address filled in.
struct Port {
  std::string_view protocol;
  std::string_view address;
  Quantity number = 0;
};

/// The host ports that a pod requests. Their texts point into the pod or to constants. Clauses: PRE-PORTS-1,
/// PRE-PORTS-3.
std::vector<Port> host_ports_of(const Pod& pod, const Release& release);

}  // namespace touchstone::optimized
