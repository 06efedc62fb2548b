#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "fuzz/generate/scenario.hpp"
#include "spec/vocabulary/result.hpp"

/// Fuzz targets. Each one checks a law that holds for any bytes, and ends the process if the law is broken.
/// An engine such as libFuzzer searches for such bytes. replay.cpp runs saved inputs, with any compiler.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

namespace touchstone::fuzz {

/// A question generated from bytes, and its release. The first byte selects the release, one of each epoch.
/// The other bytes are choices of the scenario, then of the law.
struct Case {
  Case(const std::uint8_t* data, std::size_t size);

  const Release& release;
  ByteChoices choices;
  Question question;
};

/// A question as an input line of `touchstone subject`.
std::string line_of(const Question& question, const Release& release);

/// Ends the process. Writes the law, how it is broken, and an input that shows it to standard error.
[[noreturn]] void broken(std::string_view law, std::string_view how, std::string_view shown);
[[noreturn]] void broken(std::string_view law, std::string_view how, const Case& shown);

/// Checks the law of every reader: an error has a code, a path that begins with `name`, and a message.
/// `text`: the input.
void check_error(const Error& error, std::string_view name, std::string_view text);

inline std::string_view text_of(const std::uint8_t* data, std::size_t size) {
  return {reinterpret_cast<const char*>(data), size};
}

}  // namespace touchstone::fuzz
