#pragma once

#include <nlohmann/json.hpp>

#include "spec/releases/release.hpp"
#include "spec/vocabulary/choices.hpp"
#include "spec/vocabulary/cluster.hpp"

/// Generates configurations of kube-scheduler.
namespace touchstone::fuzz {

/// Generates a KubeSchedulerConfiguration in a version that the release reads: plug-ins, weights and
/// arguments of one profile or two. With two profiles, the pod of the question may name either. For v1.8 to
/// v1.18 generates a Policy, for v1.19 to v1.22 one or the other. The first alternatives make a
/// configuration without any change.
/// Ensures: the release takes the configuration (kubernetes::configured()).
nlohmann::ordered_json draw_configuration(Choices& choices, const Release& release, Question& question);

}  // namespace touchstone::fuzz
