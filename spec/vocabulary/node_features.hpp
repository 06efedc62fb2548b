#pragma once

#include <array>
#include <string_view>

/// Features that a pod's spec can require of its node. The names are those that nodes declare in
/// status.declaredFeatures. Clauses: PRE-FEATURES-1.
namespace touchstone {

/// Required by `hostNetwork: true` with `hostUsers: false`.
inline constexpr std::string_view k_user_namespaces_on_host_network = "UserNamespacesHostNetworkSupport";
/// Required by a rule with action RestartAllContainers in `restartPolicyRules` of a container.
inline constexpr std::string_view k_restart_all_containers = "RestartAllContainersOnContainerExits";
/// Required by `bindMountOptions` of a volume mount.
inline constexpr std::string_view k_bind_mount_options = "VolumeBindMountOptions";

/// All features, sorted as an API server requires in status.declaredFeatures.
inline constexpr std::array<std::string_view, 3> k_node_features = {
    k_restart_all_containers, k_user_namespaces_on_host_network, k_bind_mount_options};

}  // namespace touchstone
