#pragma once

#include <CLI/CLI.hpp>
#include <chrono>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "cli/commands/commands.hpp"
#include "kubernetes/dump/dump.hpp"
#include "oracle/protocol/engines.hpp"
#include "oracle/protocol/protocol.hpp"
#include "spec/vocabulary/cluster.hpp"
#include "spec/vocabulary/decision.hpp"
#include "spec/releases/release.hpp"
#include "spec/vocabulary/result.hpp"

/// What `decide` and `explain` have in common: a question put to a real cluster.
namespace touchstone::cli {

/// What the input is, for the help of both.
extern const std::string_view k_input_description;

inline constexpr std::size_t k_rows_most = 10;  ///< without --all

/// The options of the command line.
struct Asking {
  std::vector<std::string> files;
  std::string pod;
  std::string ns;  ///< empty: not named
  std::string pod_file;
  std::string vector_case;
  std::string release;
  std::optional<Quantity> offset;
  std::string output = "text";
  bool all = false;
  bool stats = false;
};

/// Adds the options that name a cluster and its release. Requires: both outlive the command.
void add_cluster_options(CLI::App& command, std::vector<std::string>& files, std::string& release);

/// A cluster as it was read, the release that is asked, and what its reader should know.
struct ClusterRead {
  kubernetes::Dump dump;
  NamedRelease named;
  std::vector<std::string> notes;
};

/// Reads the files; the release is the one named, or that of the dump, or the newest. Errors: those of
/// kubernetes::read_dump and find_release.
Result<ClusterRead> read_cluster(const std::vector<std::string>& files, std::string release,
                                 const Terminal& terminal);

/// Adds the options to a command. Requires: `asking` outlives the command.
void add_asking_options(CLI::App& command, Asking& asking);

/// A question read, the release that is asked, and what its reader should know.
struct Asked {
  Question question;
  NamedRelease named;
  std::vector<std::string> notes;
  std::size_t bytes = 0;  ///< read, after decompression
  std::chrono::steady_clock::duration reading{};
};

/// Reads the files and takes the pending pod: the one that is named, or that of the manifest, or the only one
/// that waits. Errors: those of kubernetes::read_dump, kubernetes::read_manifest and find_release;
/// unknown-pod, pod-not-pending, contradictory-namespace. The file may be a vector file too, which has its
/// own pod and release.
Result<Asked> ask(const Asking& asking, const Terminal& terminal);

/// The notes, and the line that names the pod, the release and the size of the cluster.
void print_question(const Asked& asked, const Terminal& terminal);

/// The first lines of every answer: the question, and the outcome with its victims.
void print_verdict(const Asked& asked, const Decision& decision, const Terminal& terminal);

/// What a live scheduler may answer, whose order of lists a dump does not tell: few answers one by one, many
/// by their number. Requires: outcome nominated.
void print_any_order(const Asked& asked, const AnyOrder& any_order, bool all, const Terminal& terminal);

/// The question and the answer as JSON: of the protocol, with the pod, the release and its evidence, notes.
oracle::Json answer_to(const Asked& asked, const oracle::Decided& decided);

/// Prints JSON in the form that is asked for. Requires: json or yaml.
void print_document(const Asking& asking, const oracle::Json& json);

/// With --stats: what was read and how fast, how long the answer took, and the peak of memory, on standard
/// error.
void print_stats(const Asking& asking, const Asked& asked, std::chrono::steady_clock::duration deciding);

}  // namespace touchstone::cli
