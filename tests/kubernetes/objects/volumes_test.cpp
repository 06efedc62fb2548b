#include "kubernetes/objects/volumes.hpp"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "kubernetes/objects/question.hpp"
#include "kubernetes/write/written.hpp"

/// Tests that volumes and storage objects are read and written.
namespace touchstone::kubernetes::volumes_test {

namespace {

Result<Question> question_of(const std::string& more, const std::string& volumes = "[]") {
  return read_question_text(
      R"({"pod":{"metadata":{"name":"p"},"spec":{"volumes":)" + volumes + "}}" + more + "}", "");
}

void expect_error(const Result<Question>& question, const std::string& code, const std::string& path) {
  ASSERT_FALSE(question);
  EXPECT_EQ(question.error().code, code);
  EXPECT_EQ(question.error().path, path);
}

constexpr const char* k_everything = R"(,
 "pvcs":[{"metadata":{"name":"c","namespace":"x","uid":"u","deletionTimestamp":"2026-01-01T00:00:00Z",
   "annotations":{"pv.kubernetes.io/bind-completed":"yes","volume.kubernetes.io/selected-node":"n1",
                  "volume.beta.kubernetes.io/storage-class":"old"},
   "ownerReferences":[{"uid":"other"},{"uid":"owner","controller":true}]},
  "spec":{"storageClassName":"new","volumeName":"v","accessModes":["ReadWriteOnce"],"volumeMode":"Block",
   "selector":{"matchLabels":{"a":"b"}},"volumeAttributesClassName":"gold",
   "resources":{"requests":{"storage":"1Ki"}}},"status":{"phase":"Lost"}}],
 "pvs":[{"metadata":{"name":"v","labels":{"a":"b"},"deletionTimestamp":"2026-01-01T00:00:00Z",
   "annotations":{"volume.beta.kubernetes.io/storage-class":"old"}},
  "spec":{"storageClassName":"new","capacity":{"storage":"2Ki"},"accessModes":["ReadWriteMany"],
   "volumeMode":"Block","volumeAttributesClassName":"gold","csi":{"driver":"d","volumeHandle":"h","readOnly":true},
   "nodeAffinity":{"required":{"nodeSelectorTerms":[{"matchExpressions":[{"key":"k","operator":"Exists"}]}]}},
   "claimRef":{"namespace":"x","name":"c","uid":"u"}},"status":{"phase":"Bound"}}],
 "storageClasses":[{"metadata":{"name":"s"},"provisioner":"d","volumeBindingMode":"WaitForFirstConsumer",
   "allowedTopologies":[{"matchLabelExpressions":[{"key":"zone","values":["a","b"]}]}]}],
 "csiNodes":[{"metadata":{"name":"n1","annotations":{"storage.alpha.kubernetes.io/migrated-plugins":"p,q"}},
   "spec":{"drivers":[{"name":"d","allocatable":{"count":3}},{"name":"e"}]}}],
 "csiDrivers":[{"metadata":{"name":"d"},"spec":{"storageCapacity":true,"preventPodSchedulingIfMissing":true}}],
 "volumeAttachments":[{"metadata":{"name":"va"},"spec":{"attacher":"d","nodeName":"n1",
   "source":{"persistentVolumeName":"v"}}}],
 "csiStorageCapacities":[{"metadata":{"name":"cap","namespace":"x"},"storageClassName":"s",
   "nodeTopology":{"matchLabels":{"zone":"a"}},"capacity":"1Gi","maximumVolumeSize":"1Mi"}])";

}  // namespace

TEST(ReadVolumes, TakeWhatFiltersRead) {
  const Result<Question> question = question_of(k_everything);
  ASSERT_TRUE(question) << question.error().message;
  const Storage& storage = question.value().cluster.storage;
  const PersistentVolumeClaim& claim = storage.claims.at("x/c");
  EXPECT_EQ(claim.uid, "u");
  EXPECT_TRUE(claim.terminating);
  EXPECT_TRUE(claim.bind_completed);
  EXPECT_EQ(claim.selected_node, "n1");
  EXPECT_EQ(claim.storage_class(), "old");
  EXPECT_EQ(claim.controller, "owner");
  EXPECT_EQ(claim.volume_name, "v");
  EXPECT_EQ(claim.storage, 1024);
  EXPECT_EQ(claim.phase, "Lost");
  const PersistentVolume& volume = storage.volumes.at("v");
  EXPECT_EQ(volume.storage, 2048);
  EXPECT_EQ(volume.source.driver, "d");
  EXPECT_EQ(volume.source.id, "h");
  EXPECT_TRUE(volume.source.read_only);
  EXPECT_EQ(volume.claim->name, "c");
  EXPECT_EQ(volume.node_affinity->at(0).match_expressions.at(0).key, "k");
  EXPECT_EQ(storage.classes.at("s").allowed_topologies.at(0).at(0).values.size(), 2U);
  EXPECT_EQ(storage.csi_nodes.at("n1").limits.at("d"), 3);
  EXPECT_FALSE(storage.csi_nodes.at("n1").limits.contains("e"));
  EXPECT_EQ(storage.csi_nodes.at("n1").migrated_plugins.size(), 2U);
  EXPECT_TRUE(storage.csi_drivers.at("d").prevents_scheduling_if_missing);
  EXPECT_EQ(storage.attachments.find("n1")->second.volume, "v");
  EXPECT_EQ(storage.capacities.at("x/cap").maximum_volume_size, 1 << 20);
}

TEST(ReadVolumes, ComeBackAsTheyWereWritten) {
  const Result<Question> question = question_of(
      k_everything,
      R"([{"name":"a","persistentVolumeClaim":{"claimName":"c","readOnly":true}},{"name":"b","ephemeral":{}},
          {"name":"c","rbd":{"image":"i","pool":"q","monitors":["m"]}},{"name":"d","emptyDir":{}},
          {"name":"e","azureDisk":{"diskURI":"u","diskName":"n","kind":"Shared"}},{"name":"f","csi":{"driver":"d"}}])");
  ASSERT_TRUE(question) << question.error().message;
  const std::string text = written(question.value()).dump();
  const Result<Question> again = read_question_text(text, "");
  ASSERT_TRUE(again) << again.error().message;
  EXPECT_EQ(written(again.value()).dump(), text);
  for (const StorageKind& kind : k_storage_kinds)
    EXPECT_EQ(kind.written(again.value().cluster.storage).size(), 1U) << kind.kind;
}

TEST(ReadVolumes, NameWhatIsWrong) {
  expect_error(question_of("", R"([{"name":"v","persistentVolumeClaim":{}}])"), "missing-field",
               "pod.spec.volumes[0].persistentVolumeClaim.claimName");
  expect_error(question_of("", R"([{"name":"v","persistentVolumeClaim":{"claimName":""}}])"), "missing-field",
               "pod.spec.volumes[0].persistentVolumeClaim.claimName");
  expect_error(question_of("", R"([{"emptyDir":{},"ephemeral":{}}])"), "several-sources",
               "pod.spec.volumes[0].ephemeral");
  expect_error(question_of(R"(,"pvcs":[{}])"), "missing-field", "pvcs[0].metadata");
  expect_error(question_of(R"(,"pvcs":[{"metadata":{"name":"c"}},{"metadata":{"name":"c"}}])"),
               "duplicate-object", "pvcs[1]");
  expect_error(question_of(R"(,"pvs":[{"metadata":{"name":"v"},"spec":{"csi":{"driver":"d"}}}])"),
               "missing-field", "pvs[0].spec.csi.volumeHandle");
  expect_error(question_of(R"(,"pvs":[{"metadata":{"name":"v"},"spec":{"capacity":{"storage":"-1"}}}])"),
               "quantity-negative", "pvs[0].spec.capacity.storage");
  expect_error(question_of(R"(,"csiNodes":[{"metadata":{"name":"n"},"spec":{"drivers":[{"name":"d",
                   "allocatable":{"count":-1}}]}}])"),
               "out-of-range", "csiNodes[0].spec.drivers[0].allocatable.count");
  expect_error(question_of(R"(,"csiStorageCapacities":[{"metadata":{"name":"c"},"capacity":"x"}])"),
               "quantity-malformed", "csiStorageCapacities[0].capacity");
  const auto message = [](const std::string& more) { return question_of(more).error().message; };
  EXPECT_TRUE(message(R"(,"pvs":[{"metadata":{"name":"v"},"spec":7}])").starts_with("PersistentVolume v: "));
  EXPECT_TRUE(message(R"(,"pvcs":[{"metadata":{"name":"c"},"spec":7}])")
                  .starts_with("PersistentVolumeClaim default/c: "));
}

}  // namespace touchstone::kubernetes::volumes_test
