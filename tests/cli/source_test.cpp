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

/// A release, built in a copy of the two scripts, with a `go` that does as a test says.
class BuiltRelease : public Source {
 protected:
  void SetUp() override {
    for (const char* script : {"upstream/build", "upstream/go"}) {
      fs::create_directories(directory_ / "upstream");
      fs::copy_file(script, directory_ / script);
    }
    fs::create_directories(directory_ / "upstream/scheduler");
    write("theirs/go.mod", "module k8s.io/kubernetes\n\ngo 1.26.0\n");
  }

  /// Builds v1.36.3. `list` and `compile` are what go does when it lists packages, and when it compiles them.
  Ran build_with(const std::string& list, const std::string& compile) const {
    const std::string here = directory_.string();
    write("bin/go", "#!/bin/bash\ncase $1 in\nmod) printf '{\\n\\t\"GoMod\": \"" + here +
                        "/theirs/go.mod\"\\n}\\n' ;;\nlist) " + list + " ;;\nbuild) " + compile +
                        " ;;\nesac\n");
    fs::permissions(directory_ / "bin/go", fs::perms::owner_all);
    return shell("PATH=" + here + "/bin:/usr/bin:/bin PAUSE=0 " + here + "/upstream/build v1.36.3");
  }

  /// What go does to note that it was called, and how often it was.
  std::string noted() const { return "echo again >> " + (directory_ / "calls").string(); }
  std::size_t calls() const { return lines_of(text_of(directory_ / "calls")).size(); }

  const std::string compiles_ =
      "echo program > " + (directory_ / "build/upstream/v1.36.3/scheduler").string();
};

TEST_F(BuiltRelease, AFailedFetchIsTriedAgain) {
  const Ran result = build_with(noted() + "; [ $(wc -l < " + (directory_ / "calls").string() +
                                    ") = 2 ] || { echo unexpected EOF >&2; exit 1; }",
                                compiles_);
  EXPECT_EQ(result.exit_code, 0) << result.output;
  EXPECT_EQ(calls(), 2U);
}

TEST_F(BuiltRelease, ModulesThatCannotBeReachedAreNoDefect) {
  for (const char* reason :
       {"unexpected EOF", "dial tcp: no route to host", "read: connection reset by peer"}) {
    const Ran result = build_with(noted() + "; echo '" + reason + "' >&2; exit 1", compiles_);
    EXPECT_EQ(result.exit_code, 77) << result.output;
    EXPECT_TRUE(contains(result.output, reason)) << result.output;
  }
  EXPECT_EQ(calls(), 9U);
}

TEST_F(BuiltRelease, PackagesThatCannotBeListedAreADefect) {
  const Ran result = build_with("echo './main.go:3:1: syntax error' >&2; exit 1", compiles_);
  EXPECT_EQ(result.exit_code, 1) << result.output;
  EXPECT_TRUE(contains(result.output, "main.go:3:1: syntax error")) << result.output;
}

TEST_F(BuiltRelease, AProgramThatDoesNotCompileSaysHowGoEnded) {
  const Ran result = build_with("true", "echo 'undefined: x' >&2; exit 9");
  EXPECT_EQ(result.exit_code, 1) << result.output;
  EXPECT_TRUE(contains(result.output, "undefined: x")) << result.output;
  EXPECT_TRUE(contains(result.output, "v1.36.3 does not compile (go ended with 9)")) << result.output;
}

}  // namespace touchstone
