#pragma once

#include "conformance/verdict.hpp"

/// The verdict on an answer to `schedule` in which a pod is scheduled, by the subject or by the reference.
namespace touchstone::conformance {

/// Whether the parts of an answer with the outcome `scheduled` have the expected types.
bool is_well_formed_placement(const Json& answer);

/// The verdict on an answer. Parts that it lacks are not judged. If it has `scores`, a scorer that is absent
/// gives 0. Requires: `given` is well-formed; it or the reference's answer has the outcome `scheduled`.
CaseVerdict judge_placement(const Case& one, const Release& release, const Json& given);

}  // namespace touchstone::conformance
