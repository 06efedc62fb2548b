#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

#include "fuzz/behaviour/behaviour.hpp"
#include "fuzz/generate/scenario.hpp"
#include "fuzz/behaviour/behaviour_counts.hpp"

/// How good a generator is: what its cases show, and how often.
namespace touchstone::fuzz {

struct Quality {
  std::size_t cases = 0;
  std::size_t answered = 0;  ///< not skipped
  std::size_t ran = 0;       ///< of those: preemption ran, since the pod fits nowhere
  std::size_t found = 0;     ///< of those: it found candidates
  std::array<std::size_t, k_family_names.size()> families{};
  std::array<std::size_t, k_classes> classes{};     ///< in how many cases each is shown
  std::map<std::string_view, std::size_t> clauses;  ///< likewise; absent: in none
  std::map<std::string, std::size_t> skipped;       ///< cases not answered, by the filter that is missing
  BehaviourCounts behaviours;

  std::size_t shown(Class which) const { return classes[static_cast<std::size_t>(which)]; }
};

/// What a filter or a rule looks at and no scenario has, and why.
struct NotGenerated {
  std::string_view what;
  std::string_view why;
};
inline constexpr std::array<NotGenerated, 9> k_not_generated = {{
    {"node conditions", "v1.8 to v1.11 reject by them, which is not modelled"},
    {"resource claims", "from v1.34 a filter looks at them, which is not modelled"},
    {"invalid selectors in terms between pods and in spread constraints",
     "not modelled; no API server admits them"},
    {"disks that their CSI driver cannot have, and shortened names of limits", "not modelled"},
    {"more than 3 PDBs, 4 pods on a node or 160 nodes", "recorded clusters and unit tests have more"},
    {"messages of more than 1,024 bytes", "a law and vectors of clauses have them"},
    {"label keys, values and resource names near their limits", "unit tests have them"},
    {"in-tree volumes with labels of both zones", "recorded clusters and unit tests have them"},
    {"extenders, other profiles, gates that are switched", "outside of the question"},
}};

/// Measures the scenarios number 0 to cases - 1 of a seed, decided as the release of `scenarios`.
/// Ensures: deterministic. `progress` is called after every case.
Quality measure(
    const Scenarios& scenarios, std::uint64_t seed, std::size_t cases,
    const std::function<void()>& progress = [] {});

}  // namespace touchstone::fuzz
