#include "proofs/paths/paths.hpp"

#include "fuzz/behaviour/behaviour.hpp"
#include "proofs/builds.hpp"
#include "proofs/engine/replay.hpp"
#include "reference/preemption/preempt.hpp"

namespace touchstone::proofs {

namespace {

Path path_of(const Scene& scene, std::size_t number, const proving::Model& model) {
  Path path;
  proving::replay([&](proving::Proof& proof) { path.question = scene.question(proof); }, model);
  const Release release = release_of_scenes();
  Trace trace = Trace::full();
  const Decision decision = reference::preempt(path.question, release, trace);
  path.name = scene.name + "-" + std::to_string(number) + "-" + deciding_clause(trace);
  path.behaviour = fuzz::behaviour_of(path.question, release, decision, trace).signature;
  return path;
}

}  // namespace

std::set<std::uint64_t> ScenePaths::behaviours() const {
  std::set<std::uint64_t> all;
  for (const Path& path : paths) all.insert(path.behaviour);
  return all;
}

ScenePaths paths_of(std::size_t scene, const std::atomic<bool>& stop) {
  const proving::Body product = bodies_of_scenes()[scene];
  ScenePaths result;
  proving::Settings settings;
  settings.is_exhaustive = true;
  settings.stop = &stop;
  settings.on_path = [&](const proving::Model& model, const std::string& observed) {
    const proving::Replayed replayed = proving::replay(product, model);
    if (!replayed.failure.empty()) return result.red.push_back(replayed.failure);
    if (replayed.observed != observed)
      return result.red.push_back("the product goes another way: " + replayed.observed + " for " + observed);
    result.paths.push_back(path_of(scenes()[scene], result.paths.size(), model));
  };
  result.findings = proving::explore(touchstone_symbolic::proofs::bodies_of_scenes()[scene], settings);
  if (!result.findings.failure.empty()) result.red.push_back(result.findings.failure);
  return result;
}

}  // namespace touchstone::proofs
