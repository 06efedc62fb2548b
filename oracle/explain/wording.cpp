#include "oracle/explain/wording.hpp"

#include <algorithm>
#include <array>
#include <cassert>
#include <chrono>
#include <limits>
#include <optional>
#include <utility>

namespace touchstone::oracle {

namespace {

bool is_in_bytes(const std::string& resource) {
  return resource == "memory" || resource == "ephemeral-storage" || resource.starts_with("hugepages-");
}

/// "0042" for (42, 4)
std::string padded(Quantity number, std::size_t width) {
  std::string text = std::to_string(number);
  return text.size() < width ? std::string(width - text.size(), '0') + text : text;
}

/// "zone=a": the domain that a label of a node puts it into; none: it does not have the label.
std::optional<std::string> domain_of(const Node& node, const std::string& key) {
  const auto label = node.labels.find(key);
  if (label == node.labels.end()) return std::nullopt;
  return key + "=" + label->second;
}

std::string name_and_priority(const Pod& pod) {
  return pod.full_name() + " (priority " + std::to_string(pod.priority) + ")";
}

/// Whose affinity, in which domain.
std::string affinity_text(const Cluster& cluster, NodeIndex node, const Finding& finding) {
  const std::optional<std::string> domain = domain_of(cluster.nodes[node], finding.what);
  if (finding.clause == "PRE-AFFINITY-2") {
    return domain
               ? "no pod that its affinity requires runs in " + *domain
               : "its affinity is to pods of one " + finding.what + ", a label that the node does not have";
  }
  if (!finding.pod) return "anti-affinity of pods of another namespace, taken away, is on account still";
  const Pod& other = cluster.pods[*finding.pod];
  const std::string name = name_and_priority(other);
  const std::string place = other.node_name.empty() ? ", nominated to " + other.nominated_node_name + ","
                                                    : " on " + other.node_name;
  return finding.clause == "PRE-AFFINITY-4"
             ? "its anti-affinity forbids " + name + place + " in " + *domain
             : "the anti-affinity of " + name + place + " forbids it in " + *domain;
}

/// Which domain would be how much fuller than which.
std::string spread_text(const Cluster& cluster, NodeIndex node, const Finding& finding) {
  const Quantity counted = value_of(finding.values, "counted");
  const Quantity with = counted + value_of(finding.values, "self");
  const Quantity least = value_of(finding.values, "least");
  const std::string where = !finding.least_domain
                                ? "0, as there are fewer domains than minDomains"
                                : std::to_string(least) + " in " + finding.what + "=" + *finding.least_domain;
  return *domain_of(cluster.nodes[node], finding.what) + " counts " + std::to_string(counted) +
         (counted == 1 ? " pod" : " pods") + " of the spread, " + std::to_string(with) +
         " with this one; the fewest are " + where + "; the skew would be " + std::to_string(with - least) +
         ", maxSkew is " + std::to_string(value_of(finding.values, "maxSkew"));
}

bool is_limit(const Finding& finding) {
  return finding.clause == "PRE-ATTACH-1" || finding.clause == "PRE-ATTACH-4" ||
         finding.clause == "PRE-ATTACH-5";
}

/// Which claim or volume.
std::string volume_text(const Cluster& cluster, const Finding& finding) {
  const std::string& what = finding.what;
  const auto holder = [&cluster, &finding] { return name_and_priority(cluster.pods[*finding.pod]); };
  if (finding.clause == "PRE-DISK-1") return "disk " + what + " is held by " + holder();
  if (finding.clause == "PRE-RWOP-1") {
    return "claim " + what + ", which one pod alone may use, " +
           (finding.pod ? "counts as used by " + holder() : "counts as used still");
  }
  if (is_limit(finding)) {
    const Quantity attached = value_of(finding.values, "attached");
    const bool lingers = finding.clause == "PRE-ATTACH-4";
    return (finding.clause == "PRE-ATTACH-5" ? "" : "driver ") + what + ": " +
           count_of(static_cast<std::size_t>(value_of(finding.values, "wanted")), "volume") + " to attach, " +
           std::to_string(attached) + " attached" +
           (lingers ? " (" + std::to_string(attached - value_of(finding.values, "of pods")) +
                          " by VolumeAttachments alone)"
                    : "") +
           ", the limit is " + std::to_string(value_of(finding.values, "limit"));
  }
  if (finding.clause == "PRE-BIND-1")
    return "the volume of claim " + what + " cannot be reached from the node";
  if (finding.clause == "PRE-BIND-2" || finding.clause == "PRE-BIND-3") return what;
  if (finding.clause == "PRE-BIND-4") return "claim " + what + " is bound to a volume that is not there";
  return kind_of(finding);
}

}  // namespace

std::string count_of(std::size_t count, const std::string& what) {
  return std::to_string(count) + " " + what + (count == 1 ? "" : "s");
}

std::string amount_of(const std::string& resource, Quantity amount) {
  if (resource == "cpu") {
    return amount % 1000 == 0 ? std::to_string(amount / 1000) : std::to_string(amount) + "m";
  }
  if (!is_in_bytes(resource) || amount == 0) return std::to_string(amount);
  std::string suffix;
  for (const char* larger : {"Ki", "Mi", "Gi", "Ti", "Pi"}) {
    if (amount % 1024 != 0) break;
    amount /= 1024;
    suffix = larger;
  }
  return std::to_string(amount) + suffix;
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

Quantity value_of(const Values& values, std::string_view name) {
  const auto found =
      std::find_if(values.begin(), values.end(), [name](const auto& value) { return value.first == name; });
  assert(found != values.end());
  return found->second;
}

Quantity shortage_of(const Finding& finding) {
  const Quantity free = value_of(finding.values, "allocatable") - value_of(finding.values, "used");
  Quantity shortage = 0;
  const bool beyond = __builtin_sub_overflow(value_of(finding.values, "requested"), free, &shortage);
  return beyond ? std::numeric_limits<Quantity>::max() : shortage;
}

bool is_shortage(const Finding& finding) {
  return finding.clause == "PRE-FIT-1" || finding.clause == "PRE-FIT-2";
}

std::string text_of(const Cluster& cluster, NodeIndex node, const Finding& finding) {
  const auto amount = [&finding](std::string_view name) {
    return amount_of(finding.what, value_of(finding.values, name));
  };
  const auto pod = [&] { return name_and_priority(cluster.pods[*finding.pod]); };
  if (finding.clause == "PRE-FIT-1") return amount("used") + " pods run there, of " + amount("allocatable");
  if (finding.clause == "PRE-FIT-2") {
    const Quantity free = value_of(finding.values, "allocatable") - value_of(finding.values, "used");
    return finding.what + ": " + amount("requested") + " requested, " + amount_of(finding.what, free) +
           " free (" + amount("used") + " of " + amount("allocatable") + " used), " +
           amount_of(finding.what, shortage_of(finding)) + " short";
  }
  if (finding.clause == "PRE-FIT-4")
    return finding.what + ": " + amount("requested") + " requested, the node has " + amount("allocatable");
  if (finding.clause == "PRE-PORTS-1")
    return "host port " + std::to_string(value_of(finding.values, "port")) + " is held by " + pod();
  if (finding.clause == "PRE-NOMINATED-1") return "room is kept for nominated pod " + pod();
  if (finding.clause.starts_with("PRE-AFFINITY-")) return affinity_text(cluster, node, finding);
  if (finding.clause == "PRE-SPREAD-7") return spread_text(cluster, node, finding);
  return volume_text(cluster, finding);
}

std::string kind_of(const Finding& finding) {
  if (finding.clause == "PRE-FIT-1") return "no room for one more pod";
  if (finding.clause == "PRE-FIT-2") return "not enough " + finding.what;
  if (finding.clause == "PRE-FIT-4") return "more " + finding.what + " requested than the node has";
  if (finding.clause == "PRE-PORTS-1") return "a host port is held";
  if (finding.clause == "PRE-NOMINATED-1") return "room is kept for nominated pods";
  if (finding.clause == "PRE-TAINT-1") return finding.what + " is not tolerated";
  if (finding.clause == "PRE-UNSCHEDULABLE-1") return "cordoned (" + finding.what + ")";
  if (finding.clause == "PRE-AFFINITY-2") return "no pod that its affinity requires";
  if (finding.clause == "PRE-AFFINITY-4") return "a pod that its anti-affinity forbids";
  if (finding.clause == "PRE-AFFINITY-7") return "another pod's anti-affinity forbids it";
  if (finding.clause == "PRE-SPREAD-1")
    return "the node has no label " + finding.what + ", over which it is spread";
  if (finding.clause == "PRE-SPREAD-7") return "too uneven a spread over " + finding.what;
  if (finding.clause == "PRE-DISK-1") return "a disk that a pod holds";
  if (finding.clause == "PRE-RWOP-1") return "a claim in use that one pod alone may use";
  if (is_limit(finding)) return "too many volumes attached (" + finding.what + ")";
  if (finding.clause == "PRE-ATTACH-7") return "driver " + finding.what + " is not installed";
  if (finding.clause == "PRE-BIND-1") return "a volume out of reach";
  if (finding.clause == "PRE-BIND-2") return "no volume for a claim";
  if (finding.clause == "PRE-BIND-3") return "no volume is made for a claim there";
  if (finding.clause == "PRE-BIND-4") return "a claim whose volume is not there";
  if (finding.clause.starts_with("PRE-NODEAFFINITY-")) return finding.what + " does not match";
  return finding.what;
}

}  // namespace touchstone::oracle
