#include "fuzz/species.hpp"

#include <gtest/gtest.h>

namespace touchstone::fuzz {

namespace {

Species of(const std::vector<std::uint64_t>& signatures) {
  Species species;
  for (const std::uint64_t signature : signatures) species.add(signature);
  return species;
}

std::string error_of(const char* json) {
  const Result<Species> read = Species::from_json(nlohmann::ordered_json::parse(json));
  return read ? "" : read.error().code + " " + read.error().path;
}

}  // namespace

TEST(Species, ExpectNewOnesByThoseSeenOnce) {
  EXPECT_EQ(Species().next_new(), 1.0);
  const Species species = of({1, 1, 1, 2, 2, 3, 4, 5});
  EXPECT_EQ(species.cases(), 8u);
  EXPECT_EQ(species.seen(), 5u);
  EXPECT_EQ(species.singletons(), 3u);
  EXPECT_EQ(species.next_new(), 3.0 / 8.0);
  EXPECT_EQ(of({1, 1}).next_new(), 0.0);
}

TEST(Species, OfTwoCampaignsAreThoseOfOne) {
  Species first = of({1, 2, 2, 3});
  first.merge(of({3, 4}));
  EXPECT_EQ(first, of({1, 2, 2, 3, 3, 4}));
  EXPECT_EQ(first.singletons(), 2u);
}

TEST(Species, AreKeptAsJson) {
  const Species species = of({0, 1, 1, 0xffffffffffffffff});
  EXPECT_EQ(species.to_json().dump(),
            R"([["0000000000000000",1],["0000000000000001",2],["ffffffffffffffff",1]])");
  EXPECT_EQ(Species::from_json(species.to_json()).value(), species);
  EXPECT_EQ(Species::from_json(Species().to_json()).value(), Species());
}

TEST(Species, NameTheMemberThatIsWrong) {
  for (const char* wrong : {"{}", "7", "[7]", "[[]]", R"([["0000000000000001"]])", "[[1, 1]]"})
    EXPECT_EQ(error_of(wrong), "species-malformed ") << wrong;
  EXPECT_EQ(error_of(R"([["1", 1]])"), "species-malformed 1");
  EXPECT_EQ(error_of(R"([["000000000000000G", 1]])"), "species-malformed 000000000000000G");
  const std::string one = R"([["0000000000000001", )";
  for (const char* count : {"0", "-1", "18446744073709551615", "1.5", "\"1\""})
    EXPECT_EQ(error_of((one + count + "]]").c_str()), "species-malformed 0000000000000001") << count;
  EXPECT_EQ(error_of((one + R"(1], ["0000000000000001", 1]])").c_str()),
            "species-malformed 0000000000000001");
}

TEST(Species, InBriefTellTheSame) {
  const Species species = of({1, 2, 2, 3, 3, 4});
  const Species brief = species.brief();
  EXPECT_FALSE(species.is_brief());
  EXPECT_TRUE(brief.is_brief());
  EXPECT_EQ(brief.cases(), species.cases());
  EXPECT_EQ(brief.seen(), species.seen());
  EXPECT_EQ(brief.singletons(), species.singletons());
  EXPECT_EQ(brief.next_new(), species.next_new());
  EXPECT_EQ(brief.to_json().dump(), R"({"frequencies":[[1,2],[2,2]]})");
  EXPECT_EQ(Species::from_json(brief.to_json()).value(), brief);
  for (const char* wrong : {R"({"frequencies": 1})", R"({"frequencies": [], "more": 1})"})
    EXPECT_EQ(error_of(wrong), "species-malformed ") << wrong;
  for (const char* wrong : {"[1]", "[0, 1]", "[1, 0]", "[1, 1], [1, 2]", "[1, 99999999999]", R"(["1", 1])"})
    EXPECT_EQ(error_of((std::string(R"({"frequencies": [)") + wrong + "]}").c_str()),
              "species-malformed frequencies")
        << wrong;
}

}  // namespace touchstone::fuzz
