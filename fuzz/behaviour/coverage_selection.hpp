#pragma once

#include <cstddef>
#include <set>
#include <string>
#include <vector>

#include "oracle/compare/asked.hpp"
#include "oracle/protocol/vectors.hpp"
#include "spec/releases/release.hpp"
#include "spec/vocabulary/cluster.hpp"

/// Chooses a few cases that together show everything that all cases show.
namespace touchstone::fuzz {

/// The names of what a question shows. These are its clauses and behaviours, in each release for which the
/// reference models the question. They include each row of the release table that decides the question: a
/// release with the row would answer differently without it, or a release without the row would answer
/// differently with it. Rows that all of the releases have, or none has, are left out.
std::set<std::string> shown_by(const oracle::Asked& asked, const std::vector<Release>& releases);

/// The names of what the answers of a recorded case show in addition, even if the question is not modelled.
/// These are each release's outcome and statuses, and the parts of the answer that change between two
/// neighbouring recorded releases.
std::set<std::string> shown_by_answers(const oracle::VectorCase& vector_case);

/// A case that can be chosen.
struct Choosable {
  std::size_t size = 0;  ///< smaller cases come first; equal ones in the given order
  std::set<std::string> shown;
};

/// Chooses cases that together show everything `each` times, or as often as all cases do. A case is chosen
/// if it shows something that the cases chosen before show less than `each` times. Ensures: indices,
/// ascending by size.
std::vector<std::size_t> chosen(const std::vector<Choosable>& all, std::size_t each);

}  // namespace touchstone::fuzz
