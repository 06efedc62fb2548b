#include <map>
#include <set>

#include "proofs/theorems/volumes.hpp"

/// How many volumes may be attached to a node.
namespace touchstone::proofs::TOUCHSTONE_BUILD {

namespace {

using DriverAndHandle = std::pair<std::string, std::string>;

/// PRE-ATTACH-3: the limit of driver d, any integer. It is on the node, in its CSINode, in both, or nowhere.
struct LimitScene {
  LimitScene(Proof& proof, Question& question) {
    const std::size_t csi_node = proof.choose<Quantity>("no CSINode, one without a limit, with one", 3);
    if (csi_node > 0) question.cluster.storage.csi_nodes["n0"].name = "n0";
    if (csi_node > 1) {
      of_csi_node = proof.number<Quantity>("limit of the CSINode");
      question.cluster.storage.csi_nodes["n0"].limits["d"] = *of_csi_node;
    }
    if (!chosen(proof, "the node has a limit")) return;
    of_node = proof.number<Quantity>("limit of the node");
    question.cluster.nodes[0].allocatable["attachable-volumes-csi-d"] = *of_node;
  }

  std::optional<Quantity> that_counts(const Release& release) const {
    if (!is_from(release, 16)) return of_node;
    if (of_csi_node || is_from(release, 32)) return of_csi_node;
    return of_node;
  }

  std::optional<Quantity> of_csi_node, of_node;
};

/// PRE-ATTACH-1: the number of distinct volumes of driver d. Up to v1.15 a handle is one volume, and it
/// belongs to the last driver that has it.
std::int64_t count_of(const std::vector<DriverAndHandle>& volumes, const Release& release) {
  std::map<std::string, std::string> last_driver;
  std::set<std::string> of_driver;
  for (const auto& [driver, handle] : volumes) {
    last_driver[handle] = driver;
    if (driver == "d") of_driver.insert(handle);
  }
  if (is_from(release, 16)) return static_cast<std::int64_t>(of_driver.size());
  return std::count_if(last_driver.begin(), last_driver.end(),
                       [](const auto& handle) { return handle.second == "d"; });
}

void volumes_of_a_driver(Proof& proof) {
  const Release release = choose_release(proof, {"v1.12", "v1.15", "v1.16", "v1.31", "v1.32", k_newest});
  Question question;
  add_node(question, "n0");
  const LimitScene limit(proof, question);
  add_bound_claim(question, "c0", "v0", "d");
  add_bound_claim(question, "c1", "v1", "d");
  add_bound_claim(question, "c2", "v0 of another", "e");
  question.cluster.storage.volumes["v0 of another"].source.id = "handle of v0";
  question.pod.ns = "default";
  std::vector<DriverAndHandle> wanted;
  const auto use = [&](Pod& pod, std::size_t claim) {
    add_volume_of_pod(pod, "persistentVolumeClaim", "c" + std::to_string(claim));
    return DriverAndHandle{claim == 2 ? "e" : "d", claim == 1 ? "handle of v1" : "handle of v0"};
  };
  wanted.push_back(use(question.pod, 0));
  if (chosen(proof, "the preemptor has both volumes")) wanted.push_back(use(question.pod, 1));
  std::vector<DriverAndHandle> there;
  std::vector<Stay> stays;
  for (const std::string name : {"p0", "p1"}) {
    Pod& pod = add_pod(question, name, "n0");
    stays.push_back(name == "p0" && chosen(proof, "p0 is taken away") ? Stay::taken_away : Stay::bound);
    const std::size_t claim = proof.choose<Quantity>("claim of " + name, name == "p0" ? 4 : 3);
    if (claim == 0) continue;
    const DriverAndHandle volume = use(pod, name == "p0" ? claim - 1 : claim);
    if (stays.back() == Stay::bound) there.push_back(volume);
  }
  std::vector<DriverAndHandle> attached = there;
  if (chosen(proof, "v0 is attached")) {
    question.cluster.storage.attachments.insert({"n0", {"a", "d", "n0", "v0"}});
    if (is_from(release, 32)) attached.emplace_back("d", "handle of v0");
  }
  Trace trace = Trace::none();
  const scheduler::Cycle cycle(question, release, trace);
  const Status status = scheduler::node_volume_limits(cycle, first_node(cycle, stays));
  proof.observe(told(status));

  std::vector<DriverAndHandle> coming;
  for (const DriverAndHandle& volume : wanted) {
    const bool costs_nothing = std::any_of(there.begin(), there.end(), [&](const DriverAndHandle& other) {
      return other == volume || (!is_from(release, 16) && other.second == volume.second);
    });
    if (!costs_nothing) coming.push_back(volume);
  }
  const std::int64_t number = count_of(coming, release);
  const std::optional<Quantity> most = limit.that_counts(release);
  Truth is_over = false;
  if (most && number > 0) is_over = Quantity(count_of(attached, release) + number) > *most;
  proof.claim("a node is rejected if and only if the volumes in use plus the new ones exceed the limit",
              exactly(!status.ok(), is_over));
  if (!status.ok())
    proof.claim("evictions may help on a rejected node",
                status.code == Code::unschedulable &&
                    status.reasons == std::vector<std::string>{"node(s) exceed max volume count"});
  proof.witness("more than the limit", is_over);
  proof.witness("exactly as many as the limit", both(number > 0 && most.has_value(), negation(is_over)));
}

/// PRE-ATTACH-2: whether the CSI driver has taken over this kind of disk on the node.
bool has_taken_over(const std::string& kind, std::size_t csi_node, const Release& release) {
  const int everywhere = kind == "gcePersistentDisk" ? 28 : 27;
  if (is_from(release, everywhere)) return csi_node > 0;
  return is_from(release, 23) && csi_node == 2;
}

/// In-tree disks, in-line or of claims, on a node where the CSI driver may have taken over.
void disks_of_kubernetes(Proof& proof) {
  const Release release = choose_release(proof, {"v1.11", "v1.16", "v1.22", "v1.23", "v1.24", "v1.25",
                                                 "v1.27", "v1.28", "v1.30", "v1.31", k_newest});
  const bool is_google = chosen(proof, "a disk of Google's cloud");
  const std::string kind = is_google ? "gcePersistentDisk" : "awsElasticBlockStore";
  const std::string driver = is_google ? "pd.csi.storage.gke.io" : "ebs.csi.aws.com";
  Question question;
  Node& node = add_node(question, "n0");
  const std::size_t csi_node = proof.choose<Quantity>("no CSINode, one, one that lists the plugin", 3);
  std::optional<Quantity> of_driver;
  std::optional<Quantity> of_node;
  if (csi_node > 0) {
    CsiNode& of_n0 = question.cluster.storage.csi_nodes["n0"];
    of_driver = proof.number<Quantity>("limit of the CSINode");
    of_n0.limits[driver] = *of_driver;
    if (csi_node == 2)
      of_n0.migrated_plugins = {is_google ? "kubernetes.io/gce-pd" : "kubernetes.io/aws-ebs"};
  }
  if (chosen(proof, "the node has a limit")) {
    of_node = proof.number<Quantity>("limit of the node");
    node.allocatable[is_google ? "attachable-volumes-gce-pd" : "attachable-volumes-aws-ebs"] = *of_node;
  }
  PersistentVolume& volume = add_volume(question, "pv");
  volume.source.kind = kind;
  volume.source.id = "vol-1";
  volume.labels["topology.kubernetes.io/zone"] = "us-east1-b";
  PersistentVolumeClaim& claim = add_claim(question, "default", "c");
  claim.volume_name = "pv";
  claim.bind_completed = true;

  // The disks of the pods, as in-tree disks and as volumes of the CSI driver.
  std::set<std::string> all_disks;
  std::set<std::string> volumes_there;
  std::set<std::string> volumes_wanted;
  const bool inline_counts = is_from(release, 25);
  const auto use = [&](Pod& pod, std::size_t which, std::set<std::string>& volumes) {
    const bool by_claim = which == 2;
    const std::string id = which == 1 ? "vol-2" : "vol-1";
    add_volume_of_pod(pod, by_claim ? "persistentVolumeClaim" : kind, by_claim ? "c" : id);
    all_disks.insert(id);
    if (by_claim || inline_counts) volumes.insert(id + (is_google && by_claim ? " of its zone" : ""));
  };
  question.pod.ns = "default";
  use(question.pod, chosen(proof, "the preemptor has its disk by a claim") ? 2 : 0, volumes_wanted);
  const std::size_t other = proof.choose<Quantity>("disk of p0", 4);
  Pod& pod = add_pod(question, "p0", "n0");
  if (other > 0) use(pod, other - 1, volumes_there);

  Trace trace = Trace::none();
  const scheduler::Cycle cycle(question, release, trace);
  const scheduler::NodeState& state = cycle.nodes[0];
  const Status by_driver = scheduler::node_volume_limits(cycle, state);
  const Status by_kind =
      is_google ? scheduler::gce_pd_limits(cycle, state) : scheduler::ebs_limits(cycle, state);
  proof.observe(told(by_driver) + ", " + told(by_kind));

  const bool is_taken_over = has_taken_over(kind, csi_node, release);
  std::set<std::string> all_volumes = volumes_there;
  all_volumes.insert(volumes_wanted.begin(), volumes_wanted.end());
  Truth over_driver = false;
  if (is_taken_over && of_driver && all_volumes.size() > volumes_there.size())
    over_driver = Quantity(all_volumes.size()) > *of_driver;
  if (is_from(release, 12))
    proof.claim("disks count as volumes of the CSI driver if and only if they are migrated to it",
                exactly(!by_driver.ok(), over_driver));
  Truth over_kind = false;
  if (!is_taken_over && of_node && is_from(release, 12)) over_kind = Quantity(all_disks.size()) > *of_node;
  if (!is_from(release, 31))
    proof.claim("without migration, a node is rejected if and only if all disks together exceed the limit",
                exactly(!by_kind.ok(), over_kind));
  proof.witness("too many volumes", over_driver);
  proof.witness("too many disks", over_kind);
  proof.witness("exactly as many disks as the limit", both(all_disks.size() == 2 && of_node.has_value(),
                                                           both(is_from(release, 12), negation(over_kind))));
}

/// A pod with an ephemeral volume, and a driver that may have to be installed.
void volumes_that_err(Proof& proof) {
  const Release release = choose_release(proof, {"v1.22", "v1.23", k_newest, "v1.37"});
  Question question;
  add_node(question, "n0").allocatable = {{"pods", Quantity(110)}};
  add_bound_claim(question, "c", "v1", "d").uid = "c";
  question.pod.ns = "default";
  question.pod.name = question.pod.uid = "preemptor";
  question.pod.priority = Quantity(1);
  add_volume_of_pod(question.pod, "persistentVolumeClaim", "c");
  const bool prevents = chosen(proof, "the driver prevents scheduling if missing");
  if (prevents) question.cluster.storage.csi_drivers["d"] = {"d", false, true};
  std::optional<Quantity> most;
  bool is_installed = false;
  if (chosen(proof, "there is a CSINode")) {
    CsiNode& csi_node = question.cluster.storage.csi_nodes["n0"];
    is_installed = chosen(proof, "it lists the driver");
    if (is_installed) csi_node.drivers = {"d"};
    most = proof.number<Quantity>("limit of the CSINode");
    csi_node.limits["d"] = *most;
  }
  Pod& pod = add_pod(question, "p0", "n0");
  pod.priority = proof.number<Quantity>("p0.priority");
  add_volume_of_pod(pod, "ephemeral", "");
  const bool is_own = chosen(proof, "the claim was made for p0");
  add_bound_claim(question, "p0-v", "v2", "d").controller = is_own ? "p0" : "another";
  Trace trace = Trace::none();
  const scheduler::Cycle cycle(question, release, trace);
  const scheduler::FirstPass first_pass = scheduler::filter_nodes(cycle);
  const Status status = scheduler::node_volume_limits(cycle, cycle.nodes[0]);
  proof.observe(told(status) + first_pass.error);

  const bool is_missing = is_from(release, 37) && prevents && !is_installed;
  const bool errs = !is_missing && is_from(release, 23) && !is_own && most.has_value();
  Truth is_over = false;
  if (most && !is_missing && !errs) is_over = Quantity(is_from(release, 23) ? 2 : 1) > *most;
  proof.claim("a node without the required driver is rejected, and the reason names the driver",
              is_missing ==
                  (status.code == Code::unschedulable &&
                   status.reasons == std::vector<std::string>{"d CSI driver is not installed on the node"}));
  proof.claim(
      "the filter fails with an error, which ends the attempt, if and only if a pod's claim belongs to "
      "another pod",
      errs == (status.code == Code::error) && errs == !first_pass.error.empty());
  if (!is_missing && !errs)
    proof.claim("without an error, ephemeral volumes count from v1.23 on", exactly(!status.ok(), is_over));
  if (errs) {
    const Truth is_lower = pod.priority < question.pod.priority;
    const bool some_lower = !scheduler::potential_victims(cycle, 0).empty();
    const Status dry_run = scheduler::select_victims(cycle, 0, {}).status;
    proof.claim(
        "a pod whose reprieve causes an error of the filter is a victim, if the preemptor fits without it",
        exactly(dry_run.ok(), both(is_lower, Quantity(1) <= *most)));
    proof.witness("an error, and a victim", some_lower && dry_run.ok());
  }
  proof.witness("a missing driver", is_missing);
  proof.witness("more than the limit", is_over);
}

}  // namespace

Theorems theorems_of_volume_limits() {
  return {
      {.name = "volumes-of-a-driver-are-counted",
       .clauses = {"PRE-ATTACH-1", "PRE-ATTACH-3", "PRE-ATTACH-4"},
       .statement = "A node is rejected if and only if the volumes in use (from v1.32 on also attached ones) "
                    "plus the new ones exceed the limit: up to 2 volumes of the preemptor, 2 pods of one "
                    "each, of which one may be removed, any limit of the node and of its CSINode, both sides "
                    "of every change, v1.12 to v1.36.",
       .variants = {"attach-limit-is-never-reached", "node-limits-volumes-of-csi",
                    "attachments-are-not-counted"},
       .body = volumes_of_a_driver,
       .tier = Tier::full},
      {.name = "disks-count-where-they-belong",
       .clauses = {"PRE-ATTACH-2", "PRE-ATTACH-5"},
       .statement = "Disks of two kinds, in-line or of claims, count for their CSI driver if they are "
                    "migrated to it, and for the node's own limit if not: a disk of the preemptor and of a "
                    "pod, any limits, both sides of every change, v1.11 to v1.36.",
       .variants = {"inline-disks-are-not-counted", "disk-limit-is-one-less"},
       .body = disks_of_kubernetes,
       .tier = Tier::full},
      {.name = "limits-that-cannot-be-told",
       .clauses = {"PRE-ATTACH-6", "PRE-ATTACH-7", "PRE-OUTCOME-4"},
       .statement = "A node without a required driver is rejected. A pod with another pod's claim causes an "
                    "error of the filter: a volume of the preemptor and an ephemeral one of a pod, any limit "
                    "and priority, both sides of every change, v1.22 to v1.37.",
       .variants = {"limits-count-claims-of-others", "missing-driver-does-not-matter"},
       .body = volumes_that_err},
  };
}

}  // namespace touchstone::proofs::TOUCHSTONE_BUILD
