#pragma once

#include <compare>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "optimized/store/column.hpp"
#include "optimized/store/symbols.hpp"
#include "spec/vocabulary/cluster.hpp"

namespace touchstone::optimized {

/// Name, namespace and UID of every pod, and a lookup of pods by identity. A UID in the usual form of 36
/// characters is stored in 16 bytes. The prefix that the names of a workload's pods share is stored once.
class PodNames {
 public:
  /// Adds a pod. Its number is the count of the pods added before.
  void add(const Pod& pod, Symbol ns);
  /// Removes a pod from the lookup. Its name and UID can still be read. Requires: the pod was added and not
  /// forgotten.
  void forget(std::uint32_t pod);

  std::string name(std::uint32_t pod) const;
  std::string uid(std::uint32_t pod) const;
  Symbol ns(std::uint32_t pod) const { return stems_[stem_of_[pod]].ns; }

  /// The pods with the identity of `pod`, ascending. They have the same UID or, if both UIDs are empty, the
  /// same namespace and name. `ns` is k_unknown_symbol if no pod is in that namespace. Clauses: PRE-INPUT-3.
  /// Complexity: expected constant.
  std::vector<std::uint32_t> same_as(const Pod& pod, Symbol ns) const;

  std::size_t count() const { return stem_of_.size(); }
  void pack();
  std::size_t bytes() const;

 private:
  static std::size_t hash_of(std::string_view name, std::string_view uid, Symbol ns);
  std::size_t slot_of(std::size_t hash) const { return hash & (slots_.size() - 1); }
  std::size_t hash_at(std::uint32_t pod) const;
  bool is_same(std::uint32_t number, const Pod& pod, Symbol ns) const;
  void enter(std::uint32_t pod);
  void grow();

  std::string_view text_of(std::uint32_t pod) const;

  /// The namespace and the common prefix of pod names: a name up to its last dash.
  struct Stem {
    Symbol ns = 0;
    std::string text;

    auto operator<=>(const Stem&) const = default;
  };
  std::uint32_t stem_for(const Pod& pod, Symbol ns);

  /// Texts of consecutive pods. The text of a pod has one byte for the form of the UID, then the UID, then
  /// the name without its stem. A single long text would be copied whenever it grows.
  struct Piece {
    std::uint32_t first_pod = 0;
    std::string text;
  };
  std::vector<Piece> pieces_;
  Column<std::uint16_t> places_;  ///< where the text of a pod begins in its piece
  Column<std::uint32_t> stem_of_;
  std::vector<Stem> stems_;
  std::map<Stem, std::uint32_t> stem_numbers_;
  std::vector<std::uint32_t> slots_;  ///< hash table: a pod number plus 2; 0: never used, 1: forgotten
  std::size_t used_slots_ = 0;
};

}  // namespace touchstone::optimized
