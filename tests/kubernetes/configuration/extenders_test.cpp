#include "kubernetes/configuration/extenders.hpp"

#include "tests/kubernetes/configuration/configured.hpp"

namespace touchstone::tests::configured_extenders_test {

namespace {

std::string with_extenders(const std::string& list, const std::string& version = "v1") {
  return configuration(R"("extenders":[)" + list + "]", version);
}

}  // namespace

// EXT-ORDER-1
TEST(ConfiguredExtenders, KeepTheirOrder) {
  const Release configured = taken(with_extenders(
      R"({"urlPrefix":"http://a","filterVerb":"f","ignorable":true},{"urlPrefix":"http://b","httpTimeout":"2s"})"));
  ASSERT_EQ(configured.extenders.size(), 2U);
  EXPECT_EQ(configured.extenders[0].url_prefix, "http://a");
  EXPECT_TRUE(configured.extenders[0].ignorable);
  EXPECT_EQ(configured.extenders[1].http_timeout_ns, 2'000'000'000);
  EXPECT_TRUE(taken(with_extenders("")).extenders.empty());
  EXPECT_EQ(taken(with_extenders(R"({"bindVerb":"b"})", "v1beta2"), "v1.22").extenders[0].bind_verb, "b");
}

// EXT-ORDER-1, CYC-PROFILE-1
TEST(ConfiguredExtenders, AreThoseOfEveryProfile) {
  const std::string json = configuration(
      R"("extenders":[{"filterVerb":"f"}],"profiles":[{"schedulerName":"a"},{"schedulerName":"b"}])");
  EXPECT_EQ(taken(json, "v1.34", "a").extenders.size(), 1U);
  EXPECT_EQ(taken(json, "v1.34", "b").extenders.size(), 1U);
}

// EXT-REFUSED-1
TEST(ConfiguredExtenders, AreRefusedAsTheReleaseRefusesThem) {
  const std::vector<std::pair<std::string, std::string>> refused = {
      {R"({"prioritizeVerb":"s"})",
       "extenders[0]: Invalid value: 0: must have a positive weight applied to it"},
      {R"({"prioritizeVerb":"s","weight":-1})", "must have a positive weight applied to it"},
      {R"({"bindVerb":"a"},{"bindVerb":"b"})", "only one extender can implement bind"},
      {R"({"managedResources":[{"name":"cpu"}]})",
       "extenders[0].managedResources[0]: Invalid value: \"cpu\": is an invalid extended resource name"},
      {R"({"managedResources":[{"name":"kubernetes.io/x"}]})", "is an invalid extended resource name"},
      {R"({"managedResources":[{"name":"requests.example.com/x"}]})", "is an invalid extended resource name"},
      {R"({"managedResources":[{"name":"a b"}]})", "name part must be a qualified name"},
      {R"({"managedResources":[{"name":"x.io/a"}]},{"managedResources":[{"name":"x.io/a"}]})",
       "duplicate extender managed resource name"},
      {R"({"urlPrefix":"http://x","filter":{}})", "unknown field"},
      {R"({"httpTimeout":"soon"})", "expected a duration"}};
  for (const auto& [list, part] : refused) expect_part(refusal(with_extenders(list)), part);
  EXPECT_EQ(
      refusal(with_extenders(R"({"prioritizeVerb":"s","weight":1,"managedResources":[{"name":"x.io/a"}]})")),
      "");
}

}  // namespace touchstone::tests::configured_extenders_test
