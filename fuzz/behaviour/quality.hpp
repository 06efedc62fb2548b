#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <map>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>

#include "fuzz/behaviour/behaviour.hpp"
#include "fuzz/behaviour/behaviour_counts.hpp"
#include "fuzz/behaviour/thresholds.hpp"
#include "fuzz/generate/scenario.hpp"
#include "oracle/protocol/command.hpp"

/// The quality of a generator: what its cases show, and how often.
namespace touchstone::fuzz {

struct Quality {
  std::size_t cases = 0;
  std::size_t answered = 0;  ///< not skipped
  std::size_t ran = 0;       ///< of those: the pod fits nowhere, so preemption was tried
  std::size_t found = 0;     ///< of those: preemption found candidates
  std::array<std::size_t, k_family_names.size()> families{};
  std::array<std::size_t, k_classes> classes{};     ///< number of cases that show each class
  std::map<std::string_view, std::size_t> clauses;  ///< number of cases with each clause; absent: none
  std::map<std::string, std::size_t> placements;    ///< of `schedule`: cases with each class of a placement
  std::map<std::string, std::size_t> skipped;       ///< cases not answered, by what is not modelled
  BehaviourCounts behaviours;
  std::array<Sides, k_threshold_count> thresholds{};  ///< in the order of k_thresholds

  std::size_t shown(Class which) const { return classes[static_cast<std::size_t>(which)]; }
};

/// Something that a filter or a rule reads but no scenario contains, and the reason.
struct NotGenerated {
  std::string_view what;
  std::string_view why;
};
inline constexpr std::array<NotGenerated, 6> k_not_generated = {{
    {"resource claims", "from v1.34 a filter looks at them, which is not modelled"},
    {"invalid selectors in terms between pods and in spread constraints",
     "not modelled; no API server admits them"},
    {"disks that their CSI driver cannot have", "not modelled"},
    {"more than 100 PDBs or 6 pods on a node", "recorded clusters and unit tests have more"},
    {"label keys and values near their limits", "unit tests have them"},
    {"configurations, and gates that are switched", "touchstone fuzz --random-configurations has them"},
}};

/// Measures scenarios 0 to cases - 1 of a seed, decided as the release of `scenarios`. Calls `progress`
/// after every case. Ensures: deterministic.
Quality measure(
    const Scenarios& scenarios, std::uint64_t seed, std::size_t cases,
    const std::function<void()>& progress = [] {}, oracle::Command command = oracle::Command::run);

}  // namespace touchstone::fuzz
