#include "oracle/queue.hpp"

#include <algorithm>
#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>

#include "cli/commands/commands.hpp"
#include "cli/input/engine_option.hpp"
#include "cli/input/pod_question.hpp"
#include "cli/terminal/help.hpp"
#include "cli/terminal/interruption.hpp"
#include "cli/terminal/output.hpp"
#include "cli/terminal/progress.hpp"
#include "cli/terminal/text.hpp"
#include "cli/text/caveats.hpp"
#include "oracle/explain/wording.hpp"

namespace touchstone::cli {

namespace {

struct QueueOptions {
  std::vector<std::string> files;
  std::string release;
  oracle::PendingPods pods;
  std::string engine = k_engine_by_work;
  std::string output = "text";
};

oracle::Json json_of_step(const oracle::QueueStep& step, const Cluster& cluster) {
  oracle::Json json{{"pod", cluster.pods[step.pod].full_name()}, {"outcome", oracle::name_of(step.outcome)}};
  if (!step.reason.empty()) json["reason"] = step.reason;
  if (step.node) json["node"] = cluster.nodes[*step.node].name;
  if (step.outcome != Outcome::nominated) return json;
  json["victims"] = oracle::Json::array();
  for (const PodIndex victim : step.victims) json["victims"].push_back(cluster.pods[victim].full_name());
  json["numPDBViolations"] = step.pdb_violations;
  return json;
}

Row row_of(const oracle::QueueStep& step, const Cluster& cluster) {
  std::vector<std::string> victims;
  for (const PodIndex victim : step.victims) victims.push_back(cluster.pods[victim].full_name());
  const Pod& pod = cluster.pods[step.pod];
  return {printable(pod.full_name()), std::to_string(pod.priority),
          std::string(oracle::name_of(step.outcome)),
          step.node ? printable(cluster.nodes[*step.node].name) : "",
          step.node ? printable(oracle::names_of(victims, 3)) : printable(step.reason)};
}

std::string totals_of(const std::vector<oracle::QueueStep>& steps) {
  std::map<std::string_view, std::size_t> outcomes;
  std::size_t victims = 0;
  Quantity violations = 0;
  for (const oracle::QueueStep& step : steps) {
    ++outcomes[oracle::name_of(step.outcome)];
    victims += step.victims.size();
    violations += step.pdb_violations;
  }
  std::string text = oracle::count_of(steps.size(), "pod") + " decided";
  for (const auto& [outcome, count] : outcomes)
    text += ", " + std::to_string(count) + " " + std::string(outcome);
  return text + "; " + oracle::count_of(victims, "pod") + " evicted with " +
         oracle::count_of(static_cast<std::size_t>(violations), "PDB violation");
}

void print(const QueueOptions& options, const ClusterRead& read, const std::vector<oracle::QueueStep>& steps,
           const Terminal& terminal) {
  const Cluster& cluster = read.dump.cluster;
  if (options.output == "json") {
    oracle::Json json{{"release", read.named.release.version.text()}, {"evidence", read.named.evidence}};
    json["notes"] = read.notes;
    json["results"] = oracle::Json::array();
    for (const oracle::QueueStep& step : steps) json["results"].push_back(json_of_step(step, cluster));
    print_json(json);
    return;
  }
  std::vector<Row> rows = {heading(terminal, {"POD", "PRIORITY", "OUTCOME", "NODE", "VICTIMS"})};
  for (const oracle::QueueStep& step : steps) rows.push_back(row_of(step, cluster));
  std::cout << table(terminal, rows) << "\n" << totals_of(steps) << "\n";
}

int run(const QueueOptions& options, const Terminal& terminal) {
  Result<ClusterRead> read_dump = read_cluster(options.files, options.release, terminal);
  if (!read_dump) return print_error(read_dump.error()), k_exit_bad_input;
  ClusterRead read = std::move(read_dump).value();
  const Cluster& cluster = read.dump.cluster;
  for (std::string& caveat : caveats_of_queue(cluster, options.pods, read.named.release))
    read.notes.push_back(std::move(caveat));
  const std::vector<PodIndex> queue = oracle::queue_of(cluster, options.pods);
  if (queue.empty())
    return print_error({"nothing-pending", "--filename",
                        "expected a pending pod" +
                            (options.pods.ns.empty() ? "" : " of namespace " + options.pods.ns) +
                            " that kube-scheduler tries, of the given priority or higher; found none"}),
           k_exit_bad_input;

  for (const std::string& note : read.notes) print_note(note);

  ProgressBar bar(terminal);
  bar.update("pods", 0, queue.size());
  std::vector<oracle::QueueStep> steps;
  std::vector<const Pod*> preemptors;
  for (const PodIndex pod : queue) preemptors.push_back(&cluster.pods[pod]);
  const oracle::Engine engine = engine_for(options.engine, cluster, preemptors);
  oracle::decide_queue(cluster, read.named.release, engine, queue, [&](const oracle::QueueStep& step) {
    steps.push_back(step);
    bar.update("pods", steps.size(), queue.size());
    return step.differences.empty() && !interruption();
  });
  bar.erase();
  print(options, read, steps, terminal);
  for (const oracle::Difference& each : steps.back().differences) {
    print_error({"engines-differ", cluster.pods[steps.back().pod].full_name(),
                 each.key + ": the optimized engine says " + each.given + ", the reference " + each.ours});
  }
  if (!steps.back().differences.empty()) return k_exit_disagreement;
  if (interruption() && steps.size() < queue.size()) return k_exit_interrupted;
  const bool some_skipped = std::any_of(steps.begin(), steps.end(), [](const oracle::QueueStep& step) {
    return step.outcome == Outcome::skipped;
  });
  return some_skipped ? k_exit_not_modelled : k_exit_ok;
}

}  // namespace

void add_queue(CLI::App& app, Context& context) {
  CLI::App* command = app.add_subcommand("queue", "Decide all pending pods of a cluster, one after another");
  const auto options = std::make_shared<QueueOptions>();
  add_cluster_options(*command, options->files, options->release);
  command
      ->add_option("--priority", options->pods.priority_least,
                   "Only pods of this priority or higher (default: all)")
      ->type_name("N");
  command
      ->add_option("-n,--namespace", options->pods.ns,
                   "Only pods of this namespace (default: all namespaces)")
      ->type_name("NAMESPACE");
  add_engine_option(*command, options->engine, true);
  add_output_option(*command, options->output, {"text", "json"});
  describe(*command, context.terminal,
           {.description =
                "Decides the pending pods in the order of the scheduling queue: by priority, and pods of "
                "equal priority in the order of the dump. Pods that kube-scheduler does not try are left out "
                "and named in a note: gated pods, terminating pods, and pods of another scheduler. After "
                "each decision, queue removes the victims and binds the pod to its nominated node. A pod "
                "that fits is bound to the first node that takes it, because queue does not score nodes. "
                "PDBs do not change, because queue does not simulate the disruption controller. If the "
                "reference would take more than about a second for all pods, the optimized engine decides."
                "\n\n" +
                std::string(k_input_description),
            .examples = {{"Decide all pending pods",
                          "touchstone queue -f examples/training-job.json --release v1.34"},
                         {"Decide the pending pods of one namespace",
                          "touchstone queue -f examples/training-job.json --release v1.34 -n prod"},
                         {"Decide with both engines; a difference is an error",
                          "touchstone queue -f examples/training-job.json --release v1.34 --engine both"}},
            .exit_codes = {k_exit_ok, k_exit_disagreement, k_exit_bad_input, k_exit_not_modelled,
                           k_exit_interrupted},
            .see_also = {"touchstone decide", "touchstone releases"}});
  command->callback([options, &context] { context.exit_code = run(*options, context.terminal); });
}

}  // namespace touchstone::cli
