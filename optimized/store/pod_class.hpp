#pragma once

#include <compare>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "optimized/store/labels.hpp"
#include "spec/vocabulary/cluster.hpp"
#include "spec/releases/release.hpp"

namespace touchstone::optimized {

/// A host port by the numbers of its texts. Clauses: PRE-PORTS-1.
struct HostPort {
  Symbol protocol = 0;
  Symbol address = 0;
  Quantity number = 0;

  auto operator<=>(const HostPort&) const = default;
};

/// An amount of a resource other than cpu and memory.
struct Amount {
  Symbol resource = 0;
  Quantity amount = 0;
};

/// A term of affinity between pods, converted. Clauses: PRE-AFFINITY-1.
struct Term {
  std::optional<Selector> selector;
  std::vector<Symbol> namespaces;
  std::optional<Selector> namespace_selector;
  Symbol topology_key = 0;

  bool is_valid() const {
    return (!selector || selector->is_valid()) && (!namespace_selector || namespace_selector->is_valid());
  }
};

Term term_of(const PodAffinityTerm& term, const Numbering& number);

/// What pods made from one template have in common, as far as a decision can tell.
struct PodClass {
  Symbol ns = 0;
  std::vector<Label> labels;
  std::vector<HostPort> ports;         ///< PRE-PORTS-2: a set
  std::vector<Amount> others;          ///< requests but cpu and memory; sorted by resource
  std::vector<Term> anti_affinity;     ///< required terms
  std::vector<std::uint32_t> budgets;  ///< numbers of the PDBs whose selector matches, ascending
  std::size_t pods = 0;                ///< how many of them are on nodes, or nominated to one
};

/// The classes of a snapshot, each once. Few, where pods come from few templates.
class PodClasses {
 public:
  /// The class of a pod. Ensures: with `is_new`, one that nobody had before.
  struct Found {
    std::uint32_t number;
    bool is_new;
  };
  Found find_or_add(const Pod& pod, const Release& release, Symbols& symbols);

  PodClass& operator[](std::uint32_t number) { return classes_[number]; }
  const PodClass& operator[](std::uint32_t number) const { return classes_[number]; }
  std::size_t size() const { return classes_.size(); }
  std::size_t bytes() const;

 private:
  std::vector<PodClass> classes_;
  std::map<std::string, std::uint32_t> numbers_;  ///< by all that a class is made of
};

}  // namespace touchstone::optimized
