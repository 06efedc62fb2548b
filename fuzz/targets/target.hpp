#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "fuzz/generate/scenario.hpp"
#include "spec/vocabulary/result.hpp"

/// Fuzz targets: each is a law that holds for any bytes, and ends the process where they break it. An engine
/// such as libFuzzer looks for such bytes; replay.cpp runs what was found before, with any compiler.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

namespace touchstone::fuzz {

/// A question out of bytes, and the release that is asked. The first byte is for the release, of any epoch;
/// then come the scenario and what a law picks besides.
struct Case {
  Case(const std::uint8_t* data, std::size_t size);

  const Release& release;
  ByteChoices choices;
  Question question;
};

/// A question as a line that `touchstone subject` answers.
std::string line_of(const Question& question, const Release& release);

/// Ends the process with one text on standard error: the law, how it is broken, and what shows it.
[[noreturn]] void broken(std::string_view law, std::string_view how, std::string_view shown);
[[noreturn]] void broken(std::string_view law, std::string_view how, const Case& shown);

/// The law of every reader: an error has a code, a path that begins with what was read, and a message.
void check_error(const Error& error, std::string_view name, std::string_view text);

inline std::string_view text_of(const std::uint8_t* data, std::size_t size) {
  return {reinterpret_cast<const char*>(data), size};
}

}  // namespace touchstone::fuzz
