#include "spec/releases/release.hpp"
#include "spec/releases/release_table.hpp"
#include "spec/vocabulary/filter_orders.hpp"

/// The release table up to v1.23; release_table.cpp has the rows after. A row is one change of behaviour. Its
/// clause in spec/clauses says what the change means. Its evidence says how the change is known: "recorded"
/// from running releases on both sides of it (spec/vectors), "ran" on running releases without a vector,
/// "read" in the source of the named releases, "changelog", or "recalled" where nothing better was found.
namespace touchstone {

const std::vector<Change>& changes_through_v1_23() {
  static const std::vector<Change> k_changes = {
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

      {"rbd_monitors_by_occurrence", "no", "PRE-DISK-1", since(9), "read v1.8.15, v1.9.0",
       [](Release& r) { r.rbd_monitors_by_occurrence = false; }},
      {"zone_unresolvable", "yes", "PRE-ZONE-1", since(9), "read v1.8.15, v1.9.0; kubernetes#55039",
       [](Release& r) { r.zone_unresolvable = true; }},
      {"texts of affinity", "told apart", "PRE-AFFINITY-9", since(9), "read v1.8.15, v1.9.0, v1.9.11",
       [](Release& r) {
         r.text_affinity_rules = "PodAffinityRulesNotMatch";
         r.text_anti_affinity_rules = "PodAntiAffinityRulesNotMatch";
         r.text_others_anti_affinity = "ExistingPodsAntiAffinityRulesNotMatch";
       }},

      // v1.10
      {"texts of predicates", "sentences", "PRE-FILTER-2", since(10),
       "recorded v1.13.12; read v1.9.11, v1.12.0",
       [](Release& r) {
         r.text_unschedulable = "node(s) were unschedulable";
         r.text_node_name = "node(s) didn't match the requested hostname";
         r.text_node_affinity = "node(s) didn't match node selector";
         r.text_ports = "node(s) didn't have free ports for the requested pod ports";
         r.text_taint = "node(s) had taints that the pod didn't tolerate";
         r.text_affinity = "node(s) didn't match pod affinity/anti-affinity";
         r.text_affinity_rules = "node(s) didn't match pod affinity rules";
         r.text_anti_affinity_rules = "node(s) didn't match pod anti-affinity rules";
         r.text_others_anti_affinity = "node(s) didn't satisfy existing pods anti-affinity rules";
         r.text_no_disk = "node(s) had no available disk";
         r.text_too_many_volumes = "node(s) exceed max volume count";
         r.text_no_zone = "node(s) had no available volume zone";
       }},
      {"filter_groups", "general predicates together", "PRE-FILTER-2", since(10),
       "recorded v1.13.12, v1.16.6; read v1.10.0; kubernetes#56926",
       [](Release& r) { r.filter_groups = k_general_predicates; }},
      {"missing_claim", "ends the attempt", "PRE-CLAIM-2", since(10), "read v1.9.11, v1.10.0, v1.10.13",
       [](Release& r) { r.missing_claim = MissingClaim::ends_attempt; }},
      {"affinity_bookkeeping", "each term by itself, hosts apart", "PRE-AFFINITY-3", since(10),
       "read v1.9.11, v1.10.0, v1.10.13",
       [](Release& r) { r.affinity_bookkeeping = AffinityBookkeeping::each_term_hosts_apart; }},
      {"one_volume_term_suffices",
       "yes",
       "PRE-BIND-1",
       {{10, 2}, {11, 0}},
       "read v1.10.0, v1.10.13; changelog of v1.10.2; kubernetes#62556",
       [](Release& r) { r.one_volume_term_suffices = true; }},

      // v1.11
      {"affinity_bookkeeping", "one node for all terms", "PRE-AFFINITY-2", since(11),
       "read v1.10.13, v1.11.0, v1.11.10",
       [](Release& r) { r.affinity_bookkeeping = AffinityBookkeeping::one_node_for_all; }},
      {"volume_fields", "compared with none", "PRE-BIND-1", since(11), "read v1.10.13, v1.11.0",
       [](Release& r) { r.volume_fields = VolumeFields::matched_against_no_fields; }},
      {"text_unbound",
       "immediate",
       "PRE-CLAIM-2",
       {{11, 7, 5}, {12, 0}},
       "read v1.11.5, v1.11.7, v1.12.0",
       [](Release& r) { r.text_unbound = "pod has unbound immediate PersistentVolumeClaims"; }},

      // v1.12
      {"unschedulable_tolerable", "yes", "PRE-UNSCHEDULABLE-1", since(12),
       "recorded v1.13.12; before it recalled", [](Release& r) { r.unschedulable_tolerable = true; }},
      {"node_conditions_filter", "off: nodes are tainted by condition", "PRE-UNSCHEDULABLE-1", since(12),
       "recalled", [](Release& r) { r.node_conditions_filter = false; }},

      {"affinity_unresolvable", "yes", "PRE-AFFINITY-2", since(12), "read v1.11.10, v1.12.10; kubernetes#64995",
       [](Release& r) { r.affinity_unresolvable = true; }},
      {"others_last_key_counts", "no: that of the term", "PRE-AFFINITY-7", since(12), "read v1.11.10, v1.12.10",
       [](Release& r) { r.others_last_key_counts = false; }},
      {"affinity_bookkeeping", "sets of pods", "PRE-AFFINITY-6", since(12),
       "read v1.12.10, v1.16.6; recorded v1.13.12",
       [](Release& r) { r.affinity_bookkeeping = AffinityBookkeeping::sets_of_pods; }},

      {"filter_groups", "CSI limits among them", "PRE-FILTER-1", since(12), "read v1.11.10, v1.12.0",
       [](Release& r) {
         r.filter_groups = k_csi_limits;
         r.attach_limits_of_node = true;
       }},
      {"disk_limits_of_node", "yes", "PRE-ATTACH-5", since(12), "read v1.11.10, v1.12.0",
       [](Release& r) { r.disk_limits_of_node = true; }},
      {"binding_needs_annotation", "yes", "PRE-CLAIM-2", since(12), "read v1.11.10, v1.12.0",
       [](Release& r) { r.binding_needs_annotation = true; }},
      {"selected_node", "is immediate", "PRE-BIND-2", since(12), "read v1.11.0, v1.12.10",
       [](Release& r) { r.selected_node = SelectedNode::is_immediate; }},
      {"volumes_are_made", "yes", "PRE-BIND-3", since(12), "read v1.11.10, v1.12.0",
       [](Release& r) { r.volumes_are_made = true; }},

      // v1.13, v1.14
      {"volume_phase_and_mode_count", "yes", "PRE-BIND-2", since(13), "read v1.12.10, v1.13.0",
       [](Release& r) { r.volume_phase_and_mode_count = true; }},
      {"selected_node", "is for that node", "PRE-BIND-2", since(14), "read v1.13.12, v1.14.0",
       [](Release& r) { r.selected_node = SelectedNode::is_for_that_node; }},

      // v1.15
      {"csi_counts_classes", "yes", "PRE-ATTACH-2", since(15), "read v1.14.10, v1.15.0",
       [](Release& r) { r.csi_counts_classes = true; }},
      {"importance_by_start_time", "earlier is more important", "PRE-VICTIM-4", since(15),
       "recorded v1.14.6, v1.15.3; kubernetes#75510", [](Release& r) { r.importance_by_start_time = true; }},
      {"unstarted_order", "reversed", "PRE-VICTIM-5", since(15), "recorded v1.14.6, v1.15.3",
       [](Release& r) { r.unstarted_order = UnstartedOrder::reversed; }},
      {"choice_by_start_time", "latest start wins", "PRE-NODE-5", since(15),
       "recorded v1.14.6, v1.15.3; kubernetes#74974", [](Release& r) { r.choice_by_start_time = true; }},

      // v1.16
      {"csi_class_annotation", "yes", "PRE-ATTACH-2", since(16), "read v1.15.12, v1.16.0",
       [](Release& r) { r.csi_class_annotation = true; }},
      {"csi_volumes_by_driver", "yes", "PRE-ATTACH-1", since(16), "read v1.15.12, v1.16.0",
       [](Release& r) { r.csi_volumes_by_driver = true; }},
      {"attach_limits_of_csi_node", "yes", "PRE-ATTACH-3", since(16), "read v1.15.12, v1.16.0",
       [](Release& r) { r.attach_limits_of_csi_node = true; }},
      {"missing_volumes_count_by_class", "yes", "PRE-ATTACH-5", since(16), "read v1.15.12, v1.16.0",
       [](Release& r) { r.missing_volumes_count_by_class = true; }},
      {"waiting_class_annotation", "yes", "PRE-BIND-2", since(16), "read v1.15.12, v1.16.0",
       [](Release& r) { r.waiting_class_annotation = true; }},

      // v1.17
      {"disk_limits_by_newer_label", "yes", "PRE-ATTACH-5", since(17), "read v1.16.15, v1.17.0",
       [](Release& r) { r.disk_limits_by_newer_label = true; }},
      {"text_filter_error", "of the first, with filter and pod", "PRE-MESSAGE-6", since(17),
       "read v1.16.15, v1.17.17",
       [](Release& r) {
         r.filter_errors_add_up = false;
         r.text_filter_error = "error while running \"$plugin\" filter plugin for pod \"$pod\": $error";
       }},
      {"filter_groups", "one by one, resources early", "PRE-FILTER-1", since(17),
       "read v1.16.15, v1.17.0, v1.17.17; recorded v1.16.6, v1.18.2, v1.19.0",
       [](Release& r) { r.filter_groups = k_resources_early; }},
      {"first_reason_alone", "yes", "PRE-FILTER-3", since(17), "read v1.16.15, v1.17.0, v1.17.17",
       [](Release& r) { r.first_reason_alone = true; }},

      // v1.18
      {"first_reason_alone", "no", "PRE-FILTER-3", since(18), "read v1.17.17, v1.18.0; recorded v1.18.2",
       [](Release& r) { r.first_reason_alone = false; }},
      {"affinity_bookkeeping", "counts", "PRE-AFFINITY-6", since(18),
       "recorded v1.16.6, v1.18.2; read v1.17.17, v1.18.2",
       [](Release& r) { r.affinity_bookkeeping = AffinityBookkeeping::counts; }},
      {"affinity_counts_by_preemptor_ns", "yes", "PRE-AFFINITY-6", since(18), "read v1.18.2",
       [](Release& r) { r.affinity_counts_by_preemptor_ns = true; }},
      {"reports_plugin", "yes", "PRE-FILTER-1", since(18), "recorded v1.16.6, v1.18.2",
       [](Release& r) { r.reports_plugin = true; }},
      {"filter_groups", "topology spread is on, and last", "PRE-FILTER-1", since(18),
       "recorded v1.16.6, v1.18.2", [](Release& r) { r.filter_groups = k_spread_last; }},
      {"overhead_counts", "yes", "PRE-REQUESTS-3", since(18), "recorded v1.16.6, v1.18.2",
       [](Release& r) { r.overhead_counts = true; }},
      {"pdb_budget", "consumed until violated", "PRE-PDB-4", since(18),
       "recorded v1.17.17, v1.18.2; v1.18.0 assumed; kubernetes#82235",
       [](Release& r) { r.pdb_budget = PdbBudget::consumed_until_violated; }},
      {"text_pods", "Too many pods", "PRE-FIT-1", since(18), "recorded v1.16.6, v1.18.2",
       [](Release& r) { r.text_pods = "Too many pods"; }},
      {"text_taint", "had taint", "PRE-TAINT-1", since(18), "recorded v1.16.6, v1.18.2",
       [](Release& r) { r.text_taint = "node(s) had taint {$key: $value}, that the pod didn't tolerate"; }},

      {"text_filter_error", "without \"error while\"", "PRE-MESSAGE-6", since(18), "read v1.17.17, v1.18.20",
       [](Release& r) { r.text_filter_error = "running \"$plugin\" filter plugin for pod \"$pod\": $error"; }},
      {"unbound_immediate",
       "rejects the node",
       "PRE-CLAIM-2",
       {{18, 9}, {19, 0}},
       "read v1.18.8, v1.18.9, v1.19.0; kubernetes#93892",
       [](Release& r) { r.unbound_immediate = UnboundImmediate::rejects_node; }},
      {"missing_volume_unresolvable",
       "yes",
       "PRE-BIND-4",
       {{18, 13}, {19, 5}, {20, 0}},
       "read v1.18.12, v1.18.13, v1.19.4, v1.19.5, v1.20.0; kubernetes#96135, kubernetes#96291",
       [](Release& r) { r.missing_volume_unresolvable = true; }},

      {"message_is_cut",
       "after 1024 bytes",
       "PRE-MESSAGE-9",
       {{18, 16}, {19, 0}},
       "read v1.17.17, v1.18.0, v1.18.15, v1.18.16, v1.19.16",
       [](Release& r) { r.message_is_cut = true; }},

      {"spread_passes_without_domains",
       "no",
       "PRE-SPREAD-7",
       {{18, 11}, {19, 4}},
       "read v1.18.10, v1.18.12, v1.19.0, v1.19.16; v1.19.4 assumed",
       [](Release& r) { r.spread_passes_without_domains = false; }},

      // v1.19
      {"filter_groups", "affinity between pods is last", "PRE-FILTER-1", since(19),
       "recorded v1.18.2, v1.19.0", [](Release& r) { r.filter_groups = k_affinity_last; }},
      {"unbound_immediate", "rejects the pod", "PRE-CLAIM-2", since(19), "read v1.18.20, v1.19.0",
       [](Release& r) { r.unbound_immediate = UnboundImmediate::rejects_pod; }},
      {"stable_zone_labels", "yes", "PRE-ZONE-1", since(19), "read v1.18.20, v1.19.0",
       [](Release& r) { r.stable_zone_labels = true; }},
      {"spread_counts_excluded_nodes", "in domains of others", "PRE-SPREAD-4", since(19),
       "read v1.18.20, v1.19.0", [](Release& r) { r.spread_counts_excluded_nodes = true; }},
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

      {"missing_claim", "rejects the pod", "PRE-CLAIM-2", since(20), "read v1.19.16, v1.20.0",
       [](Release& r) { r.missing_claim = MissingClaim::rejects_pod; }},
      {"volume_fields", "ignored", "PRE-BIND-1", since(20), "read v1.19.16, v1.20.0",
       [](Release& r) { r.volume_fields = VolumeFields::ignored; }},

      // v1.21
      {"ephemeral_volumes", "yes", "PRE-CLAIM-1", since(21), "read v1.20.15, v1.21.14",
       [](Release& r) { r.ephemeral_volumes = true; }},
      {"migration", "of Cinder, where listed", "PRE-ATTACH-2", since(21), "read v1.20.15, v1.21.14",
       [](Release& r) { r.migration_of_cinder = Migration::where_listed; }},
      {"storage_capacity", "yes", "PRE-BIND-3", since(21), "read v1.20.15, v1.21.14",
       [](Release& r) { r.storage_capacity = true; }},
      {"text_filter_error", "without the pod", "PRE-MESSAGE-6", since(21), "read v1.20.15, v1.21.0, v1.21.14",
       [](Release& r) { r.text_filter_error = "running \"$plugin\" filter plugin: $error"; }},
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
      {"init_zero_requests_count", "yes", "PRE-FIT-3", since(22),
       "ran v1.13.0; read v1.8.0, v1.16.15, v1.20.0, v1.21.14, v1.22.0, v1.23.0",
       [](Release& r) { r.init_zero_requests_count = true; }},
      {"nominated_node_first", "yes", "PRE-CYCLE-3", since(22),
       "ran v1.29.6, v1.34.4; read v1.21.14, v1.22.0, v1.22.17, v1.29.6",
       [](Release& r) { r.nominated_node_first = true; }},
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
      {"lost_claim_rejects", "yes", "PRE-CLAIM-2", since(23), "read v1.22.17, v1.23.0; kubernetes#105245",
       [](Release& r) { r.lost_claim_rejects = true; }},
      {"texts of claims", "name the controller and the owner", "PRE-CLAIM-2", since(23),
       "read v1.22.17, v1.23.0",
       [](Release& r) {
         r.text_ephemeral_claim_missing =
             "waiting for ephemeral volume controller to create the persistentvolumeclaim \"$claim\"";
         r.text_made_for_another =
             "PVC $namespace/$claim was not created for pod $namespace/$pod (pod is not owner)";
       }},
      {"text_volume_missing", "node(s) unavailable", "PRE-BIND-4", since(23), "read v1.22.17, v1.23.0",
       [](Release& r) {
         r.text_volume_missing =
             "node(s) unavailable due to one or more pvc(s) bound to non-existent pv(s)";
       }},
      {"limits_count_ephemeral", "yes", "PRE-ATTACH-6", since(23), "read v1.22.17, v1.23.0; kubernetes#100482",
       [](Release& r) { r.limits_count_ephemeral = true; }},
      {"migration", "of EBS, Azure and GCE disks, where listed", "PRE-ATTACH-2", since(23),
       "read v1.22.17, v1.23.0, v1.23.17",
       [](Release& r) {
         r.migration_of_ebs_and_azure = Migration::where_listed;
         r.migration_of_gce = Migration::where_listed;
       }},
  };
  return k_changes;
}

}  // namespace touchstone
