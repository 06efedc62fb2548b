#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "fuzz/behaviour/behaviour_counts.hpp"
#include "oracle/compare/node_verdicts.hpp"
#include "oracle/protocol/protocol.hpp"
#include "spec/vocabulary/result.hpp"

/// The counts of a campaign, and the file that stores them. The file allows a campaign to be resumed and
/// merged.
namespace touchstone::fuzz {

using oracle::Json;

/// The part of the cases that a campaign judges: shard `k/n` of the cases of its seed, families and release.
/// Cases come in blocks. Block b belongs to shard b modulo n.
struct Shard {
  std::uint64_t number = 0;
  std::uint64_t count = 1;
};

inline constexpr std::uint64_t k_cases_in_a_block = 64;

/// Key in the setup of a campaign that determines the behaviour of only one case in that many.
inline constexpr const char* k_cases_a_behaviour = "casesABehaviour";

/// Key in the setup of a campaign: the command of its questions. Absent: `run`.
inline constexpr const char* k_command = "command";

/// One difference or one ineffective eviction that was shrunk and written to a file.
struct Found {
  std::string hash;       ///< of the signature and the shrunk question; names the files
  std::string signature;  ///< Verdict::signature(), or the class of the eviction
  std::string clause;
  std::string explained_by;  ///< see oracle::explanation_of()
  std::uint64_t number = 0;  ///< of the case where it was found
  std::size_t nodes = 0;
  std::size_t pods = 0;  ///< including the preemptor
  bool minimal = false;
  std::string failure = {};         ///< how the subject failed; empty if it did not
  std::string standard_error = {};  ///< the end of what the subject wrote to it
};

/// The number of behaviours that a campaign has seen, out of those that small clusters can show.
struct PathsSeen {
  std::size_t seen = 0;
  std::size_t feasible = 0;
  std::vector<std::string> unseen = {};  ///< one recorded case for each behaviour not seen, by name
};

/// The counts of a campaign. They add up over shards, and over the sessions of one campaign.
struct Tally {
  Json setup;  ///< distinguishes campaigns: sides, releases, seed, families
  Shard shard;
  std::set<std::uint64_t> shards;  ///< shards whose counts are included
  std::uint64_t cases = 0;
  std::uint64_t agree = 0;
  std::uint64_t differ = 0;
  std::map<std::string, std::uint64_t> skipped;    ///< by what is not modelled
  std::map<std::string, std::uint64_t> by_clause;  ///< of the cases that differ
  std::map<std::string, std::uint64_t> nodes;      ///< verdicts on nodes: "agree", "differ", "skipped: WHY"
  std::map<std::string, std::uint64_t> outcomes;
  std::map<std::string, std::uint64_t>
      shrink_failures;  ///< failures of the subject while another difference was shrunk
  std::vector<Found> found;
  std::uint64_t nominated = 0;                                ///< decisions of the reference that evict
  std::map<std::string, std::uint64_t> ineffective_eviction;  ///< ineffective evictions among these, by class
  std::vector<Found> witnesses;  ///< the smallest clusters that show such classes
  BehaviourCounts behaviours;
  std::optional<PathsSeen> paths;                 ///< see fuzz/behaviour/paths_seen.hpp
  std::map<std::string, std::uint64_t> spent_ns;  ///< by activity, over all threads; only for two engines
  double seconds = 0;                             ///< elapsed, of all sessions
  std::uint64_t next_block = 0;                   ///< all earlier blocks of the shard are done
  std::set<std::uint64_t> done;                   ///< blocks after next_block that are done
  std::map<std::uint64_t, std::uint64_t> begun;   ///< judged cases of each block that is not done yet

  /// Adds the counts of other cases. Differences whose hash is already known are not added again.
  void add(const Tally& more);

  /// Adds the verdicts on the nodes of one case.
  void count(const oracle::NodeVerdicts& verdicts);

  /// Records that the first cases of a block were judged. Requires: at most k_cases_in_a_block.
  void judged(std::uint64_t block, std::uint64_t cases_judged);

  /// Moves one difference from the count of one clause to that of another. This happens if the shrunk
  /// question shows another clause.
  void recount(const std::string& from, const std::string& to);
};

Json json_of(const Tally& tally);

/// Reads what json_of() wrote. Errors: campaign-malformed, naming the file.
Result<Tally> tally_of(const Json& json, const std::string& file);

/// Adds the counts of another shard of the same campaign. Errors: campaigns-differ, campaign-in-brief,
/// shard-twice.
std::optional<Error> merge(Tally& into, const Tally& other);

/// Read and write DIR/campaign.json. An interrupted write leaves the old file unchanged. Errors:
/// file-unreadable, json-malformed, campaign-malformed; file-unwritable.
Result<Tally> read_tally(const std::filesystem::path& file);
std::optional<Error> write_tally(const std::filesystem::path& file, const Tally& tally);

}  // namespace touchstone::fuzz
