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
#include "oracle/extenders/http.hpp"

namespace touchstone::cli {

namespace {

struct QueueOptions {
  std::vector<std::string> files;
  std::string release;
  oracle::PendingPods pods;
  SchedulerOptions scheduler;
  std::string engine = k_engine_by_work;
  std::string output = "text";
};

/// The outcome as `schedule` of the protocol names it.
std::string outcome_of(const oracle::QueueStep& step) {
  return step.outcome == Outcome::fits ? "scheduled" : std::string(oracle::name_of(step.outcome));
}

oracle::Json json_of_step(const oracle::QueueStep& step, const Cluster& cluster) {
  oracle::Json json{{"pod", cluster.pods[step.pod].full_name()}, {"outcome", outcome_of(step)}};
  if (!step.reason.empty()) json["reason"] = step.reason;
  if (step.node) json["node"] = cluster.nodes[*step.node].name;
  if (step.total) {
    json["total"] = *step.total;
    json["best"] = oracle::Json::array();
    for (const NodeIndex node : step.best) json["best"].push_back(cluster.nodes[node].name);
  }
  if (step.outcome != Outcome::nominated) return json;
  json["victims"] = oracle::Json::array();
  for (const PodIndex victim : step.victims) json["victims"].push_back(cluster.pods[victim].full_name());
  json["numPDBViolations"] = step.pdb_violations;
  return json;
}

/// The total of the node of a step, and how many nodes have it: "486, 2 tie".
std::string total_text(const oracle::QueueStep& step) {
  if (!step.total) return "";
  return std::to_string(*step.total) +
         (step.best.size() > 1 ? ", " + std::to_string(step.best.size()) + " tie" : "");
}

Row row_of(const oracle::QueueStep& step, const Cluster& cluster) {
  std::vector<std::string> victims;
  for (const PodIndex victim : step.victims) victims.push_back(cluster.pods[victim].full_name());
  const Pod& pod = cluster.pods[step.pod];
  return {printable(pod.full_name()),
          std::to_string(pod.priority),
          outcome_of(step),
          step.node ? printable(cluster.nodes[*step.node].name) : "",
          total_text(step),
          step.node ? printable(oracle::names_of(victims, 3)) : printable(step.reason)};
}

std::string totals_of(const std::vector<oracle::QueueStep>& steps) {
  std::map<std::string, std::size_t> outcomes;
  std::size_t victims = 0;
  Quantity violations = 0;
  for (const oracle::QueueStep& step : steps) {
    ++outcomes[outcome_of(step)];
    victims += step.victims.size();
    violations += step.pdb_violations;
  }
  std::string text = oracle::count_of(steps.size(), "pod") + " decided";
  for (const auto& [outcome, count] : outcomes) text += ", " + std::to_string(count) + " " + outcome;
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
  std::vector<Row> rows = {heading(terminal, {"POD", "PRIORITY", "OUTCOME", "NODE", "TOTAL", "VICTIMS"})};
  for (const oracle::QueueStep& step : steps) rows.push_back(row_of(step, cluster));
  std::cout << table(terminal, rows) << "\n" << totals_of(steps) << "\n";
}

int run(const QueueOptions& options, const Terminal& terminal) {
  Result<ClusterRead> read_dump = read_cluster(options.files, options.release, terminal);
  if (!read_dump) return print_error(read_dump.error()), k_exit_bad_input;
  ClusterRead read = std::move(read_dump).value();
  const Cluster& cluster = read.dump.cluster;
  const Result<oracle::Profiles> read_options = read_profiles(options.scheduler, cluster, read.named.release);
  if (!read_options) return print_error(read_options.error()), k_exit_bad_input;
  const oracle::Profiles& profiles = read_options.value();
  for (std::string& caveat : caveats_of_queue(cluster, options.pods, profiles, read.named.release))
    read.notes.push_back(std::move(caveat));
  const std::vector<PodIndex> queue = oracle::queue_of(cluster, options.pods, profiles);
  if (queue.empty())
    return print_error({"nothing-pending", "--filename",
                        "expected a pending pod" +
                            (options.pods.ns.empty() ? "" : " of namespace " + options.pods.ns) +
                            " that kube-scheduler tries, of the given priority or higher; found none"}),
           k_exit_bad_input;

  std::vector<const Pod*> preemptors;
  for (const PodIndex pod : queue) preemptors.push_back(&cluster.pods[pod]);
  const oracle::Engine engine = engine_for(options.engine, cluster, preemptors);
  for (const std::string& note : read.notes) print_note(note);

  ProgressBar bar(terminal);
  bar.update("pods", 0, queue.size());
  std::vector<oracle::QueueStep> steps;
  const auto go_on = [&](const oracle::QueueStep& step) {
    steps.push_back(step);
    for (const std::string& note : step.notes)
      read.notes.push_back(cluster.pods[step.pod].full_name() + ": " + note);
    bar.update("pods", steps.size(), queue.size());
    return step.differences.empty() && !interruption();
  };
  const std::size_t printed = read.notes.size();
  oracle::schedule_queue(cluster, profiles, engine, queue, oracle::ask_over_http, go_on);
  bar.erase();
  for (std::size_t i = printed; i < read.notes.size(); ++i) print_note(read.notes[i]);
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
  CLI::App* command =
      app.add_subcommand("queue", "Schedule all pending pods of a cluster, one after another");
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
  add_scheduler_options(*command, options->scheduler);
  add_engine_option(*command, options->engine, true);
  add_output_option(*command, options->output, {"text", "json"});
  describe(
      *command, context.terminal,
      {.description =
           "Schedules the pending pods in the order of the scheduling queue: by priority, and pods of "
           "equal priority in the order of the dump. Pods that kube-scheduler does not try are left out "
           "and named in a note: gated pods, terminating pods, and pods of a scheduler without a "
           "profile. Each pod gets the node with the highest total, or preempts if no node fits. After "
           "each step, queue removes the victims and binds the pod. Of nodes that tie, queue takes the "
           "first one of the dump; from v1.35 the one that the release takes. The search for nodes "
           "begins with the first node, and goes on from pod to pod as in the scheduler. PDBs do not "
           "change, because queue does not simulate the disruption controller.\n\n"
           "If the reference would take more than about a second for all pods, the optimized engine "
           "decides. Both engines place each pod alike. If the configuration has extenders, the reference "
           "decides, and queue asks the extenders about each pod.\n\n" +
           std::string(k_input_description),
       .examples = {{"Schedule all pending pods",
                     "touchstone queue -f examples/training-job.json --release v1.34"},
                    {"Schedule the pending pods of one namespace",
                     "touchstone queue -f examples/training-job.json --release v1.34 -n prod"},
                    {"Schedule them as a configuration of the scheduler says",
                     "touchstone queue -f examples/scores/two-zones.yaml --config examples/scores/pack.yaml"},
                    {"Compare both engines; a difference is an error",
                     "touchstone queue -f examples/training-job.json --release v1.34 --engine both"}},
       .exit_codes = {k_exit_ok, k_exit_disagreement, k_exit_bad_input, k_exit_not_modelled,
                      k_exit_interrupted},
       .see_also = {"touchstone schedule", "touchstone releases", "docs/queue.md"}});
  command->callback([options, &context] { context.exit_code = run(*options, context.terminal); });
}

}  // namespace touchstone::cli
