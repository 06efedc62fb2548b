#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <sstream>

#include "tests/cli/shell.hpp"

/// upstream/as_release.py, which asks a scheduler of one release the questions of another.
namespace touchstone {

using nlohmann::json;

TEST(AsRelease, AnswersForAnotherReleaseWithTheRulesOfItsOwn) {
  const std::string question =
      R"({"cmd":"run","seq":7,"release":"v1.34.4","nodes":[{"metadata":{"name":"n1"}}],)"
      R"("pod":{"metadata":{"name":"p"},"spec":{"priority":1,"containers":[{"name":"c"}]}}})";
  const Ran ran = shell("printf '%s\n' '{\"cmd\":\"hello\"}' '" + question +
                        "' '{\"cmd\":\"bye\"}' | python3 upstream/as_release.py v1.34.4 v1.33.13 touchstone subject");
  EXPECT_EQ(ran.exit_code, 0) << ran.output;
  std::istringstream lines(ran.output);
  std::string hello, answer;
  ASSERT_TRUE(std::getline(lines, hello) && std::getline(lines, answer)) << ran.output;
  EXPECT_EQ(json::parse(hello).at("releases"), json::array({"v1.34.4"}));
  const json own = json::parse(answer);
  EXPECT_EQ(own.at("seq"), 7);
  EXPECT_EQ(own.at("message"),
            "0/1 nodes are available: 1 Too many pods. preemption: 0/1 nodes are available: 1 No preemption "
            "victims found for incoming pod.")
      << "v1.34.4 would tell of resource claims";
  EXPECT_FALSE(own.contains("nomination")) << "a pod without a nomination neither keeps nor loses one";
}

}  // namespace touchstone
