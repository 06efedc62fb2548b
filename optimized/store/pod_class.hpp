#pragma once

#include <compare>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "optimized/store/labels.hpp"
#include "optimized/store/scored_requests.hpp"
#include "spec/releases/release.hpp"
#include "spec/vocabulary/cluster.hpp"

namespace touchstone::optimized {

/// A host port with its texts as symbols. Clauses: PRE-PORTS-1.
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

/// A pod affinity or anti-affinity term with its texts as symbols. Clauses: PRE-AFFINITY-1.
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

/// A term that counts for scores, with its weight. Clauses: SCORE-AFFINITY-1.
struct WeightedTerm {
  Quantity weight = 0;  ///< negative: of a preferred anti-affinity term
  Term term;
};

/// The properties that pods of one template share and that a decision reads.
struct PodClass {
  Symbol ns = 0;
  std::vector<Label> labels;
  std::vector<HostPort> ports;         ///< PRE-PORTS-2: a set
  std::vector<Amount> others;          ///< requests except cpu and memory; sorted by resource
  std::vector<Term> anti_affinity;     ///< required terms
  std::vector<WeightedTerm> scored_terms;  ///< terms that score the preemptor of a query
  CpuAndMemory beyond_requests;            ///< what a pod counts with for scores besides its requests
  std::vector<std::uint32_t> budgets;  ///< numbers of the PDBs whose selector matches, ascending
  std::size_t pods = 0;                ///< how many pods of the class are on nodes or nominated
};

/// The pod classes of a snapshot, each stored once. There are few classes if pods come from few templates.
class PodClasses {
 public:
  /// The class of a pod. `is_new`: no earlier pod was of this class.
  struct Found {
    std::uint32_t number;
    bool is_new;
  };
  Found find_or_add(const Pod& pod, const Release& release, Symbols& symbols);

  PodClass& operator[](std::uint32_t number) { return classes_[number]; }
  const PodClass& operator[](std::uint32_t number) const { return classes_[number]; }
  std::size_t size() const { return classes_.size(); }
  /// The classes with terms that count for scores, ascending.
  const std::vector<std::uint32_t>& with_scored_terms() const { return with_scored_terms_; }
  std::size_t bytes() const;

 private:
  std::vector<PodClass> classes_;
  std::vector<std::uint32_t> with_scored_terms_;
  std::map<std::string, std::uint32_t> numbers_;  ///< by Signature (pod_class.cpp)
};

}  // namespace touchstone::optimized
