#include "oracle/subject/answer_line.hpp"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

namespace touchstone::oracle {

namespace {

Seq unsigned_seq(std::uint64_t number) { return number; }

std::string nested(std::size_t depth) {
  return R"({"x":)" + std::string(depth - 1, '[') + std::string(depth - 1, ']') + "}";
}

bool is_wrong(std::string_view line) { return !read_answer_line(line).wrong.empty(); }

}  // namespace

TEST(AnswerLine, HasTheSeqOfTheObjectItself) {
  EXPECT_EQ(read_answer_line(R"({"x":{"seq":1},"seq":7,"y":[2,{"seq":3}]})").seq, unsigned_seq(7));
  EXPECT_EQ(read_answer_line(R"({"seq":9223372036854775808})").seq, unsigned_seq(std::uint64_t{1} << 63));
  EXPECT_EQ(read_answer_line(R"({"seq":-1})").seq, Seq(std::int64_t{-1}));
}

TEST(AnswerLine, HasNoSeqThatIsNoInteger) {
  for (const char* line : {R"({"seq":"7"})", R"({"seq":7.0})", R"({"seq":18446744073709551616})",
                           R"({"seq":null})", R"({"seq":[7]})", R"({"seq":true})", "{}"}) {
    EXPECT_EQ(read_answer_line(line).seq, std::nullopt) << line;
    EXPECT_FALSE(is_wrong(line)) << line;
  }
  EXPECT_TRUE(read_answer_line(R"({"seq":null})").seq_is_null);
  EXPECT_FALSE(read_answer_line(R"({"x":null})").seq_is_null);
}

TEST(AnswerLine, IsOneObject) {
  for (const char* line : {"", " ", "{", "[]", "7", "null", "\"a\"", R"({"seq":1}{"seq":1})", R"({"seq":1},)",
                           R"({"seq":1,"seq":1})", "{'seq':1}", R"({"seq":01})", R"({"x":1e999})",
                           "{\"x\":\"\xff\"}", R"({"x":"\ud800"})", "{\"x\":\"\x01\"}"})
    EXPECT_TRUE(is_wrong(line)) << line;
  EXPECT_FALSE(is_wrong(" {\"seq\":1}\r"));
}

TEST(AnswerLine, HasNoNulByteEvenBehindTheObject) {
  EXPECT_TRUE(is_wrong(std::string_view("{\"seq\":1}\0", 10)));
}

TEST(AnswerLine, NestsToALimitOnly) {
  EXPECT_FALSE(is_wrong(nested(k_answer_depth_max)));
  EXPECT_TRUE(is_wrong(nested(k_answer_depth_max + 1)));
  EXPECT_TRUE(is_wrong(nested(1'000'000)));
  EXPECT_TRUE(is_wrong(std::string(1'000'000, '[')));
}

TEST(AnswerLine, ThatIsRightIsReadByNlohmannToo) {
  const std::string line = nested(k_answer_depth_max);
  EXPECT_TRUE(nlohmann::ordered_json::parse(line).is_object());
}

TEST(AnswerLine, TellsWhatIsWrongInPrintableWords) {
  EXPECT_TRUE(read_answer_line("{\"x\":\x1b[2J}").wrong.find('\x1b') == std::string::npos);
  EXPECT_LT(read_answer_line("{" + std::string(1'000'000, '\xff')).wrong.size(), 2000u);
  EXPECT_EQ(escaped("a\n\t\x1b\xc3\xa4~"), "a\n\\x09\\x1b\\xc3\\xa4~");
}

TEST(SeqOfQuestion, IsReadWithoutTheRest) {
  EXPECT_EQ(seq_of_question(R"({"cmd":"run","seq":7,"nodes":[)"), unsigned_seq(7));
  EXPECT_EQ(seq_of_question(R"({"cmd":"run","nodes":[)"), std::nullopt);
  EXPECT_EQ(seq_of_question("what?"), std::nullopt);
}

}  // namespace touchstone::oracle
