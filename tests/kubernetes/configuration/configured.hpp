#pragma once

#include <gtest/gtest.h>

#include <string>

#include "kubernetes/configuration/configuration.hpp"
#include "tests/support/builder.hpp"

/// Reads configurations for tests.
namespace touchstone::tests {

/// A KubeSchedulerConfiguration of this version with more members.
inline std::string configuration(const std::string& members, const std::string& version = "v1") {
  return R"({"apiVersion":"kubescheduler.config.k8s.io/)" + version +
         R"(","kind":"KubeSchedulerConfiguration")" + (members.empty() ? "" : ",") + members + "}";
}

/// A configuration with one profile.
inline std::string one_profile(const std::string& members, const std::string& version = "v1") {
  return configuration(R"("profiles":[{)" + members + "}]", version);
}

/// A configuration whose profile has one entry of pluginConfig.
inline std::string with_args(const std::string& plugin, const std::string& args) {
  return one_profile(R"("pluginConfig":[{"name":")" + plugin + R"(","args":{)" + args + "}}]");
}

inline Result<Release> read_config(const std::string& json, const char* name = "v1.34",
                                   const std::string& scheduler = "") {
  return kubernetes::configured_by_text(json, "", release(name), scheduler);
}

/// Expects that the release takes the configuration.
inline Release taken(const std::string& json, const char* name = "v1.34", const std::string& scheduler = "") {
  const Result<Release> read = read_config(json, name, scheduler);
  if (read) return read.value();
  ADD_FAILURE() << read.error().path << ": " << read.error().message << "\n" << json;
  return release(name);
}

/// Path and message of a refusal; empty if the release takes the configuration.
inline std::string refusal(const std::string& json, const char* name = "v1.34") {
  const Result<Release> read = read_config(json, name);
  if (read) return "";
  EXPECT_EQ(read.error().code, "refused-configuration") << read.error().message;
  return read.error().path + ": " + read.error().message;
}

inline void expect_part(const std::string& text, const std::string& part) {
  EXPECT_NE(text.find(part), std::string::npos) << "expected " << part << ", found " << text;
}

}  // namespace touchstone::tests
