#include "cli/input/vector_question.hpp"

#include <nlohmann/json.hpp>
#include <vector>

#include "kubernetes/objects/question.hpp"
#include "oracle/explain/wording.hpp"
#include "oracle/protocol/vectors.hpp"

namespace touchstone::cli {

std::optional<Result<VectorQuestion>> read_vector_question(const std::string& file, const std::string& name) {
  constexpr std::size_t k_names_most = 5;
  const Result<std::vector<oracle::VectorFile>> files = oracle::read_vectors(file);
  if (!files) return std::nullopt;
  std::vector<const oracle::VectorCase*> cases;
  std::vector<std::string> names;
  for (const oracle::VectorFile& each : files.value()) {
    for (const oracle::VectorCase& one : each.cases) {
      names.push_back(one.name);
      if (name.empty() || one.name == name) cases.push_back(&one);
    }
  }
  if (cases.size() != 1)
    return Error{"unknown-case", "--case",
                 "expected the name of a case of " + file + ": " + oracle::names_of(names, k_names_most)};
  Result<Question> question =
      kubernetes::read_question_text(cases.front()->question.dump(), cases.front()->name);
  if (!question) return question.error();
  const auto& answers = cases.front()->answers;
  const oracle::Json& asked = cases.front()->question;
  oracle::Json members = oracle::Json::object();
  for (const char* key : {"config", "policy", "featureGates"}) {
    if (asked.contains(key)) members[key] = asked[key];
  }
  return VectorQuestion{std::move(question).value(), answers.empty() ? "" : answers.front().first,
                        members.empty() ? "" : members.dump()};
}

}  // namespace touchstone::cli
