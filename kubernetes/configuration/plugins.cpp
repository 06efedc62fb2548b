#include "kubernetes/configuration/plugins.hpp"

#include <algorithm>
#include <array>
#include <charconv>

#include "kubernetes/configuration/refusal.hpp"
#include "kubernetes/objects/fields.hpp"
#include "spec/vocabulary/scorer_sets.hpp"

namespace touchstone::kubernetes {

namespace {

/// What is known about a plug-in.
struct PluginFacts {
  std::string_view name;
  /// The extension points that it implements. `@minor`: from that release on.
  std::string_view points;
  std::optional<Scorer> scorer = {};
  int first_minor = 0;
  int last_minor = 1000;
};

/// The plug-ins of kube-scheduler.
constexpr std::array k_plugins = {
    PluginFacts{"PrioritySort", "queueSort"},
    PluginFacts{"SchedulingGates", "preEnqueue", {}, 26},
    PluginFacts{"NodeUnschedulable", "filter"},
    PluginFacts{"NodeName", "preFilter@37 filter"},
    PluginFacts{"TaintToleration", "filter preScore score", Scorer::taint_toleration},
    PluginFacts{"NodeAffinity", "preFilter@21 filter preScore@20 score", Scorer::node_affinity},
    PluginFacts{"NodePorts", "preFilter filter"},
    PluginFacts{"NodeResourcesFit", "preFilter filter preScore@27 score@22", Scorer::node_resources},
    PluginFacts{"VolumeRestrictions", "preFilter@22 filter"},
    PluginFacts{"EBSLimits", "preFilter@27 filter", {}, 0, 30},
    PluginFacts{"GCEPDLimits", "preFilter@27 filter", {}, 0, 30},
    PluginFacts{"NodeVolumeLimits", "preFilter@27 filter"},
    PluginFacts{"AzureDiskLimits", "preFilter@27 filter", {}, 0, 30},
    PluginFacts{"CinderLimits", "preFilter@27 filter", {}, 0, 30},
    PluginFacts{"VolumeBinding", "preFilter@19 filter reserve preBind preScore@27 score@21",
                Scorer::volume_capacity},
    PluginFacts{"VolumeZone", "preFilter@27 filter"},
    PluginFacts{"PodTopologySpread", "preFilter filter preScore score", Scorer::pod_topology_spread},
    PluginFacts{"InterPodAffinity", "preFilter filter preScore score", Scorer::inter_pod_affinity},
    PluginFacts{"DynamicResources", "preEnqueue@28 preFilter filter postFilter reserve preBind score@35",
                Scorer::dynamic_resources, 26},
    PluginFacts{"DefaultPreemption", "postFilter preEnqueue@33"},
    PluginFacts{"NodeResourcesBalancedAllocation", "preScore@27 score", Scorer::balanced_allocation},
    PluginFacts{"ImageLocality", "score", Scorer::image_locality},
    PluginFacts{"DefaultBinder", "bind"},
    PluginFacts{"NodeDeclaredFeatures", "preFilter filter", {}, 35},
    PluginFacts{"GangScheduling", "preEnqueue reserve permit", {}, 35},
    PluginFacts{"NodePreferAvoidPods", "score", Scorer::node_prefer_avoid_pods, 0, 22},
    PluginFacts{"NodeResourcesLeastAllocated", "score", Scorer::node_resources, 0, 22},
    PluginFacts{"NodeResourcesMostAllocated", "score", {}, 0, 22},
    PluginFacts{"RequestedToCapacityRatio", "score", {}, 0, 22},
    PluginFacts{"NodeLabel", "filter score", {}, 0, 22},
    PluginFacts{"ServiceAffinity", "preFilter filter score", {}, 0, 22},
    PluginFacts{"SelectorSpread", "preScore score", Scorer::selector_spread, 0, 27},
};

const PluginFacts* facts_of_plugin(std::string_view name, int minor) {
  const auto found = std::find_if(k_plugins.begin(), k_plugins.end(), [&](const PluginFacts& each) {
    return each.name == name && each.first_minor <= minor && minor <= each.last_minor;
  });
  return found == k_plugins.end() ? nullptr : found;
}

/// The filters that err if their PreFilter does not run, in the format of PluginFacts::points.
constexpr std::string_view k_filters_with_state =
    "NodePorts NodeResourcesFit VolumeRestrictions@27 VolumeBinding PodTopologySpread InterPodAffinity "
    "NodeDeclaredFeatures";

/// The scorers that err if their PreScore does not run.
constexpr std::string_view k_scorers_with_state = "TaintToleration PodTopologySpread InterPodAffinity";

/// Whether points of a plug-in, such as "preFilter@27 filter", have this one.
bool names_point(std::string_view points, std::string_view point, int minor) {
  while (!points.empty()) {
    const std::size_t size = points.find(' ');
    std::string_view word = points.substr(0, size);
    points.remove_prefix(size == std::string_view::npos ? points.size() : size + 1);
    const std::size_t at = word.find('@');
    int since = 0;
    if (at != std::string_view::npos) {
      std::from_chars(word.data() + at + 1, word.data() + word.size(), since);
      word = word.substr(0, at);
    }
    if (word == point) return since <= minor;
  }
  return false;
}

/// The scorers that run by default with a version of the configuration. An old version keeps the scorers of
/// an old release, and SelectorSpread if a feature gate has added it (CYC-GATES-1).
std::vector<WeightedScorer> default_scorers(ConfigVersion version, const Release& release) {
  const bool is_first = version == ConfigVersion::v1beta1 && release.version.minor == 22;
  if (!is_first && version != ConfigVersion::v1beta2) return release.scorers;
  std::vector<WeightedScorer> scorers = is_first ? k_plugins_with_default_spread : k_plugins_with_fit;
  for (const WeightedScorer& scorer : release.scorers) {
    if (scorer.scorer == Scorer::selector_spread) scorers.push_back(scorer);
  }
  return scorers;
}

PluginList scorers_by_name(ConfigVersion version, const Release& release) {
  PluginList list;
  for (const WeightedScorer& scorer : default_scorers(version, release))
    list.push_back({std::string(scorer.name), scorer.weight});
  return list;
}

/// The plug-ins that run by default, in their order.
PluginList default_plugins(ConfigVersion version, const Release& release) {
  PluginList list = {{"PrioritySort", 0}, {"SchedulingGates", 0}, {"DefaultBinder", 0}};
  const auto add = [&list](std::string_view name, Quantity weight) {
    const auto found = std::find_if(list.begin(), list.end(),
                                    [name](const EnabledPlugin& each) { return each.name == name; });
    if (found == list.end()) {
      list.push_back({std::string(name), weight});
    } else {
      found->weight = weight;
    }
  };
  for (const std::vector<Filter>& group : release.filter_groups) {
    for (const Filter filter : group) add(plugin_of(filter), 0);
  }
  if (release.resource_claims_filter) add("DynamicResources", 0);
  add("DefaultPreemption", 0);
  for (const WeightedScorer& scorer : default_scorers(version, release)) add(scorer.name, scorer.weight);
  return list;
}

/// The list `enabled` or `disabled` of a set of plug-ins.
PluginList read_list(const std::optional<Value>& plugins, std::string_view point, std::string_view key) {
  if (!plugins) return {};
  const auto set = plugins->find(point);
  if (!set) return {};
  return list_field(*set, key, [](const Value& plugin) {
    return EnabledPlugin{string_field(plugin, "name"), int32_field(plugin, "weight")};
  });
}

/// Merges the plug-ins that a configuration enables and disables into those that run by default. A plug-in
/// that runs by default keeps its place, and takes the new weight.
PluginList merged(const PluginList& defaults, const PluginList& enabled, const PluginList& disabled) {
  PluginList list;
  std::set<std::string> replaced;
  for (const EnabledPlugin& plugin : defaults) {
    if (has_plugin(disabled, "*") || has_plugin(disabled, plugin.name)) continue;
    const auto own = std::find_if(enabled.begin(), enabled.end(),
                                  [&plugin](const EnabledPlugin& each) { return each.name == plugin.name; });
    if (own != enabled.end()) replaced.insert(plugin.name);
    list.push_back(own == enabled.end() ? plugin : *own);
  }
  for (const EnabledPlugin& plugin : enabled) {
    if (!replaced.contains(plugin.name)) list.push_back(plugin);
  }
  return list;
}

/// Those plug-ins that implement a point.
PluginList at_point(const PluginList& plugins, std::string_view point, int minor) {
  PluginList list;
  std::copy_if(plugins.begin(), plugins.end(), std::back_inserter(list),
               [&](const EnabledPlugin& each) { return implements(each.name, point, minor); });
  return list;
}

/// The order of a point for which plug-ins are enabled by name: first those that run at all points too, then
/// the others of these, then the rest. `everywhere`: the plug-ins of all points that implement this one.
PluginList expanded(const PluginList& everywhere, const PluginList& enabled, const PluginList& disabled) {
  if (has_plugin(disabled, "*")) return enabled;
  PluginList overriding;
  PluginList others;
  for (const EnabledPlugin& plugin : enabled) {
    const bool overrides = has_plugin(everywhere, plugin.name) && !has_plugin(disabled, plugin.name);
    (overrides ? overriding : others).push_back(plugin);
  }
  PluginList list = overriding;
  for (const EnabledPlugin& plugin : everywhere) {
    if (!has_plugin(disabled, plugin.name) && !has_plugin(enabled, plugin.name)) list.push_back(plugin);
  }
  list.insert(list.end(), others.begin(), others.end());
  return list;
}

/// Refuses names that are enabled and not known, or not for this point, or twice.
void check_names(const Value& plugins, std::string_view point, int minor) {
  const auto set = plugins.find(point);
  const auto enabled = set ? set->find("enabled") : std::nullopt;
  if (!enabled) return;
  std::set<std::string> seen;
  for (const Value plugin : enabled->elements()) {
    const std::string name = string_field(plugin, "name");
    if (facts_of_plugin(name, minor) == nullptr)
      refuse_configuration(plugin, "plugin \"" + name + "\" does not exist");
    if (point != "multiPoint" && !implements(name, point, minor))
      refuse_configuration(plugin,
                           "plugin \"" + name + "\" does not extend " + std::string(point) + " plugin");
    if (!seen.insert(name).second)
      refuse_configuration(plugin,
                           "plugin \"" + name + "\" already registered as \"" + std::string(point) + "\"");
  }
}

/// The weight of a scorer: that of its own point, or else of all points; 1 if none is given.
Quantity weight_of(const EnabledPlugin& plugin) { return plugin.weight == 0 ? Quantity(1) : plugin.weight; }

/// The name of the plug-in of a scorer that may run before scoring.
std::string_view plugin_of_scorer(Scorer scorer) {
  return std::find_if(k_plugins.begin(), k_plugins.end(),
                      [scorer](const PluginFacts& each) { return each.scorer == scorer; })
      ->name;
}

void set_filters(const PluginList& filters, const std::optional<Value>& profile, Release& release) {
  const bool declares = has_filter(release, Filter::node_declared_features);
  release.filter_groups.clear();
  for (const EnabledPlugin& plugin : filters) {
    const std::optional<Filter> filter = filter_of_plugin(plugin.name);
    if (filter == Filter::node_declared_features && !declares) continue;  // behind a feature gate
    if (filter) {
      release.filter_groups.push_back({*filter});
    } else if (plugin.name != "DynamicResources") {
      profile->fail("not-supported", "the filter of " + plugin.name + " is not modelled");
    }
  }
}

void set_scorers(const PluginList& scorers, const std::optional<Value>& profile, Release& release) {
  std::vector<WeightedScorer> chosen;
  for (const EnabledPlugin& plugin : scorers) {
    const PluginFacts* facts = facts_of_plugin(plugin.name, release.version.minor);
    if (!facts->scorer) profile->fail("not-supported", "the scores of " + plugin.name + " are not modelled");
    chosen.push_back({*facts->scorer, std::string(facts->name), weight_of(plugin)});
  }
  release.scorers = chosen;
}

}  // namespace

bool has_filter(const Release& release, Filter filter) {
  return std::any_of(release.filter_groups.begin(), release.filter_groups.end(),
                     [filter](const std::vector<Filter>& group) {
                       return std::find(group.begin(), group.end(), filter) != group.end();
                     });
}

bool has_plugin(const PluginList& list, std::string_view name) {
  return std::any_of(list.begin(), list.end(),
                     [name](const EnabledPlugin& each) { return each.name == name; });
}

bool implements(std::string_view plugin, std::string_view point, int minor) {
  const PluginFacts* facts = facts_of_plugin(plugin, minor);
  return facts != nullptr && names_point(facts->points, point, minor);
}

std::optional<Filter> filter_of_plugin(std::string_view plugin) {
  const auto found = std::find_if(k_filters.begin(), k_filters.end(),
                                  [plugin](const FilterFacts& each) { return each.plugin == plugin; });
  // In a configuration of plug-ins the filters of a Policy are not modelled.
  if (found == k_filters.end() || found->clause.starts_with("POL-")) return std::nullopt;
  return found->filter;
}

PluginList plugins_at(std::string_view point, const std::optional<Value>& plugins, ConfigVersion version,
                      const Release& release) {
  const int minor = release.version.minor;
  if (plugins) check_names(*plugins, point, minor);
  const PluginList enabled = read_list(plugins, point, "enabled");
  const PluginList disabled = read_list(plugins, point, "disabled");
  const PluginList defaults = default_plugins(version, release);
  if (version < ConfigVersion::v1beta3)
    return merged(point == "score" ? scorers_by_name(version, release) : at_point(defaults, point, minor),
                  enabled, disabled);
  const PluginList everywhere = merged(defaults, read_list(plugins, "multiPoint", "enabled"),
                                       read_list(plugins, "multiPoint", "disabled"));
  return expanded(at_point(everywhere, point, minor), enabled, disabled);
}

void apply_plugins(const std::optional<Value>& profile, ConfigVersion version, Release& release) {
  const std::optional<Value> plugins = profile ? profile->find("plugins") : std::nullopt;
  const int minor = release.version.minor;
  if (plugins && version >= ConfigVersion::v1beta3) check_names(*plugins, "multiPoint", minor);
  const Release defaults = release;
  const auto at = [&](std::string_view point) { return plugins_at(point, plugins, version, defaults); };

  // CYC-PROFILE-1
  for (const std::string_view point : {"preEnqueue", "reserve", "permit", "preBind", "postBind"}) at(point);
  if (at("queueSort").empty()) refuse_configuration(*profile, "no queue sort plugin is enabled");
  if (at("bind").empty()) refuse_configuration(*profile, "at least one bind plugin is needed");
  const PluginList filters = at("filter");
  const PluginList before_filters = at("preFilter");
  const PluginList scorers = at("score");
  const PluginList before_scores = at("preScore");
  const PluginList after_filters = at("postFilter");

  set_filters(filters, profile, release);
  const bool claims_have_state = has_plugin(before_filters, "DynamicResources");
  if (release.resource_claims_filter && !claims_have_state &&
      (has_plugin(filters, "DynamicResources") || has_plugin(after_filters, "DynamicResources")))
    profile->fail("not-supported", "DynamicResources without its PreFilter is not modelled");
  bool has_run = false;  // DynamicResources
  release.prefilters.clear();
  for (const EnabledPlugin& plugin : before_filters) {
    const std::optional<Filter> filter = filter_of_plugin(plugin.name);
    if (plugin.name == "DynamicResources") has_run = true;
    if (filter) release.prefilters.push_back(*filter);
    if (filter && has_run) release.prefilters_after_claims.push_back(*filter);
  }
  for (const FilterFacts& facts : k_filters) {
    if (!implements(facts.plugin, "preFilter", minor) || has_plugin(before_filters, facts.plugin)) continue;
    release.prefilters_off.push_back(facts.filter);
    if (has_filter(release, facts.filter) && names_point(k_filters_with_state, facts.plugin, minor))
      release.filters_without_state.push_back(facts.filter);
  }
  set_scorers(scorers, profile, release);
  for (const WeightedScorer& scorer : release.scorers) {
    const std::string_view name = plugin_of_scorer(scorer.scorer);
    if (!implements(name, "preScore", minor) || has_plugin(before_scores, name)) continue;
    if (scorer.scorer == Scorer::balanced_allocation) release.balance_prescore_off = true;
    if (scorer.scorer == Scorer::node_affinity) release.node_affinity_score_may_be_skipped = false;
    if (scorer.scorer == Scorer::volume_capacity) release.storage_score_may_be_skipped = false;
    if (names_point(k_scorers_with_state, name, minor))
      release.scorers_without_state.push_back(scorer.scorer);
  }
  if (release.storage_is_scored && has_plugin(before_scores, "VolumeBinding") &&
      !has_plugin(before_filters, "VolumeBinding"))
    release.prescore_error = "running PreScore plugin \"VolumeBinding\": not found";
  release.preempts = has_plugin(after_filters, "DefaultPreemption");
  const auto last = std::find_if(after_filters.rbegin(), after_filters.rend(), [](const EnabledPlugin& each) {
    return each.name == "DynamicResources" || each.name == "DefaultPreemption";
  });
  release.claims_after_preemption = release.preempts && last->name == "DynamicResources";
  if (!has_plugin(after_filters, "DynamicResources")) {
    release.text_claims = "";
    release.prefilter_rejection_errs = false;
  }
  if (!has_plugin(filters, "DynamicResources") && !has_plugin(before_filters, "DynamicResources") &&
      !has_plugin(scorers, "DynamicResources"))
    release.resource_claims_filter = false;
}

}  // namespace touchstone::kubernetes
