#include "fuzz/behaviour/ineffective_eviction.hpp"

#include <nlohmann/json.hpp>

#include "fuzz/campaign/difference.hpp"
#include "fuzz/hash.hpp"
#include "fuzz/shrink/shrink.hpp"
#include "kubernetes/objects/question.hpp"
#include "oracle/compare/divergences.hpp"
#include "reference/preemption/preempt.hpp"

namespace touchstone::fuzz {

namespace {

Result<Question> read_question(const Json& json) {
  return kubernetes::read_question_text(json.dump(), "question");
}

Decision decided(const Question& question, const Release& release) {
  return reference::preempt(question, release);
}

}  // namespace

std::map<std::string, bool> ineffective_classes(const Question& question, const Release& release,
                                                const Decision& decision) {
  std::map<std::string, bool> classes;
  if (decision.outcome != Outcome::nominated) return classes;
  const Candidate& chosen = decision.candidates[decision.chosen];
  for (const oracle::EvictionFinding& eviction : oracle::eviction_findings(question, release, chosen))
    classes[eviction.class_name()] = eviction.known != nullptr;
  return classes;
}

Witness shrunk_witness(const Json& question, const Release& release, const std::string& class_name,
                       std::size_t asks, const std::atomic<bool>& stop) {
  const auto still_shows = [&](const Json& smaller) {
    const Result<Question> read = read_question(smaller);
    if (!read) return false;
    const Decision decision = decided(read.value(), release);
    return ineffective_classes(read.value(), release, decision).contains(class_name);
  };
  const Shrunk shrunk = shrink(question, still_shows, asks, [&stop] { return stop.load(); });
  Witness witness{shrunk.question, {}};
  witness.found.signature = class_name;
  witness.found.hash = hash_of(class_name + shrunk.question.dump());
  witness.found.nodes = shrunk.question.value("nodes", Json::array()).size();
  witness.found.pods = shrunk.question.value("pods", Json::array()).size() + 1;
  witness.found.minimal = shrunk.minimal && !stop;
  const std::size_t at = class_name.find("PRE-");
  witness.found.clause = class_name.substr(at, class_name.find(':') - at);
  return witness;
}

std::optional<Error> write_witness(const std::filesystem::path& dir, const Release& release,
                                   const Witness& witness) {
  const Question question = read_question(witness.question).value();
  const std::string name = release.version.text();
  const Json answer = oracle::answer_of(question.cluster, decided(question, release));
  const Json entry{
      {"name", "in-vain/" + witness.found.hash},
      {"title", witness.found.signature},
      {"clauses", {witness.found.clause}},
      {"question", witness.question},
      {"answers", Json::array({{{"releases", Json::array({name})}, {"answer", vector_answer(answer)}}})}};
  const Json vector{{"origin",
                     "Evictions that do not help, found by touchstone fuzz; the answer is that of the "
                     "reference for " +
                         name},
                    {"recorded", false},
                    {"statuses", true},
                    {"releases", Json::array({name})},
                    {"cases", Json::array({entry})}};
  return write_vector(dir / "in-vain" / (witness.found.hash + ".json"), vector);
}

}  // namespace touchstone::fuzz
