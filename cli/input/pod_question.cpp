#include "cli/input/pod_question.hpp"

#include <algorithm>
#include <iostream>
#include <nlohmann/json.hpp>
#include <set>

#include "cli/input/data.hpp"
#include "cli/input/vector_question.hpp"
#include "cli/terminal/options.hpp"
#include "cli/terminal/output.hpp"
#include "cli/terminal/progress.hpp"
#include "cli/terminal/text.hpp"
#include "cli/text/caveats.hpp"
#include "kubernetes/admission/admission.hpp"
#include "kubernetes/dump/dump.hpp"
#include "kubernetes/write/yaml_written.hpp"
#include "oracle/explain/wording.hpp"

namespace touchstone::cli {

namespace {

using oracle::count_of;

bool is_waiting(const Pod& pod) {
  return pod.node_name.empty() && pod.phase != "Succeeded" && pod.phase != "Failed";
}

/// The pending pods; if `ns` is not empty, only those of that namespace.
std::vector<const Pod*> waiting_pods(const Cluster& cluster, const std::string& ns) {
  std::vector<const Pod*> pods;
  for (const Pod& pod : cluster.pods) {
    if (is_waiting(pod) && (ns.empty() || pod.ns == ns)) pods.push_back(&pod);
  }
  return pods;
}

/// Lists pending pods, for a user who must name one.
std::string names_of_waiting(const std::vector<const Pod*>& pods, const std::string& ns) {
  const std::string where = ns.empty() ? "" : " in namespace " + ns;
  std::vector<std::string> names;
  for (const Pod* pod : pods) names.push_back(pod->full_name());
  if (names.empty()) return "no pod of the dump waits for a node" + where;
  return count_of(names.size(), "pod") + " of the dump " + (names.size() == 1 ? "waits" : "wait") +
         " for a node" + where + ": " + oracle::names_of(names, 5);
}

/// The pod that --pod and --namespace name, as namespace/name. Errors: contradictory-namespace.
Result<std::string> full_name_of(const QuestionOptions& question_options) {
  const std::size_t slash = question_options.pod.find('/');
  if (slash == std::string::npos)
    return (question_options.ns.empty() ? "default" : question_options.ns) + "/" + question_options.pod;
  if (question_options.ns.empty() || question_options.ns == question_options.pod.substr(0, slash))
    return question_options.pod;
  return Error{"contradictory-namespace", "--namespace",
               "expected the namespace of --pod " + question_options.pod + ", found " + question_options.ns};
}

/// The pending pod that the options name, or the only one. Errors: unknown-pod, pod-not-pending,
/// contradictory-namespace.
Result<Pod> pod_of_dump(const QuestionOptions& question_options, const Cluster& cluster) {
  const std::vector<Pod>& pods = cluster.pods;
  if (question_options.pod.empty()) {
    const std::vector<const Pod*> waiting = waiting_pods(cluster, question_options.ns);
    if (waiting.size() == 1) return *waiting.front();
    return Error{"unknown-pod", "--pod",
                 "expected the name of a pending pod; " + names_of_waiting(waiting, question_options.ns)};
  }
  const Result<std::string> name = full_name_of(question_options);
  if (!name) return name.error();
  const auto found =
      std::find_if(pods.begin(), pods.end(), [&](const Pod& pod) { return pod.full_name() == name.value(); });
  if (found == pods.end()) {
    return Error{"unknown-pod", "--pod",
                 "no pod " + name.value() + "; " + names_of_waiting(waiting_pods(cluster, ""), "")};
  }
  if (is_waiting(*found)) return *found;
  const std::string why =
      found->node_name.empty() ? "has ended (" + found->phase + ")" : "is bound to node " + found->node_name;
  return Error{"pod-not-pending", "--pod", "Pod " + name.value() + " " + why + "; expected a pending pod"};
}

std::vector<std::string> notes_of(const kubernetes::Dump& dump) {
  std::vector<std::string> notes;
  for (const kubernetes::Warning& warning : dump.warnings) {
    const std::string first = warning.first.empty() ? "" : " (the first: " + warning.first + ")";
    notes.push_back(warning.message + first + " [" + warning.code + "]");
  }
  std::vector<std::string> kinds;
  for (const auto& [kind, count] : dump.ignored_kinds) kinds.push_back(std::to_string(count) + " " + kind);
  if (!kinds.empty()) notes.push_back("objects of other kinds are ignored: " + oracle::names_of(kinds, 10));
  return notes;
}

void print_victims(const Cluster& cluster, const Candidate& candidate, const Terminal& terminal) {
  std::vector<Row> rows = {heading(terminal, {"  VICTIM", "PRIORITY", "STATE"})};
  for (const PodIndex i : candidate.victims) {
    const Pod& pod = cluster.pods[i];
    rows.push_back({"  " + printable(pod.full_name()), std::to_string(pod.priority),
                    pod.terminating ? "terminating" : ""});
  }
  std::cout << table(terminal, rows);
}

/// Configures the release of a question. `members`: as for configured_release().
std::optional<Error> configure(const QuestionOptions& question_options, const std::string& members,
                               LoadedQuestion& asked) {
  Release& release = asked.named.release;
  Result<Release> configured =
      configured_release(question_options.scheduler, members, release, asked.question.pod.scheduler_name);
  if (!configured) return configured.error();
  release = std::move(configured).value();
  return std::nullopt;
}

/// Uses the question of a vector as it is.
Result<LoadedQuestion> ask_vector(const QuestionOptions& question_options, Result<VectorQuestion> found) {
  if (!found) return found.error();
  LoadedQuestion asked;
  asked.question = std::move(found.value().question);
  const std::string pod = asked.question.pod.full_name();
  const Result<std::string> asked_for = full_name_of(question_options);
  if (!asked_for) return asked_for.error();
  if (!question_options.pod_file.empty() || (!question_options.pod.empty() && asked_for.value() != pod))
    return Error{"unknown-pod", "--pod", "expected the pod of the vector, " + pod};
  std::string release = question_options.release.empty() ? found.value().release : question_options.release;
  if (release.empty()) release = newest_release().text();
  const Result<NamedRelease> named = find_release(release);
  if (!named) return named.error();
  asked.named = named.value();
  asked.notes = named.value().notes;
  if (question_options.offset) asked.question.offset = question_options.offset;
  if (const auto error = configure(question_options, found.value().scheduler, asked)) return *error;
  if (const auto error = set_start(question_options.scheduler, asked.question)) return *error;
  return asked;
}

}  // namespace

const std::string_view k_input_description =
    "The cluster is the output of\n"
    "  kubectl get nodes,pods,pdb,priorityclasses,namespaces -A -o json\n"
    "  kubectl get pvc,pv,storageclasses,csinodes,csidrivers,volumeattachments,\\\n"
    "      csistoragecapacities -A -o json\n"
    "or of -o yaml, in any number of files or directories (also of kubectl cluster-info dump), "
    "gzip-compressed or not. Objects are used as served: touchstone sets no defaults. Objects of other kinds "
    "are counted and ignored. A note reports objects that do not fit together, as in a dump taken while the "
    "cluster changes. Of two copies of an object, the one with the newer resourceVersion counts. For a new "
    "pod (--pod-file), limitranges and runtimeclasses count too. A vector file is also accepted, such as "
    "fuzz --out writes for each difference; it has its own pod and release.\n\n"
    "A dump does not contain the configuration of the scheduler: --config gives it. Otherwise touchstone "
    "assumes the default profile: no extenders, no external plugins, no added defaults and no changed "
    "feature "
    "gates. The default profile adds spread constraints to pods without any (v1.20 and later); they say "
    "ScheduleAnyway and reject no "
    "node.\n\n"
    "touchstone reads JSON with pods of usual size at more than 100 MB/s, and YAML at half that speed.";

void add_cluster_options(CLI::App& command, std::vector<std::string>& files, std::string& release) {
  command
      .add_option("-f,--filename", files,
                  "The cluster: files or directories of JSON or YAML, also gzip-compressed; - is standard "
                  "input; may be repeated")
      ->required()
      ->type_name("FILE");
  command
      .add_option("--release", release,
                  "Kubernetes release, such as v1.34 or v1.30.6; latest is the newest release that was "
                  "compared with the running scheduler (default: the release of the dump, else latest)")
      ->type_name("RELEASE");
}

void add_question_options(CLI::App& command, QuestionOptions& question_options) {
  add_cluster_options(command, question_options.files, question_options.release);
  const auto pod =
      command
          .add_option("--pod", question_options.pod,
                      "The pending pod, as namespace/name or name (default: the only pending pod)")
          ->type_name("NAMESPACE/NAME");
  command
      .add_option("-n,--namespace", question_options.ns,
                  "Namespace of the pod, if --pod or the manifest names none (default: default)")
      ->type_name("NAMESPACE");
  command
      .add_option(
          "--pod-file", question_options.pod_file,
          "Manifest of a new pod: a Pod, Deployment, StatefulSet, DaemonSet, ReplicaSet, Job or CronJob. "
          "A workload stands for one pod as its controller makes it; the pod of a DaemonSet may go to any "
          "node. The pod is defaulted, validated and admitted as by the API server of the release")
      ->type_name("FILE")
      ->excludes(pod);
  command
      .add_option("--case", question_options.vector_case,
                  "Case of the vector file given with -f (default: the only case)")
      ->type_name("NAME");
  command
      .add_option("--offset", question_options.offset,
                  "Sample nodes as the release does, from potential node N on (default: visit every node)")
      ->type_name("N")
      ->check(whole_number(0));
  command.add_flag("--all", question_options.all, "Show all lines of every list");
  command.add_flag("--stats", question_options.stats, "Print time and peak memory to standard error");
  add_output_option(command, question_options.output, {"text", "json", "yaml"});
}

Result<ClusterRead> read_cluster(const std::vector<std::string>& files, std::string release,
                                 const Terminal& terminal) {
  std::vector<std::string> paths;
  for (const std::string& file : files) paths.push_back(data_path(file));
  Result<kubernetes::Dump> dump = [&] {
    ProgressBar bar(terminal);
    return kubernetes::read_dump(paths, [&bar](std::string_view what, std::size_t done, std::size_t total) {
      bar.update(what, done, total);
    });
  }();
  if (!dump) return dump.error();
  if (release.empty()) release = dump.value().server_version;
  if (release.empty()) release = newest_release().text();
  const Result<NamedRelease> named = find_release(release);
  if (!named) return named.error();
  ClusterRead read{std::move(dump).value(), named.value(), named.value().notes};
  for (std::string& note : notes_of(read.dump)) read.notes.push_back(std::move(note));
  return read;
}

Result<LoadedQuestion> ask(const QuestionOptions& question_options, const Terminal& terminal) {
  const auto start = std::chrono::steady_clock::now();
  LoadedQuestion asked;
  Result<ClusterRead> read = read_cluster(question_options.files, question_options.release, terminal);
  if (!read) {
    // A vector file is not a dump: it has no kind.
    if (read.error().code != "missing-field" || question_options.files.size() != 1) return read.error();
    std::optional<Result<VectorQuestion>> found =
        read_vector_question(question_options.files.front(), question_options.vector_case);
    return found ? ask_vector(question_options, std::move(*found)) : read.error();
  }
  kubernetes::Dump dump = std::move(read.value().dump);
  asked.named = read.value().named;
  asked.notes = read.value().notes;

  if (question_options.pod_file.empty()) {
    Result<Pod> pod = pod_of_dump(question_options, dump.cluster);
    if (!pod) return pod.error();
    asked.question.pod = std::move(pod).value();
  } else {
    Result<kubernetes::Manifest> manifest = kubernetes::read_manifest(
        data_path(question_options.pod_file), dump, asked.named.release.version, question_options.ns);
    if (!manifest) return manifest.error();
    asked.question.pod = manifest.value().pod;
    for (const PersistentVolumeClaim& claim : manifest.value().claims)
      dump.cluster.storage.claims.emplace(claim.full_name(), claim);
    for (const std::string& note : manifest.value().notes) asked.notes.push_back("manifest: " + note);
  }
  asked.question.cluster = std::move(dump.cluster);
  if (const auto error = configure(question_options, "", asked)) return *error;
  if (const auto error = set_start(question_options.scheduler, asked.question)) return *error;
  for (std::string& caveat :
       caveats_of(asked.question, asked.named.release, !question_options.scheduler.file().empty()))
    asked.notes.push_back(std::move(caveat));
  asked.question.offset = question_options.offset;
  asked.bytes = dump.bytes;
  asked.reading = std::chrono::steady_clock::now() - start;
  return asked;
}

void print_question(const LoadedQuestion& asked, const Terminal& terminal) {
  const Cluster& cluster = asked.question.cluster;
  for (const std::string& note : asked.notes) print_note(note);
  std::cout << "Pod " << terminal.styled(Style::strong, asked.question.pod.full_name()) << " (priority "
            << asked.question.pod.priority << "), release " << asked.named.release.version.text() << " ("
            << asked.named.evidence << "), " << count_of(cluster.nodes.size(), "node") << ", "
            << count_of(cluster.pods.size(), "pod") << ", " << count_of(cluster.pdbs.size(), "PDB") << "\n";
}

void print_verdict(const LoadedQuestion& asked, const Decision& decision, const Terminal& terminal) {
  const Cluster& cluster = asked.question.cluster;
  print_question(asked, terminal);
  const auto say = [&](Style style, std::string_view outcome) {
    std::cout << terminal.styled(style, outcome) << ": ";
  };
  switch (decision.outcome) {
    case Outcome::fits: {
      std::vector<std::string> names;
      for (const NodeIndex node : decision.feasible) names.push_back(cluster.nodes[node].name);
      say(Style::good, "fits");
      std::cout << count_of(names.size(), "node") << " can take the pod, preemption does not run: "
                << printable(oracle::names_of(names, k_rows_most)) << "\n";
      break;
    }
    case Outcome::ineligible:
      say(Style::warning, "ineligible");
      std::cout << printable(decision.reason) << "\n";
      break;
    case Outcome::none:
      say(Style::warning, "none");
      std::cout << "preemption cannot help on any node\n";
      break;
    case Outcome::error:
      say(Style::bad, "error");
      std::cout << "the attempt fails: " << printable(decision.reason) << "\n";
      break;
    case Outcome::skipped:
      say(Style::warning, "skipped");
      std::cout << "not modelled yet: " << printable(decision.reason)
                << "\nThis may change the answer, so touchstone gives no answer\n";
      break;
    case Outcome::nominated: {
      const Candidate& chosen = decision.candidates[decision.chosen];
      say(Style::good, "nominated");
      std::cout << "node " << printable(cluster.nodes[chosen.node].name) << ", evicting "
                << count_of(chosen.victims.size(), "pod") << " with "
                << count_of(static_cast<std::size_t>(chosen.pdb_violations), "PDB violation") << "\n";
      print_victims(cluster, chosen, terminal);
      break;
    }
  }
}

void print_any_order(const LoadedQuestion& asked, const AnyOrder& any_order, bool all,
                     const Terminal& terminal) {
  const Cluster& cluster = asked.question.cluster;
  std::cout << "\nWhat a live scheduler may decide (a dump does not show its order of pods, PDBs and visited "
               "nodes)\n";
  if (!any_order.unknown.empty()) {
    std::cout << "  not computed: " << printable(any_order.unknown) << "\n";
    return;
  }
  const auto victims_of = [&](const Candidate& answer) {
    std::vector<std::string> victims;
    for (const PodIndex pod : answer.victims) victims.push_back(cluster.pods[pod].full_name());
    return printable(oracle::names_of(victims, all ? victims.size() : k_rows_most));
  };
  if (all || any_order.answers.size() <= k_rows_most) {
    std::vector<Row> rows;
    for (const Candidate& answer : any_order.answers) {
      rows.push_back({"  " + printable(cluster.nodes[answer.node].name),
                      count_of(static_cast<std::size_t>(answer.pdb_violations), "PDB violation"),
                      "evicting " + victims_of(answer)});
    }
    std::cout << table(terminal, rows);
    return;
  }
  std::set<NodeIndex> nodes;
  std::vector<std::string> names;
  std::size_t fewest = any_order.answers.front().victims.size();
  std::size_t most = fewest;
  Quantity violations = 0;
  for (const Candidate& answer : any_order.answers) {
    if (nodes.insert(answer.node).second) names.push_back(cluster.nodes[answer.node].name);
    fewest = std::min(fewest, answer.victims.size());
    most = std::max(most, answer.victims.size());
    violations = std::max(violations, answer.pdb_violations);
  }
  std::cout << "  " << count_of(any_order.answers.size(), "answer") << " on "
            << count_of(nodes.size(), "node") << ", evicting "
            << (fewest == most ? "" : std::to_string(fewest) + " to ") << count_of(most, "pod") << " with "
            << (violations == 0
                    ? "no PDB violation"
                    : "at most " + count_of(static_cast<std::size_t>(violations), "PDB violation"))
            << ": " << printable(oracle::names_of(names, k_rows_most)) << "\n  --all shows each answer\n";
}

oracle::Json question_json(const LoadedQuestion& asked) {
  oracle::Json json{{"pod", asked.question.pod.full_name()},
                    {"release", asked.named.release.version.text()},
                    {"evidence", asked.named.evidence}};
  if (!asked.notes.empty()) json["notes"] = asked.notes;
  return json;
}

oracle::Json answer_to(const LoadedQuestion& asked, const oracle::Decided& decided) {
  const Cluster& cluster = asked.question.cluster;
  oracle::Json json = question_json(asked);
  if (!decided.is_whole) json["engine"] = oracle::name_of(oracle::Engine::optimized);
  json.update(decided.is_whole ? oracle::answer_of(cluster, decided.decision)
                               : oracle::answer_in_part(cluster, decided.decision));
  return json;
}

void print_document(const QuestionOptions& question_options, const oracle::Json& json) {
  if (question_options.output == "yaml") {
    std::cout << kubernetes::yaml_of(json);
  } else {
    print_json(json);
  }
}

}  // namespace touchstone::cli
