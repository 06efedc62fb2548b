#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "spec/vocabulary/quantity.hpp"

/// Extenders: programs that a scheduler asks over HTTP which nodes it may use, how it prefers them, and which
/// pods it may evict there. An Extender has its configuration, and its answers as tables.
namespace touchstone {

/// What an extender says about a node that it is asked to filter. EXT-FILTER-2.
enum class ExtenderVerdict { passes, failed, unresolvable };

struct FilterEntry {
  ExtenderVerdict verdict = ExtenderVerdict::passes;
  std::string reason;

  bool operator==(const FilterEntry&) const = default;
};

/// What an extender says about the victims on a node. EXT-PREEMPT-2.
struct VictimsEntry {
  bool kept = false;                 ///< the victims and violations that it was asked about
  std::vector<std::string> victims;  ///< if not kept: full names of pods, in the order of the answer
  Quantity pdb_violations = 0;

  bool operator==(const VictimsEntry&) const = default;
};

/// The answers of an extender to the calls of one verb. A node without an entry is not in an answer.
template <typename Entry>
struct AnswerTable {
  std::optional<std::string> error;    ///< every call ends with an error; empty: HTTP status 500
  std::map<std::string, Entry> nodes;  ///< by name; a name that no node has is in every answer
  /// The nodes whose answers are known. None: all of them.
  std::optional<std::set<std::string>> asked = {};

  bool knows(const std::string& node) const { return !asked || asked->contains(node); }

  bool operator==(const AnswerTable&) const = default;
};

struct ManagedResource {
  std::string name;
  bool ignored_by_scheduler = false;

  bool operator==(const ManagedResource&) const = default;
};

/// How the connection to an extender is secured: `tlsConfig`.
struct ExtenderTls {
  bool insecure = false;
  std::string server_name;
  std::string cert_file;
  std::string key_file;
  std::string ca_file;
  std::string cert_data;
  std::string key_data;
  std::string ca_data;

  bool operator==(const ExtenderTls&) const = default;
};

struct Extender {
  std::string url_prefix;   ///< may be empty: then the extender answers by table alone
  std::string filter_verb;  ///< empty: the extender does not filter; also the next three
  std::string prioritize_verb;
  std::string preempt_verb;
  std::string bind_verb;
  Quantity weight = 0;
  bool node_cache_capable = false;
  bool ignorable = false;
  std::vector<ManagedResource> managed_resources;
  bool enable_https = false;
  std::optional<ExtenderTls> tls;
  Quantity http_timeout_ns = 0;  ///< 0: five seconds

  /// The answers of the verbs. None: not known.
  std::optional<AnswerTable<FilterEntry>> filter;
  std::optional<AnswerTable<Quantity>> prioritize;
  std::optional<AnswerTable<VictimsEntry>> preempt;

  bool operator==(const Extender&) const = default;
};

/// A verb that an extender may be asked for.
enum class ExtenderVerb { filter, prioritize, preempt };

}  // namespace touchstone
