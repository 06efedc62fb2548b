#pragma once

#include <optional>
#include <string>

#include "cli/input/pod_question.hpp"
#include "proofs/certificate.hpp"

/// Certificates as text and as JSON.
namespace touchstone::cli {

/// A given decision in the form that print_verdict() takes.
Decision decision_as_given(const proofs::GivenDecision& given);

/// Prints the verdict and the obligations that it rests on; of a refuted decision, the clause that fails and
/// a better answer.
void print_certificate(const LoadedQuestion& asked, const proofs::Certificate& certificate,
                       const std::string& solver, const Terminal& terminal);

/// The question, the decision (if there is one), and its certificate as JSON.
oracle::Json certificate_json(const LoadedQuestion& asked, const std::optional<proofs::GivenDecision>& given,
                              const proofs::Certificate& certificate, const std::string& solver);

}  // namespace touchstone::cli
