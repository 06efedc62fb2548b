#include <algorithm>
#include <iostream>
#include <memory>

#include "cli/commands.hpp"
#include "cli/output.hpp"
#include "kubernetes/dump.hpp"
#include "oracle/protocol.hpp"
#include "reference/preempt.hpp"

namespace touchstone::cli {

namespace {

struct Options {
  std::vector<std::string> files;
  std::string pod;
  std::string release;
  std::string output = "text";
};

constexpr std::size_t k_rows_most = 10;

/// Takes the pending pod out of a dump. Errors: unknown-pod, pod-not-pending.
Result<Question> question_for(const kubernetes::Dump& dump, const Options& options) {
  const std::vector<Pod>& pods = dump.cluster.pods;
  const auto found =
      std::find_if(pods.begin(), pods.end(), [&](const Pod& pod) { return pod.full_name() == options.pod; });
  if (found == pods.end()) {
    const auto pending =
        std::count_if(pods.begin(), pods.end(), [](const Pod& pod) { return pod.node_name.empty(); });
    return Error{"unknown-pod", options.files.front(),
                 "no pod " + options.pod + " (expected namespace/name); the file has " +
                     std::to_string(pods.size()) + " pods, " + std::to_string(pending) +
                     " of them without a node"};
  }
  if (!found->node_name.empty()) {
    return Error{
        "pod-not-pending", options.files.front(),
        "Pod " + options.pod + " is bound to node " + found->node_name + "; only a pending pod can preempt"};
  }
  if (found->phase == "Succeeded" || found->phase == "Failed") {
    return Error{"pod-not-pending", options.files.front(),
                 "Pod " + options.pod + " has ended (" + found->phase + ")"};
  }
  return Question{dump.cluster, *found, {}, {}};
}

std::string count_of(std::size_t count, const std::string& what) {
  return std::to_string(count) + " " + what + (count == 1 ? "" : "s");
}

/// Nodes by the reasons that their status gives, most frequent first.
void print_reasons(const Cluster& cluster, const std::string& title,
                   const std::map<NodeIndex, Status>& statuses) {
  std::map<std::string, std::size_t> by_reason;
  for (const auto& [node, status] : statuses) {
    std::string reason;
    for (const std::string& each : status.reasons) reason += (reason.empty() ? "" : ", ") + each;
    // Some releases name the node in the reason; nodes are counted here.
    const std::string& name = cluster.nodes[node].name;
    if (const std::size_t at = reason.find(name); at != std::string::npos)
      reason.replace(at, name.size(), "<node>");
    if (status.code == Code::unschedulable_and_unresolvable) reason += " (no eviction can help)";
    ++by_reason[reason];
  }
  std::vector<std::pair<std::size_t, std::string>> rows;
  for (const auto& [reason, count] : by_reason) rows.emplace_back(count, reason);
  std::stable_sort(rows.begin(), rows.end(), [](const auto& a, const auto& b) { return a.first > b.first; });
  if (rows.empty()) return;
  std::cout << "\n" << title << "\n";
  std::vector<std::vector<std::string>> cells;
  for (const auto& [count, reason] : rows) {
    if (cells.size() < k_rows_most) cells.push_back({"  " + count_of(count, "node"), reason});
  }
  std::cout << table(cells);
  if (rows.size() > cells.size()) {
    std::cout << "  and " << count_of(rows.size() - cells.size(), "other reason")
              << "; --output json shows all\n";
  }
}

void print_victims(const Cluster& cluster, const Candidate& candidate) {
  std::vector<std::vector<std::string>> rows = {{"  VICTIM", "PRIORITY", "STATE"}};
  for (const PodIndex i : candidate.victims) {
    const Pod& pod = cluster.pods[i];
    rows.push_back(
        {"  " + pod.full_name(), std::to_string(pod.priority), pod.terminating ? "terminating" : ""});
  }
  std::cout << table(rows);
}

void print_candidates(const Cluster& cluster, const Decision& decision, const Release& release) {
  std::vector<std::size_t> order(decision.candidates.size());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
  std::vector<reference::Keys> keys;
  for (const Candidate& candidate : decision.candidates)
    keys.push_back(reference::keys_of(cluster, candidate, release));
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return reference::beats(keys[a], keys[b], release); });
  std::vector<std::vector<std::string>> rows = {
      {"  NODE", "PDB VIOLATIONS", "FIRST PRIORITY", "PRIORITY SUM", "VICTIMS", ""}};
  for (const std::size_t i : order) {
    if (rows.size() > k_rows_most) break;
    const bool admissible =
        std::find(decision.admissible.begin(), decision.admissible.end(), i) != decision.admissible.end();
    const char* mark = i == decision.chosen ? "chosen" : admissible ? "ties" : "";
    rows.push_back({"  " + cluster.nodes[decision.candidates[i].node].name,
                    std::to_string(keys[i].pdb_violations), std::to_string(keys[i].first_priority),
                    std::to_string(keys[i].priority_sum), std::to_string(keys[i].victims), mark});
  }
  std::cout << "\n" << count_of(order.size(), "candidate") << ", best first\n" << table(rows);
  if (order.size() >= rows.size()) {
    std::cout << "  and " << order.size() + 1 - rows.size() << " more; --output json shows all\n";
  }
}

void print_any_order(const Cluster& cluster, const AnyOrder& any_order) {
  if (!any_order.unknown.empty()) {
    std::cout << "\nUnder some order of pods, PDBs and visited nodes: not computed, " << any_order.unknown
              << "\n";
    return;
  }
  std::set<NodeIndex> nodes;
  for (const Candidate& answer : any_order.answers) nodes.insert(answer.node);
  std::cout
      << "\nA live scheduler, whose order of pods, PDBs and visited nodes a dump does not tell, may give "
      << count_of(any_order.answers.size(), "answer") << " on " << count_of(nodes.size(), "node") << ":";
  std::size_t shown = 0;
  for (const NodeIndex node : nodes) {
    if (shown++ == k_rows_most) break;
    std::cout << " " << cluster.nodes[node].name;
  }
  std::cout << (nodes.size() > k_rows_most ? " ... (--output json shows all)\n" : "\n");
}

void print_outcome(const Cluster& cluster, const Decision& decision) {
  switch (decision.outcome) {
    case Outcome::fits: {
      std::cout << "fits: " << count_of(decision.feasible.size(), "node")
                << " can take the pod; preemption does not run\n ";
      for (std::size_t i = 0; i < std::min(decision.feasible.size(), k_rows_most); ++i) {
        std::cout << " " << cluster.nodes[decision.feasible[i]].name;
      }
      std::cout << (decision.feasible.size() > k_rows_most ? " ... (--output json shows all)\n" : "\n");
      break;
    }
    case Outcome::ineligible:
      std::cout << "ineligible: " << decision.reason << "\n";
      break;
    case Outcome::none:
      std::cout << "none: preemption cannot help on any node\n";
      break;
    case Outcome::error:
      std::cout << "error: the release itself fails: " << decision.reason << "\n";
      break;
    case Outcome::skipped:
      std::cout << "skipped: not modelled yet: " << decision.reason << "\n";
      break;
    case Outcome::nominated: {
      const Candidate& chosen = decision.candidates[decision.chosen];
      std::cout << "nominated: node " << cluster.nodes[chosen.node].name << ", evicting "
                << count_of(chosen.victims.size(), "pod") << " with "
                << count_of(static_cast<std::size_t>(chosen.pdb_violations), "PDB violation") << "\n";
      print_victims(cluster, chosen);
      break;
    }
  }
}

void print_left_out(const kubernetes::Dump& dump) {
  for (const auto& [kind, count] : dump.ignored_kinds) {
    std::cerr << "note: " << count_of(count, "object") << " of kind " << kind << " ignored\n";
  }
  for (const kubernetes::Warning& warning : dump.warnings) {
    std::cerr << "warning: " << warning.message;
    if (!warning.first.empty()) std::cerr << "; first: " << warning.first;
    std::cerr << " [" << warning.code << "]\n";
  }
}

int run(const Options& options) {
  const Result<kubernetes::Dump> dump = kubernetes::read_dump(options.files, {});
  if (!dump) return print_error(dump.error()), k_exit_bad_input;
  std::string asked = options.release;
  if (asked.empty()) asked = dump.value().server_version;
  if (asked.empty()) asked = newest_release().text();
  const Result<NamedRelease> named = find_release(asked);
  if (!named) return print_error(named.error()), k_exit_bad_input;
  const Release& release = named.value().release;
  const Result<Question> read = question_for(dump.value(), options);
  if (!read) return print_error(read.error()), k_exit_bad_input;
  const Question& question = read.value();
  const Cluster& cluster = question.cluster;

  CanonicalChoices choices;
  Trace trace = Trace::none();
  const Decision decision = reference::preempt(question, release, choices, trace);
  AnyOrder any_order;
  if (decision.outcome == Outcome::nominated) {
    any_order = reference::any_order(question, release, oracle::k_any_order_limit);
  }

  if (options.output == "json") {
    oracle::Json json{
        {"pod", options.pod}, {"release", release.version.text()}, {"evidence", named.value().evidence}};
    if (!named.value().notes.empty()) json["notes"] = named.value().notes;
    json.update(oracle::answer_of(cluster, decision));
    if (decision.outcome == Outcome::nominated) json["anyOrder"] = oracle::any_order_of(cluster, any_order);
    std::cout << json.dump(2) << "\n";
  } else {
    for (const std::string& note : named.value().notes) std::cerr << "note: " << note << "\n";
    print_left_out(dump.value());
    std::cout << "Pod " << options.pod << " (priority " << question.pod.priority << "), release "
              << release.version.text() << " (" << named.value().evidence << "), "
              << count_of(cluster.nodes.size(), "node") << ", " << count_of(cluster.pods.size(), "pod")
              << ", " << count_of(cluster.pdbs.size(), "PDB") << "\n";
    print_outcome(cluster, decision);
    if (!decision.candidates.empty()) print_candidates(cluster, decision, release);
    if (decision.outcome != Outcome::fits)
      print_reasons(cluster, "Why the pod fits no node as it is", decision.filter);
    print_reasons(cluster, "Why preemption does not help on other nodes", decision.dry_run);
    if (decision.outcome == Outcome::nominated) print_any_order(cluster, any_order);
  }
  return decision.outcome == Outcome::skipped ? k_exit_not_modelled : k_exit_ok;
}

}  // namespace

void add_decide(CLI::App& app, int& exit_code) {
  CLI::App* command = app.add_subcommand(
      "decide", "Tell which node a pending pod would preempt on, and who would be evicted");
  command->footer(
      "The file is what `kubectl get nodes,pods,pdb,priorityclasses -A -o json` prints, gzip-compressed or "
      "not.\n"
      "Exit codes: 0 answered, 2 wrong input, 3 the answer needs what is not modelled yet.\n\n"
      "Example: touchstone decide -f cluster.json --pod default/web-0 --release v1.34");
  const auto options = std::make_shared<Options>();
  command
      ->add_option("-f,--filename", options->files,
                   "A dump of the cluster: a file, a directory, or - for standard input; repeatable")
      ->required()
      ->allow_extra_args(false);
  command->add_option("--pod", options->pod, "The pending pod, as namespace/name")->required();
  command->add_option(
      "--release", options->release,
      "Kubernetes release, such as v1.34 or v1.30.6 (default: that of the dump, else the newest)");
  add_output_option(*command, options->output);
  command->callback([options, &exit_code] { exit_code = run(*options); });
}

}  // namespace touchstone::cli
