#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "faults/faults.hpp"
#include "faults/seeded.hpp"
#include "faults/timeline_judges.hpp"
#include "fuzz/timelines/campaign.hpp"
#include "oracle/protocol/timeline_vectors.hpp"

/// Campaigns over time find seeded faults, shrink them, and name a clause.
namespace touchstone::faults {

namespace {

/// Switches a fault on in the thread that plays. The reference has no faults.
std::unique_ptr<TimelineModel> faulty_order() {
  static const std::size_t number =
      std::find_if(timeline_faults().begin(), timeline_faults().end(), [](const Fault& each) {
        return each.id == "later-pods-first";
      })->number;
  fault_switch = {number, 0, 0};
  return faulty_timeline_model();
}

class TimelineCampaigns : public testing::Test {
 protected:
  TimelineCampaigns() {
    std::string name = (std::filesystem::temp_directory_path() / "touchstone-timelines-XXXXXX").string();
    dir_ = mkdtemp(name.data());
  }
  ~TimelineCampaigns() override { std::filesystem::remove_all(dir_); }

  fuzz::TimelineCampaignSetup setup(MakeModel make, std::uint64_t timelines) const {
    fuzz::TimelineCampaignSetup setup;
    setup.subject.release = "v1.36.3";
    setup.make = make;
    setup.timelines_most = timelines;
    setup.out = dir_;
    return setup;
  }
  static fuzz::TimelineTally run(const fuzz::TimelineCampaignSetup& setup) {
    static const std::atomic<bool> never = false;
    return fuzz::run_timeline_campaign(setup, never, [](const fuzz::TimelineProgress&) {}).value();
  }

  std::filesystem::path dir_;
};

}  // namespace

TEST_F(TimelineCampaigns, FindAFaultAndShrinkIt) {
  const fuzz::TimelineTally tally = run(setup(faulty_order, 40));
  EXPECT_EQ(tally.timelines, 40u);
  EXPECT_GT(tally.differ, 0u);
  ASSERT_FALSE(tally.found.empty());
  const auto smallest =
      std::min_element(tally.found.begin(), tally.found.end(),
                       [](const auto& a, const auto& b) { return a.commands < b.commands; });
  EXPECT_LE(smallest->commands, 8u);
  EXPECT_FALSE(smallest->clause.empty());
  // What was saved is a timeline that the reference does not play so, and the subject does.
  const std::filesystem::path file = dir_ / "differences" / (smallest->hash + ".jsonl");
  const auto read = oracle::read_timelines(file);
  ASSERT_TRUE(read);
  ASSERT_EQ(read.value().size(), 1u);
  EXPECT_TRUE(oracle::timeline_difference(read.value()[0]));
  const FaultOn on(*std::find_if(timeline_faults().begin(), timeline_faults().end(),
                                 [](const Fault& each) { return each.id == "later-pods-first"; }));
  EXPECT_FALSE(oracle::timeline_difference(read.value()[0], faulty_timeline_model));
  EXPECT_TRUE(std::filesystem::exists(dir_ / "differences" / (smallest->hash + ".txt")));
}

TEST_F(TimelineCampaigns, FindNothingInTheReferenceAndContinue) {
  fuzz::TimelineCampaignSetup plan = setup(reference::timeline_model, 6);
  plan.jobs = 2;
  const fuzz::TimelineTally first = run(plan);
  EXPECT_EQ(first.agree, 6u);
  EXPECT_EQ(first.differ, 0u);
  EXPECT_GT(first.commands, 24u);
  plan.timelines_most = 9;
  const fuzz::TimelineTally second = run(plan);
  EXPECT_EQ(second.timelines, 9u);
  EXPECT_EQ(second.next, 9u);
  plan.seed = 2;
  static const std::atomic<bool> never = false;
  const auto other = fuzz::run_timeline_campaign(plan, never, [](const fuzz::TimelineProgress&) {});
  ASSERT_FALSE(other);
  EXPECT_EQ(other.error().code, "campaigns-differ");
  std::ofstream(dir_ / "campaign.json") << "{}";
  const auto broken = fuzz::run_timeline_campaign(plan, never, [](const fuzz::TimelineProgress&) {});
  ASSERT_FALSE(broken);
  EXPECT_EQ(broken.error().code, "campaign-malformed");
}

TEST_F(TimelineCampaigns, RefuseAReleaseThatIsNotModelled) {
  fuzz::TimelineCampaignSetup plan = setup(reference::timeline_model, 1);
  plan.subject.release = "v1.20.0";
  static const std::atomic<bool> never = false;
  const auto done = fuzz::run_timeline_campaign(plan, never, [](const fuzz::TimelineProgress&) {});
  ASSERT_FALSE(done);
  EXPECT_EQ(done.error().code, "not-modelled");
}

}  // namespace touchstone::faults
