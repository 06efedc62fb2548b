#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "fuzz/behaviour/behaviour_counts.hpp"
#include "oracle/protocol/protocol.hpp"
#include "spec/vocabulary/result.hpp"

/// What a campaign counts, and the file it keeps that in, so that it can be resumed and merged.
namespace touchstone::fuzz {

using oracle::Json;

/// Which cases a campaign judges: `k/n` of those of its seed, families and release. Cases come in blocks, and
/// block b belongs to the shard b modulo n.
struct Shard {
  std::uint64_t number = 0;
  std::uint64_t count = 1;
};

inline constexpr std::uint64_t k_cases_in_a_block = 64;

/// In the setup of a campaign that finds out of only one in so many cases what it shows.
inline constexpr const char* k_cases_a_behaviour = "casesABehaviour";

/// One difference that was shrunk and written down.
struct Found {
  std::string hash;       ///< of the shrunk question and the kind; names its files
  std::string signature;  ///< Verdict::signature()
  std::string clause;
  std::string explained_by;  ///< see oracle::Broken
  std::uint64_t number = 0;  ///< of the case it came from
  std::size_t nodes = 0;
  std::size_t pods = 0;  ///< with the preemptor
  bool minimal = false;
  std::string failure = {};         ///< where the subject failed: how
  std::string standard_error = {};  ///< and what it last wrote there
};

/// Of the behaviours that small clusters can show, as their paths tell.
struct PathsSeen {
  std::size_t seen = 0;
  std::size_t feasible = 0;
  std::vector<std::string> unseen = {};  ///< a recorded case for each of the others
};

/// Counts add up over shards, and over sessions of one campaign.
struct Tally {
  Json setup;  ///< what tells campaigns apart: sides, releases, seed, families
  Shard shard;
  std::set<std::uint64_t> shards;  ///< whose counts are in it
  std::uint64_t cases = 0;
  std::uint64_t agree = 0;
  std::uint64_t differ = 0;
  std::map<std::string, std::uint64_t> skipped;    ///< by what is not modelled
  std::map<std::string, std::uint64_t> by_clause;  ///< of the cases that differ
  std::map<std::string, std::uint64_t> outcomes;
  std::map<std::string, std::uint64_t>
      shrink_failures;  ///< of the subject while shrinking another difference
  std::vector<Found> found;
  std::uint64_t nominated = 0;                   ///< decisions of the reference that evict
  std::map<std::string, std::uint64_t> ineffective_eviction;  ///< of them: evictions that do not help, by class
  std::vector<Found> witnesses;                  ///< the smallest clusters of such classes
  BehaviourCounts behaviours;
  std::optional<PathsSeen> paths;                ///< see fuzz/behaviour/paths_seen.hpp
  std::map<std::string, std::uint64_t> spent_ns;  ///< by what, over all threads; of campaigns of both engines
  double seconds = 0;                             ///< of all sessions
  std::uint64_t next_block = 0;                   ///< all blocks of the shard before it are done
  std::set<std::uint64_t> done;                   ///< and these beyond it
  std::map<std::uint64_t, std::uint64_t> begun;   ///< of these, so many cases: an interruption came between

  /// Adds what was counted elsewhere, of other cases; differences found are added by their hash, once.
  void add(const Tally& more);

  /// Notes that the first cases of a block were judged. Requires: at most k_cases_in_a_block.
  void judged(std::uint64_t block, std::uint64_t cases_judged);

  /// Counts a difference by another clause than it was, such as one that only its shrunk question shows.
  void recount(const std::string& from, const std::string& to);
};

Json json_of(const Tally& tally);

/// Errors: campaign-malformed, naming the file.
Result<Tally> tally_of(const Json& json, const std::string& file);

/// Adds a campaign of another shard. Errors: campaigns-differ, campaign-in-brief, shard-twice.
std::optional<Error> merge(Tally& into, const Tally& other);

/// Reads and writes DIR/campaign.json; writing never leaves half a file.
/// Errors: file-unreadable, json-malformed, campaign-malformed; file-unwritable.
Result<Tally> read_tally(const std::filesystem::path& file);
std::optional<Error> write_tally(const std::filesystem::path& file, const Tally& tally);

}  // namespace touchstone::fuzz
