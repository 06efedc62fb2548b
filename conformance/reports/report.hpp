#pragma once

#include <set>
#include <string>
#include <vector>

#include "conformance/known_failures.hpp"
#include "conformance/run.hpp"

/// A report of conformance, and its machine-readable formats.
namespace touchstone::conformance {

/// What a run of `touchstone conform` found.
struct Report {
  std::string release;             ///< "v1.34.4"
  std::vector<std::string> notes;  ///< about the release
  Json subject;                    ///< its answer to hello
  std::vector<std::string> command;
  std::string vectors;  ///< the place of the vectors, if they are not those of the project
  std::set<std::string> claimed;
  std::size_t repeats = 1;
  std::vector<LevelResult> levels;
  std::string known_file;  ///< empty: none was given
  std::vector<KnownFailure> known;
  std::vector<KnownProblem> problems;
  bool interrupted = false;
};

/// What was judged: "conformance suite 1", or, if `vectors` is not empty, the vectors of this place.
std::string judged_on(const std::string& vectors);

/// Whether no judged level fails, some level was judged, and no known failure is wrong.
bool conforms(const Report& report);

/// The name of the subject, or "subject" if it gives none.
std::string subject_name(const Report& report);

/// A sentence about the verdict on a case. With a violation it begins with the clause: "PRE-VICTIM-6,
/// reprieve: evicts default/a from n1; kube-scheduler v1.34.4 evicts no pod from n1".
std::string sentence_of(const CaseResult& result, const Report& report);

/// A sentence about a known failure that is wrong.
std::string sentence_of(const KnownProblem& problem, const Report& report);

/// The objects of a case's question as YAML, which touchstone explain -f reads. Comments above the objects
/// have the rest of the question. Of a timeline: its commands as YAML.
std::string cluster_of(const Case& one);

/// The command that judges one case again.
std::string replay_of(const CaseResult& result, const Report& report);

/// The features that no case of a judged level could use, because the subject does not claim them, with the
/// number of cases that they exclude.
std::map<std::string, std::size_t> not_claimed(const Report& report);

/// The report as JSON (spec/schema/conformance.schema.json).
Json report_json(const Report& report);

/// The report as JUnit XML: a testsuite for each level, a testcase for each case.
std::string report_junit(const Report& report);

/// The report as SARIF 2.1.0: a rule for each clause, a result for each case that does not conform.
Json report_sarif(const Report& report);

/// An annotation of GitHub Actions. `level`: error, warning or notice.
std::string github_annotation(const std::string& level, const std::string& title, const std::string& text);

/// Annotations of GitHub Actions: an error for each level and clause, with the smallest case of it.
std::string report_github(const Report& report);

/// A badge of a level, and of all levels, as an endpoint of shields.io.
Json badge_of(const LevelResult& level, const Report& report);
Json badge_of_all(const Report& report);

}  // namespace touchstone::conformance
