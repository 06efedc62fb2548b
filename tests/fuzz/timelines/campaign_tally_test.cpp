#include "fuzz/timelines/campaign_tally.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "kubernetes/text/bytes.hpp"

namespace touchstone::fuzz {

namespace {

class SavedTimelines : public testing::Test {
 protected:
  SavedTimelines() {
    tally_.setup = {{"subject", Json::object()}, {"release", "v1.34.4"}};
    tally_.timelines = 4;
    tally_.agree = 2;
    tally_.differ = 1;
    tally_.skipped = {{"not modelled", 1}};
    tally_.by_clause = {{"QUE-POP-1", 1}};
    tally_.seconds = 0.5;
    tally_.next = 2;
    tally_.done = {4};
  }

  Result<TimelineTally> read(const Json& json) {
    EXPECT_FALSE(kubernetes::write_bytes(file_, json.dump()));
    Result<TimelineTally> tally = read_timeline_tally(file_);
    std::filesystem::remove(file_);
    return tally;
  }

  Error refused(const std::string& key, const Json& value) {
    Json json = json_of(tally_);
    json[key] = value;
    const Result<TimelineTally> tally = read(json);
    EXPECT_FALSE(tally) << key << " " << value;
    return tally ? Error{} : tally.error();
  }

  TimelineTally tally_;
  std::filesystem::path file_ = std::filesystem::path(testing::TempDir()) / "campaign-over-time.json";
};

}  // namespace

TEST_F(SavedTimelines, AreReadAsTheyWereWritten) {
  EXPECT_EQ(json_of(read(json_of(tally_)).value()), json_of(tally_));
}

TEST_F(SavedTimelines, AreRefusedWithWordsThatNameTheFileAndTheKey) {
  for (const auto& [key, value] : std::vector<std::pair<std::string, Json>>{{"seconds", -1},
                                                              {"next", -1},
                                                              {"done", Json::array({4, 4})},
                                                              {"done", Json::array({-1})},
                                                              {"agree", 0.5},
                                                              {"byClause", 7}}) {
    const Error error = refused(key, value);
    EXPECT_EQ(error.code, "campaign-malformed");
    EXPECT_EQ(error.path, file_.string());
    EXPECT_NE(error.message.find(key), std::string::npos) << error.message;
    EXPECT_EQ(error.message.find("json.exception"), std::string::npos) << error.message;
  }
}

TEST_F(SavedTimelines, AreRefusedIfTheirNumbersContradictEachOther) {
  EXPECT_EQ(refused("agree", 3).message, "expected timelines to be the sum of agree, differ and skipped");
  EXPECT_EQ(refused("byClause", Json::object()).message, "expected the sum of byClause to be differ");
  EXPECT_EQ(refused("done", Json::array({1})).message, "expected done to name timelines after next");
}

}  // namespace touchstone::fuzz
