#include "conformance/known_failures.hpp"

#include <algorithm>
#include <cctype>

#include "kubernetes/text/bytes.hpp"
#include "kubernetes/text/json.hpp"
#include "kubernetes/text/yaml.hpp"
#include "oracle/protocol/protocol.hpp"
#include "spec/rules/rules.hpp"

namespace touchstone::conformance {

namespace {

using kubernetes::Value;

KnownFailure read_entry(const Value& entry) {
  oracle::refuse_unknown_keys(entry, {"level", "clause", "case", "reason", "link", "until"});
  const auto text = [&entry](std::string_view key) {
    const auto member = entry.find(key);
    return member ? std::string(member->string()) : std::string();
  };
  KnownFailure known{text("level"), text("clause"), text("case"), text("reason"), text("link"), ""};
  if (const auto until = entry.find("until")) known.until = until->number_or_string();
  if (known.reason.empty()) entry.fail("missing-field", "a known failure needs a reason");
  if (known.level.empty() && known.clause.empty() && known.case_name.empty())
    entry.fail("missing-field", "a known failure needs a level, a clause or a case");
  if (!known.level.empty() && find_level(known.level) == nullptr)
    entry.fail("unknown-level", "no level \"" + known.level + "\"");
  if (!known.clause.empty() && title_of(known.clause).empty())
    entry.fail("unknown-clause", "no clause \"" + known.clause + "\"");
  return known;
}

std::vector<KnownFailure> read_entries(const Value& root) {
  std::vector<KnownFailure> known;
  const auto read_list = [&known](const Value& list) {
    for (const Value entry : list.elements()) known.push_back(read_entry(entry));
  };
  if (root.is_list()) {
    read_list(root);
  } else {
    oracle::refuse_unknown_keys(root, {"known"});
    const Value list = root.require("known");
    read_list(list);
  }
  return known;
}

/// Whether an entry is about a case, whatever its verdict.
bool is_about(const KnownFailure& entry, const Level& level, const Case& one) {
  return (entry.level.empty() || entry.level == level.name) &&
         (entry.case_name.empty() || entry.case_name == one.name);
}

std::vector<long long> numbers_in(const std::string& version) {
  std::vector<long long> numbers;
  bool in_number = false;
  for (const char c : version) {
    const bool is_digit = std::isdigit(static_cast<unsigned char>(c)) != 0;
    if (!is_digit && c != '.' && !numbers.empty()) break;  // 1.2-rc.1 is 1.2
    if (is_digit && !in_number) numbers.push_back(0);
    if (is_digit && numbers.back() < 1'000'000'000'000) numbers.back() = 10 * numbers.back() + (c - '0');
    in_number = is_digit;
  }
  while (!numbers.empty() && numbers.back() == 0) numbers.pop_back();
  return numbers;
}

}  // namespace

Result<std::vector<KnownFailure>> read_known_failures(const std::string& file) {
  const Result<std::string> text = kubernetes::read_bytes(file, kubernetes::Progress());
  if (!text) return text.error();
  std::string json = text.value();
  if (!file.ends_with(".json")) {
    Result<std::vector<std::string>> documents = kubernetes::yaml_to_json(text.value(), file);
    if (!documents) return documents.error();
    if (documents.value().size() != 1)
      return Error{"yaml-malformed", file, "expected one document with a list of known failures"};
    json = documents.value().front();
  }
  const Result<kubernetes::Document> document = kubernetes::Document::parse(json, file);
  if (!document) return document.error();
  try {
    return read_entries(document.value().root());
  } catch (const kubernetes::InvalidInput& invalid) {
    return invalid.error;
  }
}

std::vector<KnownProblem> mark_known(std::vector<LevelResult>& levels, const std::vector<KnownFailure>& known,
                                     const std::string& version) {
  std::vector<KnownProblem> problems;
  for (std::size_t i = 0; i < known.size(); ++i) {
    const KnownFailure& entry = known[i];
    if (!entry.until.empty() && is_at_least(version, entry.until)) {
      problems.push_back({i, KnownProblem::Kind::expired});
      continue;
    }
    bool any_judged = false;
    bool any_failed = false;
    for (LevelResult& level : levels) {
      for (CaseResult& each : level.results) {
        if (!is_about(entry, *level.suite->level, *each.question)) continue;
        const VerdictKind kind = each.verdict.kind;
        any_judged |= kind != VerdictKind::skipped;
        if (is_good(kind) || (!entry.clause.empty() && each.verdict.clause != entry.clause)) continue;
        any_failed = true;
        if (!each.known) each.known = i;
      }
    }
    if (any_judged && !any_failed) problems.push_back({i, KnownProblem::Kind::unexpected_pass});
  }
  return problems;
}

bool is_at_least(const std::string& a, const std::string& b) { return numbers_in(a) >= numbers_in(b); }

}  // namespace touchstone::conformance
