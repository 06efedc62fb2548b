#include "kubernetes/admission/limit_range.hpp"

#include <string_view>

#include "kubernetes/objects/fields.hpp"
#include "kubernetes/text/quantity.hpp"

namespace touchstone::kubernetes {

namespace {

/// Reads maxLimitRequestRatio. Ratios are in thousandths for every resource.
ResourceList ratios_field(const Value& object) {
  ResourceList ratios;
  const auto field = object.find("maxLimitRequestRatio");
  if (!field) return ratios;
  for (const Value member : field->members()) {
    const Result<Quantity> ratio = parse_quantity(member.number_or_string(), Unit::milli);
    if (!ratio) member.fail(ratio.error().code, ratio.error().message);
    ratios.emplace(member.key(), ratio.value());
  }
  return ratios;
}

LimitRangeItem read_item(const Value& value) {
  const auto amounts = [&](std::string_view key) {
    return resources_field(value, key).value_or(ResourceList{});
  };
  return {.type = string_field(value, "type"),
          .max = amounts("max"),
          .min = amounts("min"),
          .default_limits = amounts("default"),
          .default_requests = amounts("defaultRequest"),
          .max_ratio_milli = ratios_field(value)};
}

/// Adds the missing amounts. Returns the names of their resources.
std::string filled_in(const ResourceList& defaults, ResourceList& amounts) {
  std::string names;
  for (const auto& [name, amount] : defaults) {
    if (amounts.emplace(name, amount).second) names += (names.empty() ? "" : ", ") + name;
  }
  return names;
}

const Quantity* amount_of(const ResourceList& amounts, const std::string& name) {
  const auto found = amounts.find(name);
  return found == amounts.end() ? nullptr : &found->second;
}

/// Checks the requests and limits of a container or a pod against an item of a LimitRange.
class Check {
 public:
  Check(const Value& about, const LimitRange& range, const LimitRangeItem& item)
      : about_(about), range_(range), item_(item) {}

  void run(const ResourceList& requests, const ResourceList& limits) const {
    for (const auto& [name, least] : item_.min) {
      const Quantity* request = amount_of(requests, name);
      const Quantity* limit = amount_of(limits, name);
      if (request == nullptr || *request < least) fail("min", name, "a request of at least its minimum");
      if (limit != nullptr && *limit < least) fail("min", name, "a limit of at least its minimum");
    }
    for (const auto& [name, most] : item_.max) {
      const Quantity* request = amount_of(requests, name);
      const Quantity* limit = amount_of(limits, name);
      if (limit == nullptr || *limit > most) fail("max", name, "a limit of at most its maximum");
      if (request != nullptr && *request > most) fail("max", name, "a request of at most its maximum");
    }
    for (const auto& [name, ratio_milli] : item_.max_ratio_milli) {
      const Quantity* request = amount_of(requests, name);
      const Quantity* limit = amount_of(limits, name);
      __extension__ using Wide = __int128;
      const bool is_known = request != nullptr && limit != nullptr && *request != 0 && *limit != 0;
      if (!is_known || Wide(*limit) * 1000 > Wide(*request) * ratio_milli)
        fail("maxLimitRequestRatio", name, "a request and a limit within its ratio");
    }
  }

 private:
  [[noreturn]] void fail(std::string_view rule, const std::string& resource,
                         const std::string& expected) const {
    about_.fail("limit-range-exceeded", "LimitRange " + range_.ns + "/" + range_.name + " (" +
                                            std::string(rule) + " of " + item_.type + "): expected for " +
                                            resource + " " + expected);
  }

  const Value& about_;
  const LimitRange& range_;
  const LimitRangeItem& item_;
};

/// Replaces the amounts in `total` by those in `own`. In podRequests and podLimits of the plugin, the amounts
/// of the pod as a whole have precedence over those of the containers.
ResourceList with_own(ResourceList total, const ResourceList& own) {
  for (const auto& [name, amount] : own) total[name] = amount;
  return total;
}

}  // namespace

LimitRange read_limit_range(const Value& value) {
  const Value object = value.as_object("LimitRange");
  const Value metadata = object.require("metadata");
  LimitRange range{.ns = namespace_field(metadata), .name = name_field(metadata), .items = {}};
  if (const auto spec = object.find("spec")) range.items = list_field(*spec, "limits", read_item);
  return range;
}

void default_by_limit_ranges(const std::vector<LimitRange>& ranges, Pod& pod, PodLimits& limits,
                             std::vector<std::string>& notes) {
  const auto fill = [&](const LimitRange& range, std::vector<Container>& containers,
                        std::vector<ResourceList>& own_limits) {
    ResourceList default_limits;
    ResourceList default_requests;
    for (const LimitRangeItem& item : range.items) {
      if (item.type != "Container") continue;
      default_limits = with_own(std::move(default_limits), item.default_limits);
      default_requests = with_own(std::move(default_requests), item.default_requests);
    }
    for (std::size_t i = 0; i < containers.size(); ++i) {
      const std::string limits_set = filled_in(default_limits, own_limits[i]);
      const std::string requests_set = filled_in(default_requests, containers[i].requests);
      const std::string of_container =
          " of container " + containers[i].name + " from LimitRange " + range.name;
      if (!limits_set.empty()) notes.push_back("limits " + limits_set + of_container);
      if (!requests_set.empty()) notes.push_back("requests " + requests_set + of_container);
    }
  };
  for (const LimitRange& range : ranges) {
    if (range.ns != pod.ns) continue;
    fill(range, pod.init_containers, limits.init_containers);
    fill(range, pod.containers, limits.containers);
  }
}

void check_limit_ranges(const Value& spec, const std::vector<LimitRange>& ranges, const Pod& pod,
                        const PodLimits& limits) {
  for (const LimitRange& range : ranges) {
    if (range.ns != pod.ns) continue;
    for (const LimitRangeItem& item : range.items) {
      if (item.type == "Container") {
        for_each_container(spec, pod, limits,
                           [&](const Value& value, const Container& container, const ResourceList& own) {
                             Check(value, range, item).run(container.requests, own);
                           });
      }
      if (item.type == "Pod") {
        Check(spec, range, item)
            .run(with_own(total_requests(spec, pod), pod.pod_level_requests.value_or(ResourceList{})),
                 with_own(total_limits(spec, pod, limits), limits.pod));
      }
    }
  }
}

}  // namespace touchstone::kubernetes
