#pragma once

#include <string_view>
#include <utility>
#include <vector>

#include "spec/vocabulary/cluster.hpp"
#include "spec/releases/release.hpp"

namespace touchstone::optimized {

/// Amounts by resource, sorted by name; the names are those of the pod, which must outlive them.
using Amounts = std::vector<std::pair<std::string_view, Quantity>>;

/// For whom a pod's requests are reckoned: the pod that is to be scheduled, or one that a node holds.
enum class RequestsOf { preemptor, node_pod };

/// What a pod requests in this release. Ensures: only names that count. Clauses: PRE-REQUESTS-1 to
/// PRE-REQUESTS-8.
Amounts requests_of(const Pod& pod, const Release& release, RequestsOf whom);

/// A host port in use or wanted: with its defaults filled in.
struct Port {
  std::string_view protocol;
  std::string_view address;
  Quantity number = 0;
};

/// The host ports of a pod; their texts are the pod's or constants. Clauses: PRE-PORTS-1, PRE-PORTS-3.
std::vector<Port> host_ports_of(const Pod& pod, const Release& release);

}  // namespace touchstone::optimized
