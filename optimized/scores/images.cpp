#include <algorithm>

#include "optimized/scores/scorer.hpp"
#include "optimized/store/go_numbers.hpp"

/// ImageLocality: how much of the preemptor's images a node has.
namespace touchstone::optimized {

namespace {

constexpr Quantity k_mebibyte = Quantity{1} << 20;
constexpr Quantity k_low = 23 * k_mebibyte;
constexpr Quantity k_high_of_image = 1000 * k_mebibyte;

/// SCORE-IMAGE-3
std::string with_tag(const std::string& image) {
  const std::size_t colon = image.rfind(':');
  const std::size_t slash = image.rfind('/');
  const bool is_tagged = colon != std::string::npos && (slash == std::string::npos || slash < colon);
  return is_tagged ? image : image + ":latest";
}

/// The preemptor's images that count. SCORE-IMAGE-1.
std::vector<std::string> own_images(const Pod& pod, const Release& release) {
  std::vector<std::string> images;
  for (const Container& container : pod.containers) images.push_back(with_tag(container.image));
  for (const Container& container : pod.init_containers) {
    if (release.images_of_init_containers) images.push_back(with_tag(container.image));
  }
  for (const Volume& volume : pod.volumes) {
    if (release.images_of_volumes && volume.source.kind == "image")
      images.push_back(with_tag(volume.source.id));
  }
  return images;
}

/// SCORE-IMAGE-2
Quantity upper_threshold(const Pod& pod, const Release& release, std::size_t images) {
  if (!release.image_threshold_by_containers) return k_high_of_image;
  if (release.image_threshold_by_volumes) return k_high_of_image * static_cast<Quantity>(images);
  const std::size_t init = release.images_of_init_containers ? pod.init_containers.size() : 0;
  return k_high_of_image * static_cast<Quantity>(pod.containers.size() + init);
}

/// SCORE-IMAGE-1, SCORE-IMAGE-2. The nodes with equal images share a list, so a list is rated once.
class ImageLocality final : public NodeScorer {
 public:
  explicit ImageLocality(const Query& query) : NodeScorer(query, Scaling::none) {
    const std::vector<std::string> images = own_images(query.pod, query.release);
    const Quantity high = upper_threshold(query.pod, query.release, images.size());
    const Images& stored = query.tables.images;
    std::vector<Own> owned;
    for (const std::string& image : images) {
      const Symbol name = query.tables.symbols.find(image);
      const Images::Spread spread = stored.spread_of(name);
      if (spread.nodes == 0) continue;
      const double share =
          static_cast<double>(spread.nodes) / static_cast<double>(query.tables.live_nodes);
      owned.push_back({name, go::integer(static_cast<double>(spread.first_size) * share)});
    }
    scores_.reserve(stored.lists());
    for (std::uint32_t i = 0; i < stored.lists(); ++i) {
      Quantity sum = 0;
      for (const Own& own : owned) {
        if (has(stored.list(i), own.name)) sum = go::sum(sum, own.scaled_size);
      }
      const Quantity within = std::max(k_low, std::min(sum, high));
      scores_.push_back(query.release.highest_score * (within - k_low) / (high - k_low));
    }
  }

  void rate(Nodes nodes, Quantity* raw) const override {
    for (std::size_t i = 0; i < nodes.size(); ++i)
      raw[i] = scores_[query_.tables.images.list_of(nodes[i])];
  }

 private:
  struct Own {
    Symbol name = 0;
    Quantity scaled_size = 0;
  };

  static bool has(const ImageList& images, Symbol name) {
    const auto found = std::lower_bound(images.begin(), images.end(), name,
                                        [](const auto& each, Symbol wanted) { return each.first < wanted; });
    return found != images.end() && found->first == name;
  }

  std::vector<Quantity> scores_;  ///< by list
};

}  // namespace

MadeScorer image_locality(const Query& query) { return std::make_unique<ImageLocality>(query); }

}  // namespace touchstone::optimized
