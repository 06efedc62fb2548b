#pragma once

#include <nlohmann/json.hpp>
#include <optional>

#include "spec/releases/release.hpp"
#include "spec/vocabulary/choices.hpp"
#include "spec/vocabulary/cluster.hpp"

/// Generates configurations of kube-scheduler.
namespace touchstone::fuzz {

/// Generates a KubeSchedulerConfiguration in a version that the release reads: plug-ins, weights and
/// arguments of one profile or two. With two profiles, the pod of the question may name either. For v1.8 to
/// v1.16 generates a Policy. The first alternatives make a configuration without any change. No value for
/// v1.17 and v1.18.
/// Ensures: the release takes the configuration (kubernetes::configured()).
std::optional<nlohmann::ordered_json> draw_configuration(Choices& choices, const Release& release,
                                                         Question& question);

}  // namespace touchstone::fuzz
