#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "spec/vocabulary/extenders.hpp"
#include "spec/vocabulary/measures.hpp"
#include "spec/vocabulary/quantity.hpp"

/// The answer to a Question, and the parts of an answer. Names are those of spec/protocol.md.
namespace touchstone {

/// Indices of a node and of a pod in the lists of the question's cluster.
using NodeIndex = std::size_t;
using PodIndex = std::size_t;

/// Why a filter rejected a node, in more detail than the release reports.
struct Finding {
  std::string_view clause;      ///< an id of spec/clauses
  std::string what;             ///< the taint, the port or the label; for PRE-FIT the resource
  std::optional<PodIndex> pod;  ///< the pod that holds, or is promised, what the preemptor needs
  Values values;                ///< for PRE-FIT requested, used and allocatable, in the resource's unit
  /// For PRE-SPREAD-7: the topology value with the fewest counted pods. None if the minimum does not come
  /// from a domain (minDomains).
  std::optional<std::string> least_domain = {};
};

/// Codes of a filter status, as the scheduler framework names them.
enum class Code { success, unschedulable, unschedulable_and_unresolvable, error };

struct Status {
  Code code = Code::success;
  std::string_view plugin;  ///< that of plugin_of(); empty where the release reports none
  std::vector<std::string> reasons;
  std::vector<Finding> findings = {};  ///< for the trace; the release does not report them
  /// If not empty, the release reports exactly one of these reasons; the random order of a map decides which.
  /// `reasons` then has the first reason of this list.
  std::vector<std::string> any_reason_of = {};
  /// PRE-PREFILTER-3: the release has no status of this node, and takes it for unresolvable.
  bool is_implied = false;

  bool ok() const { return code == Code::success; }
  bool operator==(const Status& other) const {
    return code == other.code && plugin == other.plugin && reasons == other.reasons;
  }
};

/// A node where preemption helps, its victims in the release's order, and the number of victims that violate
/// a PDB.
struct Candidate {
  NodeIndex node = 0;
  std::vector<PodIndex> victims;
  Quantity pdb_violations = 0;

  bool operator==(const Candidate&) const = default;
};

/// A call to an extender whose answer is not known.
struct ExtenderCall {
  std::size_t extender = 0;  ///< index in configured order
  ExtenderVerb verb = ExtenderVerb::filter;
  std::vector<NodeIndex> nodes;  ///< of filter and prioritize: the nodes that the extender is asked about
  std::vector<Candidate> candidates;  ///< of preempt

  bool operator==(const ExtenderCall&) const = default;
};

enum class Outcome { fits, ineligible, none, nominated, error, skipped };
enum class Nomination { absent, set, kept, cleared };

struct Decision {
  Outcome outcome = Outcome::none;
  std::string reason;                          ///< with ineligible, error and skipped: why
  std::vector<std::string> other_reasons;      ///< with error: those that may be given instead, by chance
  std::vector<NodeIndex> feasible;             ///< with fits: the nodes that pass
  std::vector<Candidate> candidates;           ///< in the order of the release's list
  std::vector<std::size_t> admissible;         ///< indices into candidates: those that tie for the best
  std::size_t chosen = 0;                      ///< index into candidates; meaningful with nominated
  std::map<NodeIndex, Status> filter;          ///< first-pass status of the nodes that do not fit
  std::map<std::string, Status> unknown_filter;  ///< EXT-FILTER-3: the same, of names that no node has
  std::map<NodeIndex, Status> dry_run;         ///< status of the dry-run nodes that are no candidate
  std::vector<PodIndex> clears;                ///< lower-priority nominated pods that lose their nomination
  Nomination nomination = Nomination::absent;  ///< what happens to the preemptor's own nomination
  std::string message;                         ///< text of the failed attempt's event FailedScheduling
  std::optional<ExtenderCall> unanswered = {};  ///< with skipped: the decision needs this answer

  bool operator==(const Decision&) const = default;
};

/// All answers that the release may give, over all orders of pods, PDBs and visited nodes (PRE-ANYORDER-*).
struct AnyOrder {
  std::vector<Candidate> answers;  ///< victims sorted by index: their order does not matter
  std::string unknown;             ///< not empty: why there are too many orders; `answers` is empty then
};

}  // namespace touchstone
