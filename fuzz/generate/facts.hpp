#pragma once

#include "spec/vocabulary/cluster.hpp"

/// What generators, laws and classes of behaviour all need to know of Kubernetes' objects.
namespace touchstone::fuzz {

constexpr const char* k_hostname = "kubernetes.io/hostname";  ///< the label of a node that is its own domain
constexpr Quantity k_second_ns = 1'000'000'000;               ///< Kubernetes writes whole seconds

/// Whether it has ended, so that a scheduler no longer counts it.
inline bool is_done(const Pod& pod) { return pod.phase == "Succeeded" || pod.phase == "Failed"; }

}  // namespace touchstone::fuzz
