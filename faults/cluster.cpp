#include "faults/cluster.hpp"

#include <nlohmann/json.hpp>

#include "fuzz/campaign/laws.hpp"
#include "fuzz/campaign/questions.hpp"
#include "fuzz/campaign/verdict.hpp"
#include "kubernetes/objects/question.hpp"
#include "kubernetes/text/bytes.hpp"
#include "kubernetes/write/written.hpp"
#include "oracle/protocol/placement_answer.hpp"

namespace touchstone::faults {

namespace {

/// The answer of the protocol, by which a subject is judged.
oracle::Json answer_to(const Fault& fault, const Asked& asked, const oracle::Decider& decider) {
  const NamedRelease release{asked.release, "", {}};
  const oracle::Wanted wanted{fault.clause.starts_with("PRE-ANYORDER-"), false};
  return is_of_whole_cycle(fault)
             ? oracle::placement_answer(asked.question, release, oracle::Engine::reference, decider)
             : oracle::answer_of(asked.question, release, wanted, oracle::Engine::reference, decider);
}

/// Finds the first case of a campaign that shows the fault.
std::optional<FaultCluster> of_campaign(const Fault& fault, const std::atomic<bool>& stop) {
  constexpr std::uint64_t k_cases_most = 50'000;
  const fuzz::Scenarios scenarios = scenarios_of(fault);
  for (std::uint64_t number = 0; number < k_cases_most && !stop; ++number) {
    if (!fault.needs_configuration) {
      const FaultOn on(fault);
      if (!differs(fuzz::numbered_scenario(scenarios, 1, number), scenarios.release)) continue;
    }
    const oracle::Json written = campaign_question(fault, scenarios, 1, number);
    if (shows(fault, written, scenarios.release))
      return FaultCluster{std::string(fault.release), std::string(fault.clause), written};
  }
  return std::nullopt;
}

/// Finds the first vector that shows the fault, for the fault's release. If there is none, tries each vector
/// for the releases that answered it.
std::optional<FaultCluster> of_vectors(const Fault& fault, const std::vector<oracle::VectorFile>& vectors) {
  for (const bool own_release : {true, false}) {
    for (const oracle::VectorFile& file : vectors) {
      if ((file.command == oracle::Command::schedule) != is_of_whole_cycle(fault)) continue;
      for (const oracle::VectorCase& each : file.cases) {
        std::vector<std::string> releases = {std::string(fault.release)};
        if (!own_release) {
          releases.clear();
          for (const auto& [release, answer] : each.answers) releases.push_back(release);
        }
        for (const std::string& release : releases) {
          if (shows(fault, each.question, find_release(release).value().release))
            return FaultCluster{release, std::string(fault.clause), each.question};
        }
      }
    }
  }
  return std::nullopt;
}

}  // namespace

Result<Asked> asked(const oracle::Json& question, const Release& release) {
  Result<Question> read = kubernetes::read_question_text(question.dump(), "question");
  if (!read) return read.error();
  Result<NamedRelease> configured =
      oracle::configured_for(question, "question", read.value().pod, {release, "", {}});
  if (!configured) return configured.error();
  return Asked{std::move(read).value(), std::move(configured).value().release};
}

oracle::Json campaign_question(const Fault& fault, const fuzz::Scenarios& scenarios, std::uint64_t seed,
                               std::uint64_t number) {
  fuzz::QuestionPlan plan;
  if (is_of_whole_cycle(fault)) plan.command = oracle::Command::schedule;
  plan.configurations.are_random = fault.needs_configuration;
  return fuzz::numbered_question(plan, scenarios, seed, number).line;
}

bool shows(const Fault& fault, const oracle::Json& question, const Release& release) {
  const Result<Asked> read = asked(question, release);
  if (!read) return false;
  const FaultOn on(fault);
  if (!differs(read.value().question, read.value().release)) return false;
  const oracle::Json right = answer_to(fault, read.value(), oracle::reference_decider());
  const oracle::Json wrong = answer_to(fault, read.value(), faulty_decider());
  return fuzz::judge({right}, {wrong}, release, fuzz::LeftAnswers::wholly, {}).judgement ==
         fuzz::Judgement::differ;
}

std::optional<FaultCluster> smallest_cluster(const Fault& fault,
                                             const std::vector<oracle::VectorFile>& vectors,
                                             const std::atomic<bool>& stop, const Shrinker& shrinker) {
  constexpr std::size_t k_asks_most = 20'000;
  const bool vectors_first = !fault.unseen.empty();
  std::optional<FaultCluster> cluster = vectors_first ? of_vectors(fault, vectors) : of_campaign(fault, stop);
  if (!cluster) cluster = vectors_first ? of_campaign(fault, stop) : of_vectors(fault, vectors);
  if (!cluster) return std::nullopt;
  const Release release = find_release(cluster->release).value().release;
  const fuzz::StillShows still_shows = [&](const oracle::Json& question) {
    return shows(fault, question, release);
  };
  cluster->question = shrinker(std::move(cluster->question), still_shows, k_asks_most, [&stop] {
                        return stop.load();
                      }).question;
  return shows(fault, cluster->question, release) ? cluster : std::nullopt;
}

std::filesystem::path cluster_file(const std::filesystem::path& dir, const Fault& fault) {
  return dir / (std::string(fault.id) + ".json");
}

Result<FaultCluster> read_cluster(const std::filesystem::path& file) {
  const Result<std::string> text = kubernetes::read_bytes(file.string(), kubernetes::Progress());
  if (!text) return text.error();
  try {
    const oracle::Json json = oracle::Json::parse(text.value());
    return FaultCluster{json.at("release"), json.at("clause"), json.at("question")};
  } catch (const oracle::Json::parse_error& broken) {
    return Error{"json-malformed", file.string(), oracle::complaint_of(broken)};
  } catch (const oracle::Json::exception& broken) {
    return Error{"vector-malformed", file.string(), oracle::complaint_of(broken)};
  }
}

std::optional<Error> write_cluster(const std::filesystem::path& file, const FaultCluster& cluster) {
  const oracle::Json json{
      {"release", cluster.release}, {"clause", cluster.clause}, {"question", cluster.question}};
  std::error_code failure;  // write_bytes() reports it
  std::filesystem::create_directories(file.parent_path(), failure);
  return kubernetes::write_bytes(file, json.dump(1) + "\n");
}

}  // namespace touchstone::faults
