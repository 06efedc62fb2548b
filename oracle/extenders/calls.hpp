#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "spec/vocabulary/cluster.hpp"
#include "spec/vocabulary/decision.hpp"
#include "spec/vocabulary/result.hpp"

/// Calls of extenders as JSON: what the scheduler sends, and what it reads from the answer. Names are those
/// of k8s.io/kube-scheduler/extender/v1.
namespace touchstone::oracle {

using ExtenderJson = nlohmann::ordered_json;

/// The verb of a call, as its extender is configured.
std::string verb_of(const Question& question, const ExtenderCall& call);

/// The body of a call. Pods and nodes have the fields that Touchstone reads. A pod without a UID has its full
/// name as UID. Requires: the call belongs to the question.
ExtenderJson request_of(const Question& question, const ExtenderCall& call);

/// Adds the answer of an extender to its table, for the nodes that it was asked about. Names of members may
/// be in any case, as the scheduler reads them.
/// Errors: extender-answer, if the answer is not of the expected shape, or names a node twice. The question
/// is then unchanged.
Result<bool> add_answer(const ExtenderCall& call, const std::string& body, Question& question);

/// Makes every call of this verb end with an error.
void add_failure(const ExtenderCall& call, const std::string& error, Question& question);

}  // namespace touchstone::oracle
