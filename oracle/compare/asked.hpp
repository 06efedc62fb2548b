#pragma once

#include <nlohmann/json.hpp>
#include <optional>

#include "oracle/protocol/answers.hpp"
#include "oracle/protocol/command.hpp"
#include "spec/releases/release.hpp"
#include "spec/vocabulary/cluster.hpp"

namespace touchstone::oracle {

/// A question, with its command and its configuration. A question alone is one to `run` without a
/// configuration. Requires: question and configuration outlive this object.
struct Asked {
  const Question& question;
  Command command = Command::run;
  const Json* config = nullptr;  ///< null: the default configuration of the release

  Asked(const Question& of_run) : question(of_run) {}
  Asked(const Question& of_any, Command by, const Json* configured)
      : question(of_any), command(by), config(configured) {}
};

/// The release with the configuration of a question. No value: the release refuses it.
std::optional<Release> release_for(const Asked& asked, const Release& release);

/// The reference's answer to a question. In a tie it chooses the node that the given answer chose, if it may.
/// Requires: `release` has the configuration of the question (release_for()).
Json answer_as(const Asked& asked, const Release& release, const Json& given);

}  // namespace touchstone::oracle
