#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "spec/releases/extender_rules.hpp"
#include "spec/releases/policy_rules.hpp"
#include "spec/releases/queue_rules.hpp"
#include "spec/releases/score_rules.hpp"
#include "spec/vocabulary/filters.hpp"
#include "spec/vocabulary/quantity.hpp"
#include "spec/vocabulary/result.hpp"

/// Releases as data. A Release is a set of named switches. It is folded from a table that has one row for
/// each change of behaviour (spec/releases.md). No algorithm reads a version number.
namespace touchstone {

struct Version {
  int minor = 0;
  int patch = 0;

  auto operator<=>(const Version&) const = default;
  std::string text() const;  ///< "v1.30.4"
};

/// PRE-PDB-1, PRE-PDB-3 to PRE-PDB-5: how a dry run counts disruptions against PDBs
enum class PdbBudget { ignored, threshold, consumed_until_violated, consumed_all };
/// PRE-VICTIM-5: the order of unstarted pods of one priority
enum class UnstartedOrder { as_listed, reversed };
/// PRE-VICTIM-2: what a dry run does with a node that has no potential victim
enum class NoPotentialVictims { evaluated, rejected };
/// PRE-VICTIM-8: how a node counts if all its potential victims are reprieved
enum class NoVictimsLeft { wins, candidate, error };
/// PRE-ELIGIBLE-4: which pods on its nominated node a preemptor waits for
enum class WaitsFor { any_terminating, preempted_by_scheduler };
/// PRE-PREFILTER-3: the status of excluded nodes. `have_own_reason` also replaces the status of the nominated
/// node.
enum class ExcludedNodes { have_no_status, have_own_reason, unresolvable };
/// PRE-PREFILTER-5: the effect of a pinned name that no node has. `crashes`: only if none of the pinned names
/// is the name of a node.
enum class UnknownPinnedNode { errs, crashes, is_skipped };
/// PRE-REQUESTS-6, PRE-REQUESTS-8: how the status of a pod counts while the pod is resized in place
enum class ResizeStatus { ignored, of_containers, of_containers_and_pod, largest_of_three_totals };

/// PRE-CLAIM-2: the effect of a claim that does not exist or is being deleted, before any node is filtered
enum class MissingClaim { not_looked_for, ends_attempt, rejects_pod };
/// PRE-CLAIM-2: the effect of an unbound claim that does not wait for its pod
enum class UnboundImmediate { errs, rejects_node, rejects_pod };
/// PRE-ATTACH-2: on which nodes a CSI driver has replaced an in-tree kind of volume. `where_listed`: the
/// CSINode lists the plugin as migrated. `where_csi_node`: the node has a CSINode.
enum class Migration { nowhere, where_listed, where_csi_node };
/// PRE-BIND-2: how a claim with the annotation selected-node counts
enum class SelectedNode { is_ignored, is_immediate, is_for_that_node };
/// PRE-BIND-1: how matchFields in a volume's node affinity count. `reject_bare_terms`: they are ignored, but
/// a term that has nothing else does not hold. `matched_against_no_fields`: they are matched against no
/// fields. `need_be_valid`: a term holds without regard to them, if each is valid.
enum class VolumeFields { reject_bare_terms, matched_against_no_fields, need_be_valid };
/// PRE-BIND-2: how a claim's volumeAttributesClassName counts
enum class AttributesClass { ignored, not_understood, compared };

/// PRE-AFFINITY-5, PRE-AFFINITY-6: how InterPodAffinity keeps its state in the dry run. The values are in the
/// order of the releases: v1.8 and v1.9, v1.10, v1.11, v1.12 to v1.17, v1.18 and later.
enum class AffinityBookkeeping { each_term, each_term_hosts_apart, one_node_for_all, sets_of_pods, counts };

/// PRE-SPREAD-5: how constraints with the same topologyKey count. `by_key`: their pods are added up.
/// `by_key_last`: on each node, only the pods of the last of them count. `by_constraint`: each constraint
/// counts by itself.
enum class SpreadCounts { by_key, by_key_last, by_constraint };

/// The attempt, its filters and their PreFilters.
struct AttemptRules {
  std::vector<std::vector<Filter>> filter_groups;  ///< PRE-FILTER-1, PRE-FILTER-2: a group reports together
  bool first_reason_alone = false;                 ///< PRE-FILTER-3
  bool reports_plugin = false;
  bool node_conditions_filter = true;           ///< conditions of nodes reject pods (not modelled)
  bool unschedulable_tolerable = false;         ///< PRE-UNSCHEDULABLE-1
  bool resource_claims_filter = false;          ///< DynamicResources is on by default (not modelled)
  std::vector<std::string_view> node_features;  ///< PRE-FEATURES-1: the features that the filter knows
  bool nominated_pods_count = false;            ///< PRE-NOMINATED-1
  bool nominated_node_first = false;            ///< PRE-CYCLE-3
  bool prefilter_node_set = false;              ///< PRE-PREFILTER-1
  bool node_name_pins = false;                  ///< PRE-NODENAME-2
  ExcludedNodes excluded_nodes = ExcludedNodes::have_no_status;
  bool prefilter_failure_lost = false;     ///< PRE-PREFILTER-4
  bool one_contradiction_rejects = false;  ///< PRE-PREFILTER-2
  bool prefilter_rejection_errs = false;   ///< PRE-PREFILTER-6
  UnknownPinnedNode unknown_pinned_node = UnknownPinnedNode::errs;
};

/// What pods request, and the ports that they use.
struct RequestRules {
  bool fit_checks_unrequested = true;                ///< PRE-FIT-3: cpu, memory and ephemeral-storage
  bool fit_checks_zero_requests = true;              ///< PRE-FIT-3: of other resources
  bool init_zero_requests_count = false;             ///< PRE-FIT-3: as requests of other resources
  bool fit_unresolvable_beyond_allocatable = false;  ///< PRE-FIT-4
  bool sidecar_preemptor_rejected = false;           ///< PRE-FIT-5
  bool init_containers_of_node_pods = false;         ///< PRE-REQUESTS-2
  bool overhead_counts = false;                      ///< PRE-REQUESTS-3
  bool sidecars_add_up = false;                      ///< PRE-REQUESTS-4
  bool pod_level_requests = false;                   ///< PRE-REQUESTS-5
  ResizeStatus resize_status = ResizeStatus::ignored;
  bool ports_by_number_alone = true;  ///< PRE-PORTS-1
  bool sidecar_ports_count = false;   ///< PRE-PORTS-3
};

/// Affinity between pods.
struct AffinityRules {
  AffinityBookkeeping affinity_bookkeeping = AffinityBookkeeping::each_term;
  bool affinity_unresolvable = false;            ///< PRE-AFFINITY-2
  bool others_last_key_counts = true;            ///< PRE-AFFINITY-7
  bool affinity_sees_nominated = false;          ///< PRE-AFFINITY-5
  bool affinity_counts_by_preemptor_ns = false;  ///< PRE-AFFINITY-6: v1.18 uses the wrong namespace
  bool affinity_namespace_selector = false;      ///< PRE-AFFINITY-1
  bool affinity_own_selector_remains = false;    ///< PRE-AFFINITY-1: and is matched against no labels
  bool first_pod_needs_topology_keys = false;    ///< PRE-AFFINITY-3
  bool others_anti_affinity_first = true;        ///< PRE-AFFINITY-9
  bool affinity_may_be_skipped = false;          ///< PRE-AFFINITY-8
};

/// Volumes and claims.
struct VolumeRules {
  bool rbd_monitors_by_occurrence = true;  ///< PRE-DISK-1
  bool zone_unresolvable = false;          ///< PRE-ZONE-1
  bool ephemeral_volumes = false;          ///< PRE-CLAIM-1
  MissingClaim missing_claim = MissingClaim::not_looked_for;
  bool restrictions_ask_for_claims = false;  ///< PRE-CLAIM-2
  bool lost_claim_rejects = false;           ///< PRE-CLAIM-2
  bool binding_needs_annotation = false;     ///< PRE-CLAIM-2
  UnboundImmediate unbound_immediate = UnboundImmediate::errs;
  bool zone_asks_for_volumes = false;        ///< PRE-CLAIM-2
  bool volumes_pin_host_names = false;       ///< PRE-CLAIM-3
  bool no_common_node_unresolvable = false;  ///< PRE-CLAIM-3
  bool claims_for_one_pod = false;           ///< PRE-RWOP-1
  bool restrictions_may_be_skipped = false;  ///< PRE-RWOP-2
  bool limits_count_ephemeral = false;       ///< PRE-ATTACH-2, PRE-ATTACH-5, PRE-ATTACH-6
  Migration migration_of_cinder = Migration::nowhere;
  Migration migration_of_ebs_and_azure = Migration::nowhere;
  Migration migration_of_gce = Migration::nowhere;
  Migration migration_of_portworx = Migration::nowhere;
  bool csi_counts_inline_disks = false;         ///< PRE-ATTACH-2
  bool csi_counts_classes = false;              ///< PRE-ATTACH-2
  bool csi_class_annotation = false;            ///< PRE-ATTACH-2
  bool csi_volumes_by_driver = false;           ///< PRE-ATTACH-1
  bool attach_limits_of_csi_node = false;       ///< PRE-ATTACH-3
  bool attach_limits_of_node = false;           ///< PRE-ATTACH-3
  bool attachments_count = false;               ///< PRE-ATTACH-4
  bool disk_limits_of_node = false;             ///< PRE-ATTACH-5
  bool disk_limits_by_newer_label = false;      ///< PRE-ATTACH-5
  bool missing_volumes_count_by_class = false;  ///< PRE-ATTACH-5
  bool missing_csi_driver_rejects = false;      ///< PRE-ATTACH-7
  bool one_volume_term_suffices = false;        ///< PRE-BIND-1
  VolumeFields volume_fields = VolumeFields::reject_bare_terms;
  SelectedNode selected_node = SelectedNode::is_ignored;
  bool volume_phase_and_mode_count = false;  ///< PRE-BIND-2
  bool waiting_class_annotation = false;     ///< PRE-BIND-2
  AttributesClass attributes_class = AttributesClass::ignored;
  bool volumes_are_made = false;              ///< PRE-BIND-3
  bool storage_capacity = false;              ///< PRE-BIND-3
  bool missing_volume_unresolvable = false;   ///< PRE-BIND-4
  bool stable_zone_labels = false;            ///< PRE-ZONE-1
  bool beta_zone_label_means_stable = false;  ///< PRE-ZONE-1
};

/// Spreading over topology domains.
struct SpreadRules {
  SpreadCounts spread_counts = SpreadCounts::by_key;
  bool spread_counts_excluded_nodes = false;       ///< PRE-SPREAD-4
  bool spread_empty_selector_counts_none = false;  ///< PRE-SPREAD-4
  bool spread_excluded_crashes = false;            ///< PRE-SPREAD-6
  bool spread_excluded_changes = true;  ///< PRE-SPREAD-6: the dry run changes the counts there, too
  bool spread_passes_without_domains = true;       ///< PRE-SPREAD-7
  bool spread_key_unresolvable = false;            ///< PRE-SPREAD-1
  bool spread_min_domains = false;                 ///< PRE-SPREAD-7
  bool spread_node_policies = false;               ///< PRE-SPREAD-3
  bool spread_match_label_keys = false;            ///< PRE-SPREAD-2
  std::string_view text_spread_key;                ///< PRE-SPREAD-1: appended to the text of PRE-SPREAD-7
};

/// Whether a pod may preempt.
struct EligibilityRules {
  bool preemption_policy = false;                 ///< PRE-ELIGIBLE-1
  bool unresolvable_nomination_eligible = false;  ///< PRE-ELIGIBLE-2
  WaitsFor waits_for = WaitsFor::any_terminating;
};

/// The search, the victims and the PDBs.
struct VictimRules {
  bool candidate_sampling = false;  ///< PRE-SEARCH-2 to PRE-SEARCH-5
  NoPotentialVictims no_potential_victims = NoPotentialVictims::evaluated;
  bool importance_by_start_time = false;  ///< PRE-VICTIM-4
  UnstartedOrder unstarted_order = UnstartedOrder::as_listed;
  bool importance_by_uid = false;     ///< PRE-VICTIM-4
  bool victims_sorted_again = false;  ///< PRE-VICTIM-7
  NoVictimsLeft no_victims_left = NoVictimsLeft::wins;
  PdbBudget pdb_budget = PdbBudget::ignored;
  bool pdb_disrupted_pods_exempt = false;       ///< PRE-PDB-6
  bool pdb_empty_selector_matches_all = false;  ///< PRE-PDB-7
};

/// The choice of a node and the outcome.
struct OutcomeRules {
  bool choice_by_start_time = false;               ///< PRE-NODE-5
  bool clears_lower_nominations = false;           ///< PRE-OUTCOME-1
  bool terminating_victims_clear_nothing = false;  ///< PRE-OUTCOME-1
  bool no_potential_node_clears = false;           ///< PRE-OUTCOME-2
  bool no_candidate_clears = false;                ///< PRE-OUTCOME-3
  bool attempt_error_clears = false;               ///< PRE-OUTCOME-4
  bool node_error_fails_attempt = false;           ///< PRE-OUTCOME-5
};

/// The parts of the message.
struct MessageRules {
  bool message_counts_nodes = false;           ///< PRE-MESSAGE-1
  bool message_counts_excluded_nodes = false;  ///< PRE-MESSAGE-2
  bool message_has_rejection = false;          ///< PRE-MESSAGE-3
  bool message_has_preemption = false;         ///< PRE-MESSAGE-4
  bool message_counts_lost_candidates = false;  ///< PRE-MESSAGE-4
  bool full_stop_needs_reasons = false;         ///< PRE-MESSAGE-1
  bool message_has_errors = false;             ///< PRE-MESSAGE-6
  bool message_gets_full_stop = false;         ///< PRE-MESSAGE-7
  bool message_is_cut = false;                 ///< PRE-MESSAGE-9
};

/// Texts of the release. A word that begins with $ is a placeholder, such as $node.
struct Texts {
  std::string_view text_pods = "Insufficient pods";
  std::string_view text_unschedulable = "NodeUnschedulable";
  std::string_view text_node_name = "HostName";
  std::string_view text_node_affinity = "MatchNodeSelector";
  std::string_view text_ports = "PodFitsHostPorts";
  std::string_view text_taint = "PodToleratesNodeTaints";
  std::string_view text_affinity = "MatchInterPodAffinity";  ///< comes before the specific reason
  std::string_view text_affinity_rules;                      ///< empty: no specific reason; also the next two
  std::string_view text_anti_affinity_rules;
  std::string_view text_others_anti_affinity;
  std::string_view text_claim_in_use =
      "node has pod using PersistentVolumeClaim with the same name and ReadWriteOncePod access mode";
  std::string_view text_no_disk = "NoDiskConflict";
  std::string_view text_too_many_volumes = "MaxVolumeCount";
  std::string_view text_no_zone = "NoVolumeZoneConflict";
  std::string_view text_unbound = "pod has unbound PersistentVolumeClaims";
  std::string_view text_ephemeral_claim_missing = "persistentvolumeclaim \"$claim\" not found";
  std::string_view text_made_for_another = "persistentvolumeclaim \"$claim\" was not created for the pod";
  std::string_view text_volume_affinity = "node(s) had volume node affinity conflict";
  std::string_view text_volume_missing = "pvc(s) bound to non-existent pv(s)";
  bool filter_errors_add_up = true;               ///< PRE-MESSAGE-6
  std::string_view text_filter_error = "$error";  ///< PRE-MESSAGE-6
  std::string_view text_no_victims = "No victims found on node $node for preemptor pod $pod";
  std::string_view text_never =
      "Pod $pod is not eligible for preemption because it has a preemptionPolicy of Never";
  std::string_view text_waiting = "Pod $pod is not eligible for more preemption.";
  std::string_view text_state_lost;  ///< PRE-PREFILTER-4
  std::string_view text_nominated;   ///< PRE-MESSAGE-5; empty: nothing is appended
  std::string_view text_claims;      ///< PRE-MESSAGE-8; empty: no such text
};

/// The behaviour of one release. The initial values are those of v1.8.0; the first row of the table sets
/// `filter_groups`. The topics are base classes, so that code names a switch alone: release.pdb_budget.
struct Release : AttemptRules,
                 RequestRules,
                 AffinityRules,
                 VolumeRules,
                 SpreadRules,
                 CycleRules,
                 ScoreRules,
                 ProfileRules,
                 ExtenderRules,
                 PolicyRules,
                 EligibilityRules,
                 VictimRules,
                 OutcomeRules,
                 MessageRules,
                 QueueRules,
                 CallRules,
                 EventRules,
                 ElectionRules,
                 Texts {
  Version version;
};

/// The first patch of a minor release that has a change. If the exact patch is not known, `patch` is the
/// oldest patch known to have the change, and `absent_through` the newest patch known to lack it. If `patch`
/// is exact, `absent_through` is -1.
struct FirstPatch {
  int minor = 0;
  int patch = 0;
  int absent_through = -1;
};

/// One row of the release table: a change of a switch to a new value. Versions with the change are those from
/// the patches in `first` on, and every minor release after the last one in `first`.
struct Change {
  std::string_view name;
  std::string_view value;
  std::string_view clause;
  std::vector<FirstPatch> first;
  std::string_view evidence;
  std::function<void(Release&)> apply;
};

/// Whether a change concerns only a scheduler over time (pages queue, events, nominations and election of
/// spec/clauses). No single decision depends on it.
inline bool is_over_time(const Change& change) {
  return change.clause.starts_with("QUE-") || change.clause.starts_with("EVT-") ||
         change.clause.starts_with("NOM-") || change.clause.starts_with("LEA-");
}

/// Whether the scheduler over time of a version is modelled.
inline bool queue_is_modelled(Version version) {
  return version >= Version{28, 0} || version == Version{13, 0};
}

/// All rows of the release table, in the order in which fold_release() applies them.
const std::vector<Change>& release_table();

/// Whether a version has a change.
bool has_change(const Change& change, Version version);

/// The newest known patch of each minor release, oldest first. The last one may be a minor release that is
/// still in alpha.
const std::vector<Version>& known_releases();

/// The newest release whose answers were compared with those of the running scheduler. It is the default
/// release and the meaning of `latest`. Never an alpha.
Version newest_release();

/// How the behaviour of a minor release is known: recorded from running patches, or read in source.
std::string evidence_of(int minor);

/// The releases whose decisions were recorded from the running scheduler, oldest first.
const std::vector<Version>& recorded_releases();

/// The release of a version: applies every row of the table that the version has. Requires: a known minor
/// release.
Release fold_release(Version version);

/// The release with one row of the table toggled: applied if the release lacks it, left out if the release
/// has it. A comparison of both releases shows what the row decides. Requires: `toggled` is an element of
/// release_table().
Release with_toggled(const Release& release, const Change& toggled);

/// A release that a user named, and what the user should know about its answers.
struct NamedRelease {
  Release release;
  std::string evidence;            ///< "nearest recorded: v1.34.4", "read in source, not recorded"
  std::vector<std::string> notes;  ///< a patch later than known, a boundary that is not exact, an alpha, ...
};

/// Finds a release by name: `latest` (newest_release()), `v1.30.6`, `1.30.6`, `v1.30` (its newest known
/// patch), or a vendor's name such as `v1.30.6-gke.1`. Errors: unknown-release, with the nearest known
/// release in the message.
Result<NamedRelease> find_release(std::string_view name);

}  // namespace touchstone
