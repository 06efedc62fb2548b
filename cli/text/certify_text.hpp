#pragma once

#include <optional>
#include <string>

#include "cli/input/pod_question.hpp"
#include "proofs/certificate.hpp"

/// How a certificate is shown.
namespace touchstone::cli {

/// A given decision as print_verdict() shows one.
Decision decision_as_given(const proofs::GivenDecision& given);

/// The verdict, and what it rests on; of a refuted decision the clause that fails, and a better answer.
void print_certificate(const Asked& asked, const proofs::Certificate& certificate, const std::string& solver,
                       const Terminal& terminal);

/// The question, the decision, if there is one, and its certificate.
oracle::Json certificate_json(const Asked& asked, const std::optional<proofs::GivenDecision>& given,
                              const proofs::Certificate& certificate, const std::string& solver);

}  // namespace touchstone::cli
