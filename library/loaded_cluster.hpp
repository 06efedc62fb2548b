#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <shared_mutex>
#include <string>
#include <string_view>
#include <vector>

#include "kubernetes/objects/lists.hpp"
#include "kubernetes/text/json.hpp"
#include "library/objects.hpp"
#include "optimized/search/schedule.hpp"
#include "oracle/protocol/command.hpp"
#include "oracle/protocol/engine.hpp"
#include "spec/releases/release.hpp"
#include "spec/vocabulary/cluster.hpp"
#include "spec/vocabulary/result.hpp"

/// A cluster that is loaded once and asked many times.
namespace touchstone::library {

/// A pod to ask about, or to put on a node.
class LoadedPod {
 public:
  /// Errors: those of Document::parse and read_pod; quantity-overflow.
  static Result<std::unique_ptr<LoadedPod>> read(std::string_view json);

  const Pod& pod() const { return pod_; }
  const kubernetes::Document& document() const { return document_; }

 private:
  LoadedPod(kubernetes::Document document, Pod pod) : document_(std::move(document)), pod_(std::move(pod)) {}

  kubernetes::Document document_;
  Pod pod_;
};

/// The numbers of a question.
struct Numbered {
  std::optional<Quantity> start = {};
  std::optional<Quantity> offset = {};
  std::optional<Quantity> quota = {};
};

/// The parts of a decision that a caller of the typed functions sees, by name.
struct Found {
  Outcome outcome = Outcome::none;
  std::string reason;
  std::string node;  ///< empty: no node
  std::vector<std::string> victims;
  Quantity violations = 0;
  std::vector<std::string> choices;
  std::optional<Quantity> total = {};
  std::optional<Quantity> next_start = {};
};

/// The snapshot of a profile, and what its questions need besides.
class View {
 public:
  View(NamedRelease named, const Cluster& cluster);

  const NamedRelease& named() const { return named_; }
  optimized::Snapshot& snapshot() { return snapshot_; }

  /// Runs one whole cycle. May be called by several threads, as long as none changes the snapshot.
  optimized::Placed schedule(const Pod& pod, const optimized::Options& options);
  /// Runs preemption alone.
  optimized::Answer preempt(const Pod& pod, const optimized::Options& options);

  /// Builds the snapshot again.
  void renew(const Cluster& cluster);

 private:
  /// What one question needs for itself.
  struct Kit {
    optimized::Workers workers{1};
    optimized::Memo memo;
  };
  class Lease;
  /// How many kits are kept. More threads than that make a new one for each question.
  static constexpr std::size_t k_kits_most = 64;

  NamedRelease named_;
  optimized::Snapshot snapshot_;
  std::mutex mutex_;
  std::vector<std::unique_ptr<Kit>> unused_;  ///< the one used last is last
};

/// The objects of a cluster, and a snapshot for each profile of the scheduler. Questions run side by side,
/// and a change waits for them and runs alone.
class LoadedCluster {
 public:
  /// Errors: unknown-field; those of find_release, gated_by_member, configured_by_member and read_cluster.
  static Result<std::unique_ptr<LoadedCluster>> load(std::string_view json);

  /// Errors: unknown-kind; those of the reader of the kind; quantity-overflow.
  std::optional<Error> put(std::string_view kind, std::string_view json);
  /// Errors: unknown-kind, unknown-object.
  std::optional<Error> remove(std::string_view kind, std::string_view ns, std::string_view name);
  /// Errors: unknown-object (the node), quantity-overflow.
  std::optional<Error> bind(const LoadedPod& pod, std::string_view node);

  /// Answers a line of the protocol that asks about a pod of this cluster.
  std::string ask(oracle::Engine engine, std::string_view line);

  /// Answers with the optimized engine, and with the reference where that engine leaves the question to it.
  /// Errors: unknown-profile, quantity-overflow.
  Result<Found> find(oracle::Command command, const LoadedPod& pod, const Numbered& numbers);

  std::size_t nodes() const;
  std::size_t pods() const;

 private:
  LoadedCluster() = default;
  /// The view of the profile that schedules a pod. Errors: unknown-profile.
  Result<View*> view_of(const Pod& pod);
  /// Checks the sums of amounts with a pod that is asked about.
  void check_amounts(const kubernetes::Value& value, const Pod& pod) const;
  Found found_by_reference(oracle::Command command, const View& view, const Pod& pod,
                           const Numbered& numbers) const;

  /// Runs a change alone, and renumbers afterwards if there are many holes. A change that fails half way, for
  /// want of memory, leaves a cluster that answers nothing any more.
  template <typename F>
  void change(const F& act);
  void put_value(std::string_view kind, const kubernetes::Value& value);
  bool remove_object(std::string_view kind, const std::string& ns, const std::string& name);
  void put_node(const Node& node);
  /// Checks the amounts of a pod, and puts it. Errors: throws InvalidInput (quantity-overflow).
  void put_checked_pod(const kubernetes::Value& value, const Pod& pod);
  void put_pod(const Pod& pod);
  void put_pdb(const PodDisruptionBudget& pdb);
  void remove_pod(const std::string& full_name, std::size_t number);
  void check_is_whole() const;

  std::shared_lock<std::shared_mutex> reading() const;
  std::unique_lock<std::shared_mutex> writing();

  /// Held by a change that waits, so that new questions let it pass.
  mutable std::mutex turn_;
  mutable std::shared_mutex mutex_;
  Objects objects_;
  kubernetes::ChangingTotals totals_;
  /// By schedulerName. Without a configuration that has profiles there is one, of the empty name.
  std::map<std::string, std::unique_ptr<View>> views_;
  bool has_profiles_ = false;
  bool is_broken_ = false;
};

}  // namespace touchstone::library
