#include <fstream>
#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>

#include "cli/commands/commands.hpp"
#include "cli/input/data.hpp"
#include "cli/input/pod_question.hpp"
#include "cli/terminal/help.hpp"
#include "cli/terminal/output.hpp"
#include "cli/terminal/progress.hpp"
#include "cli/text/certify_text.hpp"
#include "kubernetes/text/bytes.hpp"
#include "oracle/protocol/engines.hpp"
#include "proofs/certificate.hpp"
#include "proofs/prove.hpp"
#include "reference/preemption/preempt.hpp"

namespace touchstone::cli {

namespace {

using proofs::Certificate;
using proofs::Verdict;

struct CertifyOptions {
  QuestionOptions question_options;
  std::string decision;
  std::string smt2;
};

int exit_code_of(Verdict verdict) {
  if (verdict == Verdict::certified) return k_exit_ok;
  return verdict == Verdict::beyond_reach ? k_exit_not_modelled : k_exit_disagreement;
}

/// The decision to certify, and the form in which it is printed.
struct ToCertify {
  proofs::GivenDecision given;
  Decision shown;
};

/// The decision of the file, or the reference's own if no file is given. Errors: those of read_bytes and
/// read_given_decision.
Result<ToCertify> decision_of(const CertifyOptions& options, const LoadedQuestion& asked) {
  if (options.decision.empty()) {
    const Decision ours = reference::preempt(asked.question, asked.named.release);
    return ToCertify{proofs::given_decision(ours), ours};
  }
  const Result<std::string> json = kubernetes::read_bytes(data_path(options.decision), {});
  if (!json) return json.error();
  const Result<proofs::GivenDecision> given = proofs::read_given_decision(
      json.value(), kubernetes::name_of_file(options.decision), asked.question.cluster);
  if (!given) return given.error();
  return ToCertify{given.value(), decision_as_given(given.value())};
}

/// Prints why a certificate is beyond reach. Nothing is decided, because a decision may take long for so
/// large a cluster.
int refuse(const QuestionOptions& question_options, const LoadedQuestion& asked, const std::string& reason,
           const Terminal& terminal) {
  const Certificate certificate{.verdict = Verdict::beyond_reach, .reason = reason};
  const std::string solver = proofs::solvers().front();
  if (question_options.output != "text") {
    print_document(question_options, certificate_json(asked, std::nullopt, certificate, solver));
  } else {
    print_question(asked, terminal);
    print_certificate(asked, certificate, solver, terminal);
  }
  print_stats(question_options, asked, {});
  return exit_code_of(certificate.verdict);
}

int run(const CertifyOptions& options, const Terminal& terminal) {
  const QuestionOptions& question_options = options.question_options;
  const Result<LoadedQuestion> read = ask(question_options, terminal);
  if (!read) return print_error(read.error()), k_exit_bad_input;
  const LoadedQuestion& asked = read.value();
  const std::string out_of_reach = proofs::out_of_reach(asked.question, asked.named.release);
  if (!out_of_reach.empty() && options.decision.empty())
    return refuse(question_options, asked, out_of_reach, terminal);
  ProgressBar bar(terminal);
  bar.show("deciding and certifying");
  const Result<ToCertify> decision = decision_of(options, asked);
  if (!decision) return bar.erase(), print_error(decision.error()), k_exit_bad_input;
  const proofs::GivenDecision& given = decision.value().given;

  std::ofstream smt2;
  if (!options.smt2.empty()) smt2.open(options.smt2);
  const auto start = std::chrono::steady_clock::now();
  const Certificate certificate =
      proofs::certify(asked.question, asked.named.release, given, options.smt2.empty() ? nullptr : &smt2);
  const auto certifying = std::chrono::steady_clock::now() - start;
  bar.erase();
  smt2.close();
  if (!options.smt2.empty() && !smt2)
    return print_error({"file-unwritable", options.smt2, "expected a file that can be written"}),
           k_exit_bad_input;

  const std::string solver = proofs::solvers().front();
  if (question_options.output != "text") {
    print_document(question_options, certificate_json(asked, given, certificate, solver));
  } else {
    print_verdict(asked, decision.value().shown, terminal);
    print_certificate(asked, certificate, solver, terminal);
  }
  print_stats(question_options, asked, certifying);
  return exit_code_of(certificate.verdict);
}

}  // namespace

void add_certify(CLI::App& app, Context& context) {
  CLI::App* command = app.add_subcommand(
      "certify", "Check one decision, of touchstone or of another scheduler, with an SMT solver");
  const auto options = std::make_shared<CertifyOptions>();
  add_question_options(*command, options->question_options);
  add_scheduler_options(*command, options->question_options.scheduler);
  command
      ->add_option("--decision", options->decision,
                   "The decision to check, as an answer of spec/protocol.md: outcome, node, victims, "
                   "numPDBViolations; - is standard input (default: the decision of touchstone decide)")
      ->type_name("FILE");
  command
      ->add_option("--smt2", options->smt2,
                   "Write the obligations in SMT-LIB 2, each between push and pop; every check-sat must give "
                   "unsat; cvc5 needs --incremental")
      ->type_name("FILE");
  describe(
      *command, context.terminal,
      {.description =
           "Checks a decision without the algorithm. The clauses of spec/clauses are written as constraints "
           "over which pods of a node stay. Z3 proves that the decision is admissible, or finds the first "
           "clause that fails, and a better answer. Any member of a tie is admissible. Lists are taken in "
           "the order of the input.\n\n"
           "Limits: 100 nodes, 40 pods of lower priority a node; resources, host ports, PDBs, nominated "
           "pods, and filters that look at no other pod. Affinity between pods, spreading and volumes are "
           "beyond reach, and the output says so. If the solver finds no answer, the check fails.\n\n" +
           std::string(k_input_description),
       .examples = {{"Check touchstone's own decision",
                     "touchstone certify -f examples/training-job.json --pod prod/web-0 --release v1.34"},
                    {"Check a given decision, and show a better one",
                     "touchstone certify -f examples/training-job.json --pod prod/web-0 --release v1.34 "
                     "--decision examples/decision.json"},
                    {"Write the obligations for another solver",
                     "touchstone certify -f examples/training-job.json --pod prod/web-0 "
                     "--smt2 /dev/stdout"}},
       .exit_codes = {k_exit_ok, k_exit_disagreement, k_exit_bad_input, k_exit_not_modelled},
       .see_also = {"touchstone decide", "touchstone prove", "spec/clauses"}});
  command->callback([options, &context] { context.exit_code = run(*options, context.terminal); });
}

}  // namespace touchstone::cli
