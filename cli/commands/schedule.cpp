#include <memory>
#include <nlohmann/json.hpp>

#include "cli/commands/commands.hpp"
#include "cli/html/cases.hpp"
#include "cli/input/engine_option.hpp"
#include "cli/input/extenders.hpp"
#include "cli/input/pod_question.hpp"
#include "cli/terminal/help.hpp"
#include "cli/terminal/output.hpp"
#include "cli/terminal/progress.hpp"
#include "cli/text/decision_text.hpp"
#include "cli/text/placement_text.hpp"
#include "oracle/explain/wording.hpp"
#include "oracle/protocol/engines.hpp"
#include "oracle/protocol/placement_answer.hpp"
#include "reference/cycle/node_search.hpp"
#include "reference/cycle/schedule.hpp"

namespace touchstone::cli {

namespace {

struct ScheduleOptions {
  QuestionOptions question_options;
  std::string engine = "reference";
};

/// Adds a note if the release would stop its search before it has found all feasible nodes.
void note_search(const Placement& placement, LoadedQuestion& asked) {
  const auto nodes = static_cast<Quantity>(asked.question.cluster.nodes.size());
  const auto found = static_cast<Quantity>(placement.feasible.size());
  if (asked.question.start || found <= reference::nodes_to_find(nodes, asked.named.release)) return;
  asked.notes.push_back("the pod fits on " + oracle::count_of(placement.feasible.size(), "node") +
                        "; the release stops its search before it has found all of them, and --start N "
                        "searches as it does");
}

/// The scorer that reads the Services and controllers of this pod; empty if there is none.
std::string_view scorer_of_selectors(const Pod& pod, const Release& release) {
  for (const WeightedScorer& scorer : release.scorers) {
    const bool spreads_by_default = scorer.scorer == Scorer::pod_topology_spread &&
                                    release.system_constraints && pod.topology_spread.empty();
    if (scorer.scorer == Scorer::selector_spread || spreads_by_default) return scorer.name;
  }
  return "";
}

/// Adds a note if the scores need Services and controllers, and the input has none.
void note_selectors(const Placement& placement, LoadedQuestion& asked) {
  const std::string_view scorer = scorer_of_selectors(asked.question.pod, asked.named.release);
  if (placement.totals.empty() || scorer.empty() || !asked.question.cluster.selecting.empty()) return;
  asked.notes.push_back(
      "the input has no Services, ReplicationControllers, ReplicaSets and StatefulSets; if the cluster has "
      "any "
      "that select the pod, the score of " +
      std::string(scorer) + " differs");
}

int run(const ScheduleOptions& options, const Terminal& terminal) {
  const QuestionOptions& question_options = options.question_options;
  Result<LoadedQuestion> read = ask(question_options, terminal);
  if (!read) return print_error(read.error()), k_exit_bad_input;
  LoadedQuestion asked = std::move(read).value();

  const auto start = std::chrono::steady_clock::now();
  ProgressBar bar(terminal);
  const oracle::Engine engine = engine_of(options.engine);
  bar.show(deciding_by(engine, asked.question.cluster));
  ask_extenders(asked, [&asked](const Question& each) {
    return reference::schedule(each, asked.named.release).decision.unanswered;
  });
  Trace trace = Trace::none();
  const oracle::Scheduled scheduled =
      oracle::schedule(asked.question, asked.named.release, engine, oracle::reference_decider(), trace);
  for (const oracle::Difference& each : scheduled.differences)
    print_error({"engines-differ", each.key,
                 "the optimized engine says " + each.given + ", the reference " + each.ours});
  if (!scheduled.differences.empty()) return k_exit_disagreement;
  const Placement& placement = scheduled.placement;
  const oracle::Decided decided{placement.decision, scheduled.is_whole};
  show_unknown_nodes(placement, asked);
  const DecisionDetails details = details_of(asked, decided);
  const auto deciding = std::chrono::steady_clock::now() - start;
  bar.erase();

  note_search(placement, asked);
  note_selectors(placement, asked);
  if (question_options.output != "text") {
    oracle::Json json = question_json(asked);
    json.update(oracle::placement_answer(asked.question.cluster, placement));
    if (!scheduled.is_whole) json.erase("filter");
    add_details(json, asked, decided, details);
    print_document(question_options, json);
  } else if (placement.host) {
    print_placement(question_options, asked, placement, terminal);
  } else {
    print_decision(question_options, asked, decided, details, terminal);
  }
  print_stats(question_options, asked, deciding);
  if (const std::optional<Error> failed =
          write_placement_page(question_options.html, "schedule", asked, placement))
    return print_error(*failed), k_exit_bad_input;
  return placement.decision.outcome == Outcome::skipped ? k_exit_not_modelled : k_exit_ok;
}

}  // namespace

void add_schedule(CLI::App& app, Context& context) {
  CLI::App* command =
      app.add_subcommand("schedule", "Show on which node a pending pod is scheduled, and why");
  const auto options = std::make_shared<ScheduleOptions>();
  add_question_options(*command, options->question_options);
  add_scheduler_options(*command, options->question_options.scheduler);
  add_start_option(*command, options->question_options.scheduler);
  add_engine_option(*command, options->engine, false);
  add_html_option(*command, options->question_options.html);
  describe(*command, context.terminal,
           {.description =
                "Runs the whole scheduling cycle of the release: filters, scores, totals, and the choice of "
                "a node. Shows the node, or the nodes that tie and how the release chooses among them. Then "
                "shows the feasible nodes with their totals and scores, and why the pod does not fit on "
                "other nodes. Scores that are equal on all nodes are shown below the table; --all gives each "
                "a column. If the pod fits on no node, shows what decide shows.\n\n"
                "The optimized engine shows no reasons of nodes on which the pod does not fit. In a cluster "
                "with 100 or more nodes, a release may stop its search "
                "before it has found all feasible nodes. The place where it begins is not in a dump. By "
                "default schedule visits every node.\n\n"
                "Some scores read Services and controllers. Add them to the input:\n"
                "  kubectl get services,replicationcontrollers,replicasets,statefulsets \\\n"
                "      -A -o json\n\n" +
                std::string(k_input_description),
            .examples = {{"Schedule a pending pod of the cluster",
                          "touchstone schedule -f examples/scores/two-zones.yaml --pod shop/web-3"},
                         {"Show every scorer as a column, for another release",
                          "touchstone schedule -f examples/scores/two-zones.yaml --pod shop/web-3 "
                          "--release v1.18 --all"},
                         {"Schedule a pod that is not in the cluster yet, as JSON",
                          "touchstone schedule -f examples/training-job.json "
                          "--pod-file examples/new-pod.yaml -o json"},
                         {"Schedule it as a configuration of the scheduler says",
                          "touchstone schedule -f examples/scores/two-zones.yaml --pod shop/report-3 "
                          "--config examples/scores/pack.yaml"},
                         {"Break ties as the release does if its search begins at the first node",
                          "touchstone schedule -f examples/scores/two-zones.yaml --pod shop/report-3 "
                          "--start 0"}},
            .exit_codes = {k_exit_ok, k_exit_disagreement, k_exit_bad_input, k_exit_not_modelled},
            .see_also = {"touchstone decide", "touchstone rules", "docs/schedule.md"}});
  command->callback([options, &context] { context.exit_code = run(*options, context.terminal); });
}

}  // namespace touchstone::cli
