#include "kubernetes/dump.hpp"

#include <gtest/gtest.h>
#include <unistd.h>
#include <zlib.h>

#include <array>
#include <cstdio>
#include <string>
#include <vector>

#include "kubernetes/gzip.hpp"

namespace touchstone::kubernetes {
namespace {

std::string object(const std::string& kind, const std::string& name, const std::string& more = "") {
  return R"({"kind":")" + kind + R"(","metadata":{"name":")" + name + "\"}" + more + "}";
}

std::string list(const std::vector<std::string>& items, const std::string& kind = "List") {
  std::string json = R"({"apiVersion":"v1","kind":")" + kind + R"(","items":[)";
  for (std::size_t i = 0; i < items.size(); ++i) json += (i == 0 ? "" : ",") + items[i];
  return json + "]}";
}

std::string gzipped(const std::string& text) {
  z_stream stream{};
  EXPECT_EQ(deflateInit2(&stream, 9, Z_DEFLATED, 16 + MAX_WBITS, 9, Z_DEFAULT_STRATEGY), Z_OK);
  std::string out(deflateBound(&stream, text.size()) + 64, '\0');
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(text.data()));
  stream.avail_in = static_cast<uInt>(text.size());
  stream.next_out = reinterpret_cast<Bytef*>(out.data());
  stream.avail_out = static_cast<uInt>(out.size());
  EXPECT_EQ(deflate(&stream, Z_FINISH), Z_STREAM_END);
  out.resize(stream.total_out);
  deflateEnd(&stream);
  return out;
}

void expect_error(const std::string& json, const std::string& code, const std::string& path) {
  const Result<Dump> dump = read_dump(json, "cluster.json");
  ASSERT_FALSE(dump) << json;
  EXPECT_EQ(dump.error().code, code) << json;
  EXPECT_EQ(dump.error().path, path) << json;
}

TEST(ReadDump, SortsObjectsByKindAndKeepsTheirOrder) {
  const Result<Dump> dump =
      read_dump(list({object("Pod", "b"), object("Node", "n2"), object("Service", "s"), object("Pod", "a"),
                      object("PodDisruptionBudget", "x"), object("Node", "n1"), object("Service", "t")}),
                "cluster.json");
  ASSERT_TRUE(dump);
  const Cluster& cluster = dump.value().cluster;
  ASSERT_EQ(cluster.pods.size(), 2u);
  EXPECT_EQ(cluster.pods[0].full_name(), "default/b");
  EXPECT_EQ(cluster.pods[1].full_name(), "default/a");
  ASSERT_EQ(cluster.nodes.size(), 2u);
  EXPECT_EQ(cluster.nodes[0].name, "n2");
  EXPECT_EQ(cluster.pdbs.size(), 1u);
  EXPECT_EQ(dump.value().ignored_kinds, (std::map<std::string, std::size_t>{{"Service", 2}}));
  EXPECT_EQ(dump.value().duplicates, 0u);
}

TEST(ReadDump, TakesTheKindOfItemsFromTheirList) {
  const std::string item = R"({"metadata":{"name":"a"}})";
  EXPECT_EQ(read_dump(list({item}, "PodList"), "").value().cluster.pods.size(), 1u);
  EXPECT_EQ(read_dump(list({item}, "NodeList"), "").value().cluster.nodes.size(), 1u);
  const std::string pdbs =
      R"({"apiVersion":"policy/v1","kind":"PodDisruptionBudgetList","items":[)" + item + "]}";
  EXPECT_EQ(read_dump(pdbs, "").value().cluster.pdbs.size(), 1u);
  EXPECT_EQ(read_dump(list({item}, "ServiceList"), "").value().ignored_kinds.at("Service"), 1u);
}

TEST(ReadDump, TakesASingleObject) {
  EXPECT_EQ(read_dump(object("Pod", "a"), "").value().cluster.pods.size(), 1u);
  EXPECT_EQ(read_dump(object("Service", "a"), "").value().ignored_kinds.at("Service"), 1u);
}

TEST(ReadDump, TakesAnEmptyList) {
  EXPECT_TRUE(read_dump(list({}), ""));
  EXPECT_TRUE(read_dump(R"({"kind":"PodList","items":null})", ""));
  EXPECT_TRUE(read_dump(R"({"kind":"List"})", ""));
}

TEST(ReadDump, IgnoresForeignKindsOfTheSameName) {
  const Result<Dump> dump =
      read_dump(list({object("Node", "n", R"(,"apiVersion":"longhorn.io/v1")"),
                      object("Pod", "p", R"(,"apiVersion":"v1")"),
                      object("PodDisruptionBudget", "b", R"(,"apiVersion":"policy/v1beta1")")}),
                "");
  ASSERT_TRUE(dump);
  EXPECT_TRUE(dump.value().cluster.nodes.empty());
  EXPECT_EQ(dump.value().cluster.pods.size(), 1u);
  EXPECT_EQ(dump.value().cluster.pdbs.size(), 1u);
  EXPECT_EQ(dump.value().ignored_kinds.at("longhorn.io/v1/Node"), 1u);
}

TEST(ReadDump, FindsTheServerVersion) {
  const std::string version = R"("serverVersion":{"gitVersion":"v1.34.4"})";
  EXPECT_EQ(read_dump(R"({"kind":"List",)" + version + "}", "").value().server_version, "v1.34.4");
  EXPECT_EQ(read_dump(list({"{" + version + "}"}), "").value().server_version, "v1.34.4");
  EXPECT_EQ(read_dump(list({}), "").value().server_version, "");
}

TEST(ReadDump, KeepsTheSameObjectOnce) {
  const std::string pod = object("Pod", "a", R"(,"spec":{"priority":5,"x":1.5})");
  const Result<Dump> dump = read_dump(list({pod, object("Node", "a"), pod, pod}), "");
  ASSERT_TRUE(dump);
  EXPECT_EQ(dump.value().cluster.pods.size(), 1u);
  EXPECT_EQ(dump.value().cluster.nodes.size(), 1u);
  EXPECT_EQ(dump.value().duplicates, 2u);
}

TEST(ReadDump, RefusesObjectsThatContradictEachOther) {
  expect_error(list({object("Pod", "a"), object("Pod", "a", R"(,"spec":{"priority":5})")}),
               "contradictory-object", "cluster.json: items[1] (Pod default/a)");
}

TEST(ReadDump, NamesFileObjectAndField) {
  expect_error(list({object("Node", "n"), object("Pod", "a", R"(,"spec":{"containers":[{"name":1}]})")}),
               "wrong-type", "cluster.json: items[1] (Pod default/a).spec.containers[0].name");
  expect_error(object("Node", "n", R"(,"spec":7)"), "wrong-type", "cluster.json: (Node n).spec");
  expect_error(list({R"({"kind":"Pod"})"}), "missing-field", "cluster.json: items[0] (Pod).metadata");
  expect_error(list({R"({"metadata":{"name":"a"}})"}), "missing-field", "cluster.json: items[0].kind");
  expect_error(list({list({})}), "nested-list", "cluster.json: items[0]");
  expect_error(list({"7"}), "wrong-type", "cluster.json: items[0]");
  expect_error("{}", "missing-field", "cluster.json: kind");
  expect_error("[]", "wrong-type", "cluster.json");
  expect_error("", "json-malformed", "cluster.json");
  expect_error(list({}) + "x", "json-malformed", "cluster.json");
}

TEST(ReadDump, RefusesSumsBeyondInt64) {
  const std::string spec =
      R"(,"spec":{"nodeName":"n","initContainers":[{"resources":{"requests":{"memory":"4Ei"}}}]})";
  expect_error(list({object("Pod", "a", spec), object("Pod", "b", spec)}), "quantity-overflow",
               "cluster.json: items[1] (Pod default/b).spec.initContainers[0].resources.requests.memory");
}

TEST(ReadDump, ReadsGzip) {
  const std::string zipped = gzipped(list({object("Pod", "a")}));
  EXPECT_EQ(read_dump(zipped, "").value().cluster.pods.size(), 1u);
  for (std::size_t size = 2; size < zipped.size(); ++size) {
    expect_error(zipped.substr(0, size), "gzip-malformed", "cluster.json");
  }
  expect_error(zipped + "x", "gzip-malformed", "cluster.json");
  std::string corrupt = zipped;
  corrupt[corrupt.size() / 2] = static_cast<char>(corrupt[corrupt.size() / 2] ^ 0x55);
  EXPECT_FALSE(read_dump(corrupt, ""));
}

TEST(Gunzip, JoinsParts) { EXPECT_EQ(gunzip(gzipped("ab") + gzipped("c"), 3).value(), "abc"); }

TEST(Gunzip, LimitsTheSize) {
  const std::string zipped = gzipped(std::string(1000000, 'x'));
  EXPECT_EQ(gunzip(zipped, 1000000).value().size(), 1000000u);
  const Result<std::string> plain = gunzip(zipped, 999999);
  ASSERT_FALSE(plain);
  EXPECT_EQ(plain.error().code, "input-too-large");
}

TEST(ReadDumpFile, ReadsAFile) {
  std::string path = testing::TempDir() + "dump_XXXXXX";
  const int descriptor = mkstemp(path.data());
  ASSERT_NE(descriptor, -1);
  const std::string json = object("Pod", "a");
  ASSERT_EQ(write(descriptor, json.data(), json.size()), static_cast<ssize_t>(json.size()));
  close(descriptor);
  const Result<Dump> dump = read_dump_file(path);
  std::remove(path.c_str());
  ASSERT_TRUE(dump);
  EXPECT_EQ(dump.value().cluster.pods.size(), 1u);
}

TEST(ReadDumpFile, NamesAFileThatItCannotRead) {
  for (const std::string path : {"/nonexistent/cluster.json", "/"}) {
    const Result<Dump> dump = read_dump_file(path);
    ASSERT_FALSE(dump);
    EXPECT_EQ(dump.error().code, "file-unreadable");
    EXPECT_EQ(dump.error().path, path);
  }
}

}  // namespace
}  // namespace touchstone::kubernetes
