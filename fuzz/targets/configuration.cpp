#include "kubernetes/configuration/configuration.hpp"

#include <algorithm>
#include <array>

#include "fuzz/targets/target.hpp"
#include "kubernetes/text/documents.hpp"

namespace {

using namespace touchstone;

/// A release of each version of the configuration's API, and of each change of its fields.
constexpr std::array k_releases = {"v1.18.0", "v1.19.0", "v1.22.0", "v1.25.0",
                                   "v1.27.0", "v1.34.4", "v1.37.2"};

/// Whether the release still searches, scores and preempts within the bounds that the rules require.
bool is_usable(const Release& release) {
  const auto has_weight = [](const WeightedScorer& scorer) {
    return scorer.weight != 0 && !scorer.name.empty();
  };
  const Quantity percentage = release.percentage_of_nodes.value_or(0);
  return std::all_of(release.scorers.begin(), release.scorers.end(), has_weight) && percentage >= 0 &&
         percentage <= 100 && !release.fit_resources.empty() && !release.balanced_resources.empty() &&
         (release.fit_strategy != FitStrategy::requested_to_capacity || !release.fit_shape.empty()) &&
         !release.storage_shape.empty() && release.candidate_percentage >= 0 && release.candidates_least >= 0;
}

}  // namespace

/// Law: any bytes are a configuration that every release takes or refuses. A release that takes it can decide
/// with it; a refusal says where.
int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text = fuzz::text_of(data, size);
  const Result<std::vector<kubernetes::Document>> documents =
      kubernetes::documents_of(std::string(text), "config.yaml");
  if (!documents) return fuzz::check_error(documents.error(), "config.yaml", text), 0;
  if (documents.value().empty()) return 0;
  for (const char* name : k_releases) {
    const Release release = find_release(name).value().release;
    const kubernetes::Value root = documents.value().front().root();
    const Result<Release> configured = kubernetes::configured(root, release, "");
    if (!configured) {
      fuzz::check_error(configured.error(), "config.yaml", text);
    } else if (!is_usable(configured.value())) {
      fuzz::broken("a configuration that is taken has weights, shares and shapes in their ranges", name,
                   text);
    }
  }
  return 0;
}
