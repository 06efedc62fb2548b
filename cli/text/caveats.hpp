#pragma once

#include <string>
#include <vector>

#include "oracle/queue.hpp"
#include "spec/vocabulary/cluster.hpp"
#include "spec/releases/release.hpp"

namespace touchstone::cli {

/// What about the pod, and about the pods around it, a reader should know before believing an answer: what
/// would keep a live scheduler from trying the pod, and what the answer leaves out. Empty for most pods.
std::vector<std::string> caveats_of(const Question& question, const Release& release);

/// The same for the pods of a queue: those that are left out of it, and why, and what the answers leave out.
std::vector<std::string> caveats_of_queue(const Cluster& cluster, const oracle::PendingPods& asked,
                                          const Release& release);

/// What else one may wonder about when an answer is explained: what only the scheduler's configuration tells,
/// and what rejects no node although it looks so.
std::vector<std::string> remarks_of(const Question& question, const Release& release);

}  // namespace touchstone::cli
