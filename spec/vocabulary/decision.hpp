#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "spec/vocabulary/quantity.hpp"

/// The answer to a Question, and its parts, in the words of spec/protocol.md.
namespace touchstone {

/// Nodes and pods are named by their index in the question's cluster.
using NodeIndex = std::size_t;
using PodIndex = std::size_t;

/// Named numbers that were looked at.
using Values = std::vector<std::pair<std::string, Quantity>>;

/// What a filter looked at when it rejected, in more detail than its release reports.
struct Finding {
  std::string_view clause;      ///< an id of spec/clauses
  std::string what;             ///< the taint, the port, the label, or for PRE-FIT the resource
  std::optional<PodIndex> pod;  ///< that holds or is promised what the preemptor wants
  Values values;                ///< for PRE-FIT "requested", "used" and "allocatable", in the resource's unit
  /// For PRE-SPREAD-7 the value of the label where the fewest pods are counted; none: no domain decides that.
  std::optional<std::string> least_domain = {};
};

/// The status a filter gives, as the scheduler framework names it.
enum class Code { success, unschedulable, unschedulable_and_unresolvable, error };

struct Status {
  Code code = Code::success;
  std::string plugin;  ///< empty where the release reports none
  std::vector<std::string> reasons;
  std::vector<Finding> findings = {};  ///< for the trace; no part of what a status says
  /// Not empty: the release names any one of these as its only reason, by the order of a map; `reasons` has
  /// the first.
  std::vector<std::string> any_reason_of = {};

  bool ok() const { return code == Code::success; }
  bool operator==(const Status& other) const {
    return code == other.code && plugin == other.plugin && reasons == other.reasons;
  }
};

/// A node where preemption helps: who is evicted, in the release's order, and how many of them violate a PDB.
struct Candidate {
  NodeIndex node = 0;
  std::vector<PodIndex> victims;
  Quantity pdb_violations = 0;

  bool operator==(const Candidate&) const = default;
};

enum class Outcome { fits, ineligible, none, nominated, error, skipped };
enum class Nomination { absent, set, kept, cleared };

struct Decision {
  Outcome outcome = Outcome::none;
  std::string reason;                          ///< of ineligible, error and skipped: why
  std::vector<NodeIndex> feasible;             ///< with fits
  std::vector<Candidate> candidates;           ///< in the order of the release's list
  std::vector<std::size_t> admissible;         ///< indices into candidates: what the last tie leaves
  std::size_t chosen = 0;                      ///< index into candidates; meaningful with nominated
  std::map<NodeIndex, Status> filter;          ///< first-pass status of the nodes that do not fit
  std::map<NodeIndex, Status> dry_run;         ///< of the potential nodes that are no candidate
  std::vector<PodIndex> clears;                ///< lower-priority nominated pods that lose their nomination
  Nomination nomination = Nomination::absent;  ///< what becomes of the preemptor's own, if it has one
  std::string message;                         ///< of the failed attempt, as its event shows it

  bool operator==(const Decision&) const = default;
};

/// What the release may answer under some order of pods, PDBs and visited nodes (PRE-ANYORDER-*).
struct AnyOrder {
  std::vector<Candidate> answers;  ///< victims sorted by index: their order does not tell answers apart
  std::string unknown;             ///< not empty: too many orders to tell, and why; answers is empty then
};

}  // namespace touchstone
