#include <algorithm>
#include <array>
#include <string>

#include "fuzz/generate/draw.hpp"

/// Generates what scores look at on nodes: images, taints of effect PreferNoSchedule, labels of zones.
namespace touchstone::fuzz {

namespace {

/// Names as pods write them: with and without a tag, a digest, and a registry with a port.
constexpr std::array k_pod_images = {
    "app",
    "app:v1",
    "host:5000/app",
    "host:5000/team/app:v2",
    "registry.example.com/app@sha256:2c26b46b68ffc68ff99b453c1d30413413422d706483bfa0f98a5e886266e7ae",
    "app:latest"};

/// The name by which a node reports an image: with a tag or a digest, apart from few nodes.
std::string node_image(Draw& draw, const std::string& name) {
  const std::size_t slash = name.rfind('/');
  const std::size_t colon = name.rfind(':');
  const bool has_tag = colon != std::string::npos && (slash == std::string::npos || colon > slash);
  return has_tag || draw.once_in(6) ? name : name + ":latest";
}

/// A size around the thresholds of one image and of several, or any other size.
Quantity draw_size(Draw& draw) {
  switch (draw.below(8)) {
    case 0:
      return 500 * k_mi;
    case 1:
      return 23 * k_mi + draw.one_of<Quantity>({0, 1, -1, k_mi});
    case 2:
      return 1000 * k_mi + draw.one_of<Quantity>({0, 1, -1, k_mi});
    case 3:
      return draw.one_of<Quantity>({0, 1, 5000, 10000}) * k_mi;
    case 4:
      return static_cast<Quantity>(draw.below(2000)) * k_mi + 77;
    case 5:
      return 23 * k_mi + 977 * k_mi * static_cast<Quantity>(draw.below(101)) / 100;  // near a whole score
    default:
      return draw.one_of<Quantity>({333, 100, 47, 750}) * k_mi;
  }
}

std::string draw_pod_image(Draw& draw) { return k_pod_images[draw.below(k_pod_images.size())]; }

}  // namespace

void draw_images(Draw& draw, Question& question) {
  for (Container& container : question.pod.containers) container.image = draw_pod_image(draw);
  for (Container& container : question.pod.init_containers) {
    if (!draw.once_in(3)) container.image = draw_pod_image(draw);
  }
  if (draw.once_in(3)) {
    const std::size_t more = 1 + draw.below(2);
    for (std::size_t i = 0; i < more; ++i)
      question.pod.containers.push_back(
          {"with-image-" + std::to_string(i), {}, {}, false, draw_pod_image(draw)});
  }
  if (draw.minor >= 33 && draw.once_in(3)) mount(question.pod, volume_source("image", draw_pod_image(draw)));
  const bool one_size = draw.once_in(2);
  std::array<Quantity, k_pod_images.size()> sizes{};
  for (Quantity& size : sizes) size = draw_size(draw);
  for (Node& node : question.cluster.nodes) {
    for (std::size_t i = 0; i < k_pod_images.size(); ++i) {
      if (!draw.once_in(2)) continue;
      NodeImage image;
      image.names.push_back(node_image(draw, k_pod_images[i]));
      if (draw.once_in(4)) image.names.emplace_back("other.example.com/app@sha256:" + std::string(64, 'a'));
      if (draw.once_in(6)) std::reverse(image.names.begin(), image.names.end());
      image.size = one_size || draw.once_in(2) ? sizes[i] : draw_size(draw);
      node.images.push_back(std::move(image));
    }
  }
}

void draw_soft_taints(Draw& draw, Question& question) {
  for (Node& node : question.cluster.nodes) {
    const std::size_t taints = draw.one_of<std::size_t>({0, 1, 2, 3, 5});
    for (std::size_t i = 0; i < taints; ++i)
      node.taints.push_back({"soft-" + std::to_string(i), draw.one_of({"v", "w", ""}), "PreferNoSchedule"});
  }
  const std::size_t tolerations = draw.below(3);
  for (std::size_t i = 0; i < tolerations; ++i) {
    const std::string key = "soft-" + std::to_string(draw.below(4));
    const std::string op = draw.one_of({"Exists", "Equal", ""});
    const std::string effect = draw.one_of({"PreferNoSchedule", "", "NoSchedule"});
    question.pod.tolerations.push_back({key, op, op == "Exists" ? "" : draw.one_of({"v", ""}), effect});
  }
}

void draw_zone_labels(Draw& draw, Question& question) {
  constexpr const char* k_region = "topology.kubernetes.io/region";
  constexpr const char* k_old_zone = "failure-domain.beta.kubernetes.io/zone";
  constexpr const char* k_old_region = "failure-domain.beta.kubernetes.io/region";
  constexpr const char* k_zone_label = "topology.kubernetes.io/zone";
  const bool old_labels = draw.minor < 17 ? !draw.once_in(4) : draw.once_in(4);
  const bool new_labels = !old_labels || draw.once_in(2);
  const bool regions = draw.once_in(2);
  for (Node& node : question.cluster.nodes) {
    if (!draw.once_in(6)) node.labels[k_hostname] = node.name;
    if (draw.once_in(6)) continue;
    const std::string zone = draw.one_of({"a", "b", "c", ""});
    if (old_labels) node.labels[k_old_zone] = zone;
    if (new_labels) node.labels[k_zone_label] = draw.once_in(8) ? "a" : zone;
    if (!regions || draw.once_in(6)) continue;
    const std::string region = draw.one_of({"r", "s"});
    if (old_labels) node.labels[k_old_region] = region;
    if (new_labels) node.labels[k_region] = region;
  }
}

void draw_avoided(Draw& draw, Question& question) {
  if (!question.pod.controller) {
    if (draw.once_in(4)) return;
    question.pod.controller = Controller{
        draw.minor < 9 ? "extensions/v1beta1" : "apps/v1",
        draw.one_of({"ReplicaSet", "ReplicationController", "StatefulSet", "Job"}), "own", "u-own"};
    if (question.pod.controller->kind == "ReplicationController") question.pod.controller->api_version = "v1";
    if (question.pod.controller->kind == "Job") question.pod.controller->api_version = "batch/v1";
  }
  for (Node& node : question.cluster.nodes) {
    if (draw.once_in(2)) continue;
    const std::size_t entries = 1 + draw.below(2);
    for (std::size_t i = 0; i < entries; ++i) {
      Controller avoided;
      avoided.kind = draw.once_in(4) ? "ReplicaSet" : question.pod.controller->kind;
      avoided.uid = draw.once_in(4) ? "u-other" : question.pod.controller->uid;
      node.avoided.push_back(std::move(avoided));
    }
  }
}

}  // namespace touchstone::fuzz
