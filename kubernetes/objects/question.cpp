#include "kubernetes/objects/question.hpp"

#include <functional>
#include <limits>
#include <map>
#include <string>

#include "kubernetes/configuration/extenders.hpp"
#include "kubernetes/objects/extenders.hpp"
#include "kubernetes/objects/fields.hpp"
#include "kubernetes/objects/lists.hpp"
#include "kubernetes/objects/objects.hpp"
#include "kubernetes/objects/selecting.hpp"
#include "kubernetes/objects/totals.hpp"
#include "kubernetes/objects/volumes.hpp"

namespace touchstone::kubernetes {

namespace {

/// The names of the objects of one list. Each name may occur once.
class Names {
 public:
  void add(const Value& object, const std::string& name) {
    const auto [entry, is_new] = objects_.emplace(name, object);
    if (is_new) return;
    object.fail("duplicate-object",
                "expected one object of this name, found another: " + entry->second.path());
  }

 private:
  std::map<std::string, Value> objects_;
};

/// True if both are the same pod: equal UIDs, or equal full names if neither has a UID (PRE-INPUT-3).
bool is_same_pod(const Pod& a, const Pod& b) {
  if (a.uid.empty() && b.uid.empty()) return a.full_name() == b.full_name();
  return a.uid == b.uid;
}

std::optional<Quantity> count_field(const Value& object, std::string_view key) {
  const auto field = object.find(key);
  if (!field) return std::nullopt;
  return field->integer(0, std::numeric_limits<Quantity>::max());
}

/// Reads all lists of a cluster. Calls `add_amounts` with each pod but `asked_about`, which may be in `pods`
/// twice.
Cluster read_lists(const Value& object, const Pod* asked_about,
                   const std::function<void(const Value&, const Pod&)>& add_amounts) {
  Cluster cluster;
  Names nodes;
  cluster.nodes = list_field(object, "nodes", [&](const Value& value) {
    Node node = read_node(value);
    nodes.add(value.as_object("Node"), node.name);
    return node;
  });
  Names pods;
  cluster.pods = list_field(object, "pods", [&](const Value& value) {
    Pod pod = read_pod(value);
    if (asked_about == nullptr || !is_same_pod(pod, *asked_about)) {
      pods.add(value.as_object("Pod"), pod.full_name());
      add_amounts(value, pod);
    }
    return pod;
  });
  Names pdbs;
  cluster.pdbs = list_field(object, "pdbs", [&](const Value& value) {
    PodDisruptionBudget pdb = read_pdb(value);
    pdbs.add(value.as_object("PodDisruptionBudget"), pdb.ns + "/" + pdb.name);
    return pdb;
  });
  Names namespaces;
  list_field(object, "namespaces", [&](const Value& value) {
    const Namespace each = read_namespace(value);
    namespaces.add(value.as_object("Namespace"), each.name);
    return cluster.namespaces.emplace(each.name, each.labels).second;
  });
  for (const StorageKind& kind : k_storage_kinds) {
    Names names;
    list_field(object, kind.key, [&](const Value& value) {
      names.add(value.as_object(kind.kind), kind.read(value, cluster.storage));
      return true;
    });
  }
  for (const SelectingNames& kind : k_selecting_kinds) {
    Names names;
    list_field(object, kind.key, [&](const Value& value) {
      SelectingObject selecting = read_selecting(value, kind);
      names.add(value.as_object(kind.name), selecting.ns + "/" + selecting.name);
      cluster.selecting.push_back(std::move(selecting));
      return true;
    });
  }
  return cluster;
}

Question read(const Value& object) {
  Question question;
  Totals totals;
  const Value preemptor = object.require("pod");
  question.pod = read_pod(preemptor);
  totals.add(preemptor, question.pod);
  question.cluster = read_lists(object, &question.pod,
                                [&totals](const Value& value, const Pod& pod) { totals.add(value, pod); });
  question.offset = count_field(object, "offset");
  question.quota = count_field(object, "quota");
  question.start = count_field(object, "start");
  question.extenders = read_extenders_of_question(object);
  check_extenders(object);  // the release gets them as a part of its configuration
  return question;
}

}  // namespace

Result<Question> read_question(const Value& object) {
  try {
    return read(object);
  } catch (const InvalidInput& invalid) {
    return invalid.error;
  }
}

Result<Cluster> read_cluster(const Value& object, ChangingTotals& totals) {
  try {
    return read_lists(object, nullptr,
                      [&totals](const Value& value, const Pod& pod) { totals.add(value, pod); });
  } catch (const InvalidInput& invalid) {
    return invalid.error;
  }
}

Result<Question> read_question_text(std::string_view json, std::string name) {
  const Result<Document> document = Document::parse(json, std::move(name));
  if (!document) return document.error();
  return read_question(document.value().root());
}

}  // namespace touchstone::kubernetes
