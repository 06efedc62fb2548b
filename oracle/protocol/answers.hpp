#pragma once

#include <map>
#include <nlohmann/json_fwd.hpp>
#include <string_view>

#include "spec/vocabulary/cluster.hpp"
#include "spec/vocabulary/decision.hpp"
#include "spec/vocabulary/trace.hpp"

/// Writes decisions as the JSON answers of spec/protocol.md.
namespace touchstone::oracle {

using Json = nlohmann::ordered_json;

/// The name of an outcome in an answer.
std::string_view name_of(Outcome outcome);

/// The JSON answer for a decision, without `seq`.
Json answer_of(const Cluster& cluster, const Decision& decision);

/// Whether `filter` has a status that the release implies (PRE-PREFILTER-3).
enum class Implied { shown, left_out };

/// The value of `filter`: the statuses of the first pass.
Json filter_of(const Cluster& cluster, const Decision& decision, Implied implied);

/// The JSON answer for a decision of the optimized engine: without `candidates`, `filter` and `dryRun`, which
/// this engine does not compute.
Json answer_in_part(const Cluster& cluster, const Decision& decision);

/// The value of `anyOrder`: every answer that is possible under some order of the lists.
Json any_order_of(const Cluster& cluster, const AnyOrder& any_order);

/// The steps of a trace, as the value of `trace`.
Json trace_of(const Cluster& cluster, const Trace& trace);

}  // namespace touchstone::oracle
