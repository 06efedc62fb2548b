#include "kubernetes/dump/sources.hpp"

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/stat.h>

#include <filesystem>
#include <string>
#include <vector>

#include "kubernetes/dump/dump.hpp"
#include "kubernetes/text/bytes.hpp"
#include "kubernetes/text/gzip.hpp"
#include "tests/support/files.hpp"

namespace touchstone::kubernetes::sources_test {
namespace {

namespace fs = std::filesystem;
using tests::gzipped;
using tests::repeated;
using tests::TemporaryDirectory;

const std::string k_pod = R"({"kind":"Pod","metadata":{"name":"a"}})";
constexpr std::size_t k_mib = std::size_t{1} << 20;

/// A few MiB would be enough, but AddressSanitizer keeps up to 256 MiB of freed memory.
constexpr std::size_t k_memory_max = 512 * k_mib;

std::string code_of(const std::vector<std::string>& paths) {
  const Result<Dump> dump = read_dump(paths, {});
  return dump ? "dump" : dump.error().code;
}

std::string code_of_bytes(const std::string& bytes) {
  const Result<Dump> dump = parse_dump(bytes, "cluster.json");
  if (dump) return "dump";
  EXPECT_TRUE(dump.error().path.starts_with("cluster.json")) << dump.error().path;
  return dump.error().code;
}

std::size_t peak_bytes() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<std::size_t>(usage.ru_maxrss) * 1024;
}

TEST(FilesOf, KeepsTheOrderOfPaths) {
  EXPECT_EQ(files_of({"b.json", "-", "a.json"}).value(), (std::vector<std::string>{"b.json", "-", "a.json"}));
}

TEST(FilesOf, ListsADirectorySortedAtAnyDepth) {
  const TemporaryDirectory directory;
  std::vector<std::string> expected;
  for (const char* name :
       {"a.json", "default/pods.yaml", "default/x/pods.yml.gz", "nodes.json.gz", "z.yml"}) {
    expected.push_back(directory.write(name, ""));
  }
  for (const char* name : {"default/web-0/logs.txt", "json", "a.json.bak", "b.gz", "c.yaml.zip"}) {
    directory.write(name, "");
  }
  EXPECT_EQ(files_of({directory.path()}).value(), expected);
}

TEST(FilesOf, FollowsLinksToFilesButNotToDirectories) {
  const TemporaryDirectory directory;
  const std::string file = directory.write("a.json", k_pod);
  fs::create_directory_symlink(directory.path(), directory.path() + "/loop");
  fs::create_directory_symlink(directory.path(), directory.path() + "/loop.json");
  fs::create_symlink(file, directory.path() + "/b.json");
  EXPECT_EQ(files_of({directory.path()}).value(),
            (std::vector<std::string>{file, directory.path() + "/b.json"}));
  EXPECT_EQ(files_of({directory.path() + "/loop"}).value().size(), 2u);
}

TEST(FilesOf, LeavesPipesOut) {
  const TemporaryDirectory directory;
  const std::string file = directory.write("a.json", k_pod);
  ASSERT_EQ(::mkfifo((directory.path() + "/b.json").c_str(), 0600), 0);
  EXPECT_EQ(files_of({directory.path()}).value(), std::vector<std::string>{file});
}

TEST(FilesOf, RefusesStandardInputTwice) {
  EXPECT_EQ(files_of({"-", "a.json", "-"}).error().code, "repeated-source");
}

TEST(FilesOf, RefusesADirectoryWithoutFiles) {
  const TemporaryDirectory directory;
  directory.write("logs.txt", k_pod);
  const Result<std::vector<std::string>> files = files_of({directory.path()});
  ASSERT_FALSE(files);
  EXPECT_EQ(files.error().code, "no-objects");
  EXPECT_EQ(files.error().path, directory.path());
}

TEST(ReadDump, ReadsWhatClusterInfoDumpWrites) {
  const TemporaryDirectory directory;
  const auto typed_list = [](const std::string& kind, const std::string& items) {
    return R"({"kind":")" + kind + R"(List","apiVersion":"v1","metadata":{},"items":[)" + items + "]}";
  };
  directory.write("nodes.json", typed_list("Node", R"({"metadata":{"name":"n"}})"));
  directory.write("default/pods.json", typed_list("Pod", R"({"metadata":{"name":"a"}})"));
  directory.write("default/events.json", typed_list("Event", "{}"));
  directory.write("default/a/logs.txt", "==== START logs ====");
  const Result<Dump> dump = read_dump({directory.path()}, {});
  ASSERT_TRUE(dump);
  EXPECT_EQ(dump.value().cluster.nodes.size(), 1u);
  EXPECT_EQ(dump.value().cluster.pods.size(), 1u);
  EXPECT_EQ(dump.value().ignored_kinds.at("Event"), 1u);
}

TEST(ReadDump, ReadsYaml) {
  const std::string yaml = R"(apiVersion: v1
items:
- apiVersion: v1
  kind: Pod
  metadata:
    name: a
    labels: {port: "80"}
  spec:
    priority: 7
    containers:
    - name: web
      resources:
        requests:
          cpu: 0.5
kind: List
)";
  for (const std::string& bytes : {yaml, "\xef\xbb\xbf" + yaml, "---\n" + yaml + "---\n", gzipped(yaml)}) {
    const Result<Dump> dump = parse_dump(bytes, "cluster.yaml");
    ASSERT_TRUE(dump) << dump.error().path << " " << dump.error().message;
    const Pod& pod = dump.value().cluster.pods.at(0);
    EXPECT_EQ(pod.full_name(), "default/a");
    EXPECT_EQ(pod.priority, 7);
    EXPECT_EQ(pod.labels, (Labels{{"port", "80"}}));
    EXPECT_EQ(pod.containers.at(0).requests, (ResourceList{{"cpu", 500}}));
  }
}

TEST(ReadDump, TakesYamlAndJsonOfAnObjectForTheSame) {
  const std::string json = R"({"kind":"Pod","metadata":{"name":"a"},"spec":{"priority":7,"x":[0.25,"1e3"]}})";
  const std::string yaml =
      "metadata: {name: a}\nkind: Pod\nspec:\n  x:\n  - 0.25\n  - \"1e3\"\n  priority: 7\n";
  const TemporaryDirectory directory;
  directory.write("a.json", json);
  directory.write("b.yaml", yaml);
  const Result<Dump> dump = read_dump({directory.path()}, {});
  ASSERT_TRUE(dump) << dump.error().message;
  EXPECT_EQ(dump.value().cluster.pods.size(), 1u);
}

TEST(ReadDump, NamesTheDocumentOfYaml) {
  const std::string good = "kind: Pod\nmetadata: {name: a}\n";
  const std::string bad = "kind: List\nitems:\n- kind: Pod\n  metadata: {name: b}\n  spec: 7\n";
  EXPECT_EQ(parse_dump(bad, "cluster.yaml").error().path, "cluster.yaml: items[0] (Pod default/b).spec");
  EXPECT_EQ(parse_dump(good + "---\n" + bad, "cluster.yaml").error().path,
            "cluster.yaml: document 2: items[0] (Pod default/b).spec");
  const Result<Dump> twice = parse_dump(good + "---\n" + good, "cluster.yaml");
  ASSERT_TRUE(twice);
  EXPECT_EQ(twice.value().cluster.pods.size(), 1u);
}

TEST(ReadDump, NamesAFileThatItCannotRead) {
  const TemporaryDirectory directory;
  fs::create_symlink("/nonexistent", directory.path() + "/a.json");
  for (const std::string& path : {std::string("/nonexistent/cluster.json"), std::string()}) {
    const Result<Dump> dump = read_dump({path}, {});
    ASSERT_FALSE(dump);
    EXPECT_EQ(dump.error().code, "file-unreadable");
    EXPECT_EQ(dump.error().path, path);
  }
  EXPECT_EQ(read_dump({directory.path()}, {}).error().path, directory.path() + "/a.json");
  EXPECT_EQ(read_bytes(directory.path(), {}).error().code, "file-unreadable");
}

TEST(WriteBytes, ReplacesAFile) {
  const TemporaryDirectory directory;
  const fs::path file = fs::path(directory.path()) / "file.json";
  for (const std::string text : {"{\"long\": true}", "{}"}) {
    EXPECT_FALSE(write_bytes(file, text));
    EXPECT_EQ(read_bytes(file, {}).value(), text);
  }
  EXPECT_EQ(std::distance(fs::directory_iterator(file.parent_path()), {}), 1) << "only the file is left";
}

TEST(WriteBytes, WritesWhereALinkPoints) {
  const TemporaryDirectory directory;
  const fs::path file = fs::path(directory.path()) / "file.json", link = fs::path(directory.path()) / "link";
  EXPECT_FALSE(write_bytes(file, "{}"));
  fs::create_symlink(file, link);
  EXPECT_FALSE(write_bytes(link, "[]"));
  EXPECT_TRUE(fs::is_symlink(link));
  EXPECT_EQ(read_bytes(file, {}).value(), "[]");
}

TEST(WriteBytes, LeavesDevicesAsTheyAre) {
  EXPECT_FALSE(write_bytes("/dev/null", "{}"));
  EXPECT_TRUE(fs::is_character_file("/dev/null"));
}

TEST(WriteBytes, NamesAFileThatItCannotWrite) {
  const TemporaryDirectory directory;
  for (const std::string& path :
       {directory.path(), std::string("/dev/full"), directory.path() + "/none/file.json"}) {
    const std::optional<Error> error = write_bytes(path, "{}");
    ASSERT_TRUE(error) << path;
    EXPECT_EQ(error->code, "file-unwritable");
    EXPECT_EQ(error->path, path);
  }
}

struct Case {
  std::string bytes;
  std::string code;
};

TEST(ReadDump, TellsWhatIsWrongWithAFile) {
  std::string noise;
  for (int i = 0; i < 1000; ++i) noise += static_cast<char>(i * 7919 >> 3);
  const std::string zipped = gzipped(k_pod);
  const std::string utf16("\xff\xfe{\0}\0", 6);
  const std::vector<Case> cases = {
      {k_pod, "dump"},
      {"\xef\xbb\xbf" + k_pod, "dump"},
      {"\n \t\r" + k_pod + "\n", "dump"},
      {zipped, "dump"},
      {gzipped(k_pod.substr(0, 9)) + gzipped(k_pod.substr(9)), "dump"},
      {gzipped("\n" + k_pod), "dump"},
      {"", "empty"},
      {" \r\n\t", "empty"},
      {std::string(100, '\0'), "empty"},
      {gzipped(""), "empty"},
      {gzipped("\n\n"), "empty"},
      {k_pod.substr(0, 20), "json-malformed"},
      {k_pod + k_pod, "json-malformed"},
      {"[1,2", "json-malformed"},
      {gzipped("{"), "json-malformed"},
      {"[]", "wrong-type"},
      {noise, "not-text"},
      {utf16, "not-text"},
      {"{\"kind\":\"Pod\0\"}" + std::string(1, '\0'), "not-text"},
      {"\x1b[32m" + k_pod, "not-text"},
      {gzipped(zipped), "not-text"},
      {zipped + "x", "gzip-malformed"},
      {zipped + std::string(1, '\0'), "gzip-malformed"},
      {std::string(2 * k_mib, 'y'), "no-objects"},
      {std::string(100000, '['), "json-malformed"},
      {std::string(100000, '[') + std::string(100000, ']'), "json-malformed"},
      {"{" + std::string(2 * k_mib, ' ') + "}", "empty"},
      {"kind: Pod\nmetadata: {name: a}\n", "dump"},
      {"# nothing\n", "no-objects"},
      {"---\n---\n", "no-objects"},
      {"kind: Secret\nmetadata: {name: a}\n", "no-objects"},
      {"NAME READY STATUS\nweb-0 1/1 Running\n", "wrong-type"},
      {"kind: Pod\nmetadata: {name: a}\nspec:\n  containers:\n  - na", "wrong-type"},
      {"kind: Pod\nmetadata: {name: a}\nspec: [", "yaml-malformed"},
      {"kind: Pod\nmetadata:\n\tname: a\n", "yaml-malformed"},
      {"kind: " + std::string(100000, '[') + std::string(100000, ']'), "yaml-malformed"},
      {repeated("- ", 100000) + "kind: Pod", "yaml-malformed"},
  };
  for (const Case& c : cases) EXPECT_EQ(code_of_bytes(c.bytes), c.code) << c.bytes.substr(0, 40);
  for (std::size_t size = 2; size < zipped.size(); ++size) {
    EXPECT_EQ(code_of_bytes(zipped.substr(0, size)), "gzip-malformed") << size;
  }
}

TEST(ReadDump, FindsDamageInAGzipFile) {
  const std::string zipped = gzipped(k_pod);
  for (std::size_t i = 10; i < zipped.size(); ++i) {
    std::string damaged = zipped;
    damaged[i] = static_cast<char>(damaged[i] ^ 0x55);
    EXPECT_EQ(code_of_bytes(damaged), "gzip-malformed") << i;
  }
}

/// Each input has a gigabyte; /dev/zero is endless. Each must be rejected after a small part is read.
TEST(ReadDump, GivesUpOnAGigabyteOfNothing) {
  const TemporaryDirectory directory;
  const std::string zeros = directory.write("zeros.json", "");
  fs::resize_file(zeros, 1024 * k_mib);
  const std::size_t before = peak_bytes();
  EXPECT_EQ(code_of({"/dev/zero"}), "empty");
  EXPECT_EQ(code_of({zeros}), "empty");
  EXPECT_EQ(code_of_bytes(repeated(gzipped(std::string(k_mib, '\0')), 1024)), "empty");
  EXPECT_EQ(code_of_bytes(repeated(gzipped(std::string(k_mib, ' ')), 1024)), "empty");
  EXPECT_LT(peak_bytes() - before, k_memory_max);
}

TEST(ReadDump, GivesUpOnAGzipFileThatGrowsBeyondAnyText) {
  const std::string half = R"(["kind:","kind:","kind:","kind:",)" + std::string(k_mib / 2, ' ');
  const std::string bomb = repeated(gzipped(half), 1024);
  EXPECT_LT(bomb.size(), 2 * k_mib);
  const std::size_t before = peak_bytes();
  EXPECT_EQ(code_of_bytes(bomb), "input-too-large");
  EXPECT_LT(peak_bytes() - before, k_memory_max);
}

TEST(Gunzip, GivesPiecesUntilTheEnd) {
  const std::string zipped = gzipped(std::string(200000, 'x')) + gzipped("y");
  std::string_view rest = zipped;
  Gunzip gunzip([&] {  // one byte at a time
    const std::string_view piece = rest.substr(0, 1);
    rest.remove_prefix(piece.size());
    return piece;
  });
  std::string plain;
  for (std::string_view piece = gunzip.next(); !piece.empty(); piece = gunzip.next()) plain += piece;
  EXPECT_EQ(plain, std::string(200000, 'x') + "y");
  EXPECT_FALSE(gunzip.is_malformed());
  EXPECT_TRUE(gunzip.next().empty());
}

}  // namespace
}  // namespace touchstone::kubernetes::sources_test
