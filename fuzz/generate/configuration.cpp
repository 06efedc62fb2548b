#include "fuzz/generate/configuration.hpp"

#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "fuzz/generate/draw.hpp"
#include "fuzz/generate/policy.hpp"
#include "kubernetes/configuration/plugins.hpp"
#include "kubernetes/configuration/policy.hpp"
#include "spec/vocabulary/filters.hpp"

namespace touchstone::fuzz {

namespace {

using Json = nlohmann::ordered_json;

constexpr std::string_view k_group = "kubescheduler.config.k8s.io/";
constexpr const char* k_required = "requiredDuringSchedulingIgnoredDuringExecution";
constexpr const char* k_preferred = "preferredDuringSchedulingIgnoredDuringExecution";
constexpr const char* k_second_profile = "second-scheduler";

/// The versions of the API that a release reads, newest first.
std::vector<std::string> versions_read(int minor) {
  std::vector<std::string> versions;
  if (minor >= 25) versions.emplace_back("v1");
  if (minor >= 23 && minor <= 28) versions.emplace_back("v1beta3");
  if (minor >= 22 && minor <= 27) versions.emplace_back("v1beta2");
  if (minor >= 19 && minor <= 22) versions.emplace_back("v1beta1");
  return versions;
}

/// Generates the plug-ins of a profile.
class PluginSets {
 public:
  PluginSets(Draw& draw, const Release& release, bool has_multi_point)
      : draw_(draw), release_(release), has_multi_point_(has_multi_point) {
    for (const std::vector<Filter>& group : release.filter_groups) {
      for (const Filter filter : group) filters_.emplace_back(plugin_of(filter));
    }
  }

  Json drawn() {
    if (!draw_.once_in(3)) draw_scorers();
    if (draw_.once_in(4)) draw_filters();
    if (draw_.once_in(12)) disable_one("preFilter");
    if (draw_.once_in(12)) disable_one("preScore");
    if (draw_.once_in(8)) disable("postFilter", "DefaultPreemption");
    return std::move(plugins_);
  }

 private:
  void disable(const std::string& point, std::string_view name) {
    plugins_[point]["disabled"].push_back(Json::object({{"name", name}}));
  }

  void enable(const std::string& point, std::string_view name, Quantity weight) {
    Json plugin = Json::object({{"name", name}});
    if (weight != 0) plugin["weight"] = weight;
    plugins_[point]["enabled"].push_back(std::move(plugin));
  }

  Quantity draw_weight() { return draw_.one_of<Quantity>({2, 1, 3, 0, 5, 10, 100, 7}); }

  void draw_scorers() {
    if (draw_.once_in(12)) {
      disable("score", "*");
      if (draw_.once_in(2)) return;
      for (const WeightedScorer& scorer : release_.scorers) {
        if (draw_.once_in(3)) enable("score", scorer.name, draw_weight());
      }
      return;
    }
    const std::string everywhere = has_multi_point_ && draw_.once_in(4) ? "multiPoint" : "score";
    for (const WeightedScorer& scorer : release_.scorers) {
      switch (draw_.below(5)) {
        case 3:
          if (!has_multi_point_ || draw_.once_in(2)) disable(everywhere, scorer.name);
          enable(everywhere, scorer.name, draw_weight());
          break;
        case 4:
          disable(everywhere, scorer.name);
          break;
        default:
          break;
      }
    }
  }

  void draw_filters() {
    const bool all = draw_.once_in(6);
    if (all) disable("filter", "*");
    for (const std::string& filter : filters_) {
      if (all && !draw_.once_in(4)) enable("filter", filter, 0);
      if (!all && draw_.once_in(6)) disable("filter", filter);
    }
  }

  /// Disables one plug-in at a point. What it would store is missing later. DynamicResources without its
  /// PreFilter is not modelled.
  void disable_one(const std::string& point) {
    std::vector<std::string> there;
    for (const std::string& filter : filters_) {
      if (kubernetes::implements(filter, point, release_.version.minor)) there.push_back(filter);
    }
    for (const WeightedScorer& scorer : release_.scorers) {
      const std::string name(scorer.name);
      const bool is_modelled = point != "preFilter" || name != "DynamicResources";
      if (is_modelled && kubernetes::implements(name, point, release_.version.minor)) there.push_back(name);
    }
    if (!there.empty()) disable(point, there[draw_.below(there.size())]);
  }

  Draw& draw_;
  const Release& release_;
  bool has_multi_point_;
  std::vector<std::string> filters_;
  Json plugins_ = Json::object();
};

/// Some resources, each once. `heaviest`: the greatest weight that is allowed.
Json draw_scored_resources(Draw& draw, Quantity heaviest) {
  Json resources = Json::array();
  for (const char* name : {"cpu", "memory", "example.com/gpu", "ephemeral-storage", "example.org/fpga"}) {
    if (draw.once_in(2)) continue;
    Json resource = Json::object({{"name", name}});
    if (!draw.once_in(4)) resource["weight"] = heaviest == 1 ? 1 : draw.one_of<Quantity>({1, 2, 3, 100, 7});
    resources.push_back(std::move(resource));
  }
  return resources;
}

Json draw_fit(Draw& draw, const std::string& version) {
  Json args = Json::object();
  if (draw.once_in(4))
    args["ignoredResources"].push_back(draw.one_of({"example.com/gpu", "example.org/fpga"}));
  if (draw.once_in(4)) args["ignoredResourceGroups"].push_back(draw.one_of({"example.com", "example.org"}));
  if (version == "v1beta1" || draw.once_in(6)) return args;
  Json& strategy = args["scoringStrategy"];
  strategy["type"] = draw.one_of({"LeastAllocated", "MostAllocated", "RequestedToCapacityRatio"});
  if (!draw.once_in(3)) strategy["resources"] = draw_scored_resources(draw, 100);
  if (strategy["type"] == "RequestedToCapacityRatio")
    strategy["requestedToCapacityRatio"]["shape"] = draw_shape(draw);
  return args;
}

Json draw_default_spread(Draw& draw) {
  Json args = Json::object();
  if (draw.minor >= 20 && draw.once_in(6)) return Json::object({{"defaultingType", "System"}});
  if (draw.minor >= 20) args["defaultingType"] = "List";
  Json constraints = Json::array();
  for (const char* key : {"zone", "topology.kubernetes.io/zone", k_hostname}) {
    for (const char* when : {"ScheduleAnyway", "DoNotSchedule"}) {
      if (!draw.once_in(when == std::string("DoNotSchedule") ? 6 : 2)) continue;
      constraints.push_back(
          {{"maxSkew", draw.one_of<Quantity>({1, 2, 3})}, {"topologyKey", key}, {"whenUnsatisfiable", when}});
    }
  }
  if (!constraints.empty() || draw.once_in(2)) args["defaultConstraints"] = std::move(constraints);
  return args;
}

/// A term of a node selector with one requirement.
Json term_of(const char* list, const char* key, const char* op, const std::vector<std::string>& values) {
  Json requirement{{"key", key}, {"operator", op}};
  if (!values.empty()) requirement["values"] = values;
  Json term;
  term[list].push_back(std::move(requirement));
  return term;
}

Json draw_added_term(Draw& draw) {
  switch (draw.below(5)) {
    case 0:
      return term_of("matchExpressions", "disk", "In", {"ssd"});
    case 1:
      return term_of("matchExpressions", "zone", "NotIn", {"b", "c"});
    case 2:
      return term_of("matchExpressions", "gen", "Gt", {"4"});
    case 3:
      return term_of("matchFields", "metadata.name", "In", {node_name(draw.below(4))});
    default:
      return term_of("matchExpressions", "disk", "Exists", {});
  }
}

Json draw_added_affinity(Draw& draw) {
  Json affinity = Json::object();
  if (draw.once_in(3)) {
    Json terms = Json::array();
    for (std::size_t i = 1 + draw.below(2); i > 0; --i) terms.push_back(draw_added_term(draw));
    affinity[k_required]["nodeSelectorTerms"] = std::move(terms);
  }
  if (!draw.once_in(3)) {
    for (std::size_t i = 1 + draw.below(3); i > 0; --i) {
      const Quantity weight = draw.one_of<Quantity>({1, 10, 100, 50, 29});
      affinity[k_preferred].push_back({{"weight", weight}, {"preference", draw_added_term(draw)}});
    }
  }
  Json args;
  args["addedAffinity"] = std::move(affinity);
  return args;
}

Json draw_interpod(Draw& draw) {
  Json args = Json::object();
  if (!draw.once_in(4)) args["hardPodAffinityWeight"] = draw.one_of<Quantity>({1, 0, 100, 5, 50});
  if (draw.minor >= 27 && draw.once_in(3)) args["ignorePreferredTermsOfExistingPods"] = draw.once_in(2);
  return args;
}

Json draw_preemption(Draw& draw) {
  const Quantity percentage = draw.one_of<Quantity>({10, 0, 50, 100, 1});
  const Quantity absolute = draw.one_of<Quantity>({100, 1, 2, 0, 5});
  return {{"minCandidateNodesPercentage", percentage},
          {"minCandidateNodesAbsolute", percentage == 0 && absolute == 0 ? 1 : absolute}};
}

Json draw_volume_binding(Draw& draw, const Release& release) {
  Json args = Json::object();
  if (draw.once_in(2)) args["bindTimeoutSeconds"] = 60;
  if (release.storage_is_scored && !draw.once_in(4)) args["shape"] = draw_shape(draw);
  return args;
}

/// Generates the arguments of some plug-ins.
Json draw_arguments(Draw& draw, const Release& release, const std::string& version) {
  Json list = Json::array();
  const auto add = [&](const std::string& plugin, Json args) {
    if (draw.once_in(2)) {
      args["kind"] = plugin + "Args";
      args["apiVersion"] = std::string(k_group) + version;
    }
    list.push_back(Json::object({{"name", plugin}, {"args", std::move(args)}}));
  };
  if (draw.once_in(2)) add("NodeResourcesFit", draw_fit(draw, version));
  if (draw.minor >= 22 && version != "v1beta1" && draw.once_in(4))
    add("NodeResourcesBalancedAllocation", Json::object({{"resources", draw_scored_resources(draw, 1)}}));
  if (draw.once_in(3)) add("InterPodAffinity", draw_interpod(draw));
  if (draw.once_in(3)) add("PodTopologySpread", draw_default_spread(draw));
  if (draw.minor >= 20 && draw.once_in(4)) add("NodeAffinity", draw_added_affinity(draw));
  if (draw.minor >= 20 && draw.once_in(4)) add("DefaultPreemption", draw_preemption(draw));
  if (draw.once_in(6)) add("VolumeBinding", draw_volume_binding(draw, release));
  return list;
}

Json draw_profile(Draw& draw, const Release& release, const std::string& version) {
  Json profile = Json::object();
  const bool has_multi_point = version == "v1" || version == "v1beta3";
  Json plugins = PluginSets(draw, release, has_multi_point).drawn();
  if (!plugins.empty()) profile["plugins"] = std::move(plugins);
  Json arguments = draw_arguments(draw, release, version);
  if (!arguments.empty()) profile["pluginConfig"] = std::move(arguments);
  if (version == "v1" && draw.minor >= 26 && draw.once_in(12))
    profile["percentageOfNodesToScore"] = draw.one_of<Quantity>({50, 100, 1, 70});
  return profile;
}

}  // namespace

Json draw_configuration(Choices& choices, const Release& release, Question& question) {
  Draw draw{choices, {}, release.version.minor};
  const std::vector<std::string> versions = versions_read(draw.minor);
  const bool reads_policy = draw.minor <= kubernetes::k_last_with_policy;
  if (versions.empty() || (reads_policy && draw.once_in(2))) return draw_policy(draw, release);
  const std::string version = versions[draw.below(versions.size())];
  Json config{{"apiVersion", std::string(k_group) + version}, {"kind", "KubeSchedulerConfiguration"}};
  if (draw.once_in(4)) config["percentageOfNodesToScore"] = draw.one_of<Quantity>({50, 0, 5, 30, 70, 100, 1});
  config["profiles"].push_back(draw_profile(draw, release, version));
  if (!draw.once_in(6)) return config;
  config["profiles"][0]["schedulerName"] = "default-scheduler";
  config["profiles"].push_back(draw_profile(draw, release, version));
  config["profiles"][1]["schedulerName"] = k_second_profile;
  if (draw.once_in(2)) question.pod.scheduler_name = k_second_profile;
  return config;
}

}  // namespace touchstone::fuzz
