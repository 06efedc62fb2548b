#include "kubernetes/dump.hpp"

#include <array>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <memory>

#include "kubernetes/fields.hpp"
#include "kubernetes/gzip.hpp"
#include "kubernetes/objects.hpp"
#include "kubernetes/totals.hpp"

namespace touchstone::kubernetes {

namespace {

constexpr std::size_t k_size_max = std::size_t{1} << 32;
constexpr std::string_view k_list = "List";

/// What the items of a list of one kind leave out.
struct Defaults {
  std::string kind;
  std::string api_version;
};

bool is_kind_of_kubernetes(std::string_view kind, std::string_view api_version) {
  if (kind == "PodDisruptionBudget") return api_version.empty() || api_version.starts_with("policy/");
  return (kind == "Node" || kind == "Pod") && (api_version.empty() || api_version == "v1");
}

class DumpReader {
 public:
  Dump read(const Value& root);

 private:
  void read_item(const Value& item, const Defaults& defaults);
  void read_version(const Value& object);
  void read_object(const Value& item, std::string_view kind);
  bool is_duplicate(const Value& object);

  Dump dump_;
  Totals totals_;
  std::map<std::string, Value> seen_;  ///< by kind, namespace and name
};

Dump DumpReader::read(const Value& root) {
  read_version(root);
  const std::string kind = string_field(root, "kind");
  if (!kind.ends_with(k_list)) {
    read_item(root, {});
    return std::move(dump_);
  }
  Defaults defaults;
  if (kind != k_list) {
    defaults = {kind.substr(0, kind.size() - k_list.size()), string_field(root, "apiVersion")};
  }
  if (const auto items = root.find("items")) {
    for (const Value item : items->elements()) read_item(item, defaults);
  }
  return std::move(dump_);
}

void DumpReader::read_version(const Value& object) {
  if (const auto version = object.find("serverVersion")) {
    dump_.server_version = string_field(*version, "gitVersion");
  }
}

void DumpReader::read_item(const Value& item, const Defaults& defaults) {
  std::string kind = string_field(item, "kind");
  std::string api_version = string_field(item, "apiVersion");
  if (kind.empty()) kind = defaults.kind;
  if (api_version.empty()) api_version = defaults.api_version;
  if (kind.empty() && item.find("serverVersion")) {
    read_version(item);
  } else if (kind.empty()) {
    item.require("kind").fail("missing-field", "expected the kind of an object");
  } else if (is_kind_of_kubernetes(kind, api_version)) {
    read_object(item, kind);
  } else if (kind == k_list || kind == "NodeList" || kind == "PodList" || kind == "PodDisruptionBudgetList") {
    item.fail("nested-list", "expected an object, found a list of objects");
  } else {
    const bool is_foreign = is_kind_of_kubernetes(kind, "");
    ++dump_.ignored_kinds[is_foreign ? api_version + "/" + kind : kind];
  }
}

void DumpReader::read_object(const Value& item, std::string_view kind) {
  if (kind == "Node") {
    Node node = read_node(item);
    if (is_duplicate(item.as_object("Node"))) return;
    dump_.cluster.nodes.push_back(std::move(node));
  } else if (kind == "Pod") {
    Pod pod = read_pod(item);
    if (is_duplicate(item.as_object("Pod"))) return;
    totals_.add(item, pod);
    dump_.cluster.pods.push_back(std::move(pod));
  } else {
    PodDisruptionBudget pdb = read_pdb(item);
    if (is_duplicate(item.as_object("PodDisruptionBudget"))) return;
    dump_.cluster.pdbs.push_back(std::move(pdb));
  }
}

bool DumpReader::is_duplicate(const Value& object) {
  const auto [entry, is_new] = seen_.emplace(object.object_name(), object);
  if (is_new) return false;
  if (!entry->second.same_content(object)) {
    object.fail("contradictory-object", "expected the same object as " + entry->second.path());
  }
  ++dump_.duplicates;
  return true;
}

Result<std::string> read_file(const std::string& path) {
  const Error unreadable{"file-unreadable", path, "expected a readable file"};
  struct Close {
    void operator()(std::FILE* file) const { std::fclose(file); }
  };
  std::unique_ptr<std::FILE, Close> opened;
  if (path != "-") opened.reset(std::fopen(path.c_str(), "rb"));
  std::FILE* const file = path == "-" ? stdin : opened.get();
  if (file == nullptr) return unreadable;

  std::string bytes;
  std::array<char, 1 << 16> buffer;
  while (const std::size_t size = std::fread(buffer.data(), 1, buffer.size(), file)) {
    if (size > k_size_max - bytes.size()) return Error{"input-too-large", path, "expected at most 4 GiB"};
    bytes.append(buffer.data(), size);
  }
  if (std::ferror(file) != 0) return unreadable;
  return bytes;
}

}  // namespace

Result<Dump> read_dump(std::string_view bytes, std::string name) {
  std::string decompressed;
  if (is_gzip(bytes)) {
    Result<std::string> plain = gunzip(bytes, k_size_max);
    if (!plain) return Error{plain.error().code, std::move(name), plain.error().message};
    decompressed = std::move(plain).value();
    bytes = decompressed;
  }
  const Result<Document> document = Document::parse(bytes, std::move(name));
  if (!document) return document.error();
  try {
    const Value root = document.value().root();
    return DumpReader().read(root);
  } catch (const InvalidInput& invalid) {
    return invalid.error;
  }
}

Result<Dump> read_dump_file(const std::string& path) {
  Result<std::string> bytes = read_file(path);
  if (!bytes) return bytes.error();
  return read_dump(bytes.value(), path == "-" ? "standard input" : path);
}

}  // namespace touchstone::kubernetes
