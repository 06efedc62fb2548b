#include "fuzz/campaign/tally.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <fstream>
#include <nlohmann/json.hpp>

namespace touchstone::fuzz {

namespace {

Tally of_shard(std::uint64_t number, std::uint64_t count) {
  Tally tally;
  tally.setup = {{"left", {{"name", "reference"}}},
                 {"leftRelease", "v1.34.4"},
                 {"right", {{"name", "other"}}},
                 {"rightRelease", "v1.34.4"},
                 {"seed", 7}};
  tally.shard = {number, count};
  tally.shards = {number};
  tally.next_block = number;
  return tally;
}

/// Counts one more block. All of its cases show the given behaviour.
void count(Tally& tally, std::uint64_t behaviours) {
  for (std::uint64_t i = 0; i < k_cases_in_a_block; ++i) {
    ++tally.cases;
    ++tally.agree;
    ++tally.outcomes["fits"];
    tally.behaviours.add(behaviours);
  }
  tally.judged(tally.next_block, k_cases_in_a_block);
}

std::string error_with(const std::string& pointer, const Json& value) {
  Tally tally = of_shard(0, 2);
  count(tally, 1);
  Json json = json_of(tally);
  json[Json::json_pointer(pointer)] = value;
  const Result<Tally> read = tally_of(json, "f.json");
  return read ? "" : read.error().code + " " + read.error().path;
}

}  // namespace

TEST(Tally, KnowsWhichBlocksAreDone) {
  Tally tally = of_shard(1, 3);
  tally.judged(4, k_cases_in_a_block);
  EXPECT_EQ(tally.next_block, 1u);
  EXPECT_EQ(tally.done, std::set<std::uint64_t>{4});
  tally.judged(1, k_cases_in_a_block);
  EXPECT_EQ(tally.next_block, 7u);
  EXPECT_TRUE(tally.done.empty());
}

TEST(Tally, KnowsWhichBlocksAreBegun) {
  Tally tally = of_shard(1, 3);
  tally.judged(4, 7);
  EXPECT_EQ(tally.begun, (std::map<std::uint64_t, std::uint64_t>{{4, 7}}));
  EXPECT_EQ(tally.next_block, 1u);
  tally.judged(4, k_cases_in_a_block);
  EXPECT_TRUE(tally.begun.empty());
  EXPECT_EQ(tally.done, std::set<std::uint64_t>{4});
}

TEST(Tally, AddsUpAndKeepsEachDifferenceOnce) {
  Tally sum = of_shard(0, 2);
  count(sum, 1);
  sum.shrink_failures["hung"] = 1;
  sum.found.push_back({"hash", "answers node", "PRE-NODE-1", "", 3, 1, 2, true});
  Tally more = of_shard(1, 2);
  count(more, 1);
  count(more, 2);
  ++more.differ;
  ++more.by_clause["PRE-NODE-1"];
  ++more.skipped["InterPodAffinity"];
  more.nodes["agree"] = 7;
  more.seconds = 1.5;
  sum.nominated = 1;
  more.nominated = 2;
  more.ineffective_eviction["futile"] = 2;
  more.shrink_failures["hung"] = 2;
  more.witnesses = {{"hash", "futile", "PRE-PORTS-1", "", 3, 1, 3, true}};
  more.found = {sum.found[0], {"other", "answers node", "PRE-NODE-1", "", 4, 1, 2, true}};
  ASSERT_FALSE(merge(sum, more));
  EXPECT_EQ(sum.cases, 3 * k_cases_in_a_block);
  EXPECT_EQ(sum.agree, 3 * k_cases_in_a_block);
  EXPECT_EQ(sum.differ, 1u);
  EXPECT_EQ(sum.by_clause["PRE-NODE-1"], 1u);
  EXPECT_EQ(sum.skipped["InterPodAffinity"], 1u);
  EXPECT_EQ(sum.outcomes["fits"], 3 * k_cases_in_a_block);
  EXPECT_EQ(sum.nodes["agree"], 7u);
  EXPECT_EQ(sum.seconds, 1.5);
  EXPECT_EQ(sum.nominated, 3u);
  EXPECT_EQ(sum.ineffective_eviction["futile"], 2u);
  EXPECT_EQ(sum.shrink_failures["hung"], 3u);
  EXPECT_EQ(sum.witnesses.size(), 1u);
  EXPECT_EQ(sum.behaviours.seen(), 2u);
  ASSERT_EQ(sum.found.size(), 2u);
  EXPECT_EQ(sum.found[1].hash, "other");
  EXPECT_EQ(sum.shards, (std::set<std::uint64_t>{0, 1}));
  EXPECT_EQ(merge(sum, more)->code, "shard-twice");
}

TEST(Tally, AddsUpShardsOfOneCampaignOnly) {
  Tally sum = of_shard(0, 2);
  Tally other_seed = of_shard(1, 2);
  other_seed.setup["seed"] = 8;
  EXPECT_EQ(merge(sum, other_seed)->code, "campaigns-differ");
  EXPECT_EQ(merge(sum, of_shard(1, 3))->code, "campaigns-differ");
  EXPECT_EQ(merge(sum, of_shard(0, 2))->code, "shard-twice");
  Tally brief = of_shard(1, 2);
  count(brief, 1);
  brief.behaviours = brief.behaviours.brief();
  EXPECT_EQ(merge(sum, brief)->code, "campaign-in-brief");
  EXPECT_EQ(sum.cases, 0u);
}

TEST(Tally, IsReadBackAsItWasWritten) {
  const std::filesystem::path file =
      std::filesystem::temp_directory_path() / ("touchstone-tally-" + std::to_string(::getpid()) + ".json");
  Tally tally = of_shard(1, 2);
  count(tally, 1);
  tally.behaviours.add(2);
  tally.cases = tally.agree = 2 * k_cases_in_a_block;
  for (std::uint64_t i = 1; i < k_cases_in_a_block; ++i) tally.behaviours.add(1);
  tally.judged(5, k_cases_in_a_block);
  tally.found.push_back({"hash", "answers node", "PRE-NODE-1", "without \"x: y\"", 3, 1, 2, true});
  tally.nominated = 1;
  tally.nodes["skipped: volumes"] = 2;
  tally.ineffective_eviction["futile"] = 1;
  tally.shrink_failures["crashed"] = 3;
  tally.found.push_back({"died", "crashed crashed", "crashed", "", 4, 1, 2, false, "exit code 1", "why"});
  ++tally.cases;
  ++tally.agree;
  tally.behaviours.add(1);
  tally.judged(7, 1);
  tally.witnesses.push_back({"hash", "futile", "PRE-PORTS-1", "", 3, 1, 3, true});
  ASSERT_FALSE(write_tally(file, tally));
  EXPECT_EQ(json_of(read_tally(file).value()).dump(), json_of(tally).dump());
  std::ofstream(file) << "{";
  EXPECT_EQ(read_tally(file).error().code, "json-malformed");
  std::filesystem::remove(file);
  EXPECT_EQ(read_tally(file).error().code, "file-unreadable");
  EXPECT_EQ(write_tally("/dev/null/none.json", tally)->code, "file-unwritable");
}

TEST(Tally, ReadsACampaignOfBeforeEvictionsInVainWereCounted) {
  Json json = json_of(of_shard(0, 2));
  for (const char* key : {"nominated", "ineffectiveEvictions", "witnesses"}) json.erase(key);
  const Result<Tally> read = tally_of(json, "f.json");
  ASSERT_TRUE(read) << read.error().message;
  EXPECT_EQ(read.value().nominated, 0u);
}

TEST(Tally, NamesTheFileThatIsWrong) {
  EXPECT_EQ(error_with("/seconds", 1), "");
  const std::string malformed = "campaign-malformed f.json";
  EXPECT_EQ(error_with("/setup", 1), malformed);
  EXPECT_EQ(error_with("/setup/left", "reference"), malformed);
  EXPECT_EQ(error_with("/setup/rightRelease", nullptr), malformed);
  EXPECT_EQ(error_with("/shard/count", 0), malformed);
  EXPECT_EQ(error_with("/shard/number", 2), malformed);
  EXPECT_EQ(error_with("/shards", Json::array()), malformed);
  EXPECT_EQ(error_with("/shards", Json::array({2})), malformed);
  EXPECT_EQ(error_with("/cases", "many"), malformed);
  EXPECT_EQ(error_with("/cases", 2), malformed);
  EXPECT_EQ(error_with("/skipped", 1), malformed);
  EXPECT_EQ(error_with("/found", Json::array({1})), malformed);
  EXPECT_EQ(error_with("/ineffectiveEvictions", 1), malformed);
  EXPECT_EQ(error_with("/nominated", "many"), malformed);
  EXPECT_EQ(error_with("/witnesses", Json::array({1})), malformed);
  EXPECT_EQ(error_with("/doneBeyond", Json::array({"x"})), malformed);
  EXPECT_EQ(error_with("/behaviours", 1), malformed);
  EXPECT_EQ(error_with("/seconds", -1), malformed);
  EXPECT_EQ(error_with("/seconds", 1e300), malformed);
  EXPECT_EQ(error_with("/skipped", {{"volumes", -1}}), malformed);
  EXPECT_EQ(error_with("/nominated", 0.5), malformed);
  EXPECT_EQ(error_with("/nominated", std::uint64_t{1} << 54), malformed);
}

TEST(Tally, RefusesCountsThatContradictEachOther) {
  const auto message_with = [](const std::string& pointer, const Json& value) {
    Tally tally = of_shard(1, 2);
    count(tally, 1);
    Json json = json_of(tally);
    json[Json::json_pointer(pointer)] = value;
    const Result<Tally> read = tally_of(json, "f.json");
    return read ? "" : read.error().message;
  };
  EXPECT_EQ(message_with("/nextBlock", 3), "");
  EXPECT_EQ(message_with("/agree", 1), "expected cases to be the sum of agree, differ and skipped");
  EXPECT_EQ(message_with("/byClause", {{"PRE-NODE-1", 1}}), "expected the sum of byClause to be differ");
  const std::string blocks =
      "expected nextBlock and doneBeyond to name blocks of this shard, with doneBeyond after nextBlock";
  EXPECT_EQ(message_with("/nextBlock", 4), blocks);
  EXPECT_EQ(message_with("/doneBeyond", {1}), blocks);
  EXPECT_EQ(message_with("/doneBeyond", {6}), blocks);
  const std::string number =
      "expected cases to be the cases in begun, and 64 for each block of nextBlock and doneBeyond";
  EXPECT_EQ(message_with("/nextBlock", 5), number);  // a resumed session would leave out block 3
  EXPECT_EQ(message_with("/doneBeyond", {5}), number);
  EXPECT_EQ(message_with("/begun", Json::parse(R"([{"block":3,"cases":1}])")), number);
  const std::string begun = "expected begun to name blocks of this shard that are not done";
  for (const char* wrong : {R"([{"block":1,"cases":1}])", R"([{"block":4,"cases":1}])",
                            R"([{"block":3,"cases":64}])", R"([{"block":3,"cases":0}])"})
    EXPECT_EQ(message_with("/begun", Json::parse(wrong)), begun) << wrong;
}

}  // namespace touchstone::fuzz
