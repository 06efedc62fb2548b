#include "fuzz/campaign/extender_laws.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "tests/support/any_question.hpp"
#include "tests/support/policy.hpp"

/// Checks laws of extenders and of Policy files on small generated clusters, for all epochs of releases.
namespace touchstone::tests::extender_laws_test {

namespace {

/// A whole cycle with extenders.
AnyCase any_extended_case() {
  fuzz::ByteChoices choices(any_bytes());
  const Release release = any_release();
  fuzz::Scenarios scenarios = small_scenarios(release, 4, 4);
  for (const fuzz::Family family : {fuzz::Family::roomy, fuzz::Family::images, fuzz::Family::extenders})
    scenarios.families.insert(family);
  AnyCase any{release, fuzz::scenario(choices, scenarios)};
  RC_LOG(text_of(any.question, any.release));
  return any;
}

/// Asserts that a Policy with these members decides as no Policy does, but for the order and the names of the
/// scores: those are in the order of the file, and from v1.17 on have the names of plug-ins.
void is_as_no_policy(const char* name, const std::string& members) {
  const Release release = tests::release(name);
  fuzz::ByteChoices choices(any_bytes());
  fuzz::Scenarios scenarios = small_scenarios(release, 4, 4);
  scenarios.families = fuzz::whole_cycle_families();
  scenarios.families.erase(fuzz::Family::many_nodes);
  scenarios.families.erase(fuzz::Family::sampling);
  const Question question = fuzz::scenario(choices, scenarios);
  RC_LOG(text_of(question, release));
  const oracle::Decider& reference = oracle::reference_decider();
  const Placement plain = fuzz::schedule(reference, question, release);
  Placement configured = fuzz::schedule(reference, question, tests::with_policy(name, members));
  RC_ASSERT(configured.scores.size() == plain.scores.size());
  configured.scores = plain.scores;
  RC_ASSERT(configured == plain);
}

}  // namespace

// EXT-INTEREST-1, EXT-ERROR-1, EXT-FILTER-1, EXT-FILTER-2, EXT-SCORE-1, EXT-PREEMPT-1, EXT-PREEMPT-2
RC_GTEST_PROP(Extenders, BreakNoLaw, ()) {
  const auto [release, question] = any_extended_case();
  RC_CLASSIFY(!question.extenders.empty());
  for (const BrokenLaw& law : fuzz::broken_by_extenders(oracle::reference_decider(), question, release)) {
    RC_LOG(std::string(law.clause) + ": " + law.text);
    RC_FAIL("a law is broken");
  }
}

// POL-SET-1, POL-SET-3
RC_GTEST_PROP(Policy, OfTheDefaultsIsAsNoPolicy, ()) {
  const std::string defaults =
      R"("predicates":[{"name":"CheckNodeUnschedulable"},{"name":"GeneralPredicates"},
    {"name":"NoDiskConflict"},{"name":"PodToleratesNodeTaints"},{"name":"MaxEBSVolumeCount"},
    {"name":"MaxGCEPDVolumeCount"},{"name":"MaxCSIVolumeCountPred"},{"name":"MaxAzureDiskVolumeCount"},
    {"name":"CheckVolumeBinding"},{"name":"NoVolumeZoneConflict"},{"name":"MatchInterPodAffinity"}],
    "priorities":[{"name":"SelectorSpreadPriority","weight":1},{"name":"InterPodAffinityPriority","weight":1},
    {"name":"LeastRequestedPriority","weight":1},{"name":"BalancedResourceAllocation","weight":1},
    {"name":"NodePreferAvoidPodsPriority","weight":10000},{"name":"NodeAffinityPriority","weight":1},
    {"name":"TaintTolerationPriority","weight":1},{"name":"ImageLocalityPriority","weight":1}])";
  const char* name = *rc::gen::elementOf(std::vector<const char*>{"v1.12.10", "v1.13.12"});
  is_as_no_policy(name, defaults);
}

// POL-SET-1 to POL-SET-3, POL-PLUGIN-1: in these releases the order of a Policy is that of the default
// configuration.
RC_GTEST_PROP(Policy, OfNothingIsAsNoPolicy, ()) {
  const char* name = *rc::gen::elementOf(std::vector<const char*>{"v1.17.17", "v1.19.16"});
  is_as_no_policy(name, "");
}

}  // namespace touchstone::tests::extender_laws_test
