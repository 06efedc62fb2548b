#include <gtest/gtest.h>

#include "tests/support/decided.hpp"
#include "tests/support/topology.hpp"

/// Tests affinity and anti-affinity between pods, in the first pass and in the dry run.
namespace touchstone::tests::filter_affinity_test {

namespace {

using Names = std::vector<std::string>;

/// n1 with room for three pods. asked() puts n1 into zone a.
QuestionBuilder n1() { return QuestionBuilder().node("n1", 3000); }
Question asked(QuestionBuilder cluster, Pod preemptor) {
  return in_zones(cluster.asks(std::move(preemptor)), {"a"});
}

Pod p() { return pod("p", 10, 1000); }
Pod app_x(Quantity priority = 0) { return with_app(pod("a", priority, 1000), "x"); }

LabelSelector without(const std::string& key) { return {{}, {{key, "DoesNotExist", {}}}}; }

PodAffinityTerm in_namespaces(PodAffinityTerm term, LabelSelector selector) {
  term.namespace_selector = std::move(selector);
  return term;
}

/// Whether an anti-affinity term of p, in namespace default, matches a pod in namespace other.
bool own_term_sees_other(const PodAffinityTerm& term, const char* name,
                         std::map<std::string, Labels> namespaces = {}) {
  Question question = asked(n1().has(in_namespace(app_x(), "other")), away(p(), {term}));
  question.cluster.namespaces = std::move(namespaces);
  return !fits(question, name);
}

/// Whether an anti-affinity term of a pod in namespace default matches p, in namespace other.
bool term_of_another_sees_other(const PodAffinityTerm& term, const char* name,
                                std::map<std::string, Labels> namespaces = {}) {
  const Pod preemptor = in_namespace(with_app(p(), "x"), "other");
  Question question = asked(n1().has(away(pod("a", 0, 1000), {term})), preemptor);
  question.cluster.namespaces = std::move(namespaces);
  return !fits(question, name);
}

}  // namespace

// PRE-AFFINITY-1
TEST(InterPodAffinity, LooksAtNamedNamespacesOrAtItsPodsOwn) {
  PodAffinityTerm term = by("zone", "x");
  EXPECT_FALSE(own_term_sees_other(term, "v1.34"));
  EXPECT_FALSE(term_of_another_sees_other(term, "v1.34"));
  EXPECT_FALSE(fits(asked(n1().has(app_x()), away(p(), {term})), "v1.34"));
  term.namespaces = {"third", "other"};
  EXPECT_TRUE(own_term_sees_other(term, "v1.34"));
  EXPECT_TRUE(own_term_sees_other(term, "v1.13"));
  EXPECT_TRUE(term_of_another_sees_other(term, "v1.34"));
  EXPECT_TRUE(fits(asked(n1().has(app_x()), away(p(), {term})), "v1.34"));
}

// PRE-AFFINITY-1
TEST(InterPodAffinity, LooksAtNamespacesByTheirLabelsFrom122) {
  const LabelSelector of_team{{{"team", "t"}}, {}};
  const PodAffinityTerm term = in_namespaces(by("zone", "x"), of_team);
  const PodAffinityTerm all = in_namespaces(by("zone", "x"), {});
  for (const auto& sees : {own_term_sees_other, term_of_another_sees_other}) {
    EXPECT_TRUE(sees(term, "v1.33", {{"other", {{"team", "t"}}}}));
    EXPECT_FALSE(sees(term, "v1.21", {{"other", {{"team", "t"}}}}));
    EXPECT_FALSE(sees(term, "v1.33", {{"other", {{"team", "u"}}}}));
    EXPECT_FALSE(sees(term, "v1.33", {}));
    EXPECT_TRUE(sees(all, "v1.33", {}));
    EXPECT_FALSE(sees(all, "v1.21", {}));
  }
}

// PRE-AFFINITY-1
TEST(InterPodAffinity, TakesAnUnknownNamespaceForOneWithoutLabelsInTermsOfOthers) {
  const PodAffinityTerm term = in_namespaces(by("zone", "x"), without("team"));
  EXPECT_TRUE(term_of_another_sees_other(term, "v1.33", {}));
  EXPECT_FALSE(term_of_another_sees_other(term, "v1.34", {{"other", {{"team", "t"}}}}));
  EXPECT_FALSE(own_term_sees_other(term, "v1.33", {}));
}

// PRE-AFFINITY-1
TEST(InterPodAffinity, LooksEverywhereWithAnOwnSelectorOfNoLabelsFrom134To136) {
  const PodAffinityTerm term = in_namespaces(by("zone", "x"), without("team"));
  const std::map<std::string, Labels> with_team = {{"other", {{"team", "t"}}}};
  EXPECT_FALSE(own_term_sees_other(term, "v1.33", with_team));
  EXPECT_TRUE(own_term_sees_other(term, "v1.34", with_team));
  EXPECT_TRUE(own_term_sees_other(term, "v1.36", {}));
  EXPECT_FALSE(own_term_sees_other(term, "v1.37", with_team));
  EXPECT_FALSE(
      own_term_sees_other(in_namespaces(by("zone", "x"), {{{"team", "u"}}, {}}), "v1.34", with_team));
}

// PRE-AFFINITY-1
TEST(InterPodAffinity, MeansNobodyWithoutASelectorAndEverybodyWithAnEmptyOne) {
  PodAffinityTerm term = by("zone", "x");
  term.label_selector.reset();
  EXPECT_TRUE(fits(asked(n1().has(app_x()), away(p(), {term})), "v1.34"));
  term.label_selector = LabelSelector{};
  EXPECT_FALSE(fits(asked(n1().has(pod("a", 0, 1000)), away(p(), {term})), "v1.34"));
  EXPECT_TRUE(fits(asked(n1(), away(p(), {term})), "v1.34"));
}

// PRE-AFFINITY-2
TEST(InterPodAffinity, WantsAPodInTheDomainOfEveryTerm) {
  QuestionBuilder two = n1();
  two.node("n2", 3000).has(app_x(20));
  Question question = two.asks(near(p(), {by("zone", "x")}));
  EXPECT_TRUE(fits(in_zones(question, {"a", "a"}), "v1.34"));
  EXPECT_EQ(status_of(in_zones(question, {"a", "b"}), "v1.34").code, Code::unschedulable_and_unresolvable);
  EXPECT_TRUE(status_of(in_zones(question, {"", "b"}), "v1.34").code == Code::unschedulable_and_unresolvable);
  question.pod.pod_affinity.push_back(by("rack", "x"));
  EXPECT_FALSE(fits(in_zones(question, {"a", "a"}), "v1.34"));
  question.cluster.nodes[0].labels["rack"] = "r";
  EXPECT_FALSE(fits(in_zones(question, {"a", "a"}), "v1.34"));
  question.cluster.nodes[1].labels["rack"] = "r";
  EXPECT_TRUE(fits(in_zones(question, {"a", "a"}), "v1.34"));
}

// PRE-AFFINITY-2
TEST(InterPodAffinity, WantsOnePodThatAllTermsMean) {
  PodAffinityTerm tier = by("zone", "x");
  tier.label_selector = LabelSelector{{{"tier", "y"}}, {}};
  Pod other = pod("b", 20, 1000);
  other.labels["tier"] = "y";
  const Pod preemptor = near(p(), {by("zone", "x"), tier});
  EXPECT_FALSE(fits(asked(n1().has(app_x(20)).has(other), preemptor), "v1.34"));
  EXPECT_TRUE(fits(asked(n1().has(with_app(other, "x")), preemptor), "v1.34"));
}

// PRE-AFFINITY-2
TEST(InterPodAffinity, FindsNobodyWhereThePodItWantsIsAPotentialVictim) {
  const Pod filler = pod("b", 0, 2000);
  EXPECT_EQ(victims(asked(n1().has(app_x(0)).has(filler), near(p(), {by("zone", "x")})), "v1.34"), Names{});
  EXPECT_EQ(victims(asked(n1().has(app_x(20)).has(filler), near(p(), {by("zone", "x")})), "v1.34"),
            Names{"b"});
}

// PRE-AFFINITY-3
TEST(InterPodAffinity, LetsTheFirstOfItsKindIn) {
  const Pod first = near(with_app(p(), "x"), {by("zone", "x")});
  EXPECT_TRUE(fits(asked(n1(), first), "v1.34"));
  EXPECT_FALSE(fits(asked(n1(), near(p(), {by("zone", "x")})), "v1.34"));
  Question second = n1().node("n2", 1000).has(app_x(20)).asks(first);
  EXPECT_FALSE(fits(in_zones(second, {"a", "b"}), "v1.34"));
  EXPECT_TRUE(fits(in_zones(second, {"a", ""}), "v1.34"));
}

// PRE-AFFINITY-3
TEST(InterPodAffinity, WantsTheKeysOfTheFirstOfItsKindFrom119) {
  const Question question = n1().asks(near(with_app(p(), "x"), {by("zone", "x")}));
  EXPECT_TRUE(fits(question, "v1.18"));
  EXPECT_FALSE(fits(question, "v1.19"));
}

// PRE-AFFINITY-3: the pod may be the first of its group, but n1 lacks one of the two topology keys. From
// v1.19 the node must have both.
TEST(InterPodAffinity, LetsTheFirstPodOfAGroupInOnlyWhereAllKeysAre) {
  Question question = asked(n1(), near(with_app(p(), "x"), {by("zone", "x"), by("rack", "x")}));
  EXPECT_TRUE(fits(question, "v1.18"));
  for (const char* name : {"v1.19", "v1.28", "v1.37"}) EXPECT_FALSE(fits(question, name)) << name;
  question.cluster.nodes[0].labels["rack"] = "r";
  for (const char* name : {"v1.19", "v1.28", "v1.37"}) EXPECT_TRUE(fits(question, name)) << name;
}

// PRE-AFFINITY-4
TEST(InterPodAffinity, KeepsAwayFromPodsInTheDomain) {
  const Pod shy = away(p(), {by("zone", "x")});
  const Question question = asked(n1().has(app_x(5)).has(pod("b", 0, 1000)), shy);
  EXPECT_EQ(
      status_of(question, "v1.34"),
      (Status{Code::unschedulable, "InterPodAffinity", {"node(s) didn't match pod anti-affinity rules"}}));
  EXPECT_EQ(victims(question, "v1.34"), Names{"a"});
  EXPECT_EQ(victims(asked(n1().has(app_x(20)), shy), "v1.34"), Names{});
  EXPECT_TRUE(fits(n1().has(app_x(5)).asks(shy), "v1.34"));
  Question two = n1().node("n2", 1000).has(app_x(5)).asks(shy);
  EXPECT_TRUE(fits(in_zones(two, {"a", "b"}), "v1.34"));
  EXPECT_EQ(status_of(in_zones(two, {"a", "a"}), "v1.34").code, Code::unschedulable);
}

// PRE-AFFINITY-5
TEST(InterPodAffinity, SeesNominatedPodsInItsOwnTermsFrom119) {
  const Question shy = asked(n1().nominated(app_x(10)), away(p(), {by("zone", "x")}));
  EXPECT_TRUE(fits(shy, "v1.18"));
  EXPECT_FALSE(fits(shy, "v1.19"));
  // In v1.18 a nominated pod of its kind does not count either, so p is the first of its kind. Its node lacks
  // a key.
  const Pod first = near(with_app(p(), "x"), {by("zone", "x"), by("rack", "x")});
  EXPECT_TRUE(fits(asked(n1().nominated(app_x(10)), first), "v1.18"));
  EXPECT_FALSE(fits(asked(n1().has(app_x(10)), first), "v1.18"));
  const Question repelled = asked(n1().nominated(away(app_x(10), {by("zone", "p")})), with_app(p(), "p"));
  EXPECT_FALSE(fits(repelled, "v1.18"));
}

// PRE-AFFINITY-6
TEST(InterPodAffinity, LetsAPodThatComesBackStandAgainstAllTermsUpTo117) {
  const Pod other = with_app(pod("b", 0, 1000), "y");
  const Pod shy = away(p(), {by("rack", "x"), by("zone", "y")});
  const Question question = asked(n1().has(app_x(5)).has(other), shy);
  EXPECT_EQ(victims(question, "v1.17"), (Names{"a", "b"}));
  EXPECT_EQ(victims(question, "v1.18"), Names{"b"});
  const Question stranger = asked(n1().has(pod("a", 5, 1000)).has(other), shy);
  EXPECT_EQ(victims(stranger, "v1.17"), Names{"b"});
}

// PRE-AFFINITY-6
TEST(InterPodAffinity, CountsOthersTermsInTheWrongNamespaceIn118) {
  const Pod hiding = in_namespace(away(pod("a", 0, 1000), {by("zone", "p")}), "other");
  const Pod repelling = away(pod("b", 20, 1000), {by("zone", "p")});
  const Question question = asked(n1().has(hiding).has(repelling), with_app(p(), "p"));
  EXPECT_EQ(victims(question, "v1.17"), Names{});
  EXPECT_EQ(victims(question, "v1.18"), Names{"a"});
  EXPECT_EQ(victims(question, "v1.19"), Names{});
  // A nominated pod is only added. v1.18 counts its term, although the term does not match p.
  Pod added = hiding;
  added.priority = 10;
  EXPECT_FALSE(fits(asked(n1().nominated(added), with_app(p(), "p")), "v1.18"));
  EXPECT_TRUE(fits(asked(n1().nominated(added), with_app(p(), "p")), "v1.17"));
}

// PRE-AFFINITY-6
TEST(InterPodAffinity, CountsOthersTermsByTheirKeyIn118) {
  const Pod by_rack = away(pod("a", 0, 1000), {by("rack", "p")});
  Question question = asked(n1().has(by_rack), with_app(p(), "p"));
  EXPECT_TRUE(fits(question, "v1.18"));
  question.cluster.nodes[0].labels["rack"] = "r";
  EXPECT_EQ(victims(question, "v1.18"), Names{"a"});
  Question two =
      n1().node("n2", 1000).has(away(pod("a", 0, 1000), {by("zone", "p")})).asks(with_app(p(), "p"));
  EXPECT_TRUE(fits(in_zones(two, {"a", "b"}), "v1.18"));
  EXPECT_FALSE(status_of(in_zones(two, {"a", "a"}), "v1.18").ok());
}

// PRE-AFFINITY-7
TEST(InterPodAffinity, KeepsOffWhoeverWillNotHaveIt) {
  const Pod wanted = with_app(p(), "p");
  const Question question = asked(n1().has(away(pod("a", 0, 1000), {by("zone", "p")})), wanted);
  EXPECT_EQ(status_of(question, "v1.34"),
            (Status{Code::unschedulable,
                    "InterPodAffinity",
                    {"node(s) didn't satisfy existing pods anti-affinity rules"}}));
  EXPECT_EQ(victims(question, "v1.34"), Names{"a"});
  EXPECT_EQ(victims(asked(n1().has(away(pod("a", 20, 1000), {by("zone", "p")})), wanted), "v1.34"), Names{});
  EXPECT_TRUE(fits(asked(n1().has(away(pod("a", 0, 1000), {by("zone", "q")})), wanted), "v1.34"));
  EXPECT_TRUE(fits(asked(n1().has(away(pod("a", 0, 1000), {by("rack", "p")})), wanted), "v1.34"));
  EXPECT_TRUE(fits(asked(n1().has(near(pod("a", 0, 1000), {by("zone", "q")})), wanted), "v1.34"));
}

// PRE-AFFINITY-8
TEST(InterPodAffinity, IsSkippedFrom127WhereNoBoundPodForbidsAnything) {
  const Pod promised = away(pod("q", 10, 1000), {by("zone", "p")});
  const Question question = asked(n1().nominated(promised), with_app(p(), "p"));
  EXPECT_FALSE(fits(question, "v1.26"));
  EXPECT_TRUE(fits(question, "v1.27"));
  Question own_term = question;
  own_term.pod.pod_anti_affinity = {by("zone", "x")};
  EXPECT_FALSE(fits(own_term, "v1.27"));
  Question own_affinity =
      asked(n1().has(app_x(20)).nominated(promised), near(with_app(p(), "p"), {by("zone", "x")}));
  EXPECT_FALSE(fits(own_affinity, "v1.27"));
  QuestionBuilder two = n1().nominated(promised);
  two.node("n2", 500).has(away(pod("a", 20, 100), {by("zone", "p")}));
  EXPECT_EQ(status_of(in_zones(two.asks(with_app(p(), "p")), {"a", "b"}), "v1.27").code, Code::unschedulable);
}

// PRE-AFFINITY-9
TEST(InterPodAffinity, SaysWhatFailsFirst) {
  const Question question = asked(n1().has(away(pod("a", 20, 1000), {by("zone", "p")})),
                                  near(with_app(p(), "p"), {by("zone", "x")}));
  const std::string before = "node(s) didn't match pod affinity/anti-affinity";
  const std::string near_text = "node(s) didn't match pod affinity rules";
  const std::string others = "node(s) didn't satisfy existing pods anti-affinity rules";
  EXPECT_EQ(status_of(question, "v1.18"),
            (Status{Code::unschedulable, "InterPodAffinity", {before, others}}));
  const Code hopeless = Code::unschedulable_and_unresolvable;
  EXPECT_EQ(status_of(question, "v1.19"), (Status{hopeless, "InterPodAffinity", {before, near_text}}));
  EXPECT_EQ(status_of(question, "v1.21"),
            (Status{hopeless, "InterPodAffinity", {before + " rules", near_text}}));
  EXPECT_EQ(status_of(question, "v1.22"), (Status{hopeless, "InterPodAffinity", {near_text}}));
}

// PRE-AFFINITY-2, PRE-AFFINITY-3, PRE-AFFINITY-5: up to v1.11 nominated pods do not count for the preemptor's
// terms.
TEST(InterPodAffinity, DoesNotSeeNominatedPodsInEarlyReleases) {
  Pod promised = with_app(pod("q", 10, 1000), "x");
  for (const char* name : {"v1.10", "v1.11"}) {
    EXPECT_FALSE(fits(asked(n1().nominated(promised), near(p(), {by("zone", "x")})), name));
    EXPECT_TRUE(fits(asked(n1().nominated(promised), near(with_app(p(), "x"), {by("zone", "x")})), name));
    EXPECT_FALSE(fits(asked(n1(), near(p(), {by("zone", "x")})), name));
    EXPECT_TRUE(fits(asked(n1().has(app_x()), near(p(), {by("zone", "x")})), name));
    // The node has no rack, so p fits only as the first pod of its group. The nominated pod does not count.
    EXPECT_TRUE(fits(asked(n1().nominated(promised), near(with_app(p(), "x"), {by("rack", "x")})), name));
  }
}

// PRE-AFFINITY-2: no pod matches the term of p, so no node is a candidate. Without the term, a is evicted.
TEST(InterPodAffinity, RequiresNothingWithoutATermInV111) {
  Question question = asked(n1().has(pod("a", 0, 3000)), near(p(), {by("zone", "x")}));
  EXPECT_EQ(decide(question, "v1.11").outcome, Outcome::none);
  question.pod.pod_affinity.clear();
  EXPECT_EQ(decide(question, "v1.11").outcome, Outcome::nominated);
}

// PRE-AFFINITY-2, PRE-AFFINITY-5, POL-ALL-1: the only pod with app=x is the nominated pod q, which takes the
// cpu. Up to v1.18 the affinity of p does not see q, so both filters reject n1.
TEST(InterPodAffinity, IsUnmetIfOnlyANominatedPodMatchesUpTo118) {
  const Question question =
      asked(n1().nominated(with_app(pod("q", 10, 3000), "x")), near(p(), {by("zone", "x")}));
  const auto reasons = [&question](const char* name) {
    Release all = release(name);
    all.checks_all_filters = true;
    return reference::preempt(question, all).filter.at(0).reasons;
  };
  const Names both = {"Insufficient cpu", "node(s) didn't match pod affinity/anti-affinity",
                      "node(s) didn't match pod affinity rules"};
  for (const char* name : {"v1.10", "v1.11", "v1.12", "v1.18"}) EXPECT_EQ(reasons(name), both) << name;
  EXPECT_EQ(reasons("v1.19"), Names{"Insufficient cpu"});
}

// PRE-AFFINITY-3: in v1.10 a term over hostnames looks only at the pods of the node.
TEST(InterPodAffinity, LooksAtOneNodeForATermOverHostsInV110) {
  const std::string host = "kubernetes.io/hostname";
  Question question = asked(n1().has(app_x()), near(p(), {by(host, "x")}));
  EXPECT_FALSE(fits(question, "v1.10")) << "the node has no such label";
  question.cluster.nodes[0].labels[host] = "n1";
  EXPECT_TRUE(fits(question, "v1.10"));
}

// PRE-AFFINITY-2, PRE-AFFINITY-3, PRE-AFFINITY-4: in v1.11 one pod must match all terms, in the domains of
// all of them.
TEST(InterPodAffinity, LooksForOnePodInTheDomainsOfAllTermsInV111) {
  const std::vector<PodAffinityTerm> both = {by("zone", "x"), by("rack", "x")};
  EXPECT_FALSE(fits(asked(n1().has(app_x()), near(p(), both)), "v1.11"));
  EXPECT_TRUE(fits(asked(n1().has(app_x()), away(p(), both)), "v1.11"));
  EXPECT_FALSE(fits(asked(n1().has(app_x()), away(p(), both)), "v1.10"));
  Question racked = asked(n1().has(app_x()), near(p(), both));
  racked.cluster.nodes[0].labels["rack"] = "r";
  EXPECT_TRUE(fits(racked, "v1.11"));
  racked.pod = away(p(), both);
  EXPECT_EQ(victims(racked, "v1.11"), Names{"a"});
  racked.pod = away(p(), {by("zone", "x"), by("rack", "y")});
  EXPECT_TRUE(fits(racked, "v1.11"));
  // Pod a, the only one of p's kind, is evicted. In v1.11 it still counts, so p is not the first of its kind.
  const Question evicted = in_zones(
      QuestionBuilder().node("n1", 1000).has(app_x()).asks(near(with_app(p(), "x"), {by("zone", "x")})),
      {"a"});
  EXPECT_EQ(decide(evicted, "v1.11").outcome, Outcome::none);
  EXPECT_EQ(victims(evicted, "v1.10"), Names{"a"});
}

// PRE-AFFINITY-7: the filters look at this list of pods, and not at all pods.
TEST(InterPodAffinity, ListsThePodsThatHaveAntiAffinityOnceACycle) {
  const Question question = asked(n1().has(app_x())
                                      .has(away(pod("b", 0, 1000), {by("zone", "x")}))
                                      .has(near(pod("c", 0, 1000), {by("zone", "x")}))
                                      .nominated(away(pod("d", 0, 1000), {by("zone", "x")})),
                                  p());
  const Release asked_release = release("v1.34");
  Trace trace = Trace::none();
  const reference::Cycle cycle(question, asked_release, trace);
  ASSERT_EQ(cycle.with_anti_affinity.size(), 1u);
  EXPECT_EQ(cycle.with_anti_affinity[0].node, 0u);
  EXPECT_EQ(cycle.with_anti_affinity[0].pod.object->name, "b");
}

}  // namespace touchstone::tests::filter_affinity_test
