#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "spec/vocabulary/cluster.hpp"
#include "spec/vocabulary/decision.hpp"

/// The objects of a loaded cluster by name and by number. A number is that of the optimized engine's
/// snapshots: it is an index of a list, and a removed object leaves a hole there.
namespace touchstone::library {

/// A list with holes. `names` has the name of each object that is not a hole.
class Numbers {
 public:
  std::optional<std::size_t> find(const std::string& name) const;
  /// Takes the next number.
  std::size_t add(const std::string& name);
  void remove(const std::string& name);
  bool has(std::size_t number) const { return is_there_[number]; }
  std::size_t count() const { return by_name_.size(); }
  std::size_t holes() const { return is_there_.size() - by_name_.size(); }

 private:
  std::unordered_map<std::string, std::size_t> by_name_;
  std::vector<bool> is_there_;
};

struct Objects {
  Objects() = default;
  /// Requires: no two objects of a list have the same name.
  explicit Objects(Cluster cluster);

  /// The cluster as an API server would list it. Complexity: linear in the cluster.
  Cluster without_holes() const;
  /// Whether renumbering is worth its time, which is that of building a snapshot.
  bool has_many_holes() const;

  Cluster all;  ///< lists with holes
  Numbers nodes;
  Numbers pods;  ///< by namespace/name, like the PDBs
  Numbers pdbs;
};

/// Replaces the storage object of this name, or adds it. `key` is that of its list in a question, and `one`
/// has only this object.
void put_storage(Storage& storage, std::string_view key, const std::string& name, Storage one);
/// Removes a storage object. False: there is none of this name.
bool remove_storage(Storage& storage, std::string_view key, const std::string& name);

/// Replaces the selecting object of this kind and name, or adds it at the end of its kind.
void put_selecting(std::vector<SelectingObject>& list, SelectingObject object);
bool remove_selecting(std::vector<SelectingObject>& list, SelectingKind kind, std::string_view ns,
                      std::string_view name);

}  // namespace touchstone::library
