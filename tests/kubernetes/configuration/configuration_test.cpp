#include "kubernetes/configuration/configuration.hpp"

#include <gtest/gtest.h>

#include "tests/kubernetes/configuration/configured.hpp"
#include "tests/support/files.hpp"

/// Versions, profiles, and the fields of a configuration beside plug-ins and their arguments.
namespace touchstone::tests::configuration_test {

using kubernetes::configured_by_file;
using kubernetes::configured_by_member;
using kubernetes::Document;
using kubernetes::Value;

namespace {

std::string code_of(const Result<Release>& read) { return read ? "" : read.error().code; }

}  // namespace

// CYC-PROFILE-1
TEST(Configuration, ThatIsEmptyChangesNoDecision) {
  for (const char* name : {"v1.25", "v1.30", "v1.34", "v1.36", "v1.37"}) {
    const Release before = release(name);
    for (const std::string& config :
         {configuration(""), configuration(R"("profiles":[])"), one_profile("")}) {
      const Release after = taken(config, name);
      EXPECT_EQ(after.filter_groups, before.filter_groups) << name;
      EXPECT_EQ(after.percentage_of_nodes, before.percentage_of_nodes);
      EXPECT_EQ(after.text_claims, before.text_claims);
      EXPECT_EQ(after.resource_claims_filter, before.resource_claims_filter);
      EXPECT_EQ(after.system_constraints, before.system_constraints);
      EXPECT_EQ(after.balance_may_be_skipped, before.balance_may_be_skipped);
      EXPECT_TRUE(after.preempts);
      EXPECT_TRUE(after.prefilters_off.empty());
      EXPECT_TRUE(after.scorers_without_state.empty());
      EXPECT_EQ(after.scorers, before.scorers) << name;
    }
  }
}

TEST(Configuration, HasTheVersionsOfTheRelease) {
  const auto takes = [](const char* name, const std::string& version) {
    return refusal(configuration("", version), name).empty();
  };
  EXPECT_TRUE(takes("v1.19", "v1beta1"));
  EXPECT_TRUE(takes("v1.22", "v1beta1"));
  EXPECT_FALSE(takes("v1.23", "v1beta1"));
  EXPECT_FALSE(takes("v1.21", "v1beta2"));
  EXPECT_TRUE(takes("v1.22", "v1beta2"));
  EXPECT_TRUE(takes("v1.27", "v1beta2"));
  EXPECT_FALSE(takes("v1.28", "v1beta2"));
  EXPECT_FALSE(takes("v1.22", "v1beta3"));
  EXPECT_TRUE(takes("v1.28", "v1beta3"));
  EXPECT_FALSE(takes("v1.29", "v1beta3"));
  EXPECT_FALSE(takes("v1.24", "v1"));
  EXPECT_TRUE(takes("v1.25", "v1"));
  EXPECT_TRUE(takes("v1.37", "v1"));
  expect_part(refusal(configuration("", "v2"), "v1.26"),
              "expected a KubeSchedulerConfiguration of kubescheduler.config.k8s.io/v1beta2 or "
              "kubescheduler.config.k8s.io/v1beta3 or kubescheduler.config.k8s.io/v1");
  EXPECT_NE(refusal(R"({"apiVersion":"kubescheduler.config.k8s.io/v1","kind":"Pod"})"), "");
  EXPECT_NE(refusal("{}"), "");
}

TEST(Configuration, IsNotSupportedWhereItIsNotModelled) {
  EXPECT_EQ(code_of(read_config(configuration("", "v1alpha1"), "v1.8")), "not-supported");
  EXPECT_EQ(code_of(read_config(configuration(R"("extenders":[])"))), "");
  // QUE-ENTITY-6: the nanoseconds of such a backoff would overflow.
  EXPECT_EQ(code_of(read_config(configuration(R"("podMaxBackoffSeconds":1000001)"))), "not-supported");
}

TEST(Configuration, MustHaveKnownFieldsAlone) {
  expect_part(refusal(configuration(R"("nonsense":1)")), "nonsense: strict decoding error: unknown field");
  expect_part(refusal(one_profile(R"("nonsense":true)")), "profiles[0].nonsense: strict decoding error");
  expect_part(refusal(one_profile(R"("plugins":{"filter":{"enable":[]}})")),
              "profiles[0].plugins.filter.enable");
  expect_part(refusal(with_args("InterPodAffinity", R"("weight":1)")),
              "profiles[0].pluginConfig[0].args.weight");
  EXPECT_NE(refusal(one_profile(R"("percentageOfNodesToScore":5)"), "v1.25"), "");
  EXPECT_EQ(refusal(one_profile(R"("percentageOfNodesToScore":5)"), "v1.26"), "");
  EXPECT_NE(refusal(one_profile(R"("plugins":{"multiPoint":{}})", "v1beta2"), "v1.23"), "");
  EXPECT_EQ(refusal(one_profile(R"("plugins":{"multiPoint":{}})", "v1beta3"), "v1.23"), "");
  EXPECT_EQ(refusal(configuration(R"("healthzBindAddress":"")", "v1beta2"), "v1.23"), "");
  EXPECT_NE(refusal(configuration(R"("healthzBindAddress":"")", "v1beta3"), "v1.23"), "");
  EXPECT_NE(refusal(configuration(R"("profiles":[],"profiles":[])")), "");
  EXPECT_NE(refusal(configuration(R"("profiles":{"a":1})")), "");
  EXPECT_EQ(refusal(configuration(R"("leaderElection":{"leaderElect":false},"clientConnection":{"qps":1})")),
            "");
}

// CYC-SEARCH-1
TEST(Configuration, SetsTheShareOfNodesToFind) {
  EXPECT_EQ(taken(configuration(R"("percentageOfNodesToScore":30)")).percentage_of_nodes, 30);
  const std::string both =
      configuration(R"("percentageOfNodesToScore":30,"profiles":[{"percentageOfNodesToScore":0}])");
  EXPECT_EQ(taken(both).percentage_of_nodes, 0);
  EXPECT_EQ(refusal(configuration(R"("percentageOfNodesToScore":-1)")),
            "percentageOfNodesToScore: Invalid value: -1: not in valid range [0-100]");
  EXPECT_EQ(refusal(one_profile(R"("percentageOfNodesToScore":101)")),
            "profiles[0].percentageOfNodesToScore: Invalid value: 101: not in valid range [0-100]");
}

TEST(Configuration, ChecksNumbersThatChangeNoDecision) {
  EXPECT_EQ(refusal(configuration(R"("parallelism":1)")), "");
  expect_part(refusal(configuration(R"("parallelism":0)")), "should be an integer value greater than zero");
  EXPECT_EQ(refusal(configuration(R"("podInitialBackoffSeconds":2,"podMaxBackoffSeconds":2)")), "");
  expect_part(refusal(configuration(R"("podInitialBackoffSeconds":0)")), "must be greater than 0");
  expect_part(refusal(configuration(R"("podInitialBackoffSeconds":11)")), "podInitialBackoffSeconds: ");
  expect_part(refusal(configuration(R"("podMaxBackoffSeconds":0)")), "podMaxBackoffSeconds: ");
  EXPECT_EQ(refusal(configuration(R"("podMaxBackoffSeconds":1000000)")), "");
}

// CYC-PROFILE-1
TEST(Configuration, AppliesTheProfileThatThePodNames) {
  const std::string two = configuration(
      R"("profiles":[{"schedulerName":"default-scheduler"},
                     {"schedulerName":"second","percentageOfNodesToScore":7}])");
  EXPECT_EQ(taken(two).percentage_of_nodes, std::nullopt);
  EXPECT_EQ(taken(two, "v1.34", "default-scheduler").percentage_of_nodes, std::nullopt);
  EXPECT_EQ(taken(two, "v1.34", "second").percentage_of_nodes, 7);
  const Result<Release> third = read_config(two, "v1.34", "third");
  EXPECT_EQ(code_of(third), "unknown-profile");
  EXPECT_EQ(code_of(read_config(configuration(""), "v1.34", "third")), "unknown-profile");
}

TEST(Configuration, MustNameItsProfilesApart) {
  EXPECT_EQ(refusal(configuration(R"("profiles":[{"schedulerName":"a"},{"schedulerName":"a"}])")),
            "profiles[1]: Duplicate value: \"a\"");
  EXPECT_EQ(refusal(configuration(R"("profiles":[{"schedulerName":"default-scheduler"},{}])")),
            "profiles[1]: Required value: schedulerName");
}

TEST(Configuration, IsCheckedInEveryProfile) {
  const std::string second = R"("profiles":[{"schedulerName":"default-scheduler"},{"schedulerName":"b",
      "pluginConfig":[{"name":"InterPodAffinity","args":{"hardPodAffinityWeight":101}}]}])";
  EXPECT_EQ(refusal(configuration(second)),
            "profiles[1].pluginConfig[0].args.hardPodAffinityWeight: Invalid value: 101: not in valid range "
            "[0-100]");
}

TEST(Configuration, IsReadFromAFileOfYamlOrJson) {
  TemporaryDirectory scratch;
  const auto read = [&](const std::string& text) {
    return configured_by_file(scratch.write("config", text), release("v1.34"), "");
  };
  const std::string yaml =
      "apiVersion: kubescheduler.config.k8s.io/v1\nkind: KubeSchedulerConfiguration\n"
      "percentageOfNodesToScore: 40\n";
  EXPECT_EQ(read(yaml).value().percentage_of_nodes, 40);
  EXPECT_EQ(read(configuration(R"("percentageOfNodesToScore":41)")).value().percentage_of_nodes, 41);
  EXPECT_EQ(code_of(read(yaml + "---\n" + yaml)), "refused-configuration");
  EXPECT_EQ(code_of(read("a: [")), "yaml-malformed");
  EXPECT_EQ(code_of(configured_by_file("/no/such/file", release("v1.34"), "")), "file-unreadable");
  EXPECT_EQ(code_of(read_config("{")), "json-malformed");
}

TEST(Configuration, MayBeAMemberOfAQuestion) {
  const auto read = [](const std::string& question) {
    const Result<Document> document = Document::parse(question, "");
    const Value root = document.value().root();
    return configured_by_member(root, release("v1.34"), "");
  };
  EXPECT_EQ(read("{}").value().percentage_of_nodes, std::nullopt);
  EXPECT_EQ(read(R"({"config":)" + configuration(R"("percentageOfNodesToScore":40)") + "}")
                .value()
                .percentage_of_nodes,
            40);
  EXPECT_EQ(read(R"({"config":{}})").error().path, "config");
}

}  // namespace touchstone::tests::configuration_test
