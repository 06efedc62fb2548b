#pragma once

#include <cstddef>
#include <set>
#include <string>
#include <vector>

#include "oracle/protocol/vectors.hpp"
#include "spec/vocabulary/cluster.hpp"
#include "spec/releases/release.hpp"

/// What a case shows, as names that sets of cases can be chosen by: few cases that show it all.
namespace touchstone::fuzz {

/// Clauses and behaviours of a question in each release that the reference models it for; and each row of the
/// release table that decides it: that a release which has the row would answer otherwise without it, and one
/// which lacks it otherwise with it. Rows that all of the releases have, or none, tell nothing apart.
std::set<std::string> shown_by(const Question& question, const std::vector<Release>& releases);

/// What the answers of a recorded case show beside that, modelled or not: each release's outcome and
/// statuses, and between which neighbours of the recorded releases what part of the answer changes.
std::set<std::string> shown_by_answers(const oracle::VectorCase& vector_case);

/// One that can be chosen.
struct Choosable {
  std::size_t size = 0;  ///< the smaller come first; equal ones in the order given
  std::set<std::string> shown;
};

/// Which of them together show everything `each` times, or as often as all do: each shows something that
/// those chosen before have not. Ensures: indices, ascending by size.
std::vector<std::size_t> chosen(const std::vector<Choosable>& all, std::size_t each);

}  // namespace touchstone::fuzz
