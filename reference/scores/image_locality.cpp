#include <algorithm>

#include "reference/scores/go_numbers.hpp"
#include "reference/scores/scores.hpp"

namespace touchstone::reference {

namespace {

constexpr std::int64_t k_mebibyte = 1 << 20;
constexpr Quantity k_image_threshold_min = 23 * k_mebibyte;
constexpr Quantity k_image_threshold_max = 1000 * k_mebibyte;  ///< of one image

/// SCORE-IMAGE-3: the name of an image with its tag. The tag is `latest` if the name has none.
std::string with_tag(const std::string& name) {
  const std::size_t colon = name.rfind(':');
  const std::size_t slash = name.rfind('/');
  const bool has_tag = colon != std::string::npos && (slash == std::string::npos || colon > slash);
  return has_tag ? name : name + ":latest";
}

/// SCORE-IMAGE-1: the names of the preemptor's images. An image that is used twice is there twice.
std::vector<std::string> own_images(const Cycle& cycle) {
  std::vector<std::string> images;
  for (const Container& container : cycle.pod.containers) images.push_back(with_tag(container.image));
  if (cycle.release.images_of_init_containers) {
    for (const Container& container : cycle.pod.init_containers) images.push_back(with_tag(container.image));
  }
  if (cycle.release.images_of_volumes) {
    for (const Volume& volume : cycle.pod.volumes) {
      if (volume.source.kind == "image") images.push_back(with_tag(volume.source.id));
    }
  }
  return images;
}

/// The image of that name on a node. Null: the node does not have it.
const NodeImage* find_image(const Node& node, const std::string& name) {
  const auto has_name = [&name](const NodeImage& image) {
    return std::find(image.names.begin(), image.names.end(), name) != image.names.end();
  };
  const auto found = std::find_if(node.images.begin(), node.images.end(), has_name);
  return found == node.images.end() ? nullptr : &*found;
}

/// SCORE-IMAGE-1: the size of an image, times the share of the cluster's nodes that have it. The size is the
/// one that the first of these nodes reports. Requires: a node has the image.
Quantity scaled_size(const Cycle& cycle, const std::string& name) {
  const std::vector<Node>& nodes = cycle.cluster.nodes;
  std::vector<const NodeImage*> images;
  for (const Node& node : nodes) images.push_back(find_image(node, name));
  std::erase(images, nullptr);
  const double spread = static_cast<double>(images.size()) / static_cast<double>(cycle.known_nodes);
  return go_integer(go_float(images.front()->size) * spread);
}

/// SCORE-IMAGE-2: the sum of scaled sizes from which a node has the highest score.
Quantity upper_threshold(const Cycle& cycle) {
  const Release& release = cycle.release;
  if (!release.image_threshold_by_containers) return k_image_threshold_max;
  std::size_t count = cycle.pod.containers.size();
  if (release.images_of_init_containers) count += cycle.pod.init_containers.size();
  if (release.image_threshold_by_volumes) count = own_images(cycle).size();
  return k_image_threshold_max * static_cast<Quantity>(count);
}

}  // namespace

/// SCORE-IMAGE-1, SCORE-IMAGE-2: the more of the preemptor's images a node has, the higher its score. Not
/// normalised.
Scores image_locality(const Cycle& cycle, const Nodes& nodes) {
  const std::vector<std::string> images = own_images(cycle);
  const Quantity most = upper_threshold(cycle);
  std::vector<Quantity> scores;
  for (const NodeIndex node : nodes) {
    Quantity sum = 0;
    const bool is_bare = cycle.bare.contains(node);  // EXT-RECORD-1
    for (const std::string& image : is_bare ? std::vector<std::string>() : images) {
      if (find_image(cycle.cluster.nodes[node], image) == nullptr) continue;
      const Quantity size = scaled_size(cycle, image);
      sum = go_sum(sum, size);
      cycle.trace.add({Stage::score_part, "SCORE-IMAGE-1", true, image, node, {}, {{Measure::size, size}}});
    }
    const Quantity within = std::max(k_image_threshold_min, std::min(sum, most));
    scores.push_back(cycle.release.highest_score * (within - k_image_threshold_min) /
                     (most - k_image_threshold_min));
  }
  return scores;
}

}  // namespace touchstone::reference
