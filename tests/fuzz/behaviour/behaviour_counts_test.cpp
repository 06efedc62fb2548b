#include "fuzz/behaviour/behaviour_counts.hpp"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

namespace touchstone::fuzz {

namespace {

BehaviourCounts of(const std::vector<std::uint64_t>& signatures) {
  BehaviourCounts behaviours;
  for (const std::uint64_t signature : signatures) behaviours.add(signature);
  return behaviours;
}

std::string error_of(const char* json) {
  const Result<BehaviourCounts> read = BehaviourCounts::from_json(nlohmann::ordered_json::parse(json));
  return read ? "" : read.error().code + " " + read.error().path;
}

}  // namespace

TEST(BehaviourCounts, ExpectNewOnesByThoseSeenOnce) {
  EXPECT_EQ(BehaviourCounts().next_new(), 1.0);
  const BehaviourCounts behaviours = of({1, 1, 1, 2, 2, 3, 4, 5});
  EXPECT_EQ(behaviours.cases(), 8u);
  EXPECT_EQ(behaviours.seen(), 5u);
  EXPECT_EQ(behaviours.singletons(), 3u);
  EXPECT_EQ(behaviours.next_new(), 3.0 / 8.0);
  EXPECT_EQ(of({1, 1}).next_new(), 0.0);
}

TEST(BehaviourCounts, OfTwoCampaignsAreThoseOfOne) {
  BehaviourCounts first = of({1, 2, 2, 3});
  first.merge(of({3, 4}));
  EXPECT_EQ(first, of({1, 2, 2, 3, 3, 4}));
  EXPECT_EQ(first.singletons(), 2u);
}

TEST(BehaviourCounts, AreKeptAsJson) {
  const BehaviourCounts behaviours = of({0, 1, 1, 0xffffffffffffffff});
  EXPECT_EQ(behaviours.to_json().dump(),
            R"([["0000000000000000",1],["0000000000000001",2],["ffffffffffffffff",1]])");
  EXPECT_EQ(BehaviourCounts::from_json(behaviours.to_json()).value(), behaviours);
  EXPECT_EQ(BehaviourCounts::from_json(BehaviourCounts().to_json()).value(), BehaviourCounts());
}

TEST(BehaviourCounts, NameTheMemberThatIsWrong) {
  for (const char* wrong : {"{}", "7", "[7]", "[[]]", R"([["0000000000000001"]])", "[[1, 1]]"})
    EXPECT_EQ(error_of(wrong), "behaviours-malformed ") << wrong;
  EXPECT_EQ(error_of(R"([["1", 1]])"), "behaviours-malformed 1");
  EXPECT_EQ(error_of(R"([["000000000000000G", 1]])"), "behaviours-malformed 000000000000000G");
  const std::string one = R"([["0000000000000001", )";
  for (const char* count : {"0", "-1", "18446744073709551615", "1.5", "\"1\""})
    EXPECT_EQ(error_of((one + count + "]]").c_str()), "behaviours-malformed 0000000000000001") << count;
  EXPECT_EQ(error_of((one + R"(1], ["0000000000000001", 1]])").c_str()),
            "behaviours-malformed 0000000000000001");
}

TEST(BehaviourCounts, InBriefTellTheSame) {
  const BehaviourCounts behaviours = of({1, 2, 2, 3, 3, 4});
  const BehaviourCounts brief = behaviours.brief();
  EXPECT_FALSE(behaviours.is_brief());
  EXPECT_TRUE(brief.is_brief());
  EXPECT_EQ(brief.cases(), behaviours.cases());
  EXPECT_EQ(brief.seen(), behaviours.seen());
  EXPECT_EQ(brief.singletons(), behaviours.singletons());
  EXPECT_EQ(brief.next_new(), behaviours.next_new());
  EXPECT_EQ(brief.to_json().dump(), R"({"frequencies":[[1,2],[2,2]]})");
  EXPECT_EQ(BehaviourCounts::from_json(brief.to_json()).value(), brief);
  for (const char* wrong : {R"({"frequencies": 1})", R"({"frequencies": [], "more": 1})"})
    EXPECT_EQ(error_of(wrong), "behaviours-malformed ") << wrong;
  for (const char* wrong : {"[1]", "[0, 1]", "[1, 0]", "[1, 1], [1, 2]", "[1, 99999999999]", R"(["1", 1])"})
    EXPECT_EQ(error_of((std::string(R"({"frequencies": [)") + wrong + "]}").c_str()),
              "behaviours-malformed frequencies")
        << wrong;
}

}  // namespace touchstone::fuzz
