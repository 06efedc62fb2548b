#pragma once

#include <optional>
#include <string>

#include "spec/vocabulary/cluster.hpp"
#include "spec/vocabulary/result.hpp"

namespace touchstone::cli {

/// The question of a case in a vector file, such as fuzz --out and record write.
struct VectorQuestion {
  Question question;
  std::string release;  ///< first release that the case has an answer of; may be empty
  std::string scheduler;  ///< JSON with the members `config`, `policy` and `featureGates`; may be empty
};

/// Reads the case of that name, or the only case if no name is given. Returns nothing if the file is no
/// vector file. Errors: unknown-case; those of kubernetes::read_question.
std::optional<Result<VectorQuestion>> read_vector_question(const std::string& file, const std::string& name);

}  // namespace touchstone::cli
