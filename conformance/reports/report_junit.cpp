#include "conformance/reports/report.hpp"

namespace touchstone::conformance {

namespace {

/// Text as the value of an XML attribute or as the content of an element. A character that XML does not have
/// becomes a question mark. Requires: UTF-8.
std::string xml(const std::string& text) {
  std::string out;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '&') {
      out += "&amp;";
    } else if (c == '<') {
      out += "&lt;";
    } else if (c == '>') {
      out += "&gt;";
    } else if (c == '"') {
      out += "&quot;";
    } else if (c == '\n' || c == '\t') {
      out += c == '\n' ? "&#10;" : "&#9;";
    } else {
      out += byte < 0x20 ? '?' : c;
    }
  }
  return out;
}

/// How JUnit counts a verdict.
enum class Junit { passed, failure, error, skipped };

Junit junit_of(const CaseResult& result) {
  switch (result.verdict.kind) {
    case VerdictKind::conforms:
    case VerdictKind::conforms_as_one_of:
      return Junit::passed;
    case VerdictKind::crashed:
    case VerdictKind::hung:
      return result.known ? Junit::skipped : Junit::error;
    default:
      return result.known ? Junit::skipped : Junit::failure;
  }
}

std::string testcase(const CaseResult& result, const Level& level, const Report& report) {
  std::string text = "    <testcase classname=\"touchstone." + std::string(level.name) + "\" name=\"" +
                     xml(result.question->name) + "\" time=\"0\"";
  const Junit junit = junit_of(result);
  if (junit == Junit::passed) return text + "/>\n";
  std::string message = xml(sentence_of(result, report));
  text += ">\n";
  if (junit == Junit::skipped) {
    message = xml("known failure: " + report.known[*result.known].reason) + "&#10;" + message;
    return text + "      <skipped message=\"" + message + "\"/>\n    </testcase>\n";
  }
  const std::string element = junit == Junit::error ? "error" : "failure";
  const std::string type =
      result.verdict.clause.empty() ? std::string(name_of(result.verdict.kind)) : result.verdict.clause;
  return text + "      <" + element + " type=\"" + xml(type) + "\" message=\"" + message + "\">" +
         xml(replay_of(result, report)) + "</" + element + ">\n    </testcase>\n";
}

struct Counts {
  std::size_t tests = 0;
  std::size_t failures = 0;
  std::size_t errors = 0;
  std::size_t skipped = 0;

  void add(Junit junit) {
    ++tests;
    if (junit == Junit::failure) ++failures;
    if (junit == Junit::error) ++errors;
    if (junit == Junit::skipped) ++skipped;
  }
  void add(const Counts& more) {
    tests += more.tests;
    failures += more.failures;
    errors += more.errors;
    skipped += more.skipped;
  }
  std::string attributes(bool with_skipped) const {
    return " tests=\"" + std::to_string(tests) + "\" failures=\"" + std::to_string(failures) +
           "\" errors=\"" + std::to_string(errors) + "\"" +
           (with_skipped ? " skipped=\"" + std::to_string(skipped) + "\"" : "") + " time=\"0\"";
  }
};

}  // namespace

std::string report_junit(const Report& report) {
  Counts all;
  std::string suites;
  for (const LevelResult& level : report.levels) {
    Counts counts;
    std::string cases;
    for (const CaseResult& each : level.results) {
      counts.add(junit_of(each));
      cases += testcase(each, *level.suite->level, report);
    }
    all.add(counts);
    suites += "  <testsuite name=\"" + std::string(level.suite->level->title) + "\"" +
              counts.attributes(true) + ">\n    <properties>\n      <property name=\"hash\" value=\"" +
              level.suite->hash + "\"/>\n      <property name=\"notClaimed\" value=\"" +
              std::to_string(level.cases_not_claimed) + "\"/>\n    </properties>\n" + cases +
              "  </testsuite>\n";
  }
  if (!report.problems.empty()) {
    Counts counts;
    std::string cases;
    for (const KnownProblem& each : report.problems) {
      counts.add(Junit::failure);
      cases += "    <testcase classname=\"touchstone.known\" name=\"entry " + std::to_string(each.entry + 1) +
               "\" time=\"0\">\n      <failure type=\"known failure\" message=\"" +
               xml(sentence_of(each, report)) + "\"/>\n    </testcase>\n";
    }
    all.add(counts);
    suites +=
        "  <testsuite name=\"Known failures\"" + counts.attributes(true) + ">\n" + cases + "  </testsuite>\n";
  }
  return "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"" +
         xml("touchstone conform, suite " + std::to_string(k_suite_version) + ", " + report.release + ", " +
             subject_name(report)) +
         "\"" + all.attributes(false) + ">\n" + suites + "</testsuites>\n";
}

}  // namespace touchstone::conformance
