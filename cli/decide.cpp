#include <algorithm>
#include <iostream>
#include <memory>

#include "cli/commands.hpp"
#include "cli/help.hpp"
#include "cli/output.hpp"
#include "cli/text.hpp"
#include "kubernetes/dump.hpp"
#include "oracle/protocol.hpp"
#include "reference/preempt.hpp"

namespace touchstone::cli {

namespace {

struct Options {
  std::string file;
  std::string pod;
  std::string release;
  std::string output = "text";
};

constexpr std::size_t k_rows_most = 10;
constexpr std::string_view k_show_all = "--output json shows all";

/// Takes the pending pod out of a dump. Errors: unknown-pod, pod-not-pending.
Result<Question> question_for(const kubernetes::Dump& dump, const Options& options) {
  const std::vector<Pod>& pods = dump.cluster.pods;
  const auto found =
      std::find_if(pods.begin(), pods.end(), [&](const Pod& pod) { return pod.full_name() == options.pod; });
  if (found == pods.end()) {
    const auto pending =
        std::count_if(pods.begin(), pods.end(), [](const Pod& pod) { return pod.node_name.empty(); });
    return Error{"unknown-pod", options.file,
                 "no pod " + options.pod + " (expected namespace/name); the file has " +
                     std::to_string(pods.size()) + " pods, " + std::to_string(pending) +
                     " of them without a node"};
  }
  if (!found->node_name.empty()) {
    return Error{
        "pod-not-pending", options.file,
        "Pod " + options.pod + " is bound to node " + found->node_name + "; only a pending pod can preempt"};
  }
  if (found->phase == "Succeeded" || found->phase == "Failed") {
    return Error{"pod-not-pending", options.file, "Pod " + options.pod + " has ended (" + found->phase + ")"};
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
  std::vector<Row> cells;
  for (const auto& [count, reason] : rows)
    cells.push_back({"  " + count_of(count, "node"), printable(reason)});
  std::cout << "\n" << title << "\n" << cut_table({}, cells, k_rows_most, k_show_all);
}

void print_victims(const Cluster& cluster, const Candidate& candidate, const Terminal& terminal) {
  std::vector<Row> rows = {heading(terminal, {"  VICTIM", "PRIORITY", "STATE"})};
  for (const PodIndex i : candidate.victims) {
    const Pod& pod = cluster.pods[i];
    rows.push_back({"  " + printable(pod.full_name()), std::to_string(pod.priority),
                    pod.terminating ? "terminating" : ""});
  }
  std::cout << table(rows);
}

void print_candidates(const Cluster& cluster, const Decision& decision, const Release& release,
                      const Terminal& terminal) {
  std::vector<std::size_t> order(decision.candidates.size());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
  std::vector<reference::Keys> keys;
  for (const Candidate& candidate : decision.candidates)
    keys.push_back(reference::keys_of(cluster, candidate, release));
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return reference::beats(keys[a], keys[b], release); });
  const Row names = {"  NODE", "PDB VIOLATIONS", "FIRST PRIORITY", "PRIORITY SUM", "VICTIMS", ""};
  std::vector<Row> rows;
  for (const std::size_t i : order) {
    const bool admissible =
        std::find(decision.admissible.begin(), decision.admissible.end(), i) != decision.admissible.end();
    const char* mark = i == decision.chosen ? "chosen" : admissible ? "ties" : "";
    rows.push_back({"  " + printable(cluster.nodes[decision.candidates[i].node].name),
                    std::to_string(keys[i].pdb_violations), std::to_string(keys[i].first_priority),
                    std::to_string(keys[i].priority_sum), std::to_string(keys[i].victims), mark});
  }
  std::cout << "\n"
            << count_of(order.size(), "candidate") << ", best first\n"
            << cut_table(heading(terminal, names), rows, k_rows_most, k_show_all);
}

void print_any_order(const Cluster& cluster, const AnyOrder& any_order) {
  if (!any_order.unknown.empty()) {
    std::cout << "\nUnder some order of pods, PDBs and visited nodes: not computed, "
              << printable(any_order.unknown) << "\n";
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
    std::cout << " " << printable(cluster.nodes[node].name);
  }
  std::cout << (nodes.size() > k_rows_most ? " ... (--output json shows all)\n" : "\n");
}

void print_outcome(const Cluster& cluster, const Decision& decision, const Terminal& terminal) {
  switch (decision.outcome) {
    case Outcome::fits: {
      std::cout << terminal.styled(Style::good, "fits") << ": " << count_of(decision.feasible.size(), "node")
                << " can take the pod; preemption does not run\n ";
      for (std::size_t i = 0; i < std::min(decision.feasible.size(), k_rows_most); ++i) {
        std::cout << " " << printable(cluster.nodes[decision.feasible[i]].name);
      }
      std::cout << (decision.feasible.size() > k_rows_most ? " ... (--output json shows all)\n" : "\n");
      break;
    }
    case Outcome::ineligible:
      std::cout << terminal.styled(Style::warning, "ineligible") << ": " << printable(decision.reason)
                << "\n";
      break;
    case Outcome::none:
      std::cout << terminal.styled(Style::warning, "none") << ": preemption cannot help on any node\n";
      break;
    case Outcome::error:
      std::cout << terminal.styled(Style::bad, "error")
                << ": the release itself fails: " << printable(decision.reason) << "\n";
      break;
    case Outcome::skipped:
      std::cout << terminal.styled(Style::warning, "skipped")
                << ": not modelled yet: " << printable(decision.reason) << "\n";
      break;
    case Outcome::nominated: {
      const Candidate& chosen = decision.candidates[decision.chosen];
      std::cout << terminal.styled(Style::good, "nominated") << ": node "
                << printable(cluster.nodes[chosen.node].name) << ", evicting "
                << count_of(chosen.victims.size(), "pod") << " with "
                << count_of(static_cast<std::size_t>(chosen.pdb_violations), "PDB violation") << "\n";
      print_victims(cluster, chosen, terminal);
      break;
    }
  }
}

void print_left_out(const kubernetes::Dump& dump) {
  for (const auto& [kind, count] : dump.ignored_kinds) {
    print_note(count_of(count, "object") + " of kind " + kind + " ignored");
  }
  if (dump.duplicates > 0) {
    print_note(count_of(dump.duplicates, "object") + " that the dump holds twice counted once");
  }
}

int run(const Options& options, const Terminal& terminal) {
  const Result<kubernetes::Dump> dump = kubernetes::read_dump_file(options.file);
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
    print_json(json);
  } else {
    for (const std::string& note : named.value().notes) print_note(note);
    print_left_out(dump.value());
    std::cout << "Pod " << printable(options.pod) << " (priority " << question.pod.priority << "), release "
              << release.version.text() << " (" << named.value().evidence << "), "
              << count_of(cluster.nodes.size(), "node") << ", " << count_of(cluster.pods.size(), "pod")
              << ", " << count_of(cluster.pdbs.size(), "PDB") << "\n";
    print_outcome(cluster, decision, terminal);
    if (!decision.candidates.empty()) print_candidates(cluster, decision, release, terminal);
    if (decision.outcome != Outcome::fits)
      print_reasons(cluster, "Why the pod fits no node as it is", decision.filter);
    print_reasons(cluster, "Why preemption does not help on other nodes", decision.dry_run);
    if (decision.outcome == Outcome::nominated) print_any_order(cluster, any_order);
  }
  return decision.outcome == Outcome::skipped ? k_exit_not_modelled : k_exit_ok;
}

}  // namespace

void add_decide(CLI::App& app, Context& context) {
  CLI::App* command = app.add_subcommand(
      "decide", "Tell which node a pending pod would preempt on, and who would be evicted");
  describe(
      *command, context.terminal,
      {.description = "The cluster is a file of what kubectl prints, gzip-compressed or not:\n\n"
                      "  kubectl get nodes,pods,pdb,priorityclasses -A -o json > cluster.json",
       .examples = {{"Which node would a pending pod preempt on, and who would go",
                     "touchstone decide -f examples/training-job.json --pod prod/web-0 --release v1.34"},
                    {"All that is known of the decision, for programs, from standard input",
                     "touchstone decide -f - --pod prod/web-0 --output json < examples/training-job.json"}},
       .exit_codes = {k_exit_ok, k_exit_bad_input, k_exit_not_modelled},
       .see_also = {"touchstone rules --help", "spec/preemption.md"}});
  const auto options = std::make_shared<Options>();
  command->add_option("-f,--filename", options->file, "The cluster; - is standard input")
      ->type_name("FILE")
      ->required();
  command->add_option("--pod", options->pod, "The pending pod")->type_name("NAMESPACE/NAME")->required();
  command
      ->add_option(
          "--release", options->release,
          "Kubernetes release, such as v1.34 or v1.30.6 (default: that of the dump, else the newest)")
      ->type_name("RELEASE");
  add_output_option(*command, options->output, {"text", "json"});
  command->callback([options, &context] { context.exit_code = run(*options, context.terminal); });
}

}  // namespace touchstone::cli
