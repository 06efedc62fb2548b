#include "oracle/explain/wording.hpp"

#include <algorithm>
#include <array>
#include <cassert>
#include <chrono>
#include <initializer_list>
#include <limits>
#include <optional>
#include <utility>

namespace touchstone::oracle {

namespace {

bool is_in_bytes(const std::string& resource) {
  return resource == "memory" || resource == "ephemeral-storage" || resource.starts_with("hugepages-");
}

constexpr std::array<std::string_view, 6> k_binary_suffixes = {"", "Ki", "Mi", "Gi", "Ti", "Pi"};

/// The largest unit of a resource in which each amount is a whole number: 1 or 1000 of cpu, a power of 1024
/// of bytes.
Quantity unit_of(const std::string& resource, std::initializer_list<Quantity> amounts) {
  const auto is_whole = [&](Quantity unit) {
    return std::all_of(amounts.begin(), amounts.end(), [unit](Quantity each) { return each % unit == 0; });
  };
  if (resource == "cpu") return is_whole(1000) ? 1000 : 1;
  if (!is_in_bytes(resource)) return 1;
  Quantity unit = 1;
  for (std::size_t i = 1; i < k_binary_suffixes.size() && is_whole(unit * 1024); ++i) unit *= 1024;
  return unit;
}

/// An amount in a unit of unit_of(), such as 1500m or 3Gi.
std::string amount_in(Quantity unit, const std::string& resource, Quantity amount) {
  if (amount == 0) return "0";
  std::string text = std::to_string(amount / unit);
  if (resource == "cpu") return unit == 1 ? text + "m" : text;
  std::size_t suffix = 0;
  for (; unit > 1; unit /= 1024) ++suffix;
  return text.append(k_binary_suffixes.at(suffix));
}

/// padded(42, 4) is "0042".
std::string padded(Quantity number, std::size_t width) {
  std::string text = std::to_string(number);
  return text.size() < width ? std::string(width - text.size(), '0') + text : text;
}

/// The topology domain of a node as "zone=a"; none if the node does not have the label.
std::optional<std::string> domain_of(const Node& node, const std::string& key) {
  const auto label = node.labels.find(key);
  if (label == node.labels.end()) return std::nullopt;
  return key + "=" + label->second;
}

/// Names the pod whose affinity rejects, and the domain.
std::string affinity_text(const Cluster& cluster, NodeIndex node, const Finding& finding) {
  const std::optional<std::string> domain = domain_of(cluster.nodes[node], finding.what);
  if (finding.clause == "PRE-AFFINITY-2") {
    return domain ? "no pod in " + *domain + " matches the required affinity"
                  : "the required affinity needs label " + finding.what + ", which the node does not have";
  }
  if (!finding.pod) return "anti-affinity of evicted pods of another namespace is still counted";
  const Pod& other = cluster.pods[*finding.pod];
  const std::string name = name_and_priority(other);
  const std::string place = other.node_name.empty() ? ", nominated to " + other.nominated_node_name + ","
                                                    : " on " + other.node_name;
  return finding.clause == "PRE-AFFINITY-4"
             ? "the pod's anti-affinity forbids " + name + place + " in " + *domain
             : "the anti-affinity of " + name + place + " forbids the pod in " + *domain;
}

/// What is requested, free and short. All amounts have one unit.
std::string shortage_text(const Finding& finding) {
  const Quantity requested = value_of(finding.values, Measure::requested);
  const Quantity used = value_of(finding.values, Measure::used);
  const Quantity allocatable = value_of(finding.values, Measure::allocatable);
  const Quantity free = allocatable - used;
  const Quantity shortage = shortage_of(finding);
  const Quantity unit = unit_of(finding.what, {requested, used, allocatable, free, shortage});
  const auto text = [&](Quantity amount) { return amount_in(unit, finding.what, amount); };
  return finding.what + ": " + text(requested) + " requested, " + text(free) + " free (" + text(used) +
         " of " + text(allocatable) + " used), " + text(shortage) + " short";
}

/// Compares the domain of the node with the domain that has the fewest pods.
std::string spread_text(const Cluster& cluster, NodeIndex node, const Finding& finding) {
  const Quantity counted = value_of(finding.values, Measure::counted);
  const Quantity with = counted + value_of(finding.values, Measure::self);
  const Quantity least = value_of(finding.values, Measure::least);
  const std::string where = !finding.least_domain
                                ? "0, because there are fewer domains than minDomains"
                                : std::to_string(least) + " in " + finding.what + "=" + *finding.least_domain;
  return *domain_of(cluster.nodes[node], finding.what) + " has " + std::to_string(counted) +
         (counted == 1 ? " matching pod" : " matching pods") + ", " + std::to_string(with) +
         " with this pod; the minimum is " + where + "; the skew would be " + std::to_string(with - least) +
         ", maxSkew is " + std::to_string(value_of(finding.values, Measure::max_skew));
}

bool is_limit(const Finding& finding) {
  return finding.clause == "PRE-ATTACH-1" || finding.clause == "PRE-ATTACH-4" ||
         finding.clause == "PRE-ATTACH-5";
}

/// Names the claim, the volume or the driver.
std::string volume_text(const Cluster& cluster, const Finding& finding) {
  const std::string& what = finding.what;
  const auto holder = [&cluster, &finding] { return name_and_priority(cluster.pods[*finding.pod]); };
  if (finding.clause == "PRE-DISK-1") return "disk " + what + " is used by " + holder();
  if (finding.clause == "PRE-RWOP-1") {
    return "claim " + what + " (only one pod may use it) " +
           (finding.pod ? "counts as used by " + holder() : "still counts as used");
  }
  if (is_limit(finding)) {
    const Quantity attached = value_of(finding.values, Measure::attached);
    const bool lingers = finding.clause == "PRE-ATTACH-4";
    return (finding.clause == "PRE-ATTACH-5" ? "" : "driver ") + what + ": " +
           count_of(static_cast<std::size_t>(value_of(finding.values, Measure::wanted)), "volume") +
           " to attach, " + std::to_string(attached) + " attached" +
           (lingers ? " (" + std::to_string(attached - value_of(finding.values, Measure::of_pods)) +
                          " by VolumeAttachments alone)"
                    : "") +
           ", the limit is " + std::to_string(value_of(finding.values, Measure::limit));
  }
  if (finding.clause == "PRE-BIND-1")
    return "the volume of claim " + what + " cannot be reached from the node";
  if (finding.clause == "PRE-BIND-2" || finding.clause == "PRE-BIND-3") return what;
  if (finding.clause == "PRE-BIND-4") return "claim " + what + " is bound to a volume that does not exist";
  return kind_of(finding);
}

}  // namespace

std::string name_and_priority(const Pod& pod) {
  return pod.full_name() + " (priority " + std::to_string(pod.priority) + ")";
}

std::string count_of(std::size_t count, const std::string& what) {
  return std::to_string(count) + " " + what + (count == 1 ? "" : "s");
}

std::string amount_of(const std::string& resource, Quantity amount) {
  return amount_in(unit_of(resource, {amount}), resource, amount);
}

std::string time_of(Quantity time_ns) {
  using namespace std::chrono;
  const nanoseconds since{time_ns};
  const sys_days day{floor<days>(since)};
  const year_month_day date{day};
  const hh_mm_ss<nanoseconds> time{since - day.time_since_epoch()};
  std::string text = padded(static_cast<int>(date.year()), 4) + "-" +
                     padded(static_cast<unsigned>(date.month()), 2) + "-" +
                     padded(static_cast<unsigned>(date.day()), 2) + "T" + padded(time.hours().count(), 2) +
                     ":" + padded(time.minutes().count(), 2) + ":" + padded(time.seconds().count(), 2);
  if (time.subseconds().count() != 0) {
    std::string fraction = "." + padded(time.subseconds().count(), 9);
    text += fraction.erase(fraction.find_last_not_of('0') + 1);
  }
  return text + "Z";
}

std::string names_of(const std::vector<std::string>& names, std::size_t most) {
  std::string text;
  for (std::size_t i = 0; i < std::min(names.size(), most); ++i) text += (i == 0 ? "" : ", ") + names[i];
  if (names.size() > most) text += " and " + std::to_string(names.size() - most) + " more";
  return text;
}

Quantity shortage_of(const Finding& finding) {
  const Quantity free =
      value_of(finding.values, Measure::allocatable) - value_of(finding.values, Measure::used);
  Quantity shortage = 0;
  const bool beyond = __builtin_sub_overflow(value_of(finding.values, Measure::requested), free, &shortage);
  return beyond ? std::numeric_limits<Quantity>::max() : shortage;
}

bool is_shortage(const Finding& finding) {
  return finding.clause == "PRE-FIT-1" || finding.clause == "PRE-FIT-2";
}

std::string text_of(const Cluster& cluster, NodeIndex node, const Finding& finding) {
  const auto amount = [&finding](Measure measure) {
    return amount_of(finding.what, value_of(finding.values, measure));
  };
  const auto pod = [&] { return name_and_priority(cluster.pods[*finding.pod]); };
  if (finding.clause == "PRE-FIT-1")
    return "pods: " + amount(Measure::used) + " of " + amount(Measure::allocatable);
  if (finding.clause == "PRE-FIT-2") return shortage_text(finding);
  if (finding.clause == "PRE-FIT-4")
    return finding.what + ": " + amount(Measure::requested) + " requested, the node has " +
           amount(Measure::allocatable);
  if (finding.clause == "PRE-PORTS-1")
    return "host port " + std::to_string(value_of(finding.values, Measure::port)) + " is used by " + pod();
  if (finding.clause == "PRE-NOMINATED-1") return "space is reserved for nominated pod " + pod();
  if (finding.clause.starts_with("PRE-AFFINITY-")) return affinity_text(cluster, node, finding);
  if (finding.clause == "PRE-SPREAD-7") return spread_text(cluster, node, finding);
  return volume_text(cluster, finding);
}

std::string kind_of(const Finding& finding) {
  if (finding.clause == "PRE-FIT-1") return "no space for one more pod";
  if (finding.clause == "PRE-FIT-2") return "not enough " + finding.what;
  if (finding.clause == "PRE-FIT-4") return "more " + finding.what + " requested than the node has";
  if (finding.clause == "PRE-PORTS-1") return "a host port is in use";
  if (finding.clause == "PRE-NOMINATED-1") return "space is reserved for nominated pods";
  if (finding.clause == "PRE-TAINT-1") return finding.what + " is not tolerated";
  if (finding.clause == "PRE-UNSCHEDULABLE-1") return "cordoned (" + finding.what + ")";
  if (finding.clause == "PRE-AFFINITY-2") return "no pod matches the required affinity";
  if (finding.clause == "PRE-AFFINITY-4") return "the pod's anti-affinity forbids another pod";
  if (finding.clause == "PRE-AFFINITY-7") return "another pod's anti-affinity forbids the pod";
  if (finding.clause == "PRE-SPREAD-1")
    return "the node has no label " + finding.what + ", which a spread constraint needs";
  if (finding.clause == "PRE-SPREAD-7") return "the skew over " + finding.what + " would exceed maxSkew";
  if (finding.clause == "PRE-DISK-1") return "another pod uses the disk";
  if (finding.clause == "PRE-RWOP-1") return "a claim is in use, and only one pod may use it";
  if (is_limit(finding)) return "too many volumes attached (" + finding.what + ")";
  if (finding.clause == "PRE-ATTACH-7") return "driver " + finding.what + " is not installed";
  if (finding.clause == "PRE-BIND-1") return "a volume cannot be reached from the node";
  if (finding.clause == "PRE-BIND-2") return "no volume for a claim";
  if (finding.clause == "PRE-BIND-3") return "no volume can be provisioned for a claim";
  if (finding.clause == "PRE-BIND-4") return "the volume of a claim does not exist";
  if (finding.clause.starts_with("PRE-NODEAFFINITY-")) return finding.what + " does not match";
  return finding.what;
}

}  // namespace touchstone::oracle
