#pragma once

#include <string>
#include <vector>

#include "oracle/queue.hpp"
#include "spec/releases/release.hpp"
#include "spec/vocabulary/cluster.hpp"

namespace touchstone::cli {

/// What a user should know about the pod and the pods around it before trusting an answer: what would keep a
/// live scheduler from trying the pod, and what the answer leaves out. Empty for most pods.
/// `is_configured`: a configuration was given, in which the pod's scheduler has a profile.
std::vector<std::string> caveats_of(const Question& question, const Release& release,
                                    bool is_configured = false);

/// The same for a queue: which pending pods are left out and why, and what the answers leave out.
std::vector<std::string> caveats_of_queue(const Cluster& cluster, const oracle::PendingPods& asked,
                                          const oracle::Profiles& profiles, const Release& release);

/// Further remarks for an explanation: what depends on the scheduler's configuration, and what looks like a
/// rejection but rejects no node.
std::vector<std::string> remarks_of(const Question& question, const Release& release);

}  // namespace touchstone::cli
