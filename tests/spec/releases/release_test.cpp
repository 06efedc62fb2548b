#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "spec/releases/known_releases.hpp"

namespace touchstone {

namespace {

Release folded(int minor, int patch) { return fold_release({minor, patch}); }

std::string error_code(std::string_view name) {
  const Result<NamedRelease> found = find_release(name);
  return found ? "" : found.error().code;
}

}  // namespace

TEST(FindRelease, ReadsAPatchAndAMinor) {
  EXPECT_EQ(find_release("v1.30.6").value().release.version, (Version{30, 6}));
  EXPECT_EQ(find_release("1.30.6").value().release.version, (Version{30, 6}));
  EXPECT_EQ(find_release("v1.30").value().release.version, (Version{30, 14}));
  EXPECT_TRUE(find_release("v1.30").value().notes.empty());
}

TEST(FindRelease, AnswersVendorsBuildsAsTheirReleaseAndSaysSo) {
  for (const char* name : {"v1.30.6-gke.1014001", "v1.30.6+k3s1", "v1.30.6-rc.1"}) {
    const NamedRelease found = find_release(name).value();
    EXPECT_EQ(found.release.version, (Version{30, 6})) << name;
    EXPECT_EQ(found.notes.size(), 1u) << name;
  }
}

TEST(FindRelease, AnswersALaterPatchAsTheNewestWithANote) {
  const NamedRelease found = find_release("v1.28.99").value();
  EXPECT_EQ(found.release.version, (Version{28, 15}));
  EXPECT_GE(found.notes.size(), 1u);
}

TEST(FindRelease, WarnsInsideAGapAndNotBesideIt) {
  EXPECT_FALSE(find_release("v1.26.8").value().notes.empty());
  EXPECT_TRUE(find_release("v1.26.7").value().notes.empty());
  EXPECT_TRUE(find_release("v1.26.9").value().notes.empty());
}

TEST(FindRelease, DoesNotSpeakOfQueuesThatAreNotModelled) {
  EXPECT_TRUE(find_release("v1.13.5").value().notes.empty());
}

TEST(FindRelease, WarnsOfAnAlpha) { EXPECT_FALSE(find_release("v1.38").value().notes.empty()); }

TEST(FindRelease, NamesTheNearestKnownReleaseForAnUnknownOne) {
  for (const char* name : {"v1.7.3", "v1.39", "v2.0.0", "", "v", "newest", "v1.", "v1.x", "v1.30.", "v1.30.x",
                           "v1.30.6x", "v1.-3", "v1.99999999999", "v1.30.6.2", "1"}) {
    EXPECT_EQ(error_code(name), "unknown-release") << name;
  }
  EXPECT_NE(find_release("v1.7.3").error().message.find("v1.8.0"), std::string::npos);
  EXPECT_NE(find_release("v1.39").error().message.find("v1.38"), std::string::npos);
  EXPECT_NE(find_release("v1.30.x").error().message.find("v1.30.14"), std::string::npos);
}

TEST(Releases, ThatBehaveInTheirOwnWayAreAllListed) {
  const std::vector<Version> distinct = distinct_releases();
  EXPECT_TRUE(std::is_sorted(distinct.begin(), distinct.end()));
  for (const Version& known : answered_releases()) {
    // `known` has the changes of the last distinct release that is not newer.
    const auto next = std::upper_bound(distinct.begin(), distinct.end(), known);
    ASSERT_NE(next, distinct.begin());
    for (const Change& change : release_table()) {
      if (is_over_time(change)) continue;
      EXPECT_EQ(has_change(change, known), has_change(change, *std::prev(next)))
          << known.text() << " " << change.name;
    }
  }
}

TEST(ReleaseTable, RowsAreInOrderAndNamedAndKnown) {
  for (const Change& change : release_table()) {
    EXPECT_FALSE(change.name.empty());
    EXPECT_FALSE(change.value.empty()) << change.name;
    EXPECT_FALSE(change.evidence.empty()) << change.name;
    EXPECT_TRUE(change.clause.starts_with("PRE-") || change.clause.starts_with("CYC-") ||
                change.clause.starts_with("SCORE-") || change.clause.starts_with("EXT-") ||
                change.clause.starts_with("POL-") || is_over_time(change))
        << change.name;
    ASSERT_FALSE(change.first.empty()) << change.name;
    EXPECT_TRUE(std::is_sorted(change.first.begin(), change.first.end(),
                               [](const FirstPatch& a, const FirstPatch& b) { return a.minor < b.minor; }))
        << change.name;
    for (const FirstPatch& first : change.first) EXPECT_LT(first.absent_through, first.patch) << change.name;
  }
}

TEST(ReleaseTable, RecordedReleasesLieOutsideEveryGap) {
  for (const Version& version : recorded_releases()) {
    EXPECT_TRUE(find_release(version.text()).value().notes.empty()) << version.text();
  }
}

TEST(ReleaseTable, KnownReleasesAreEveryMinorFromEightOn) {
  for (std::size_t i = 0; i < known_releases().size(); ++i) {
    EXPECT_EQ(known_releases()[i].minor, static_cast<int>(i) + 8);
  }
  EXPECT_EQ(newest_release(), (Version{37, 2}));
}

TEST(Releases, AreKnownFromTheNearestPatchesThatWereRecorded) {
  const auto evidence = [](const char* name) { return find_release(name).value().evidence; };
  EXPECT_EQ(evidence("v1.30.6"), "nearest recorded: v1.30.4, v1.30.14");
  EXPECT_EQ(evidence("v1.34.13"), "nearest recorded: v1.34.4");
  EXPECT_EQ(evidence("v1.34.1"), "nearest recorded: v1.34.0, v1.34.2");
  EXPECT_EQ(evidence("v1.35.0"), "nearest recorded: v1.35.4");
  EXPECT_EQ(evidence("v1.34.2"), "recorded from the running release");
}

TEST(Releases, TheDefaultIsTheNewestThatWasComparedAndLatestMeansIt) {
  EXPECT_EQ(newest_release(), recorded_releases().back());
  EXPECT_EQ(find_release("latest").value().release.version, newest_release());
  EXPECT_TRUE(find_release("latest").value().notes.empty());
}

TEST(Releases, KnownByReadingAloneSaySo) {
  for (const Version& version : answered_releases()) {
    const NamedRelease named = find_release(version.text()).value();
    const bool read_alone = named.evidence == "read in source, not recorded";
    const auto says_so = [](const std::string& note) { return note.find("by reading") != std::string::npos; };
    EXPECT_EQ(std::any_of(named.notes.begin(), named.notes.end(), says_so), read_alone) << version.text();
  }
}

// PRE-VICTIM-7
TEST(ReleaseTable, BackportsReachOldMinorsAtTheirOwnPatches) {
  EXPECT_FALSE(folded(28, 15).victims_sorted_again);
  EXPECT_FALSE(folded(29, 10).victims_sorted_again);
  EXPECT_TRUE(folded(29, 11).victims_sorted_again);
  EXPECT_FALSE(folded(30, 6).victims_sorted_again);
  EXPECT_TRUE(folded(30, 7).victims_sorted_again);
  EXPECT_FALSE(folded(31, 2).victims_sorted_again);
  EXPECT_TRUE(folded(31, 3).victims_sorted_again);
  EXPECT_TRUE(folded(32, 0).victims_sorted_again);
}

// PRE-VICTIM-4, PRE-NODE-5: the optimized engine uses the start time of the most important victim as the
// earliest start time. This is right only if the implication below holds.
TEST(ReleaseTable, WhereStartsDecideOverNodesTheyDecideOverVictims) {
  for (const Version& known : known_releases()) {
    const Release release = folded(known.minor, known.patch);
    EXPECT_TRUE(!release.choice_by_start_time || release.importance_by_start_time) << known.text();
  }
  EXPECT_TRUE(folded(15, 3).choice_by_start_time);
}

// PRE-PREFILTER-4
TEST(ReleaseTable, ARegressionIsAWindow) {
  EXPECT_FALSE(folded(25, 16).prefilter_failure_lost);
  EXPECT_TRUE(folded(26, 0).prefilter_failure_lost);
  EXPECT_TRUE(folded(26, 5).prefilter_failure_lost);
  EXPECT_FALSE(folded(26, 9).prefilter_failure_lost);
  EXPECT_TRUE(folded(28, 0).prefilter_failure_lost);
  EXPECT_FALSE(folded(29, 0).prefilter_failure_lost);
}

// PRE-PDB-3, PRE-PDB-4, PRE-PDB-5
TEST(ReleaseTable, BudgetsGoFromIgnoredToConsumedAndBack) {
  EXPECT_EQ(folded(8, 0).pdb_budget, PdbBudget::ignored);
  EXPECT_EQ(folded(17, 17).pdb_budget, PdbBudget::threshold);
  EXPECT_EQ(folded(18, 0).pdb_budget, PdbBudget::consumed_until_violated);
  EXPECT_EQ(folded(19, 0).pdb_budget, PdbBudget::consumed_all);
  EXPECT_EQ(folded(36, 6).pdb_budget, PdbBudget::consumed_all);
  EXPECT_EQ(folded(37, 0).pdb_budget, PdbBudget::consumed_until_violated);
}

}  // namespace touchstone
