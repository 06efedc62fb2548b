#include "oracle/compare/divergences.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <fstream>
#include <functional>
#include <nlohmann/json.hpp>
#include <sstream>

#include "spec/vocabulary/properties.hpp"
#include "tests/support/any_question.hpp"
#include "tests/support/builder.hpp"
#include "tests/support/extenders.hpp"
#include "tests/support/storage.hpp"

/// Shows each known kind of evictions that do not help, with the smallest cluster in spec/divergences.md.
namespace touchstone::oracle {

using namespace touchstone::tests;

namespace {

/// The smallest cluster of a kind, and the minor releases that have it.
struct Witness {
  Question question;
  int first_minor;
  int last_minor;
};

constexpr int k_first_minor = 8;
constexpr int k_last_minor = 99;  // and later

Pod in_spread(Pod pod, const LabelSelector& selector) {
  TopologySpreadConstraint constraint;
  constraint.topology_key = "zone";
  constraint.when_unsatisfiable = "DoNotSchedule";
  constraint.max_skew = 1;
  constraint.label_selector = selector;
  pod.topology_spread.push_back(constraint);
  return pod;
}

const LabelSelector k_app_x{{{"app", "x"}}, {}};

Pod averse(Pod pod, const std::string& app, const std::string& key) {
  PodAffinityTerm term;
  term.label_selector = LabelSelector{{{"app", app}}, {}};
  term.topology_key = key;
  pod.pod_anti_affinity.push_back(term);
  return pod;
}

Pod terminating(Pod pod) {
  pod.terminating = true;
  return pod;
}

Question labelled(Question question, std::vector<Labels> labels) {
  for (std::size_t i = 0; i < labels.size(); ++i) question.cluster.nodes[i].labels = labels[i];
  return question;
}

/// Makes the claim c usable by one pod only (ReadWriteOncePod).
Question exclusive(const Question& question) {
  PersistentVolumeClaim alone = claim("c", "v1");
  alone.access_modes = {"ReadWriteOncePod"};
  return Stored(question).with(alone).with(volume("v1"));
}

std::map<std::string, Witness> witnesses() {
  Pod namesake = with_claim(pod("b", 0, 1000), "c");
  namesake.ns = "other";
  Pod other = averse(pod("b", 0, 1000), "x", "zone");
  other.ns = "other";
  return {
      {"A host port held twice",
       {QuestionBuilder()
            .node("n1", 3000)
            .has(with_host_port(pod("a", 20, 1000), 80))
            .has(with_host_port(pod("b", 0, 1000), 80))
            .asks(with_host_port(pod("p", 10, 1000), 80)),
        k_first_minor, k_last_minor}},
      {"Terminating pods that were never counted",
       {labelled(QuestionBuilder()
                     .node("n1", 2000)
                     .has(with_app(pod("a", 5, 1000), "x"))
                     .has(terminating(with_app(pod("b", 0, 1000), "x")))
                     .node("n2", 0)
                     .asks(in_spread(with_app(pod("p", 10, 1000), "x"), k_app_x)),
                 {{{"zone", "a"}}, {{"zone", "b"}}}),
        18, k_last_minor}},
      {"The empty selector and who leaves",
       {labelled(QuestionBuilder()
                     .node("n1", 2000)
                     .has(pod("a", 0, 1000))
                     .nominated(pod("q", 10, 1000))
                     .node("n2", 0)
                     .asks(in_spread(pod("p", 10, 1000), {})),
                 {{{"zone", "a"}}, {{"zone", "b"}}}),
        27, k_last_minor}},
      {"Two constraints of one key",
       {labelled(QuestionBuilder()
                     .node("n1", 2000)
                     .has(with_app(pod("a", 5, 1000), "x"))
                     .has(with_app(pod("b", 0, 1000), "x"))
                     .node("n2", 0)
                     .asks(in_spread(in_spread(with_app(pod("p", 10, 1000), "x"), k_app_x), k_app_x)),
                 {{{"zone", "a"}}, {{"zone", "b"}}}),
        24, 32}},
      {"Anti-affinity from another namespace",
       {labelled(QuestionBuilder()
                     .node("n1", 3000)
                     .has(averse(pod("a", 20, 1000), "x", "zone"))
                     .has(other)
                     .asks(with_app(pod("p", 10, 1000), "x")),
                 {{{"zone", "a"}}}),
        18, 18}},
      {"A claim of the same name",
       {exclusive(QuestionBuilder()
                      .node("n1", 3000)
                      .has(with_claim(pod("a", 20, 1000), "c"))
                      .has(namesake)
                      .asks(with_claim(pod("p", 10, 1000), "c"))),
        27, k_last_minor}},
      {"A claim of two pods",
       {exclusive(QuestionBuilder()
                      .node("n1", 3000)
                      .has(with_claim(pod("a", 20, 1000), "c"))
                      .has(with_claim(pod("b", 0, 1000), "c"))
                      .asks(with_claim(pod("p", 10, 1000), "c"))),
        27, k_last_minor}},
      {"Any term forbids who is put back",
       {labelled(QuestionBuilder()
                     .node("n1", 3000)
                     .has(with_app(pod("a", 0, 1000), "x"))
                     .has(pod("b", 0, 2000))
                     .asks(averse(averse(pod("p", 10, 2000), "x", "zone"), "y", "host")),
                 {{{"host", "a"}}}),
        12, 17}},
  };
}

std::vector<EvictionFinding> findings_on(const Question& question, const Release& release) {
  const Decision decision = reference::preempt(question, release);
  if (decision.outcome != Outcome::nominated) return {};
  return eviction_findings(question, release, decision.candidates[decision.chosen]);
}

bool shows(const Question& question, const Release& release, const std::string& name) {
  for (const EvictionFinding& eviction : findings_on(question, release)) {
    if (eviction.known != nullptr && eviction.known->name == name) return true;
  }
  return false;
}

/// "app=x", or "all pods" for the empty selector.
std::string selector_text(const std::optional<LabelSelector>& selector) {
  if (selector->match_labels.empty()) return "all pods";
  return selector->match_labels.begin()->first + "=" + selector->match_labels.begin()->second;
}

std::string cpu_text(Quantity milli) { return "cpu " + std::to_string(milli / 1000); }

std::string pod_text(const Pod& pod) {
  std::string text = (pod.ns == "default" ? "" : pod.ns + "/") + pod.name + "(prio " +
                     std::to_string(pod.priority) + ", " + cpu_text(pod.containers[0].requests.at("cpu"));
  for (const auto& [key, value] : pod.labels) text += ", " + key + "=" + value;
  for (const ContainerPort& port : pod.containers[0].ports)
    text += ", port " + std::to_string(port.host_port);
  for (const Volume& volume : pod.volumes) text += ", claim " + volume.source.id;
  if (pod.terminating) text += ", terminating";
  if (!pod.nominated_node_name.empty()) text += ", nominated to " + pod.nominated_node_name;
  for (const TopologySpreadConstraint& constraint : pod.topology_spread)
    text += ", spreads " + selector_text(constraint.label_selector) + " over " + constraint.topology_key;
  for (const PodAffinityTerm& term : pod.pod_anti_affinity)
    text += ", anti-affinity to " + selector_text(term.label_selector) + " in its " + term.topology_key;
  return text + ")";
}

/// A question in the notation of spec/divergences.md.
std::string shorthand(const Question& question) {
  std::string text;
  for (const Node& node : question.cluster.nodes) {
    text += (text.empty() ? "" : "; ") + node.name + " (" + cpu_text(node.allocatable.at("cpu"));
    for (const auto& [key, value] : node.labels) text += ", " + key + "=" + value;
    text += ")";
    std::string separator = ": ";
    for (const Pod& pod : question.cluster.pods) {
      if (pod.node_name != node.name) continue;
      text += separator + pod_text(pod);
      separator = ", ";
    }
  }
  for (const Pod& pod : question.cluster.pods) {
    if (pod.node_name.empty()) text += "; " + pod_text(pod);
  }
  return text + "; " + pod_text(question.pod);
}

std::string span_text(const Witness& witness) {
  if (witness.first_minor == k_first_minor && witness.last_minor == k_last_minor) return "all releases.";
  const std::string first = "v1." + std::to_string(witness.first_minor);
  if (witness.last_minor == k_last_minor) return first + " and later.";
  return first == "v1." + std::to_string(witness.last_minor)
             ? first + "."
             : first + " to v1." + std::to_string(witness.last_minor) + ".";
}

/// The words of a text, separated by single spaces.
std::string in_one_line(const std::string& text) {
  std::istringstream words(text);
  std::string line;
  for (std::string word; words >> word;) line += (line.empty() ? "" : " ") + word;
  return line;
}

/// The sections of "Evictions that do not help", by heading.
std::map<std::string, std::string> described() {
  std::ostringstream text;
  text << std::ifstream("spec/divergences.md").rdbuf();
  std::string part = text.str();
  part = part.substr(part.find("\n## Evictions that do not help\n") + 4);
  part = part.substr(0, part.find("\n## "));
  std::map<std::string, std::string> sections;
  for (std::size_t at = part.find("\n### "); at != std::string::npos;) {
    const std::size_t end_of_heading = part.find('\n', at + 1);
    const std::size_t next = part.find("\n### ", end_of_heading);
    sections[part.substr(at + 5, end_of_heading - at - 5)] =
        in_one_line(part.substr(end_of_heading, next - end_of_heading));
    at = next;
  }
  return sections;
}

}  // namespace

TEST(Divergences, EachIsShownByItsWitnessInTheReleasesThatHaveItAndInNoOther) {
  const std::map<std::string, Witness> all = witnesses();
  for (const Divergence& divergence : divergences()) {
    ASSERT_TRUE(all.contains(std::string(divergence.name))) << divergence.name;
    const Witness& witness = all.at(std::string(divergence.name));
    for (const Version& version : known_releases()) {
      const Release of = release(version.text());
      const bool is_expected = version.minor >= witness.first_minor && version.minor <= witness.last_minor;
      EXPECT_EQ(shows(witness.question, of, std::string(divergence.name)), is_expected)
          << divergence.name << " " << version.text();
    }
  }
  EXPECT_EQ(all.size(), divergences().size());
}

TEST(Divergences, AWitnessHasNoPodAndNoNodeTooMany) {
  for (const auto& [name, witness] : witnesses()) {
    const Release of = release("v1." + std::to_string(std::max(witness.first_minor, 9)));
    for (std::size_t i = 0; i < witness.question.cluster.pods.size(); ++i) {
      Question smaller = witness.question;
      smaller.cluster.pods.erase(smaller.cluster.pods.begin() + static_cast<std::ptrdiff_t>(i));
      EXPECT_FALSE(shows(smaller, of, name)) << name << " without " << witness.question.cluster.pods[i].name;
    }
    for (std::size_t i = 0; i < witness.question.cluster.nodes.size(); ++i) {
      Question smaller = witness.question;
      smaller.cluster.nodes.erase(smaller.cluster.nodes.begin() + static_cast<std::ptrdiff_t>(i));
      EXPECT_FALSE(shows(smaller, of, name)) << name << " without " << witness.question.cluster.nodes[i].name;
    }
  }
}

TEST(Divergences, AreDescribedWithTheirWitnessAndTheirReleases) {
  const std::map<std::string, std::string> sections = described();
  const std::map<std::string, Witness> all = witnesses();
  EXPECT_EQ(sections.size(), all.size());
  for (const auto& [name, witness] : all) {
    ASSERT_TRUE(sections.contains(name)) << name;
    EXPECT_NE(sections.at(name).find("Witness: " + shorthand(witness.question) + " →"), std::string::npos)
        << name << ": " << shorthand(witness.question);
    EXPECT_NE(sections.at(name).find("; " + span_text(witness)), std::string::npos)
        << name << ": " << span_text(witness);
  }
}

TEST(Aftermath, IsAsMeantWhereEvictionsMakeRoom) {
  const Question question =
      QuestionBuilder().node("n1", 1000).has(pod("a", 0, 1000)).asks(pod("p", 10, 1000));
  EXPECT_TRUE(findings_on(question, release("v1.34")).empty());
  EXPECT_EQ(aftermath_json(question, {}).dump(), R"({"needless":[]})");
}

TEST(Aftermath, CountsNoAntiAffinityOfAPodThatIsEvicted) {
  Question question = labelled(QuestionBuilder()
                                   .node("n1", 1000)
                                   .has(averse(pod("a", 0, 1000), "x", "zone"))
                                   .asks(with_app(pod("p", 10, 1000), "x")),
                               {{{"zone", "z"}}});
  for (const char* name : {"v1.12", "v1.18", "v1.34"}) {
    EXPECT_TRUE(findings_on(question, release(name)).empty()) << name;
  }
}

TEST(Aftermath, SaysWhyEvictionsAreFutile) {
  const Question question = witnesses().at("A host port held twice").question;
  const std::vector<EvictionFinding> found = findings_on(question, release("v1.34"));
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].class_name(), "futile PRE-PORTS-1: A host port held twice");
  EXPECT_EQ(found[0].because, "host port 80 is used by default/a (priority 20)");
  EXPECT_EQ(aftermath_json(question, found)["futile"]["plugin"], "NodePorts");
  EXPECT_TRUE(aftermath_json(question, found)["needless"].empty());
}

TEST(Aftermath, NamesTheNeedlessVictimAlone) {
  const Question question = witnesses().at("Any term forbids who is put back").question;
  const std::vector<EvictionFinding> found = findings_on(question, release("v1.13"));
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].kind, IneffectiveEviction::needless);
  EXPECT_EQ(found[0].victims, std::vector<PodIndex>{0});
  const Json json = aftermath_json(question, found);
  EXPECT_FALSE(json.contains("futile"));
  EXPECT_EQ(json["needless"][0]["pod"], "default/a");
}

TEST(Aftermath, OfAnUnknownCauseIsNotDescribed) {
  // Only b is evicted, which does not hold the port. No release decides this.
  Question question = QuestionBuilder()
                          .node("n1", 3000)
                          .has(with_host_port(pod("a", 0, 1000), 80))
                          .has(pod("b", 0, 2000))
                          .asks(with_host_port(pod("p", 10, 1000), 80));
  const Candidate wrong{0, {1}, 0};
  const std::vector<EvictionFinding> found = eviction_findings(question, release("v1.34"), wrong);
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].class_name(), "futile PRE-PORTS-1: not described");
  EXPECT_FALSE(aftermath_json(question, found)["futile"].contains("divergence"));
}

// EXT-PREEMPT-2
TEST(Aftermath, IsNotOfTheReleaseIfAnExtenderChoosesTheVictims) {
  Question question = QuestionBuilder()
                          .node("n1", 3000)
                          .has(pod("a", 0, 1000))
                          .has(pod("b", 0, 2000))
                          .asks(pod("p", 10, 1000));
  question.extenders = {preempts({{"n1", evicts({"default/a", "default/b"})}})};
  const Decision decision = reference::preempt(question, release("v1.34"));
  ASSERT_EQ(decision.outcome, Outcome::nominated);
  EXPECT_EQ(decision.candidates[decision.chosen].victims.size(), 2u);
  EXPECT_TRUE(findings_on(question, release("v1.34")).empty());
}

TEST(Aftermath, DoesNotCountATerminatingVictimAsNeedless) {
  Question question = QuestionBuilder()
                          .node("n1", 2000)
                          .has(pod("a", 0, 1000))
                          .has(pod("b", 0, 1000))
                          .asks(pod("p", 10, 1000));
  const Candidate both{0, {0, 1}, 0};
  EXPECT_EQ(aftermath_of(question, release("v1.34"), both).needless.size(), 2u);
  question.cluster.pods[1].terminating = true;
  EXPECT_EQ(aftermath_of(question, release("v1.34"), both).needless.size(), 1u);
}

TEST(Aftermath, LeavesOutThePodsThatLoseTheirNominationAndNoOther) {
  Question question = QuestionBuilder()
                          .node("n1", 2000)
                          .has(pod("a", 0, 1000))
                          .nominated(pod("q", 5, 2000))
                          .asks(pod("p", 10, 2000));
  const Candidate chosen{0, {0}, 0};
  EXPECT_FALSE(aftermath_of(question, release("v1.34"), chosen).futile());
  question.cluster.pods[1].priority = 10;
  EXPECT_TRUE(aftermath_of(question, release("v1.34"), chosen).futile());
}

/// A failure is a kind of evictions that do not help that spec/divergences.md lacks: describe it there.
/// Generates cases until enough of them have evictions that do not help, so the test cannot pass without any.
TEST(Divergences, AreAllThatGeneratedClustersShow) {
  constexpr std::size_t k_findings = 60;
  constexpr std::uint64_t k_cases_most = 20'000;
  std::size_t seen = 0;
  for (std::uint64_t number = 0; seen < k_findings; ++number) {
    ASSERT_LT(number, k_cases_most) << "ineffective evictions are too rare: " << seen;
    const Release of = release(k_distinct_releases[number % k_distinct_releases.size()]);
    const Question question = fuzz::numbered_scenario(small_scenarios(of, 4, 6), 1, number);
    for (const EvictionFinding& eviction : findings_on(question, of)) {
      ++seen;
      EXPECT_NE(eviction.known, nullptr) << eviction.class_name() << ": " << eviction.because << "\n"
                                         << tests::text_of(question, of);
    }
  }
}

/// A node takes the pod afresh exactly if the reference's first pass finds it feasible in a cluster without
/// the victims.
RC_GTEST_PROP(Aftermath, IsTheFirstPassOnAClusterWithoutTheVictims, ()) {
  const auto [of, question] = any_case(4, 6);
  const Decision decision = reference::preempt(question, of);
  RC_PRE(decision.outcome == Outcome::nominated);
  const Candidate& chosen = decision.candidates[decision.chosen];
  Question after = question;
  after.cluster = without_pods(question.cluster, chosen.victims);
  const Decision again = reference::preempt(after, of);
  const bool is_feasible =
      std::find(again.feasible.begin(), again.feasible.end(), chosen.node) != again.feasible.end();
  RC_ASSERT(aftermath_of(question, of, chosen).futile() == !is_feasible);
}

}  // namespace touchstone::oracle
