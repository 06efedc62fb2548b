#include "spec/releases/feature_gates.hpp"

#include <algorithm>
#include <array>
#include <charconv>

#include "spec/releases/release_table.hpp"

namespace touchstone {

namespace {

Error refused(const std::string& path, const std::string& why) {
  return Error{"refused-feature-gate", path, why};
}

std::string_view trimmed(std::string_view text) {
  constexpr std::string_view k_blanks = " \t\n\r";
  const std::size_t first = text.find_first_not_of(k_blanks);
  if (first == std::string_view::npos) return "";
  return text.substr(first, text.find_last_not_of(k_blanks) - first + 1);
}

/// Removes the part before the next separator from `text`, and returns it.
std::string_view take_part(std::string_view& text, char separator) {
  const std::size_t end = text.find(separator);
  const std::string_view part = text.substr(0, end);
  text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
  return part;
}

/// The booleans that Go reads.
std::optional<bool> boolean_of(std::string_view text) {
  constexpr std::array<std::string_view, 6> k_true = {"1", "t", "T", "true", "TRUE", "True"};
  constexpr std::array<std::string_view, 6> k_false = {"0", "f", "F", "false", "FALSE", "False"};
  if (std::find(k_true.begin(), k_true.end(), text) != k_true.end()) return true;
  if (std::find(k_false.begin(), k_false.end(), text) != k_false.end()) return false;
  return std::nullopt;
}

/// The stage in a minor release, from stages such as "8a- 9b+ 29g+! 33."; nothing if the gate is not known
/// there.
std::optional<GateStage> stage_in(std::string_view stages, int minor) {
  std::optional<GateStage> found;
  while (!stages.empty()) {
    std::string_view stage = take_part(stages, ' ');
    int first = 0;
    const char* end = std::from_chars(stage.data(), stage.data() + stage.size(), first).ptr;
    if (first > minor) break;
    stage.remove_prefix(static_cast<std::size_t>(end - stage.data()));
    found.reset();
    if (stage != ".") found = GateStage{stage[0], stage[1] == '+', stage.ends_with('!')};
  }
  return found;
}

/// The error of a gate that the release refuses; nothing if it takes the gate.
std::optional<Error> refusal_of(const std::string& gate, bool value,
                                const std::map<std::string, GateStage>& known, int minor,
                                const std::string& path) {
  constexpr int k_last_minor_with_keys = 11;
  const auto text = [](bool each) { return std::string(each ? "true" : "false"); };
  const auto found = known.find(gate);
  if (found == known.end())
    return refused(
        path,
        (minor <= k_last_minor_with_keys ? "unrecognized key: " : "unrecognized feature gate: ") + gate);
  if (found->second.is_locked && found->second.is_on != value)
    return refused(path, "cannot set feature gate " + gate + " to " + text(value) +
                             ", feature is locked to " + text(found->second.is_on));
  return std::nullopt;
}

/// The gates that differ from their defaults.
FeatureGates changed_gates(const FeatureGates& gates, const std::map<std::string, GateStage>& known) {
  const auto all = [&gates](const std::string& name) {
    const auto found = gates.find(name);
    return found == gates.end() ? std::nullopt : std::optional(found->second);
  };
  FeatureGates changed;
  for (const auto& [name, stage] : known) {
    bool value = stage.is_on;
    if (stage.stage == 'a') value = all("AllAlpha").value_or(value);
    if (stage.stage == 'b') value = all("AllBeta").value_or(value);
    if (const auto own = gates.find(name); own != gates.end()) value = own->second;
    if (value != stage.is_on) changed[name] = value;
  }
  return changed;
}

}  // namespace

std::map<std::string, GateStage> feature_gates_of(int minor) {
  std::map<std::string, GateStage> gates;
  std::string_view text = feature_gate_text();
  while (!text.empty()) {
    std::string_view row = trimmed(take_part(text, ';'));
    const std::string_view name = take_part(row, ' ');
    if (const auto stage = stage_in(row, std::min(minor, k_alpha_minor - 1)); !name.empty() && stage)
      gates.emplace(name, *stage);
  }
  return gates;
}

Result<FeatureGates> parse_feature_gates(std::string_view text) {
  const std::string path = "--feature-gates";
  FeatureGates gates;
  while (!text.empty()) {
    const std::string_view part = take_part(text, ',');
    if (part.empty()) continue;
    const std::size_t equals = part.find('=');
    const std::string name(trimmed(part.substr(0, equals)));
    if (equals == std::string_view::npos) return refused(path, "missing bool value for " + name);
    const std::string value(trimmed(part.substr(equals + 1)));
    const std::optional<bool> boolean = boolean_of(value);
    if (!boolean)
      return refused(path, "invalid value of " + name + "=" + value + ", err: strconv.ParseBool: parsing \"" +
                               value + "\": invalid syntax");
    gates[name] = *boolean;
  }
  return gates;
}

Result<Release> with_feature_gates(const Release& release, const FeatureGates& gates,
                                   const std::string& path) {
  if (gates.empty()) return release;
  const int minor = release.version.minor;
  const std::map<std::string, GateStage> known = feature_gates_of(minor);
  for (const auto& [name, value] : gates) {
    if (const auto error = refusal_of(name, value, known, minor, path)) return *error;
  }
  Release changed = release;
  for (const auto& [name, value] : changed_gates(gates, known)) {
    for (const GateEffect& effect : gate_effects()) {
      const bool is_meant = effect.gate == name && effect.value == value && effect.first_minor <= minor &&
                            minor <= effect.last_minor;
      if (!is_meant) continue;
      if (effect.apply) {
        effect.apply(changed);
      } else if (changed.unmodelled_gate.empty()) {
        changed.unmodelled_gate = name + (value ? "=true" : "=false");
      }
    }
  }
  return changed;
}

Result<Release> with_gates_over_time(const Release& release, const FeatureGates& gates,
                                     const std::string& path) {
  const Result<Release> accepted = with_feature_gates(release, gates, path);
  if (!accepted) return accepted.error();
  const int minor = release.version.minor;
  Release changed = release;
  const FeatureGates set = changed_gates(gates, feature_gates_of(minor));
  for (const auto& [name, value] : set) {
    const auto& effects = gate_effects_over_time();
    const auto found = std::find_if(effects.begin(), effects.end(), [&](const GateEffect& each) {
      return each.gate == name && each.value == value && each.first_minor <= minor &&
             minor <= each.last_minor;
    });
    if (found != effects.end()) {
      found->apply(changed);
    } else {
      changed.unmodelled_gate = name + (value ? "=true" : "=false");
    }
  }
  if (changed.gangs_wait && !set.contains("GenericWorkload"))
    return refused(path,
                   "GangScheduling is enabled, but depends on features that are disabled: [GenericWorkload]");
  return changed;
}

}  // namespace touchstone
