#pragma once

#include <CLI/CLI.hpp>
#include <chrono>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "cli/commands/commands.hpp"
#include "cli/input/config_option.hpp"
#include "kubernetes/dump/dump.hpp"
#include "oracle/protocol/engines.hpp"
#include "oracle/protocol/protocol.hpp"
#include "spec/releases/release.hpp"
#include "spec/vocabulary/cluster.hpp"
#include "spec/vocabulary/decision.hpp"
#include "spec/vocabulary/result.hpp"

/// What `decide`, `schedule`, `explain`, `certify` and `queue` share: options and input, and the printing of
/// answers.
namespace touchstone::cli {

/// Describes the input, for the help of these commands.
extern const std::string_view k_input_description;

inline constexpr std::size_t k_rows_most = 10;  ///< rows shown without --all

/// The options of the command line.
struct QuestionOptions {
  std::vector<std::string> files;
  std::string pod;
  std::string ns;  ///< empty: not given
  std::string pod_file;
  std::string vector_case;
  std::string release;
  SchedulerOptions scheduler;
  std::optional<Quantity> offset;
  std::string html;  ///< file for the answer as a page; empty: none
  std::string output = "text";
  bool all = false;
  bool stats = false;
};

/// Adds the options that name a cluster and its release. Requires: `files` and `release` outlive the command.
void add_cluster_options(CLI::App& command, std::vector<std::string>& files, std::string& release);

/// A cluster that was read, the release that decides, and notes for the user.
struct ClusterRead {
  kubernetes::Dump dump;
  NamedRelease named;
  std::vector<std::string> notes;
};

/// Reads the files. The release is the one that is named, or else that of the dump, or else the newest.
/// Errors: those of kubernetes::read_dump and find_release.
Result<ClusterRead> read_cluster(const std::vector<std::string>& files, std::string release,
                                 const Terminal& terminal);

/// Adds the options of QuestionOptions to a command. Requires: `question_options` outlives the command.
void add_question_options(CLI::App& command, QuestionOptions& question_options);

/// A question that was read, the release that decides, and notes for the user.
struct LoadedQuestion {
  Question question;
  NamedRelease named;
  std::vector<std::string> notes;
  std::size_t bytes = 0;  ///< size of the input, after decompression
  std::chrono::steady_clock::duration reading{};
};

/// Reads the files and finds the pending pod: the one that is named, or that of the manifest, or the only one
/// that waits. The file may also be a vector file, which has its own pod and release. Errors: those of
/// kubernetes::read_dump, kubernetes::read_manifest, read_vector_question and find_release; unknown-pod,
/// pod-not-pending, contradictory-namespace; out-of-range; those of kubernetes::configured_by_file.
Result<LoadedQuestion> ask(const QuestionOptions& question_options, const Terminal& terminal);

/// Prints the notes, and the line that names the pod, the release and the size of the cluster.
void print_question(const LoadedQuestion& asked, const Terminal& terminal);

/// Prints the first lines of every answer: the question, and the outcome with its victims.
void print_verdict(const LoadedQuestion& asked, const Decision& decision, const Terminal& terminal);

/// Prints what a live scheduler may answer, because a dump does not contain the order of its lists. Prints a
/// few answers one by one, and of many only a summary; with `all`, each answer. Requires: outcome nominated.
void print_any_order(const LoadedQuestion& asked, const AnyOrder& any_order, bool all,
                     const Terminal& terminal);

/// The question as JSON: the pod, the release with its evidence, and the notes.
oracle::Json question_json(const LoadedQuestion& asked);

/// The question and the answer of the protocol as JSON.
oracle::Json answer_to(const LoadedQuestion& asked, const oracle::Decided& decided);

/// Prints JSON in the format of --output. Requires: json or yaml.
void print_document(const QuestionOptions& question_options, const oracle::Json& json);

/// With --stats, prints on standard error what was read and how fast, how long the answer took, and the peak
/// memory.
void print_stats(const QuestionOptions& question_options, const LoadedQuestion& asked,
                 std::chrono::steady_clock::duration deciding);

}  // namespace touchstone::cli
