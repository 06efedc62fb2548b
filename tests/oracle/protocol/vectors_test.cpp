#include "oracle/protocol/vectors.hpp"

#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>

/// Tests the comparison with vectors: it must report each kind of wrong answer.
namespace touchstone::oracle {

namespace {

const char* const k_file = R"({
"origin": "made up",
"recorded": true,
"statuses": true,
"releases": ["v1.18.20", "v1.19.12", "v1.30.4", "v1.34.4"],
"cases": [
{"name": "made/a",
 "clauses": [],
 "question": {
  "nodes": [
   {"metadata": {"name": "n1"}, "status": {"allocatable": {"cpu": "1", "pods": "10"}}}],
  "pods": [
   {"metadata": {"name": "a", "namespace": "default"}, "spec": {"nodeName": "n1", "containers": [{"name": "c", "resources": {"requests": {"cpu": "1"}}}]}}],
  "pod": {"metadata": {"name": "p", "namespace": "default"}, "spec": {"priority": 10, "containers": [{"name": "c", "resources": {"requests": {"cpu": "1"}}}]}}},
 "answers": [
  {"releases": ["v1.18.20..v1.34.4"], "answer": {"outcome": "nominated", "candidates": {"n1": {"victims": ["default/a"], "numPDBViolations": 0}}, "filter": {"n1": {"code": "Unschedulable", "plugin": "NodeResourcesFit", "reasons": ["Insufficient cpu"]}}, "observed": ["n1"]}}]}
]
}
)";

class Vectors : public testing::Test {
 protected:
  Vectors() { std::filesystem::create_directories(directory_); }
  ~Vectors() override { std::filesystem::remove_all(directory_); }

  std::filesystem::path write(std::string text) {
    std::ofstream(directory_ / "made.json") << text;
    return directory_ / "made.json";
  }

  /// The keys that disagree after `from` in the file is replaced by `to`.
  std::vector<std::string> keys_with(const std::string& from, const std::string& to) {
    std::string text = k_file;
    text.replace(text.rfind(from), from.size(), to);
    const std::vector<VectorFile> files = read_vectors(write(text)).value();
    std::vector<std::string> keys;
    for (const Disagreement& difference :
         check_vectors(files[0], {.release = "v1.34.4"}, [] {}).disagreements) {
      keys.push_back(difference.key);
    }
    return keys;
  }

  std::string error_of(const std::string& text) {
    const auto files = read_vectors(write(text));
    return files ? "" : files.error().code;
  }

  std::filesystem::path directory_ =
      std::filesystem::temp_directory_path() / ("touchstone-" + std::to_string(::getpid()));
};

using Keys = std::vector<std::string>;

}  // namespace

TEST_F(Vectors, AgreeWithEachEngine) {
  const std::vector<VectorFile> files = read_vectors(write(k_file)).value();
  for (const Engine engine : {Engine::reference, Engine::optimized, Engine::both}) {
    const VectorReport report = check_vectors(files[0], {.engine = engine}, [] {});
    EXPECT_EQ(report.agreed.size(), 4u) << name_of(engine);
    EXPECT_TRUE(report.disagreements.empty()) << name_of(engine);
  }
}

TEST_F(Vectors, ShowEachKindOfWrongAnswer) {
  EXPECT_EQ(keys_with("nominated", "none"), Keys{"outcome"});
  EXPECT_EQ(keys_with("default/a", "default/b"), Keys{"candidates.n1"});
  EXPECT_EQ(keys_with("\"numPDBViolations\": 0", "\"numPDBViolations\": 1"), Keys{"candidates.n1"});
  EXPECT_EQ(keys_with("\"code\": \"Unschedulable\"", "\"code\": \"Error\""), Keys{"filter.n1"});
  EXPECT_EQ(keys_with("NodeResourcesFit", "NodePorts"), Keys{"filter.n1"});
  EXPECT_EQ(keys_with("Insufficient cpu", "Insufficient memory"), Keys{"filter.n1"});
  EXPECT_EQ(keys_with("\"filter\": {\"n1\"", "\"filter\": {\"n2\""), (Keys{"filter.n2", "filter.n1"}));
  EXPECT_EQ(keys_with("\"observed\"", "\"dryRun\": {\"n1\": {\"code\": \"Error\"}}, \"observed\""),
            Keys{"dryRun.n1"});
  EXPECT_EQ(keys_with("\"observed\": [\"n1\"]", "\"observed\": [\"n1\", \"n2\"]"), Keys{"observed"});
  EXPECT_EQ(keys_with("\"observed\": [\"n1\"]", "\"observed\": []"), Keys{"admissible"});
  EXPECT_EQ(keys_with("\"observed\"", "\"nomination\": \"kept\", \"observed\""), Keys{"nomination"});
  EXPECT_EQ(keys_with("\"observed\"", "\"clears\": [\"default/q\"], \"observed\""), Keys{"clears"});
  EXPECT_EQ(keys_with("\"observed\"", "\"message\": \"x\", \"observed\""), Keys{"message"});
  EXPECT_EQ(keys_with("\"observed\"", "\"ineligible\": \"x\", \"observed\""), Keys{"ineligible"});
  EXPECT_EQ(keys_with("\"observed\"", "\"chosen\": {\"node\": \"n2\"}, \"observed\""),
            (Keys{"node", "chosen.node"}));
  EXPECT_EQ(keys_with("\"observed\"", "\"chosen\": {\"node\": \"n1\", \"victims\": []}, \"observed\""),
            Keys{"victims"});
}

TEST_F(Vectors, DoNotCompareWhatIsNotTheReleases) {
  EXPECT_EQ(keys_with("Insufficient cpu", "node is filtered out by the prefilter result"), Keys{});
  EXPECT_EQ(keys_with("\"plugin\": \"NodeResourcesFit\", ", ""), Keys{});
  EXPECT_EQ(keys_with("\"outcome\": \"nominated\"", "\"outcome\": \"error\""), Keys{});
  EXPECT_EQ(keys_with("\"nominated\", \"candidates\": {\"n1\": {\"victims\": [\"default/a\"]",
                      "\"error\", \"candidates\": {\"n1\": {\"victims\": [\"default/b\"]"),
            Keys{"candidates.n1"});
}

TEST_F(Vectors, CountAnErrorOfTheSubjectAsADisagreement) {
  EXPECT_EQ(keys_with("\"cpu\": \"1\"", "\"cpu\": \"one\""), Keys{"error"});
}

TEST_F(Vectors, ThatAreBrokenAreNamed) {
  EXPECT_EQ(error_of("{"), "json-malformed");
  EXPECT_EQ(error_of("{}"), "vector-malformed");
  EXPECT_EQ(
      error_of(
          R"({"releases":["v1.34.4"],"cases":[{"name":"x","clauses":[],"question":{},"answers":[{"releases":["v1.1.1"],"answer":{}}]}]})"),
      "vector-malformed");
  EXPECT_EQ(error_of(R"({"releases":["v9"],"cases":[]})"), "vector-malformed");
  EXPECT_EQ(read_vectors(directory_ / "none.json").error().code, "file-unreadable");
}

TEST_F(Vectors, LearnTheirClausesFromTraceAndFromWhatChanges) {
  std::string text = k_file;
  // The case has no PDB, so it is no evidence for clauses about PDBs.
  const std::vector<VectorFile> files = read_vectors(write(text)).value();
  const std::set<std::string> shown = clauses_shown(files[0].cases[0]);
  EXPECT_TRUE(shown.contains("PRE-VICTIM-6"));
  EXPECT_TRUE(shown.contains("PRE-FILTER-1"));
  EXPECT_FALSE(shown.contains("PRE-PDB-5"));
  EXPECT_TRUE(update_clauses(files[0], [] {}).value());
  const std::vector<VectorFile> again = read_vectors(directory_ / "made.json").value();
  EXPECT_EQ(std::set<std::string>(again[0].cases[0].clauses.begin(), again[0].cases[0].clauses.end()), shown);
  EXPECT_FALSE(update_clauses(again[0], [] {}).value());
}

// The clauses named in the recorded files are those that the reference finds. `touchstone vectors --update`
// writes them.
TEST_F(Vectors, OfTheSpecificationNameTheClausesTheyShow) {
  for (const char* path : {"spec/vectors/core/start.json", "spec/vectors/rich/nominated.json"}) {
    const std::vector<VectorFile> files = read_vectors(path).value();
    for (std::size_t i = 0; i < files[0].cases.size(); i += 7) {
      const VectorCase& vector_case = files[0].cases[i];
      const std::set<std::string> named(vector_case.clauses.begin(), vector_case.clauses.end());
      EXPECT_EQ(named, clauses_shown(vector_case)) << vector_case.name;
    }
  }
}

}  // namespace touchstone::oracle
