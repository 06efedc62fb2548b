#pragma once

#include <functional>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>

#include "kubernetes/text/json.hpp"
#include "oracle/protocol/answers.hpp"
#include "oracle/protocol/command.hpp"
#include "oracle/protocol/decider.hpp"
#include "oracle/protocol/engine.hpp"
#include "spec/releases/release.hpp"
#include "spec/vocabulary/cluster.hpp"

/// The parts of which the answer to a line of the protocol is made.
namespace touchstone::oracle {

/// What a line is answered with. Null: nothing.
struct Reply {
  Json json = nullptr;
  bool has_seq = true;  ///< the answer begins with the `seq` of the line
};

/// Answers one line of the protocol: parses it, calls `reply_to`, and adds `seq`. Ensures: a line that cannot
/// be read, and one for which `reply_to` throws InvalidInput, gets an `error`. Empty: the reply is null.
std::string answer_line(std::string_view line,
                        const std::function<Reply(const kubernetes::Value&)>& reply_to);

/// The command of a line that asks a question about a cluster. None: it has another command. Errors: throws
/// kubernetes::InvalidInput (wrong-type).
std::optional<Command> command_of(const kubernetes::Value& line);

/// The error for a command that is not known.
Json unknown_command();

/// The release that the key `release` of a question names. Errors: missing-field; those of find_release().
Result<NamedRelease> read_release(const kubernetes::Value& line);

/// Answers a line with this command. `question` and `named` are what its other keys say; the line is read for
/// `anyOrder` and `trace` alone. Errors: throws kubernetes::InvalidInput (not-supported, wrong-type).
Json answer_of(const kubernetes::Value& line, Command command, const Question& question,
               const NamedRelease& named, Engine engine, const Decider& decider);

}  // namespace touchstone::oracle
