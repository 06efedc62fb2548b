#include "library/loaded_cluster.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>

#include "kubernetes/configuration/configuration.hpp"
#include "kubernetes/objects/objects.hpp"
#include "oracle/protocol/line.hpp"
#include "oracle/protocol/protocol.hpp"
#include "oracle/queue.hpp"

namespace touchstone::library {

namespace {

using kubernetes::Document;
using kubernetes::InvalidInput;
using kubernetes::Value;

/// The names of the profiles that a configuration may have, with that of the default scheduler.
std::set<std::string> profile_names(const Value& root) {
  std::set<std::string> names = {oracle::scheduler_of(Pod())};
  const auto config = root.find("config");
  if (!config) return names;
  if (const auto name = config->find("schedulerName")) names.emplace(name->string());
  if (const auto profiles = config->find("profiles")) {
    for (const Value profile : profiles->elements()) {
      if (const auto name = profile.find("schedulerName")) names.emplace(name->string());
    }
  }
  return names;
}

}  // namespace

Result<std::unique_ptr<LoadedPod>> LoadedPod::read(std::string_view json) {
  Result<Document> read = Document::parse(json, "pod");
  if (!read) return read.error();
  try {
    const Document& document = read.value();
    Pod pod = kubernetes::read_pod(document.root());
    kubernetes::ChangingTotals().check(document.root(), pod, nullptr);
    return std::unique_ptr<LoadedPod>(new LoadedPod(std::move(read).value(), std::move(pod)));
  } catch (const InvalidInput& invalid) {
    return invalid.error;
  }
}

Result<std::unique_ptr<LoadedCluster>> LoadedCluster::load(std::string_view json) {
  const Result<Document> document = Document::parse(json, "cluster");
  if (!document) return document.error();
  const Value root = document.value().root();
  std::unique_ptr<LoadedCluster> loaded(new LoadedCluster());
  try {
    oracle::refuse_unknown_keys(root, {"release", "config", "policy", "featureGates"}, kubernetes::k_lists);
    const Result<NamedRelease> named = oracle::read_release(root);
    if (!named) return named.error();
    const Result<Release> gated = kubernetes::gated_by_member(root, named.value().release);
    if (!gated) return gated.error();
    Result<Cluster> cluster = kubernetes::read_cluster(root, loaded->totals_);
    if (!cluster) return cluster.error();
    loaded->objects_ = Objects(std::move(cluster).value());
    loaded->has_profiles_ = root.find("config").has_value();
    for (const std::string& name : profile_names(root)) {
      Result<Release> release = kubernetes::configured_by_member(root, gated.value(), name);
      if (!release && release.error().code != "unknown-profile") return release.error();
      if (!release) continue;
      NamedRelease of_profile = named.value();
      of_profile.release = std::move(release).value();
      loaded->views_[name] = std::make_unique<View>(std::move(of_profile), loaded->objects_.all);
    }
    return loaded;
  } catch (const InvalidInput& invalid) {
    return invalid.error;
  }
}

Result<View*> LoadedCluster::view_of(const Pod& pod) {
  const auto view = has_profiles_ ? views_.find(oracle::scheduler_of(pod)) : views_.begin();
  if (view != views_.end()) return view->second.get();
  return Error{"unknown-profile", "config",
               "expected a profile with the schedulerName of the pod, " + oracle::scheduler_of(pod)};
}

void LoadedCluster::check_amounts(const Value& value, const Pod& pod) const {
  const auto own = objects_.pods.find(pod.full_name());
  totals_.check(value, pod, own ? &objects_.all.pods[*own] : nullptr);
}

std::shared_lock<std::shared_mutex> LoadedCluster::reading() const {
  const std::lock_guard turn(turn_);
  return std::shared_lock(mutex_);
}

std::unique_lock<std::shared_mutex> LoadedCluster::writing() {
  const std::lock_guard turn(turn_);
  return std::unique_lock(mutex_);
}

void LoadedCluster::check_is_whole() const {
  if (is_broken_)
    throw InvalidInput({"broken-cluster", "cluster", "a change failed half way; load the cluster again"});
}

std::size_t LoadedCluster::nodes() const {
  const auto lock = reading();
  return objects_.nodes.count();
}

std::size_t LoadedCluster::pods() const {
  const auto lock = reading();
  return objects_.pods.count();
}

}  // namespace touchstone::library
