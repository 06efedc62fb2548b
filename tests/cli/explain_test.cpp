#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>
#include <string>

#include "tests/cli/shell.hpp"

/// The situations of examples/: the output of the commands in their first lines. After an intended change,
/// tests/cli/explain/update writes the texts again, and a person reads the difference.
namespace touchstone {

namespace {

namespace fs = std::filesystem;

const fs::path k_situations = "examples/situations";
const fs::path k_texts = "tests/cli/explain";

std::set<std::string> names_in(const fs::path& directory, const std::string& extension) {
  std::set<std::string> names;
  for (const fs::directory_entry& entry : fs::directory_iterator(directory)) {
    if (entry.path().extension() == extension) names.insert(entry.path().stem().string());
  }
  return names;
}

}  // namespace

TEST(Explain, HasATextForEverySituation) {
  EXPECT_GE(names_in(k_situations, ".yaml").size(), 12u);
  EXPECT_EQ(names_in(k_situations, ".yaml"), names_in(k_texts, ".txt"));
}

TEST(Explain, TellsEachSituationAsRead) {
  for (const std::string& name : names_in(k_situations, ".yaml")) {
    const std::string told =
        shell("tests/cli/explain/tell " + (k_situations / (name + ".yaml")).string()).output;
    EXPECT_GT(told.size(), 200u) << name;
    EXPECT_EQ(told, text_of(k_texts / (name + ".txt"))) << name;
  }
}

}  // namespace touchstone
