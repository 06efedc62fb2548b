#pragma once

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <vector>

#include "fuzz/shrink/shrink.hpp"
#include "oracle/protocol/vectors.hpp"

/// Helpers for tests of the shrinker: questions, answers of the reference, and a check of its calls.
namespace touchstone::tests {

using fuzz::Json;
using fuzz::Shrunk;
using fuzz::StillShows;

inline Json answer(const Json& question, const std::string& release) {
  Json line = question;
  line["cmd"] = "run";
  line["seq"] = 1;
  line["release"] = release;
  return Json::parse(oracle::Subject().answer(line.dump()));
}

/// Whether an answer is a decision, not skipped and not an error of the input.
inline bool decides(const Json& answer) { return answer.contains("outcome"); }

/// True for questions that two releases decide with the same outcome and different values of `key`.
inline StillShows differ(const std::string& key, const std::string& release, const std::string& other) {
  return [=](const Json& question) {
    const Json a = answer(question, release);
    const Json b = answer(question, other);
    return decides(a) && decides(b) && a["outcome"] == b["outcome"] && a.contains(key) && b.contains(key) &&
           a[key] != b[key];
  };
}

struct Asked {
  Shrunk result;
  std::size_t twice = 0;  ///< calls with a text that was seen before
  std::size_t told = 0;   ///< all calls, counted here
};

inline Asked shrink(const Json& question, const StillShows& still_shows, std::size_t limit = 20'000) {
  Asked asked;
  if (!still_shows(question)) {
    ADD_FAILURE() << "does not show to begin with: " << question.dump();
    return asked;
  }
  std::set<std::string> seen;
  asked.result = fuzz::shrink(
      question,
      [&](const Json& candidate) {
        ++asked.told;
        if (!seen.insert(candidate.dump()).second) ++asked.twice;
        return still_shows(candidate);
      },
      limit);
  return asked;
}

inline std::vector<oracle::VectorCase> cases(const std::string& file) {
  return oracle::read_vectors("spec/vectors/" + file).value().at(0).cases;
}

/// The question of one recorded case.
inline Json recorded(const std::string& name) {
  for (const oracle::VectorCase& vector_case : cases(name.substr(0, name.rfind('-')) + ".json")) {
    if (vector_case.name == name) return vector_case.question;
  }
  ADD_FAILURE() << "no case " << name;
  return {};
}

}  // namespace touchstone::tests
