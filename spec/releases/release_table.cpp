#include "spec/releases/release_table.hpp"

#include "spec/releases/release.hpp"
#include "spec/vocabulary/filter_orders.hpp"
#include "spec/vocabulary/node_features.hpp"

/// The release table of preemption from v1.24 on; release_table_early.cpp has the rows before,
/// release_table_scores.cpp those of the whole cycle, release_table_extenders.cpp those of extenders,
/// release_table_policy.cpp those of a Policy, release_table_queue.cpp those over time. A row is one change of
/// behaviour. Its clause in spec/clauses says what the change means. Its evidence says how the change is known:
/// "recorded" from running releases on both sides of it (spec/vectors), "ran" on running releases without a
/// vector, "read" in the source of the named releases, "changelog", or "recalled" where nothing better was
/// found.
namespace touchstone {

namespace {

const std::vector<Change>& changes_from_v1_24() {
  static const std::vector<Change> k_changes = {
      // v1.24
      {"spread_excluded_crashes",
       "no",
       "PRE-SPREAD-6",
       {{22, 12}, {23, 9}, {24, 0}},
       "read v1.22.11, v1.22.12, v1.23.8, v1.23.9, v1.24.0; recorded v1.23.5, v1.24.17",
       sets(&Release::spread_excluded_crashes, false)},
      {"spread_excluded_changes",
       "do not count",
       "PRE-SPREAD-6",
       {{22, 12}, {23, 9}, {24, 4}, {25, 0}},
       "read v1.22.11, v1.22.12, v1.23.8, v1.23.9, v1.24.3, v1.24.4, v1.25.0; ran v1.29.6, v1.37.2",
       sets(&Release::spread_excluded_changes, false)},
      {"spread_counts", "of the last of one key", "PRE-SPREAD-5", since(24), "recorded v1.23.5, v1.24.17",
       sets(&Release::spread_counts, SpreadCounts::by_key_last)},
      {"spread_counts_excluded_nodes", "no", "PRE-SPREAD-4", since(24), "read v1.23.17, v1.24.0",
       sets(&Release::spread_counts_excluded_nodes, false)},
      {"prefilter_node_set", "from pinned names", "PRE-PREFILTER-1", since(24), "recorded v1.23.5, v1.24.17",
       sets(&Release::prefilter_node_set, true)},
      {"text_taint", "had untolerated taint", "PRE-TAINT-1", since(24), "recorded v1.23.5, v1.24.17",
       sets(&Release::text_taint, "node(s) had untolerated taint {$key: $value}")},
      {"text_no_victims", "for incoming pod", "PRE-VICTIM-2", since(24), "recorded v1.23.5, v1.24.17",
       sets(&Release::text_no_victims, "No preemption victims found for incoming pod")},
      {"text_never", "not eligible due to", "PRE-ELIGIBLE-1", since(24), "recorded v1.23.5, v1.24.17",
       sets(&Release::text_never, "not eligible due to preemptionPolicy=Never.")},
      {"text_waiting", "not eligible due to", "PRE-ELIGIBLE-3", since(24), "recorded v1.23.5, v1.24.17",
       sets(&Release::text_waiting, "not eligible due to a terminating pod on the nominated node.")},
      {"one_contradiction_rejects", "yes", "PRE-PREFILTER-2", since(24), "read v1.24.17, v1.25.16, v1.26.15",
       sets(&Release::one_contradiction_rejects, true)},
      {"message_has_preemption", "yes", "PRE-MESSAGE-4", since(24), "read v1.23.17, v1.24.0",
       sets(&Release::message_has_preemption, true)},
      {"migration", "of Cinder, where there is a CSINode", "PRE-ATTACH-2", since(24),
       "read v1.23.17, v1.24.0", sets(&Release::migration_of_cinder, Migration::where_csi_node)},

      // v1.25
      {"csi_counts_inline_disks", "yes", "PRE-ATTACH-2", since(25), "read v1.24.17, v1.25.0",
       sets(&Release::csi_counts_inline_disks, true)},

      // v1.26 to v1.28
      {"spread_node_policies", "yes", "PRE-SPREAD-3", since(26), "recorded v1.25.16, v1.26.15; read v1.26.0",
       sets(&Release::spread_node_policies, true)},
      {"fit_checks_zero_requests", "no", "PRE-FIT-3", since(26), "read v1.25.16, v1.26.0; kubernetes#111544",
       sets(&Release::fit_checks_zero_requests, false)},
      {"prefilter_failure_lost", "yes", "PRE-PREFILTER-4", since(26),
       "read v1.25.16, v1.26.0, v1.26.7, v1.27.1, v1.27.4, v1.28.1; kubernetes#110894",
       sets(&Release::prefilter_failure_lost, true)},
      {"message_has_rejection", "instead of its count", "PRE-MESSAGE-3", since(26), "read v1.25.16, v1.26.0",
       sets(&Release::message_has_rejection, true)},
      {"full_stop_needs_reasons", "yes", "PRE-MESSAGE-1", since(26),
       "read v1.13.0, v1.18.20, v1.25.16, v1.26.0; ran v1.13.0",
       sets(&Release::full_stop_needs_reasons, true)},
      {"message_gets_full_stop", "after what preemption says", "PRE-MESSAGE-7", since(26),
       "read v1.25.16, v1.26.0", sets(&Release::message_gets_full_stop, true)},
      {"text_state_lost", "of PodTopologySpread", "PRE-PREFILTER-4", since(26), "read v1.26.0",
       sets(&Release::text_state_lost,
            "running RemovePod on PreFilter plugin \"PodTopologySpread\": reading "
            "\"PreFilterPodTopologySpread\" from cycleState: not found")},
      {"prefilter_failure_lost",
       "no",
       "PRE-PREFILTER-4",
       {{26, 9, 7}, {27, 6, 4}, {28, 2}, {29, 0}},
       "read v1.26.9, v1.27.6, v1.28.2; kubernetes#119778",
       sets(&Release::prefilter_failure_lost, false)},
      {"one_contradiction_rejects", "no: all must", "PRE-PREFILTER-2", since(27), "read v1.26.15, v1.27.13",
       sets(&Release::one_contradiction_rejects, false)},

      // v1.27
      {"spread_empty_selector_counts_none", "yes", "PRE-SPREAD-4", since(27), "read v1.26.15, v1.27.0",
       sets(&Release::spread_empty_selector_counts_none, true)},
      {"spread_match_label_keys", "yes", "PRE-SPREAD-2", since(27), "read v1.26.15, v1.27.0",
       sets(&Release::spread_match_label_keys, true)},
      {"spread_min_domains", "yes", "PRE-SPREAD-7", since(27), "recorded v1.26.15, v1.27.16; read v1.27.0",
       sets(&Release::spread_min_domains, true)},
      {"affinity_may_be_skipped", "yes", "PRE-AFFINITY-8", since(27), "recorded v1.26.15, v1.27.16",
       sets(&Release::affinity_may_be_skipped, true)},
      {"message_has_errors", "yes", "PRE-MESSAGE-6", since(27), "read v1.26.15, v1.27.0",
       sets(&Release::message_has_errors, true)},
      {"text_state_lost", "of VolumeRestrictions", "PRE-PREFILTER-4", since(27),
       "read v1.26.15, v1.27.0, v1.28.1",
       sets(&Release::text_state_lost,
            "running RemovePod on PreFilter plugin \"VolumeRestrictions\": cannot read "
            "\"PreFilterVolumeRestrictions\" from cycleState")},
      {"waits_for", "pods preempted by the scheduler", "PRE-ELIGIBLE-4", since(27),
       "recorded v1.26.15, v1.27.16; read v1.27.1; kubernetes#114623",
       sets(&Release::waits_for, WaitsFor::preempted_by_scheduler)},
      {"restrictions_ask_for_claims", "yes", "PRE-CLAIM-2", since(27), "read v1.26.15, v1.27.0",
       sets(&Release::restrictions_ask_for_claims, true)},
      {"zone_asks_for_volumes", "yes", "PRE-CLAIM-2", since(27), "read v1.26.15, v1.27.0",
       sets(&Release::zone_asks_for_volumes, true)},
      {"volumes_pin_host_names", "yes", "PRE-CLAIM-3", since(27), "read v1.26.15, v1.27.0",
       sets(&Release::volumes_pin_host_names, true)},
      {"claims_for_one_pod", "yes", "PRE-RWOP-1", since(27), "read v1.26.15, v1.27.0; kubernetes#114051",
       sets(&Release::claims_for_one_pod, true)},
      {"migration", "of EBS and Azure disks, where there is a CSINode", "PRE-ATTACH-2", since(27),
       "read v1.26.15, v1.27.0", sets(&Release::migration_of_ebs_and_azure, Migration::where_csi_node)},
      {"excluded_nodes",
       "unresolvable, with a reason of their own",
       "PRE-PREFILTER-3",
       {{27, 14}, {28, 10}, {29, 5}, {30, 0}},
       "read v1.27.13, v1.29.5, v1.30.1; kubernetes#124559",
       sets(&Release::excluded_nodes, ExcludedNodes::have_own_reason, &Release::message_counts_excluded_nodes,
            true)},
      {"excluded_nodes",
       "unresolvable, without a reason",
       "PRE-PREFILTER-3",
       {{27, 15}, {28, 11}, {29, 6}, {30, 2}, {31, 0}},
       "recorded v1.26.15, v1.27.16, v1.28.0, v1.29.6, v1.30.4; read v1.29.6; kubernetes#124933",
       sets(&Release::excluded_nodes, ExcludedNodes::unresolvable, &Release::message_counts_excluded_nodes,
            false)},
      {"unknown_pinned_node",
       "crashes",
       "PRE-PREFILTER-5",
       {{27, 14}, {28, 10}, {29, 5}, {30, 0}},
       "read v1.27.13, v1.29.5; changelogs; kubernetes#124930",
       sets(&Release::unknown_pinned_node, UnknownPinnedNode::crashes)},
      {"unknown_pinned_node",
       "is skipped",
       "PRE-PREFILTER-5",
       {{27, 15}, {28, 11}, {29, 6}, {30, 2}, {31, 0}},
       "ran v1.27.16, v1.29.6, v1.30.4; changelogs; kubernetes#124933",
       sets(&Release::unknown_pinned_node, UnknownPinnedNode::is_skipped)},

      // v1.28
      {"fit_checks_unrequested", "no", "PRE-FIT-3", since(28), "recorded v1.27.16, v1.28.0",
       sets(&Release::fit_checks_unrequested, false)},
      {"sidecars_add_up", "yes", "PRE-REQUESTS-4", since(28), "recorded v1.27.16, v1.28.0",
       sets(&Release::sidecars_add_up, true)},
      {"sidecar_preemptor_rejected", "yes", "PRE-FIT-5", since(28), "recorded v1.27.16, v1.28.0",
       sets(&Release::sidecar_preemptor_rejected, true)},
      {"restrictions_may_be_skipped", "yes", "PRE-RWOP-2", since(28), "read v1.27.16, v1.28.0",
       sets(&Release::restrictions_may_be_skipped, true)},
      {"migration", "of GCE disks, where there is a CSINode", "PRE-ATTACH-2", since(28),
       "read v1.27.16, v1.28.0", sets(&Release::migration_of_gce, Migration::where_csi_node)},

      // v1.29
      {"message_gets_full_stop", "no", "PRE-MESSAGE-7", since(29), "read v1.28.15, v1.29.0; ran v1.29.6",
       sets(&Release::message_gets_full_stop, false)},
      {"sidecar_preemptor_rejected", "no", "PRE-FIT-5", since(29), "recorded v1.28.0, v1.29.6",
       sets(&Release::sidecar_preemptor_rejected, false)},
      {"victims_sorted_again",
       "yes",
       "PRE-VICTIM-7",
       {{29, 11}, {30, 7}, {31, 3}, {32, 0}},
       "recorded v1.30.4, v1.30.14, v1.31.0, v1.32.2; changelog; kubernetes#128307",
       sets(&Release::victims_sorted_again, true)},
      {"beta_zone_label_means_stable", "yes", "PRE-ZONE-1", since(29), "read v1.28.15, v1.29.0",
       sets(&Release::beta_zone_label_means_stable, true)},
      {"volumes_pin_host_names",
       "no",
       "PRE-CLAIM-3",
       {{29, 11}, {30, 7}, {31, 3}, {32, 0}},
       "recorded v1.29.6, v1.30.14, v1.31.0, v1.32.2; kubernetes#127586",
       sets(&Release::volumes_pin_host_names, false)},
      // v1.30
      {"no_common_node_unresolvable", "yes", "PRE-CLAIM-3", since(30),
       "recorded v1.29.6, v1.31.0; read v1.30.4", sets(&Release::no_common_node_unresolvable, true)},
      // v1.31
      {"attributes_class", "is not understood", "PRE-BIND-2", since(31),
       "ran v1.30.14, v1.31.0, v1.33.13; read v1.30.14, v1.31.0",
       sets(&Release::attributes_class, AttributesClass::not_understood)},
      {"migration", "of Portworx volumes, where listed", "PRE-ATTACH-2", since(31),
       "ran v1.30.14, v1.31.0; read v1.30.14, v1.31.0",
       sets(&Release::migration_of_portworx, Migration::where_listed)},
      {"filter_groups", "CSI limits alone", "PRE-ATTACH-5", since(31), "recorded v1.30.14, v1.31.0",
       sets(&Release::filter_groups, k_csi_limits_alone)},

      // v1.32
      {"attach_limits_of_node", "no", "PRE-ATTACH-3", since(32), "recorded v1.31.0, v1.32.2",
       sets(&Release::attach_limits_of_node, false)},
      {"attachments_count", "yes", "PRE-ATTACH-4", since(32), "recorded v1.31.0, v1.32.2",
       sets(&Release::attachments_count, true)},
      {"message_counts_excluded_nodes", "yes", "PRE-MESSAGE-2", since(32),
       "ran v1.31.0, v1.32.2; read v1.31.14, v1.32.0", sets(&Release::message_counts_excluded_nodes, true)},
      {"message_counts_lost_candidates", "yes", "PRE-MESSAGE-4", since(32),
       "ran v1.31.0, v1.32.2; read v1.31.0, v1.32.2", sets(&Release::message_counts_lost_candidates, true)},

      // v1.33
      {"spread_counts", "of each constraint", "PRE-SPREAD-5", since(33), "recorded v1.32.2, v1.33.13",
       sets(&Release::spread_counts, SpreadCounts::by_constraint)},
      {"resize_status", "of containers", "PRE-REQUESTS-6", since(33), "read v1.32.2, v1.33.13",
       sets(&Release::resize_status, ResizeStatus::of_containers)},
      {"sidecar_ports_count",
       "yes",
       "PRE-PORTS-3",
       {{33, 6}, {34, 0}},
       "read v1.32.2, v1.33.13; changelog of v1.33.6; kubernetes#133390",
       sets(&Release::sidecar_ports_count, true)},
      {"text_volume_affinity", "didn't match", "PRE-BIND-1", since(33), "recorded v1.32.2, v1.33.13",
       sets(&Release::text_volume_affinity, "node(s) didn't match PersistentVolume's node affinity")},

      // v1.34
      {"attributes_class", "is compared", "PRE-BIND-2", since(34), "ran v1.33.13, v1.34.4",
       sets(&Release::attributes_class, AttributesClass::compared)},
      {"text_claim_in_use", "unavailable due to", "PRE-RWOP-1", since(34), "recorded v1.33.13, v1.34.4",
       sets(&Release::text_claim_in_use,
            "node(s) unavailable due to PersistentVolumeClaim with ReadWriteOncePod access mode already "
            "in-use by another pod")},
      {"fit_unresolvable_beyond_allocatable", "yes", "PRE-FIT-4", since(34),
       "recorded v1.33.13, v1.34.4; kubernetes#131345",
       sets(&Release::fit_unresolvable_beyond_allocatable, true)},
      {"pod_level_requests", "replace the sum", "PRE-REQUESTS-5", since(34), "recorded v1.33.13, v1.34.4",
       sets(&Release::pod_level_requests, true)},
      {"resource_claims_filter", "on", "PRE-FILTER-1", since(34), "read v1.33.13, v1.34.4",
       sets(&Release::resource_claims_filter, true)},
      {"prefilter_rejection_errs", "yes", "PRE-PREFILTER-6", since(34),
       "ran v1.33.13, v1.34.4, v1.36.3; read v1.33.13, v1.34.0",
       sets(&Release::prefilter_rejection_errs, true)},
      {"text_claims", "no new claims", "PRE-MESSAGE-8", since(34),
       "ran v1.33.13, v1.34.4; read v1.33.13, v1.34.0",
       sets(&Release::text_claims, "no new claims to deallocate")},
      {"affinity_own_selector_remains", "yes", "PRE-AFFINITY-1", since(34),
       "recorded v1.33.13, v1.34.4; read v1.33.13, v1.34.0",
       sets(&Release::affinity_own_selector_remains, true)},
      {"text_taint",
       "no key",
       "PRE-TAINT-1",
       {{34, 2}, {35, 0}},
       "recorded v1.33.13, v1.34.4; ran v1.34.0, v1.34.2; read v1.34.1, v1.34.2",
       sets(&Release::text_taint, "node(s) had untolerated taint(s)")},
      {"terminating_victims_clear_nothing", "yes", "PRE-OUTCOME-1", since(34), "read v1.34.0, v1.34.2",
       sets(&Release::terminating_victims_clear_nothing, true)},
      {"terminating_victims_clear_nothing",
       "no",
       "PRE-OUTCOME-1",
       {{34, 2}},
       "read v1.34.1, v1.34.2, v1.34.3, v1.34.4",
       sets(&Release::terminating_victims_clear_nothing, false)},

      // v1.35
      {"terminating_victims_clear_nothing", "yes", "PRE-OUTCOME-1", since(35), "read v1.35.4, v1.36.3",
       sets(&Release::terminating_victims_clear_nothing, true)},

      // v1.36
      {"resize_status", "of containers and pod", "PRE-REQUESTS-6", since(36), "read v1.34.4, v1.36.3",
       sets(&Release::resize_status, ResizeStatus::of_containers_and_pod)},
      {"filter_groups", "node features last", "PRE-FEATURES-1", since(36),
       "read v1.35.4, v1.36.3; ran v1.36.3", sets(&Release::filter_groups, k_features_last)},
      {"node_features", "of host networks and restarts", "PRE-FEATURES-1", since(36),
       "read v1.35.4, v1.36.3; ran v1.36.3",
       sets(&Release::node_features, {k_user_namespaces_on_host_network, k_restart_all_containers})},

      // v1.37
      {"filter_groups", "node name first", "PRE-NODENAME-2", since(37),
       "recorded v1.36.3, v1.37.2; read v1.37.0", sets(&Release::filter_groups, k_node_name_first)},
      {"node_name_pins", "yes", "PRE-NODENAME-2", since(37), "recorded v1.36.3, v1.37.2; read v1.37.0",
       sets(&Release::node_name_pins, true)},
      {"node_features", "and of bind mounts", "PRE-FEATURES-1", since(37),
       "recorded v1.36.3, v1.37.2; read v1.37.0",
       [](Release& r) { r.node_features.push_back(k_bind_mount_options); }},
      {"resize_status", "the largest of three totals", "PRE-REQUESTS-8", since(37),
       "recorded v1.36.3, v1.37.2; read v1.37.0",
       sets(&Release::resize_status, ResizeStatus::largest_of_three_totals)},
      {"pdb_budget", "consumed until violated", "PRE-PDB-4", since(37),
       "recorded v1.36.3, v1.37.2; read v1.37.0",
       sets(&Release::pdb_budget, PdbBudget::consumed_until_violated)},
      {"unstarted_order", "as listed", "PRE-VICTIM-5", since(37), "recorded v1.36.3, v1.37.2; read v1.37.0",
       sets(&Release::unstarted_order, UnstartedOrder::as_listed)},
      {"missing_csi_driver_rejects", "yes", "PRE-ATTACH-7", since(37),
       "recorded v1.36.3, v1.37.2; read v1.37.0", sets(&Release::missing_csi_driver_rejects, true)},
      {"affinity_own_selector_remains", "no", "PRE-AFFINITY-1", since(37),
       "recorded v1.36.3, v1.37.2; read v1.37.0", sets(&Release::affinity_own_selector_remains, false)},
      {"text_claims", "nothing is said", "PRE-MESSAGE-8", since(37),
       "recorded v1.36.3, v1.37.2; read v1.37.0", sets(&Release::text_claims, "")},
      {"text_nominated", "node and number of victims", "PRE-MESSAGE-5", since(37),
       "recorded v1.36.3, v1.37.2; read v1.37.0",
       sets(&Release::text_nominated,
            "found a potential placement for pod on node $node, preempting $victims victims")},

      // v1.38, in alpha
      {"pdb_empty_selector_matches_all", "yes", "PRE-PDB-7", since(38),
       "read in v1.38 development; kubernetes#141785", sets(&Release::pdb_empty_selector_matches_all, true)},
      {"importance_by_uid", "after the start time", "PRE-VICTIM-4", since(38), "read in v1.38 development",
       sets(&Release::importance_by_uid, true)},
  };
  return k_changes;
}

}  // namespace

const std::vector<Change>& release_table() {
  static const std::vector<Change> k_table = [] {
    std::vector<Change> table = changes_through_v1_23();
    table.insert(table.end(), changes_from_v1_24().begin(), changes_from_v1_24().end());
    table.insert(table.end(), changes_of_scores().begin(), changes_of_scores().end());
    table.insert(table.end(), changes_of_queue().begin(), changes_of_queue().end());
    table.insert(table.end(), changes_of_extenders().begin(), changes_of_extenders().end());
    table.insert(table.end(), changes_of_policy().begin(), changes_of_policy().end());
    return table;
  }();
  return k_table;
}

}  // namespace touchstone
