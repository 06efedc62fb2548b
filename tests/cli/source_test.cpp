#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "tests/cli/shell.hpp"

/// What upstream/build --source says about folders that it cannot build. None of this needs Go.
namespace touchstone {

namespace {

namespace fs = std::filesystem;

/// A checkout in miniature: what upstream/build reads of it before it calls Go.
class Source : public ::testing::Test {
 protected:
  void SetUp() override {
    if (fs::exists("/usr/bin/go")) GTEST_SKIP() << "Go is installed where these tests must not find it";
    write("go.mod", "module k8s.io/kubernetes\n\ngo 1.26.0\n");
    write("staging/src/k8s.io/component-base/go.mod", "module k8s.io/component-base\n");
    write("staging/src/k8s.io/component-base/version/base.go", "\tDefaultKubeBinaryVersion = \"1.36\"\n");
  }
  void TearDown() override { fs::remove_all(directory_); }

  void write(const std::string& file, const std::string& text) const {
    fs::create_directories((directory_ / file).parent_path());
    std::ofstream(directory_ / file) << text;
  }

  /// Runs upstream/build on the checkout, where there is no Go.
  Ran build(const std::string& options = "") const {
    return shell("PATH=/usr/bin:/bin; upstream/build --source " + directory_.string() + " " + options);
  }

  fs::path directory_ = fs::temp_directory_path() / ("touchstone-source-" + std::to_string(getpid()));
};

}  // namespace

TEST_F(Source, WithoutGoNothingIsBuilt) {
  const Ran result = build("--name mine");
  EXPECT_EQ(result.exit_code, 77) << result.output;
  EXPECT_TRUE(contains(result.output, "Go is not installed")) << result.output;
}

TEST_F(Source, AFolderThatIsNoCheckoutIsNamed) {
  EXPECT_EQ(shell("upstream/build --source no-such-folder").exit_code, 2);
  EXPECT_EQ(shell("upstream/build --source").exit_code, 2);
  write("go.mod", "module k8s.io/api\n");
  const Ran result = build();
  EXPECT_EQ(result.exit_code, 2) << result.output;
  EXPECT_TRUE(contains(result.output, "is no checkout of kubernetes")) << result.output;
}

TEST_F(Source, ACheckoutNeedsItsStagingModules) {
  fs::remove_all(directory_ / "staging");
  const Ran result = build();
  EXPECT_EQ(result.exit_code, 2) << result.output;
  EXPECT_TRUE(contains(result.output, "staging/src/k8s.io")) << result.output;
}

TEST_F(Source, TheNameIsNoRelease) {
  for (const char* name : {"v1.36.3", "latest", "cache", "a/b"}) {
    const Ran result = build(std::string("--name ") + name);
    EXPECT_EQ(result.exit_code, 2) << name << ": " << result.output;
  }
  EXPECT_EQ(build("--name").exit_code, 2);
  EXPECT_EQ(build("--nam mine").exit_code, 2);
}

// In v1.29 and v1.30 the minor is that of the newest changelog.
TEST_F(Source, TheMinorComesFromTheCheckout) {
  write("staging/src/k8s.io/component-base/version/base.go", "package version\n");
  EXPECT_EQ(build("--name mine").exit_code, 2);
  write("CHANGELOG/CHANGELOG-1.9.md", "");
  write("CHANGELOG/CHANGELOG-1.28.md", "");
  const Ran old = build("--name mine");
  EXPECT_EQ(old.exit_code, 2) << old.output;
  EXPECT_TRUE(contains(old.output, "it is of v1.28")) << old.output;
  write("CHANGELOG/CHANGELOG-1.29.md", "");
  EXPECT_EQ(build("--name mine").exit_code, 77);
}

TEST_F(Source, OfALaterMinorTheNewestAdapterIsUsed) {
  write("staging/src/k8s.io/component-base/version/base.go", "\tDefaultKubeBinaryVersion = \"1.99\"\n");
  const Ran result = build("--name mine");
  EXPECT_EQ(result.exit_code, 77) << result.output;
  EXPECT_TRUE(contains(result.output, "v1.99 is later than the newest known minor")) << result.output;
  EXPECT_EQ(build("--name mine --release 36").exit_code, 2);
}

}  // namespace touchstone
