#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "oracle/protocol/vectors.hpp"
#include "spec/releases/release.hpp"

/// Finds the behaviours in which two releases differ, each with a small cluster on which they decide
/// differently.
namespace touchstone::fuzz {

using oracle::Json;

/// A cluster on which two releases decide differently because of one change of behaviour.
struct ChangeWitness {
  oracle::Command command = oracle::Command::run;
  Json question;       ///< in the form of spec/protocol.md, without cmd, seq and release
  std::string source;  ///< the vector that it was shrunk from, or the seed and number of a generated cluster
  Json from;           ///< the answer of the reference for the release `from`
  Json to;             ///< and for the release `to`
  bool minimal = false;  ///< no smaller cluster shows the change
};

/// A row of the release table that exactly one of two releases has.
struct ChangedBehaviour {
  const Change* change = nullptr;
  bool is_new = true;  ///< the release `to` has it; otherwise the release `from` has it
  std::optional<ChangeWitness> witness;
};

/// The settings of the search for witnesses.
struct ChangeSearch {
  Release from;
  Release to;
  std::uint64_t seed = 1;
  std::uint64_t generated = 2000;  ///< clusters to generate for the changes that no vector shows
  std::size_t shrink_asks = 2000;  ///< most questions to ask while one cluster is shrunk
  std::vector<const Change*> only = {};  ///< search for these rows; empty: for all
};

/// The changed behaviours, and what was searched.
struct ChangesFound {
  std::vector<ChangedBehaviour> behaviours;  ///< in the order of the release table
  std::size_t vectors = 0;                   ///< questions of vectors that were searched
  std::uint64_t generated = 0;               ///< clusters that were generated
};

/// The rows of the release table that exactly one of two releases has.
std::vector<ChangedBehaviour> changed_behaviours(const Release& from, const Release& to);

/// The command whose questions show a row of the release table.
oracle::Command command_of(const Change& change);

/// Whether two releases decide a question differently, and one of them decides it differently if only this
/// row is toggled.
bool shows(const Json& question, const Release& from, const Release& to, const Change& change);

/// Searches a witness for each changed behaviour: first the questions of vectors, the smallest first, then
/// generated clusters. A witness is a question that both releases answer differently, and one of them answers
/// differently if only this row is toggled. It is shrunk. Calls `progress` with a description of the present
/// work. If `stop` is set, witnesses may be missing.
ChangesFound find_changes(const ChangeSearch& search, const std::vector<oracle::VectorFile>& vectors,
                          const std::function<void(const std::string&)>& progress,
                          const std::atomic<bool>& stop);

/// The answer of the reference to a question, without notes. Null if the question cannot be read, or needs
/// something that is not modelled.
Json answer_to(const Json& question, oracle::Command command, const Release& release);

}  // namespace touchstone::fuzz
