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
#include "oracle/protocol/engines.hpp"
#include "reference/preemption/preempt.hpp"

namespace touchstone::cli {

namespace {

struct DecideOptions {
  QuestionOptions question_options;
  std::string engine = k_engine_by_work;
};

/// Prints the differences between the engines. In this case no answer is given.
void print_engines(const std::vector<oracle::Difference>& differences) {
  for (const oracle::Difference& each : differences)
    print_error({"engines-differ", each.key,
                 "the optimized engine says " + each.given + ", the reference " + each.ours});
}

int run(const DecideOptions& options, const Terminal& terminal) {
  const QuestionOptions& question_options = options.question_options;
  Result<LoadedQuestion> read = ask(question_options, terminal);
  if (!read) return print_error(read.error()), k_exit_bad_input;
  LoadedQuestion asked = std::move(read).value();
  ask_extenders(asked, [&asked](const Question& each) {
    return reference::preempt(each, asked.named.release).unanswered;
  });
  const Question& question = asked.question;
  const Release& release = asked.named.release;

  const auto start = std::chrono::steady_clock::now();
  const bool is_left_to_reference = options.engine == k_engine_by_work && !question.extenders.empty();
  const oracle::Engine engine = is_left_to_reference
                                    ? oracle::Engine::reference
                                    : engine_for(options.engine, question.cluster, {&question.pod});
  ProgressBar bar(terminal);
  bar.show(deciding_by(engine, question.cluster));
  Trace trace = Trace::none();
  const oracle::Decided decided =
      oracle::decide(question, release, engine, oracle::reference_decider(), trace);
  if (!decided.differences.empty())
    return bar.erase(), print_engines(decided.differences), k_exit_disagreement;
  const Decision& decision = decided.decision;
  const DecisionDetails details = details_of(asked, decided);
  const auto deciding = std::chrono::steady_clock::now() - start;
  bar.erase();

  if (question_options.output != "text") {
    oracle::Json json = answer_to(asked, decided);
    add_details(json, asked, decided, details);
    print_document(question_options, json);
  } else {
    print_decision(question_options, asked, decided, details, terminal);
  }
  print_stats(question_options, asked, deciding);
  if (const std::optional<Error> failed =
          write_decision_page(question_options.html, "decide", asked, decided))
    return print_error(*failed), k_exit_bad_input;
  return decision.outcome == Outcome::skipped ? k_exit_not_modelled : k_exit_ok;
}

}  // namespace

void add_decide(CLI::App& app, Context& context) {
  CLI::App* command =
      app.add_subcommand("decide", "Show where a pending pod would preempt, and which pods it would evict");
  const auto options = std::make_shared<DecideOptions>();
  add_question_options(*command, options->question_options);
  add_scheduler_options(*command, options->question_options.scheduler);
  add_engine_option(*command, options->engine, true);
  add_html_option(*command, options->question_options.html);
  describe(*command, context.terminal,
           {.description = "Shows the decision of the release with all lists in the order of the input. A "
                           "dump does not contain the order that a live scheduler uses. So decide also shows "
                           "what a live scheduler may decide. It also reports evictions that do not help. "
                           "After the evictions, the release's own filters still reject the pod (futile), or "
                           "they accept the pod beside one of the victims (needless).\n\n"
                           "If the reference would take more than about a second, the optimized engine "
                           "decides. It shows the decision and the nodes that tie with it. To see the other "
                           "candidates, and the reasons of the other nodes, use --engine reference.\n\n" +
                           std::string(k_input_description),
            .examples = {{"Decide for a pending pod of the cluster",
                          "touchstone decide -f examples/training-job.json --pod prod/web-0 --release v1.34"},
                         {"Show every answer that a live scheduler may give, as YAML",
                          "touchstone decide -f examples/training-job.json --pod prod/web-0 --output yaml"},
                         {"Decide for a pod that is not in the cluster yet",
                          "touchstone decide -f examples/training-job.json --pod-file examples/new-pod.yaml"},
                         {"Decide with both engines; a difference is an error",
                          "touchstone decide -f examples/training-job.json --pod prod/web-0 --engine both"}},
            .exit_codes = {k_exit_ok, k_exit_disagreement, k_exit_bad_input, k_exit_not_modelled},
            .see_also = {"touchstone schedule", "touchstone explain", "touchstone releases"}});
  command->callback([options, &context] { context.exit_code = run(*options, context.terminal); });
}

}  // namespace touchstone::cli
