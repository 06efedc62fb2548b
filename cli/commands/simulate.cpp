#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>

#include "cli/commands/commands.hpp"
#include "cli/input/config_option.hpp"
#include "cli/input/data.hpp"
#include "cli/input/pod_question.hpp"
#include "cli/json/simulation_json.hpp"
#include "cli/terminal/help.hpp"
#include "cli/terminal/options.hpp"
#include "cli/terminal/output.hpp"
#include "cli/text/simulation_text.hpp"
#include "kubernetes/text/duration.hpp"
#include "oracle/protocol/timeline.hpp"
#include "oracle/protocol/timeline_written.hpp"
#include "oracle/simulation/simulation.hpp"

namespace touchstone::cli {

namespace {

struct SimulateOptions {
  std::vector<std::string> files;
  std::string release;
  std::string timeline;
  std::string until;
  std::optional<std::uint64_t> seed;
  SchedulerOptions scheduler;
  SimulationShown shown;
  bool only_commands = false;
  std::string output = "text";
};

/// Notes about the parts of a cluster that the model over time ignores.
std::vector<std::string> caveats_of_simulation(const oracle::SimulationPlan& plan, const Cluster& cluster) {
  bool has_claims = false;
  bool has_namespace_selectors = false;
  const auto look = [&](const Pod& pod) {
    for (const Volume& volume : pod.volumes) has_claims |= volume.source.kind == "persistentVolumeClaim";
    has_claims |= !pod.resource_claims.empty();
    for (const auto* terms : {&pod.pod_affinity, &pod.pod_anti_affinity}) {
      for (const PodAffinityTerm& term : *terms)
        has_namespace_selectors |= term.namespace_selector.has_value();
    }
  };
  for (const Pod& pod : cluster.pods) look(pod);
  for (const oracle::Event& event : plan.events) {
    if (const auto* create = std::get_if<oracle::CreateObject>(&event.change)) {
      if (const auto* pod = std::get_if<PodObject>(&create->object)) look(pod->pod);
      if (const auto* workload = std::get_if<oracle::Workload>(&create->object))
        look(workload->pod_template.pod);
    }
  }
  std::vector<std::string> caveats;
  if (has_claims) caveats.emplace_back("claims are not modelled over time: a pod with a claim fits nowhere");
  if (has_namespace_selectors)
    caveats.emplace_back(
        "labels of namespaces are not modelled over time: a namespaceSelector selects by an "
        "empty set of labels");
  if (!plan.release.extenders.empty()) caveats.emplace_back("extenders are not modelled over time");
  return caveats;
}

/// Errors: those of configured_release() and read_events(); not-modelled; duration-malformed.
Result<oracle::SimulationPlan> plan_of(const SimulateOptions& options, const ClusterRead& read) {
  oracle::SimulationPlan plan;
  const Result<Release> configured =
      configured_release(options.scheduler, "", read.named.release, "default-scheduler");
  if (!configured) return configured.error();
  plan.release = configured.value();
  if (const std::string reason = oracle::not_modelled_over_time(plan.release); !reason.empty())
    return Error{"not-modelled", "--release", "not modelled over time: " + reason};
  plan.objects = oracle::objects_of(read.dump);
  plan.seed = options.seed;
  if (!options.until.empty()) {
    const Result<Quantity> until = kubernetes::parse_duration(options.until);
    if (!until) return Error{until.error().code, "--until", until.error().message};
    plan.until_ns = until.value();
  }
  if (!options.timeline.empty()) {
    Result<std::vector<oracle::Event>> events =
        oracle::read_events(data_path(options.timeline), read.dump, plan.release.version);
    if (!events) return events.error();
    plan.events = std::move(events).value();
  }
  return plan;
}

int print(const SimulateOptions& options, const std::vector<std::string>& notes,
          const oracle::Simulation& simulation, const Terminal& terminal) {
  const std::string& pod = options.shown.pod;
  if (!pod.empty() && !simulation.pods.contains(pod)) {
    print_error({"unknown-pod", "--pod", "expected a pod of the simulation, found " + pod});
    return k_exit_bad_input;
  }
  if (options.only_commands) {
    std::cout << oracle::written_beginning(simulation.script).dump() << "\n";
    for (const TimelineCommand& command : simulation.script.commands)
      std::cout << oracle::written(command).dump() << "\n";
  } else if (options.output == "json") {
    oracle::Json json = json_of(simulation, pod);
    json["notes"] = notes;
    print_json(json);
  } else {
    std::cout << text_of(simulation, options.shown, terminal);
  }
  for (const oracle::SimulatedStep& step : simulation.steps) {
    if (step.answer.cycle && step.answer.cycle->outcome == CycleOutcome::skipped) return k_exit_not_modelled;
  }
  return k_exit_ok;
}

int run(SimulateOptions options, const Terminal& terminal) {
  Result<ClusterRead> read = read_cluster(options.files, options.release, terminal);
  if (!read) return print_error(read.error()), k_exit_bad_input;
  const Result<oracle::SimulationPlan> plan = plan_of(options, read.value());
  if (!plan) {
    print_error(plan.error());
    return plan.error().code == "not-modelled" ? k_exit_not_modelled : k_exit_bad_input;
  }
  const Cluster& cluster = read.value().dump.cluster;
  std::vector<std::string> notes = read.value().notes;
  for (std::string& caveat : caveats_of_simulation(plan.value(), cluster)) notes.push_back(std::move(caveat));
  if (options.output == "text") {
    for (const std::string& note : notes) print_note(note);
  }
  const Result<oracle::Simulation> simulation = oracle::simulate(plan.value(), oracle::start_of(cluster));
  if (!simulation) return print_error(simulation.error()), k_exit_bad_input;
  std::string& pod = options.shown.pod;
  if (!pod.empty() && pod.find('/') == std::string::npos) pod.insert(0, "default/");
  return print(options, notes, simulation.value(), terminal);
}

}  // namespace

void add_simulate(CLI::App& app, Context& context) {
  CLI::App* command = app.add_subcommand(
      "simulate", "Play a cluster forward: what the scheduler does while pods and nodes come and go");
  const auto options = std::make_shared<SimulateOptions>();
  add_cluster_options(*command, options->files, options->release);
  command
      ->add_option("--timeline", options->timeline,
                   "Events: objects that users create, replace and delete, and when (default: none)")
      ->type_name("FILE");
  command
      ->add_option("--until", options->until,
                   "End at this time after the start, such as 90s or 10m (default: when all has come to "
                   "rest, and after 10m at the latest)")
      ->type_name("DURATION");
  const auto seed =
      command
          ->add_option("--seed", options->seed,
                       "Seed for the order of concurrent steps and for choices among equals (default: the "
                       "canonical order)")
          ->type_name("N")
          ->check(whole_number(0));
  command
      ->add_option("--pod", options->shown.pod,
                   "Follow one pod: where it is, since when and why (default: all pods)")
      ->type_name("NAMESPACE/NAME");
  command
      ->add_option("--config", options->scheduler.config,
                   "KubeSchedulerConfiguration of the scheduler (default: the default profile)")
      ->type_name("FILE");
  command->add_flag("--brief", options->shown.is_brief, "Show no clauses and no API calls");
  command
      ->add_flag("--commands", options->only_commands,
                 "Print the simulation as commands of spec/protocol.md, for touchstone play")
      ->excludes(seed);
  add_output_option(*command, options->output, {"text", "json"});
  describe(
      *command, context.terminal,
      {.description =
           "Starts a scheduler on the cluster, and plays what follows: scheduling cycles, the timers of the "
           "queue, kubelets that start pods and remove them when their grace period ends, controllers that "
           "replace pods, and the events of the timeline. Shows each step with its time, the pods that it "
           "changes, the API calls of the scheduler, and the clauses that decided it. Time passes only "
           "between steps: a cycle, a call and a watch event take none.\n\n"
           "With --pod, each line says where the pod is and why: in backoff until when, after which attempt, "
           "rejected by which plugins, woken by what. --until shows this for any time.\n\n"
           "Not simulated: the disruption controller, volumes, extenders, pods that end by themselves, and "
           "kubelets that fail.",
       .examples = {{"A preemption: the victim has 30 s to end",
                     "touchstone simulate -f examples/simulations/cluster.yaml --timeline "
                     "examples/simulations/preemption.yaml --release v1.36.3"},
                    {"Why a pod is where it is after 12 s",
                     "touchstone simulate -f examples/simulations/cluster.yaml --timeline "
                     "examples/simulations/loses-its-place.yaml --release v1.36.3 --pod p --until 12s"},
                    {"Another order of concurrent steps",
                     "touchstone simulate -f examples/simulations/cluster.yaml --timeline "
                     "examples/simulations/loses-its-place.yaml --release v1.36.3 --seed 7 --brief"}},
       .exit_codes = {k_exit_ok, k_exit_bad_input, k_exit_not_modelled},
       .see_also = {"touchstone play", "touchstone queue", "docs/simulate.md",
                    "spec/schema/simulation.schema.json"}});
  command->callback([options, &context] { context.exit_code = run(*options, context.terminal); });
}

}  // namespace touchstone::cli
