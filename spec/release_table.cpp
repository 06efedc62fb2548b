#include "spec/release_table.hpp"

#include "spec/filter_orders.hpp"
#include "spec/release.hpp"

/// The releases as data. A row is one behaviour change; its clause in spec/preemption.md says what it means,
/// its evidence how it is known: "recorded" from running releases on both sides (spec/vectors), "read" in the
/// source of the releases named, "changelog", or "recalled" where nothing better was found.
namespace touchstone {

namespace {

/// The change is there from the first patch of this minor release on.
std::vector<FirstPatch> since(int minor) { return {{minor, 0}}; }

}  // namespace

const std::vector<Change>& release_table() {
  static const std::vector<Change> k_table = {
      {"filter_groups", "all predicates together", "PRE-FILTER-2", since(8), "read v1.8.0, v1.9.0",
       [](Release& r) { r.filter_groups = k_all_predicates; }},

      // v1.9
      {"pdb_budget", "threshold", "PRE-PDB-3", since(9), "recorded v1.8.0, v1.10.0; kubernetes#56178",
       [](Release& r) { r.pdb_budget = PdbBudget::threshold; }},
      {"nominated_pods_count", "two passes", "PRE-NOMINATED-1", since(9),
       "read v1.8.0, v1.9.0; kubernetes#55933", [](Release& r) { r.nominated_pods_count = true; }},
      {"clears_lower_nominations", "yes", "PRE-OUTCOME-1", since(9), "read v1.8.0, v1.9.0",
       [](Release& r) { r.clears_lower_nominations = true; }},
      {"no_potential_node_clears", "yes", "PRE-OUTCOME-2", since(9), "read v1.8.0, v1.9.0",
       [](Release& r) { r.no_potential_node_clears = true; }},

      {"message_counts_nodes", "yes", "PRE-MESSAGE-1", since(9), "read v1.8.15, v1.9.0",
       [](Release& r) { r.message_counts_nodes = true; }},
      {"ports_by_number_alone", "no", "PRE-PORTS-1", since(9), "read v1.8.15, v1.9.11; kubernetes#52421",
       [](Release& r) { r.ports_by_number_alone = false; }},

      // v1.10
      {"texts of predicates", "sentences", "PRE-FILTER-2", since(10),
       "recorded v1.13.12; read v1.9.11, v1.12.0",
       [](Release& r) {
         r.text_unschedulable = "node(s) were unschedulable";
         r.text_node_name = "node(s) didn't match the requested hostname";
         r.text_node_affinity = "node(s) didn't match node selector";
         r.text_ports = "node(s) didn't have free ports for the requested pod ports";
         r.text_taint = "node(s) had taints that the pod didn't tolerate";
       }},
      {"filter_groups", "general predicates together", "PRE-FILTER-2", since(10),
       "recorded v1.13.12, v1.16.6; read v1.10.0; kubernetes#56926",
       [](Release& r) { r.filter_groups = k_general_predicates; }},

      // v1.12
      {"unschedulable_tolerable", "yes", "PRE-UNSCHEDULABLE-1", since(12),
       "recorded v1.13.12; before it recalled", [](Release& r) { r.unschedulable_tolerable = true; }},
      {"node_conditions_filter", "off: nodes are tainted by condition", "PRE-UNSCHEDULABLE-1", since(12),
       "recalled", [](Release& r) { r.node_conditions_filter = false; }},

      {"affinity_account", "sets of pods", "PRE-AFFINITY-6", since(12), "read v1.12.10, v1.16.6; recorded v1.13.12",
       [](Release& r) { r.affinity_account = AffinityAccount::sets_of_pods; }},

      // v1.15
      {"importance_by_start_time", "earlier is more important", "PRE-VICTIM-4", since(15),
       "recorded v1.14.6, v1.15.3; kubernetes#75510", [](Release& r) { r.importance_by_start_time = true; }},
      {"unstarted_order", "reversed", "PRE-VICTIM-5", since(15), "recorded v1.14.6, v1.15.3",
       [](Release& r) { r.unstarted_order = UnstartedOrder::reversed; }},
      {"choice_by_start_time", "latest start wins", "PRE-NODE-5", since(15),
       "recorded v1.14.6, v1.15.3; kubernetes#74974", [](Release& r) { r.choice_by_start_time = true; }},

      // v1.17
      {"filter_groups", "one by one, resources early", "PRE-FILTER-1", since(17),
       "read v1.16.15, v1.17.0, v1.17.17; recorded v1.16.6, v1.18.2, v1.19.0",
       [](Release& r) { r.filter_groups = k_resources_early; }},
      {"first_reason_alone", "yes", "PRE-FILTER-3", since(17), "read v1.16.15, v1.17.0, v1.17.17",
       [](Release& r) { r.first_reason_alone = true; }},

      // v1.18
      {"first_reason_alone", "no", "PRE-FILTER-3", since(18), "read v1.17.17, v1.18.0; recorded v1.18.2",
       [](Release& r) { r.first_reason_alone = false; }},
      {"affinity_account", "counts", "PRE-AFFINITY-6", since(18), "recorded v1.16.6, v1.18.2; read v1.17.17, v1.18.2",
       [](Release& r) { r.affinity_account = AffinityAccount::counts; }},
      {"affinity_counts_by_preemptor_ns", "yes", "PRE-AFFINITY-6", since(18), "read v1.18.2",
       [](Release& r) { r.affinity_counts_by_preemptor_ns = true; }},
      {"reports_plugin", "yes", "PRE-FILTER-1", since(18), "recorded v1.16.6, v1.18.2",
       [](Release& r) { r.reports_plugin = true; }},
      {"filter_groups", "topology spread is on, and last", "PRE-FILTER-1", since(18), "recorded v1.16.6, v1.18.2",
       [](Release& r) { r.filter_groups = k_spread_last; }},
      {"overhead_counts", "yes", "PRE-REQUESTS-3", since(18), "recorded v1.16.6, v1.18.2",
       [](Release& r) { r.overhead_counts = true; }},
      {"pdb_budget", "consumed until violated", "PRE-PDB-4", since(18),
       "recorded v1.17.17, v1.18.2; v1.18.0 assumed; kubernetes#82235",
       [](Release& r) { r.pdb_budget = PdbBudget::consumed_until_violated; }},
      {"text_pods", "Too many pods", "PRE-FIT-1", since(18), "recorded v1.16.6, v1.18.2",
       [](Release& r) { r.text_pods = "Too many pods"; }},
      {"text_taint", "had taint", "PRE-TAINT-1", since(18), "recorded v1.16.6, v1.18.2",
       [](Release& r) { r.text_taint = "node(s) had taint {$key: $value}, that the pod didn't tolerate"; }},

      {"message_is_cut", "after 1024 bytes", "PRE-MESSAGE-9", {{18, 16}, {19, 0}},
       "read v1.17.17, v1.18.0, v1.18.15, v1.18.16, v1.19.16", [](Release& r) { r.message_is_cut = true; }},

      {"spread_passes_without_domains", "no", "PRE-SPREAD-7", {{18, 11}, {19, 4}},
       "read v1.18.10, v1.18.12, v1.19.0, v1.19.16; v1.19.4 assumed",
       [](Release& r) { r.spread_passes_without_domains = false; }},

      // v1.19
      {"filter_groups", "affinity between pods is last", "PRE-FILTER-1", since(19), "recorded v1.18.2, v1.19.0",
       [](Release& r) { r.filter_groups = k_affinity_last; }},
      {"spread_counts_excluded_nodes", "in domains of others", "PRE-SPREAD-4", since(19), "read v1.18.20, v1.19.0",
       [](Release& r) { r.spread_counts_excluded_nodes = true; }},
      {"spread_excluded_crashes", "yes", "PRE-SPREAD-6", since(19), "recorded v1.18.2, v1.19.0",
       [](Release& r) { r.spread_excluded_crashes = true; }},
      {"spread_key_unresolvable", "yes", "PRE-SPREAD-1", since(19), "recorded v1.18.2, v1.19.0",
       [](Release& r) { r.spread_key_unresolvable = true; }},
      {"text_spread_key", "missing required label", "PRE-SPREAD-1", since(19), "recorded v1.18.2, v1.19.0",
       [](Release& r) { r.text_spread_key = " (missing required label)"; }},
      {"affinity_counts_by_preemptor_ns", "no", "PRE-AFFINITY-6", since(19), "read v1.18.2, v1.19.16",
       [](Release& r) { r.affinity_counts_by_preemptor_ns = false; }},
      {"affinity_sees_nominated", "yes", "PRE-AFFINITY-5", since(19), "recorded v1.18.2, v1.19.0",
       [](Release& r) { r.affinity_sees_nominated = true; }},
      {"first_pod_needs_topology_keys", "yes", "PRE-AFFINITY-3", since(19), "recorded v1.18.2, v1.19.0",
       [](Release& r) { r.first_pod_needs_topology_keys = true; }},
      {"others_anti_affinity_first", "no: last", "PRE-AFFINITY-9", since(19), "recorded v1.18.2, v1.19.0",
       [](Release& r) { r.others_anti_affinity_first = false; }},
      {"preemption_policy", "honoured", "PRE-ELIGIBLE-1", since(19),
       "recorded v1.18.20, v1.19.0; kubernetes#91899", [](Release& r) { r.preemption_policy = true; }},
      {"unresolvable_nomination_eligible", "yes", "PRE-ELIGIBLE-2", since(19),
       "recorded v1.18.2, v1.19.0; kubernetes#92604",
       [](Release& r) { r.unresolvable_nomination_eligible = true; }},
      {"init_containers_of_node_pods",
       "count",
       "PRE-REQUESTS-2",
       {{16, 10}, {17, 6}, {18, 3}, {19, 0}},
       "recorded v1.18.2, v1.19.0; read v1.16.9, v1.16.10, v1.17.5, v1.17.6, v1.18.3; kubernetes#90378",
       [](Release& r) { r.init_containers_of_node_pods = true; }},
      {"no_potential_victims", "rejected", "PRE-VICTIM-2", since(19),
       "read v1.18.2, v1.19.0; kubernetes#92752",
       [](Release& r) { r.no_potential_victims = NoPotentialVictims::rejected; }},
      {"no_victims_left", "candidate", "PRE-VICTIM-8", since(19), "read v1.18.20, v1.19.12",
       [](Release& r) { r.no_victims_left = NoVictimsLeft::candidate; }},
      {"pdb_budget", "consumed wholly", "PRE-PDB-5", since(19),
       "recorded v1.18.20, v1.19.0; kubernetes#92476",
       [](Release& r) { r.pdb_budget = PdbBudget::consumed_all; }},
      {"pdb_disrupted_pods_exempt", "yes", "PRE-PDB-6", since(19),
       "recorded v1.18.20, v1.19.0; kubernetes#91986",
       [](Release& r) { r.pdb_disrupted_pods_exempt = true; }},

      // v1.20
      {"filter_groups", "one by one, unresolvable first", "PRE-FILTER-1", since(20),
       "recorded v1.19.0, v1.20.15", [](Release& r) { r.filter_groups = k_unresolvable_first; }},
      {"candidate_sampling", "a tenth, at least 100", "PRE-SEARCH-2", since(20),
       "read v1.19.7, v1.20.15; recorded v1.29.6; kubernetes#94814",
       [](Release& r) { r.candidate_sampling = true; }},
      {"text_node_affinity", "Pod's node affinity", "PRE-NODEAFFINITY-1", since(20),
       "recorded v1.19.0, v1.20.15",
       [](Release& r) { r.text_node_affinity = "node(s) didn't match Pod's node affinity"; }},

      // v1.21
      {"text_affinity", "rules", "PRE-AFFINITY-9", since(21), "recorded v1.20.15, v1.21.9",
       [](Release& r) { r.text_affinity = "node(s) didn't match pod affinity/anti-affinity rules"; }},
      {"text_node_affinity", "Pod's node affinity/selector", "PRE-NODEAFFINITY-1", since(21),
       "recorded v1.20.15, v1.21.9",
       [](Release& r) { r.text_node_affinity = "node(s) didn't match Pod's node affinity/selector"; }},
      {"text_node_name", "requested node name", "PRE-NODENAME-1", since(21),
       "read v1.29.6; the minor is recalled",
       [](Release& r) { r.text_node_name = "node(s) didn't match the requested node name"; }},
      {"text_never", "without the pod's name", "PRE-ELIGIBLE-1", since(21), "recorded v1.20.15, v1.21.9",
       [](Release& r) {
         r.text_never = "Pod is not eligible for preemption because it has a preemptionPolicy of Never";
       }},
      {"text_waiting", "without the pod's name", "PRE-ELIGIBLE-3", since(21), "recorded v1.20.15, v1.21.9",
       [](Release& r) { r.text_waiting = "Pod is not eligible for more preemption"; }},

      // v1.22
      {"text_affinity", "none", "PRE-AFFINITY-9", since(22), "recorded v1.21.9, v1.22.6",
       [](Release& r) { r.text_affinity = ""; }},
      {"affinity_namespace_selector", "yes", "PRE-AFFINITY-1", since(22), "read v1.21.14, v1.22.17",
       [](Release& r) { r.affinity_namespace_selector = true; }},
      {"no_victims_left",
       "error",
       "PRE-VICTIM-8",
       {{22, 3, 0}},
       "read v1.21.9, v1.22.3; kubernetes#101560",
       [](Release& r) { r.no_victims_left = NoVictimsLeft::error; }},

      // v1.23
      {"no_candidate_clears",
       "yes",
       "PRE-OUTCOME-3",
       {{23, 2}, {24, 0}},
       "read v1.22.6, v1.23.1, v1.23.2; kubernetes#106816",
       [](Release& r) { r.no_candidate_clears = true; }},
      {"attempt_error_clears",
       "yes",
       "PRE-OUTCOME-4",
       {{23, 2}, {24, 0}},
       "read v1.23.1, v1.23.2, v1.24.17; kubernetes#106816",
       [](Release& r) { r.attempt_error_clears = true; }},
      {"node_error_fails_attempt", "when there is no candidate", "PRE-OUTCOME-5", since(23),
       "read v1.22.6, v1.23.5", [](Release& r) { r.node_error_fails_attempt = true; }},

      // v1.24
      {"spread_excluded_crashes",
       "no",
       "PRE-SPREAD-6",
       {{22, 10}, {23, 7}, {24, 0}},
       "read v1.22.0, v1.22.17, v1.23.0, v1.23.17, v1.24.0; recorded v1.23.5, v1.24.17; the patches assumed",
       [](Release& r) { r.spread_excluded_crashes = false; }},
      {"spread_counts", "of the last of one key", "PRE-SPREAD-5", since(24), "recorded v1.23.5, v1.24.17",
       [](Release& r) { r.spread_counts = SpreadCounts::by_key_last; }},
      {"spread_counts_excluded_nodes", "no", "PRE-SPREAD-4", since(24), "read v1.23.17, v1.24.0",
       [](Release& r) { r.spread_counts_excluded_nodes = false; }},
      {"prefilter_node_set", "from pinned names", "PRE-PREFILTER-1", since(24), "recorded v1.23.5, v1.24.17",
       [](Release& r) { r.prefilter_node_set = true; }},
      {"text_taint", "had untolerated taint", "PRE-TAINT-1", since(24), "recorded v1.23.5, v1.24.17",
       [](Release& r) { r.text_taint = "node(s) had untolerated taint {$key: $value}"; }},
      {"text_no_victims", "for incoming pod", "PRE-VICTIM-2", since(24), "recorded v1.23.5, v1.24.17",
       [](Release& r) { r.text_no_victims = "No preemption victims found for incoming pod"; }},
      {"text_never", "not eligible due to", "PRE-ELIGIBLE-1", since(24), "recorded v1.23.5, v1.24.17",
       [](Release& r) { r.text_never = "not eligible due to preemptionPolicy=Never."; }},
      {"text_waiting", "not eligible due to", "PRE-ELIGIBLE-3", since(24), "recorded v1.23.5, v1.24.17",
       [](Release& r) { r.text_waiting = "not eligible due to a terminating pod on the nominated node."; }},

      {"one_contradiction_rejects", "yes", "PRE-PREFILTER-2", since(24), "read v1.24.17, v1.25.16, v1.26.15",
       [](Release& r) { r.one_contradiction_rejects = true; }},
      {"message_has_preemption", "yes", "PRE-MESSAGE-4", since(24), "read v1.23.17, v1.24.0",
       [](Release& r) { r.message_has_preemption = true; }},

      // v1.26 to v1.28
      {"spread_node_policies", "yes", "PRE-SPREAD-3", since(26),
       "recorded v1.25.16, v1.26.15; read v1.26.0",
       [](Release& r) { r.spread_node_policies = true; }},
      {"fit_checks_zero_requests", "no", "PRE-FIT-3", since(26), "read v1.25.16, v1.26.0; kubernetes#111544",
       [](Release& r) { r.fit_checks_zero_requests = false; }},
      {"prefilter_failure_lost", "yes", "PRE-PREFILTER-4", since(26),
       "read v1.25.16, v1.26.0, v1.26.7, v1.27.1, v1.27.4, v1.28.1; kubernetes#110894",
       [](Release& r) { r.prefilter_failure_lost = true; }},
      {"message_has_rejection", "instead of its count", "PRE-MESSAGE-3", since(26), "read v1.25.16, v1.26.0",
       [](Release& r) { r.message_has_rejection = true; }},
      {"message_gets_full_stop", "after what preemption says", "PRE-MESSAGE-7", since(26),
       "read v1.25.16, v1.26.0", [](Release& r) { r.message_gets_full_stop = true; }},
      {"text_state_lost", "of PodTopologySpread", "PRE-PREFILTER-4", since(26), "read v1.26.0",
       [](Release& r) {
         r.text_state_lost =
             "running RemovePod on PreFilter plugin \"PodTopologySpread\": reading "
             "\"PreFilterPodTopologySpread\" from cycleState: not found";
       }},
      {"prefilter_failure_lost",
       "no",
       "PRE-PREFILTER-4",
       {{26, 9, 7}, {27, 6, 4}, {28, 2}, {29, 0}},
       "read v1.26.9, v1.27.6, v1.28.2; kubernetes#119778",
       [](Release& r) { r.prefilter_failure_lost = false; }},
      {"one_contradiction_rejects", "no: all must", "PRE-PREFILTER-2", since(27), "read v1.26.15, v1.27.13",
       [](Release& r) { r.one_contradiction_rejects = false; }},

      // v1.27
      {"spread_empty_selector_counts_none", "yes", "PRE-SPREAD-4", since(27), "read v1.26.15, v1.27.0",
       [](Release& r) { r.spread_empty_selector_counts_none = true; }},
      {"spread_match_label_keys", "yes", "PRE-SPREAD-2", since(27), "read v1.26.15, v1.27.0",
       [](Release& r) { r.spread_match_label_keys = true; }},
      {"spread_min_domains", "yes", "PRE-SPREAD-7", since(27),
       "recorded v1.26.15, v1.27.16; read v1.27.0",
       [](Release& r) { r.spread_min_domains = true; }},
      {"affinity_may_be_skipped", "yes", "PRE-AFFINITY-8", since(27), "recorded v1.26.15, v1.27.16",
       [](Release& r) { r.affinity_may_be_skipped = true; }},
      {"message_has_errors", "yes", "PRE-MESSAGE-6", since(27), "read v1.26.15, v1.27.0",
       [](Release& r) { r.message_has_errors = true; }},
      {"text_state_lost", "of VolumeRestrictions", "PRE-PREFILTER-4", since(27),
       "read v1.26.15, v1.27.0, v1.28.1",
       [](Release& r) {
         r.text_state_lost =
             "running RemovePod on PreFilter plugin \"VolumeRestrictions\": cannot read "
             "\"PreFilterVolumeRestrictions\" from cycleState";
       }},
      {"waits_for", "pods preempted by the scheduler", "PRE-ELIGIBLE-4", since(27),
       "recorded v1.26.15, v1.27.16; read v1.27.1; kubernetes#114623",
       [](Release& r) { r.waits_for = WaitsFor::preempted_by_scheduler; }},
      {"excluded_nodes",
       "unresolvable",
       "PRE-PREFILTER-3",
       {{27, 14}, {28, 10}, {29, 5}, {30, 0}},
       "recorded v1.26.15, v1.27.16, v1.28.0, v1.29.6, v1.30.4; read v1.27.13, v1.29.5; kubernetes#124559",
       [](Release& r) { r.excluded_nodes = ExcludedNodes::unresolvable; }},
      {"unknown_pinned_node",
       "crashes",
       "PRE-PREFILTER-5",
       {{27, 14}, {28, 10}, {29, 5}, {30, 0}},
       "read v1.27.13, v1.29.5; changelogs; kubernetes#124930",
       [](Release& r) { r.unknown_pinned_node = UnknownPinnedNode::crashes; }},
      {"unknown_pinned_node",
       "is skipped",
       "PRE-PREFILTER-5",
       {{27, 15}, {28, 11}, {29, 6}, {30, 2}, {31, 0}},
       "ran v1.27.16, v1.29.6, v1.30.4; changelogs; kubernetes#124933",
       [](Release& r) { r.unknown_pinned_node = UnknownPinnedNode::is_skipped; }},

      // v1.28
      {"fit_checks_unrequested", "no", "PRE-FIT-3", since(28), "recorded v1.27.16, v1.28.0",
       [](Release& r) { r.fit_checks_unrequested = false; }},
      {"sidecars_add_up", "yes", "PRE-REQUESTS-4", since(28), "recorded v1.27.16, v1.28.0",
       [](Release& r) { r.sidecars_add_up = true; }},
      {"sidecar_preemptor_rejected", "yes", "PRE-FIT-5", since(28), "recorded v1.27.16, v1.28.0",
       [](Release& r) { r.sidecar_preemptor_rejected = true; }},

      // v1.29
      {"message_gets_full_stop", "no", "PRE-MESSAGE-7", since(29), "read v1.28.15, v1.29.0; ran v1.29.6",
       [](Release& r) { r.message_gets_full_stop = false; }},
      {"sidecar_preemptor_rejected", "no", "PRE-FIT-5", since(29), "recorded v1.28.0, v1.29.6",
       [](Release& r) { r.sidecar_preemptor_rejected = false; }},
      {"victims_sorted_again",
       "yes",
       "PRE-VICTIM-7",
       {{29, 11}, {30, 7}, {31, 3}, {32, 0}},
       "recorded v1.30.4, v1.30.14, v1.31.0, v1.32.2; changelog; kubernetes#128307",
       [](Release& r) { r.victims_sorted_again = true; }},

      // v1.29, volumes
      {"volume_filters", "yes", "PRE-CLAIM-1", since(29), "recorded v1.29.6; not modelled before", [](Release& r) { r.volume_filters = true; r.filter_groups = k_volumes; }},
      {"volumes_pin_host_names", "no", "PRE-CLAIM-3", {{29, 11}, {30, 7}, {31, 3}, {32, 0}}, "recorded v1.29.6, v1.30.14, v1.31.0, v1.32.2; kubernetes#127586", [](Release& r) { r.volumes_pin_host_names = false; }},
      // v1.30
      {"no_common_node_unresolvable", "yes", "PRE-CLAIM-3", since(30), "recorded v1.29.6, v1.31.0; read v1.30.4", [](Release& r) { r.no_common_node_unresolvable = true; }},
      // v1.31
      {"filter_groups", "CSI limits alone", "PRE-ATTACH-5", since(31), "recorded v1.30.14, v1.31.0", [](Release& r) { r.filter_groups = k_csi_limits_alone; }},

      // v1.32
      {"attach_limits_of_node", "no", "PRE-ATTACH-3", since(32), "recorded v1.31.0, v1.32.2", [](Release& r) { r.attach_limits_of_node = false; }},
      {"attachments_count", "yes", "PRE-ATTACH-4", since(32), "recorded v1.31.0, v1.32.2", [](Release& r) { r.attachments_count = true; }},
      {"message_counts_excluded_nodes", "yes", "PRE-MESSAGE-2", since(32),
       "ran v1.31.0, v1.32.2; read v1.31.14, v1.32.0",
       [](Release& r) { r.message_counts_excluded_nodes = true; }},

      // v1.33
      {"spread_counts", "of each constraint", "PRE-SPREAD-5", since(33), "recorded v1.32.2, v1.33.13",
       [](Release& r) { r.spread_counts = SpreadCounts::by_constraint; }},
      {"resize_status", "of containers", "PRE-REQUESTS-6", since(33), "read v1.32.2, v1.33.13",
       [](Release& r) { r.resize_status = ResizeStatus::of_containers; }},
      {"sidecar_ports_count",
       "yes",
       "PRE-PORTS-3",
       {{33, 6}, {34, 0}},
       "read v1.32.2, v1.33.13; changelog of v1.33.6; kubernetes#133390",
       [](Release& r) { r.sidecar_ports_count = true; }},

      {"text_volume_affinity", "didn't match", "PRE-BIND-1", since(33), "recorded v1.32.2, v1.33.13", [](Release& r) { r.text_volume_affinity = "node(s) didn't match PersistentVolume's node affinity"; }},

      // v1.34
      {"text_claim_in_use", "unavailable due to", "PRE-RWOP-1", since(34), "recorded v1.33.13, v1.34.4", [](Release& r) { r.text_claim_in_use = "node(s) unavailable due to PersistentVolumeClaim with ReadWriteOncePod access mode already in-use by another pod"; }},
      {"fit_unresolvable_beyond_allocatable", "yes", "PRE-FIT-4", since(34),
       "recorded v1.33.13, v1.34.4; kubernetes#131345",
       [](Release& r) { r.fit_unresolvable_beyond_allocatable = true; }},
      {"pod_level_requests", "replace the sum", "PRE-REQUESTS-5", since(34), "recorded v1.33.13, v1.34.4",
       [](Release& r) { r.pod_level_requests = true; }},
      {"resource_claims_filter", "on", "PRE-FILTER-1", since(34), "read v1.33.13, v1.34.4",
       [](Release& r) { r.resource_claims_filter = true; }},
      {"prefilter_rejection_errs", "yes", "PRE-PREFILTER-6", since(34),
       "ran v1.33.13, v1.34.4, v1.36.3; read v1.33.13, v1.34.0",
       [](Release& r) { r.prefilter_rejection_errs = true; }},
      {"text_claims", "no new claims", "PRE-MESSAGE-8", since(34),
       "ran v1.33.13, v1.34.4; read v1.33.13, v1.34.0",
       [](Release& r) { r.text_claims = "no new claims to deallocate"; }},
      {"affinity_own_selector_remains", "yes", "PRE-AFFINITY-1", since(34),
       "recorded v1.33.13, v1.34.4; read v1.33.13, v1.34.0",
       [](Release& r) { r.affinity_own_selector_remains = true; }},
      {"text_taint", "no key", "PRE-TAINT-1", since(34), "recorded v1.33.13, v1.34.4",
       [](Release& r) { r.text_taint = "node(s) had untolerated taint(s)"; }},

      {"terminating_victims_clear_nothing", "yes", "PRE-OUTCOME-1", since(34), "read v1.34.0, v1.34.2",
       [](Release& r) { r.terminating_victims_clear_nothing = true; }},
      {"terminating_victims_clear_nothing",
       "no",
       "PRE-OUTCOME-1",
       {{34, 2, 0}},
       "read v1.34.2, v1.34.3, v1.34.4",
       [](Release& r) { r.terminating_victims_clear_nothing = false; }},

      // v1.35
      {"terminating_victims_clear_nothing", "yes", "PRE-OUTCOME-1", since(35), "read v1.35.4, v1.36.3",
       [](Release& r) { r.terminating_victims_clear_nothing = true; }},

      // v1.36
      {"resize_status", "of containers and pod", "PRE-REQUESTS-6", since(36), "read v1.34.4, v1.36.3",
       [](Release& r) { r.resize_status = ResizeStatus::of_containers_and_pod; }},

      {"node_features_filter", "on", "PRE-FILTER-1", since(36), "read v1.35.4, v1.36.3",
       [](Release& r) { r.node_features_filter = true; }},

      // v1.37
      {"pdb_budget", "consumed until violated", "PRE-PDB-4", since(37),
       "read in v1.37 development; not in v1.36.3",
       [](Release& r) { r.pdb_budget = PdbBudget::consumed_until_violated; }},
      {"unstarted_order", "as listed", "PRE-VICTIM-5", since(37), "read in v1.37 development; not in v1.36.3",
       [](Release& r) { r.unstarted_order = UnstartedOrder::as_listed; }},

      {"missing_csi_driver_rejects", "yes", "PRE-ATTACH-7", since(37), "read v1.36.3, v1.37.0", [](Release& r) { r.missing_csi_driver_rejects = true; }},
      {"affinity_own_selector_remains", "no", "PRE-AFFINITY-1", since(37), "recorded v1.36.3; read v1.37.0",
       [](Release& r) { r.affinity_own_selector_remains = false; }},
      {"text_claims", "nothing is said", "PRE-MESSAGE-8", since(37), "ran v1.36.3; read v1.37.0",
       [](Release& r) { r.text_claims = ""; }},
      {"text_nominated", "node and number of victims", "PRE-MESSAGE-5", since(37), "ran v1.36.3; read v1.37.0",
       [](Release& r) {
         r.text_nominated = "found a potential placement for pod on node $node, preempting $victims victims";
       }},

      // v1.38, in alpha
      {"pdb_empty_selector_matches_all", "yes", "PRE-PDB-7", since(38),
       "read in v1.38 development; kubernetes#141785",
       [](Release& r) { r.pdb_empty_selector_matches_all = true; }},
      {"importance_by_uid", "after the start time", "PRE-VICTIM-4", since(38), "read in v1.38 development",
       [](Release& r) { r.importance_by_uid = true; }},
  };
  return k_table;
}

}  // namespace touchstone
