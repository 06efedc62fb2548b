#pragma once

#include "spec/vocabulary/cluster.hpp"

/// Facts about Kubernetes objects that generators, laws and behaviour classes share.
namespace touchstone::fuzz {

constexpr const char* k_hostname = "kubernetes.io/hostname";  ///< label that makes a node its own domain
constexpr Quantity k_second_ns = 1'000'000'000;               ///< Kubernetes writes whole seconds
constexpr Quantity k_mi = Quantity{1} << 20;                  ///< a mebibyte
constexpr Quantity k_gi = Quantity{1} << 30;                  ///< a gibibyte

/// Whether a pod has ended. A scheduler no longer counts such a pod.
inline bool is_done(const Pod& pod) { return pod.phase == "Succeeded" || pod.phase == "Failed"; }

}  // namespace touchstone::fuzz
