#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "optimized/column.hpp"
#include "optimized/words.hpp"
#include "spec/cluster.hpp"

namespace touchstone::optimized {

/// Who is who: name, namespace and UID of every pod, and which pods an identity means. A UID in the usual
/// form of 36 characters is kept in 16 bytes.
class PodNames {
 public:
  /// Keeps the names of one pod more, whose number is that of pods added before.
  void add(const Pod& pod, Word ns);
  /// Forgets that the pod can be found; its names stay. Requires: added, and not forgotten.
  void forget(std::uint32_t pod);

  std::string_view name(std::uint32_t pod) const;
  std::string uid(std::uint32_t pod) const;
  Word ns(std::uint32_t pod) const { return namespaces_[pod]; }

  /// The pods that are the same as this one, ascending: they have its UID or, where neither has one, its
  /// namespace and name. `ns` is k_unknown_word where no pod is of that namespace. Clauses: PRE-INPUT-3.
  /// Complexity: expected constant.
  std::vector<std::uint32_t> same_as(const Pod& pod, Word ns) const;

  std::size_t count() const { return places_.size(); }
  void pack();
  std::size_t bytes() const;

 private:
  static std::size_t hash_of(std::string_view name, std::string_view uid, Word ns);
  std::size_t slot_of(std::size_t hash) const { return hash & (slots_.size() - 1); }
  std::size_t hash_at(std::uint32_t pod) const;
  bool is_same(std::uint32_t number, const Pod& pod, Word ns) const;
  void enter(std::uint32_t pod);
  void grow();

  std::string_view text_of(std::uint32_t pod) const;

  /// Of each pod a byte for the form of its UID, the UID, and the name; in pieces, since one text would be
  /// copied whenever it outgrows its room.
  std::vector<std::string> pieces_;
  Column<std::uint64_t> places_;  ///< the piece, and in its lower half the place in it
  Column<Word> namespaces_;
  std::vector<std::uint32_t> slots_;  ///< open addressing: a number plus 2; 0: never used, 1: forgotten
  std::size_t used_slots_ = 0;
};

}  // namespace touchstone::optimized
