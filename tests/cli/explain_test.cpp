#include <gtest/gtest.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>
#include <string>

/// The situations of examples/ as `touchstone explain` tells them. After a change that is meant,
/// tests/cli/explain/update writes the texts anew; the difference is for a person to read.
namespace touchstone {

namespace {

namespace fs = std::filesystem;

std::string explained(const fs::path& cluster) {
  const std::string command = std::string(std::getenv("TOUCHSTONE")) + " explain -f " + cluster.string() +
                              " --release v1.34 2>&1";
  FILE* pipe = ::popen(command.c_str(), "r");
  std::string output;
  char buffer[4096];
  std::size_t got = 0;
  while ((got = std::fread(buffer, 1, sizeof buffer, pipe)) > 0) output.append(buffer, got);
  return ::pclose(pipe) == 0 ? output : "failed: " + output;
}

std::string text_of(const fs::path& path) {
  std::ostringstream text;
  text << std::ifstream(path).rdbuf();
  return text.str();
}

std::set<std::string> names_in(const fs::path& directory, const std::string& extension) {
  std::set<std::string> names;
  for (const fs::directory_entry& entry : fs::directory_iterator(directory)) {
    if (entry.path().extension() == extension) names.insert(entry.path().stem().string());
  }
  return names;
}

const fs::path k_situations = "examples/situations";
const fs::path k_texts = "tests/cli/explain";

}  // namespace

TEST(Explain, HasATextForEverySituation) {
  EXPECT_GE(names_in(k_situations, ".yaml").size(), 12u);
  EXPECT_EQ(names_in(k_situations, ".yaml"), names_in(k_texts, ".txt"));
}

TEST(Explain, TellsEachSituationAsRead) {
  for (const std::string& name : names_in(k_situations, ".yaml")) {
    EXPECT_EQ(explained(k_situations / (name + ".yaml")), text_of(k_texts / (name + ".txt"))) << name;
  }
}

}  // namespace touchstone
