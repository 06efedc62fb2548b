#pragma once

#include <array>
#include <string_view>

/// Features that a pod's spec can ask of its node, by the names under which nodes declare them in
/// status.declaredFeatures. Clauses: PRE-FEATURES-1.
namespace touchstone {

/// `hostNetwork: true` with `hostUsers: false`
inline constexpr std::string_view k_user_namespaces_on_host_network = "UserNamespacesHostNetworkSupport";
/// `restartPolicyRules` of a container with action RestartAllContainers
inline constexpr std::string_view k_restart_all_containers = "RestartAllContainersOnContainerExits";
/// `bindMountOptions` of a volume mount
inline constexpr std::string_view k_bind_mount_options = "VolumeBindMountOptions";

/// All of them, sorted as an API server demands of status.declaredFeatures.
inline constexpr std::array<std::string_view, 3> k_node_features = {
    k_restart_all_containers, k_user_namespaces_on_host_network, k_bind_mount_options};

}  // namespace touchstone
