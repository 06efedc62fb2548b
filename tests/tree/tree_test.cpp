#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <map>
#include <regex>
#include <set>
#include <sstream>

#include "spec/releases/release.hpp"
#include "spec/rules/rules.hpp"

/// What must stay true of the tree. Runs from the root of the project.
namespace touchstone {

namespace {

namespace fs = std::filesystem;

std::string read(const fs::path& path) {
  std::ostringstream text;
  text << std::ifstream(path, std::ios::binary).rdbuf();
  return text.str();
}

std::vector<fs::path> sources(const std::string& module) {
  std::vector<fs::path> paths;
  for (const auto& entry : fs::recursive_directory_iterator(module)) {
    if (entry.path().extension() == ".cpp" || entry.path().extension() == ".hpp")
      paths.push_back(entry.path());
  }
  return paths;
}

/// Which modules a module may include. The fuzz targets are programs, and may include all that they judge.
const std::map<std::string, std::set<std::string>> k_may_include = {
    {"spec", {"spec"}},
    {"reference", {"spec", "reference"}},
    {"optimized", {"spec", "optimized"}},
    {"kubernetes", {"spec", "kubernetes"}},
    {"oracle", {"spec", "reference", "optimized", "kubernetes", "oracle"}},
    {"library", {"spec", "reference", "optimized", "kubernetes", "oracle", "library"}},
    {"bench", {"spec", "reference", "optimized", "kubernetes", "oracle", "bench"}},
    {"fuzz", {"spec", "reference", "optimized", "kubernetes", "oracle", "fuzz"}},
    {"conformance", {"spec", "reference", "optimized", "kubernetes", "oracle", "fuzz", "conformance"}},
    {"faults", {"spec", "reference", "optimized", "kubernetes", "oracle", "fuzz", "conformance", "faults"}},
    {"fuzz/targets", {"spec", "reference", "optimized", "kubernetes", "oracle", "fuzz", "faults"}},
    {"proofs", {"spec", "reference", "optimized", "kubernetes", "oracle", "fuzz", "faults", "proofs"}},
    {"cli",
     {"spec", "reference", "optimized", "kubernetes", "oracle", "bench", "fuzz", "conformance", "faults",
      "proofs", "cli"}},
};

std::set<std::string> clause_ids() {
  std::set<std::string> ids;
  for (const Rule& rule : rules()) ids.insert(std::string(rule.id));
  return ids;
}

/// Adds what a file includes, by itself or by headers of the project. `lines`: those of each file that begin
/// with #include.
void add_included(const std::string& path, const std::map<std::string, std::vector<std::string>>& lines,
                  std::set<std::string>& included) {
  const auto own = lines.find(path);
  if (own == lines.end()) return;
  for (const std::string& line : own->second) {
    const std::size_t begin = line.find_first_of("<\"") + 1;
    const std::string name = line.substr(begin, line.find_first_of(">\"", begin) - begin);
    if (included.insert(name).second) add_included(name, lines, included);
  }
}

}  // namespace

TEST(Tree, IncludesPointOneWay) {
  const std::regex include(R"re(#include "([a-z]+)/)re");
  for (const auto& [module, allowed] : k_may_include) {
    for (const fs::path& path : sources(module)) {
      if (module == "fuzz" && path.string().starts_with("fuzz/targets/")) continue;
      const std::string text = read(path);
      for (std::sregex_iterator it(text.begin(), text.end(), include), end; it != end; ++it) {
        EXPECT_TRUE(allowed.contains((*it)[1])) << path << " includes " << (*it)[1];
      }
    }
  }
}

// Sources are joined ("unity"), so that what one of them includes hides what the next one forgets.
TEST(Tree, IncludesTheStandardHeadersThatItUses) {
  const std::vector<std::pair<std::string, std::string>> uses = {
      {"ifstream", "fstream"},      {"ofstream", "fstream"}, {"istringstream", "sstream"},
      {"ostringstream", "sstream"}, {"cout", "iostream"},    {"cerr", "iostream"},
      {"regex", "regex"},           {"thread", "thread"},    {"this_thread", "thread"}};
  std::map<std::string, std::string> texts;
  std::map<std::string, std::vector<std::string>> lines;
  for (const char* module : {"spec", "reference", "optimized", "kubernetes", "oracle", "library", "bench",
                             "fuzz", "conformance", "faults", "proofs", "cli", "tests"}) {
    for (const fs::path& path : sources(module)) {
      std::istringstream text(texts[path.string()] = read(path));
      for (std::string line; std::getline(text, line);)
        if (line.starts_with("#include ")) lines[path.string()].push_back(line);
    }
  }
  for (const auto& [path, text] : texts) {
    std::set<std::string> included;
    add_included(path, lines, included);
    for (const auto& [name, header] : uses) {
      if (text.find("std::" + name) != std::string::npos) {
        EXPECT_TRUE(included.contains(header)) << path << " uses std::" << name;
      }
    }
  }
}

TEST(Tree, EveryModuleIsKnown) {
  for (const auto& entry : fs::directory_iterator(".")) {
    const std::string name = entry.path().filename().string();
    if (!entry.is_directory() || name.starts_with(".") || name == "build" || name == "tests" ||
        name == "examples" || name == "upstream" || name == "docs" || name == "packaging")
      continue;
    EXPECT_TRUE(k_may_include.contains(name)) << name;
  }
}

TEST(Tree, CitesOnlyClausesThatExist) {
  const std::regex clause(R"((PRE|CYC|SCORE|EXT|POL|QUE|EVT|NOM|BUD|LEA)-[A-Z]+-\d+)");
  const std::set<std::string> ids = clause_ids();
  for (const char* module : {"spec", "reference", "optimized", "kubernetes", "oracle", "library", "bench",
                             "fuzz", "conformance", "faults", "proofs", "cli", "tests"}) {
    for (const fs::path& path : sources(module)) {
      const std::string text = read(path);
      for (std::sregex_iterator it(text.begin(), text.end(), clause), end; it != end; ++it) {
        EXPECT_TRUE(ids.contains(it->str())) << path << " cites " << it->str();
      }
    }
  }
}

TEST(Tree, EveryRowOfTheReleaseTableNamesAClause) {
  const std::set<std::string> ids = clause_ids();
  for (const Change& change : release_table())
    EXPECT_TRUE(ids.contains(std::string(change.clause))) << change.name;
}

/// Clauses without a vector, and why. Unit tests show them.
const std::map<std::string_view, std::string_view> k_not_recorded = {
    {"EXT-REFUSED-1", "a configuration that is refused is no question"},
    {"EXT-BIND-1", "the recorder asks no extender to bind"},
    {"POL-SERVICE-2", "the answer is skipped, and a vector has an answer"},
    {"POL-REFUSED-1", "a Policy that is refused is no question"},
    {"POL-REFUSED-2", "a Policy that is refused is no question"},
};

TEST(Tree, EveryClauseIsImplementedAndShown) {
  for (const Rule& rule : rules()) {
    // The disruption controller and leader election answer no protocol; unit tests show them.
    const bool has_protocol = !rule.id.starts_with("BUD-") && !rule.id.starts_with("LEA-");
    if (has_protocol) EXPECT_EQ(rule.vectors == 0, k_not_recorded.contains(rule.id)) << rule.id;
    EXPECT_TRUE(!rule.functions.empty() && !rule.tests.empty())
        << rule.id << ": " << rule.functions.size() << " functions, " << rule.tests.size() << " tests, "
        << rule.vectors << " vectors";
  }
}

// What OSS-Fuzz and the replay run: a target without a corpus would pass for one that holds.
TEST(Tree, EveryFuzzTargetHasASmallCorpus) {
  constexpr std::uintmax_t k_bytes_most = 3 << 19;
  std::set<std::string> of_files;
  std::set<std::string> targets;
  std::uintmax_t bytes = 0;
  for (const fs::path& path : sources("fuzz/targets")) {
    const bool is_target = read(path).find("int LLVMFuzzerTestOneInput(") != std::string::npos;
    if (path.extension() == ".cpp" && is_target) of_files.insert(path.stem());
  }
  std::istringstream table(read("fuzz/targets/targets.txt"));
  for (std::string line; std::getline(table, line);)
    if (!line.starts_with("#")) targets.insert(line.substr(0, line.find(' ')));
  EXPECT_EQ(of_files, targets);
  std::set<std::string> corpora;
  constexpr std::uintmax_t k_empty_archive = 22;
  for (const auto& file : fs::directory_iterator("fuzz/corpus")) {
    if (file.path().extension() != ".zip") continue;
    corpora.insert(file.path().stem());
    EXPECT_GT(file.file_size(), k_empty_archive) << file.path();
    bytes += file.file_size();
  }
  EXPECT_EQ(corpora, targets);
  EXPECT_LT(bytes, k_bytes_most);
}

TEST(Tree, FilesAreShortEnoughToRead) {
  for (const auto& [module, allowed] : k_may_include) {
    for (const fs::path& path : sources(module)) {
      const std::string text = read(path);
      EXPECT_LT(std::count(text.begin(), text.end(), '\n'), 400) << path;
    }
  }
}

}  // namespace touchstone
