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

/// SCORE-IMAGE-1, SCORE-IMAGE-2. The nodes with equal images share a list. If there are few lists, each is
/// rated once.
class ImageLocality final : public NodeScorer {
 public:
  explicit ImageLocality(const Query& query) : NodeScorer(query, Scaling::none) {
    const std::vector<std::string> images = own_images(query.pod, query.release);
    high_ = upper_threshold(query.pod, query.release, images.size());
    for (const std::string& image : images) {
      const Symbol name = query.tables.symbols.find(image);
      const Images::Spread spread = query.tables.images.spread_of(name);
      if (spread.nodes == 0) continue;
      const double share = static_cast<double>(spread.nodes) / static_cast<double>(query.tables.live_nodes);
      owned_.push_back({name, go::integer(static_cast<double>(spread.first_size) * share)});
    }
    constexpr std::uint32_t k_few_lists = 256;
    const Images& stored = query.tables.images;
    if (owned_.empty() || stored.lists() > k_few_lists) return;
    for (std::uint32_t i = 0; i < stored.lists(); ++i) scores_.push_back(score_of(stored.list(i)));
  }

  std::optional<Quantity> constant() const override {
    return owned_.empty() ? std::optional(score_of({})) : std::nullopt;
  }
  std::vector<Quantity> inputs() const override {
    std::vector<Quantity> inputs;
    for (const Own& own : owned_)
      inputs.insert(inputs.end(), {static_cast<Quantity>(own.name), own.scaled_size});
    return inputs;
  }
  void rate(Nodes nodes, Quantity* raw) const override {
    const Images& stored = query_.tables.images;
    for (std::size_t i = 0; i < nodes.size(); ++i) {
      const std::uint32_t list = stored.list_of(nodes[i]);
      raw[i] = query_.nodes_are_bare ? score_of({})
               : scores_.empty()     ? score_of(stored.list(list))
                                     : scores_[list];
    }
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
  Quantity score_of(const ImageList& images) const {
    Quantity sum = 0;
    for (const Own& own : owned_) {
      if (has(images, own.name)) sum = go::sum(sum, own.scaled_size);
    }
    const Quantity within = std::max(k_low, std::min(sum, high_));
    return query_.release.highest_score * (within - k_low) / (high_ - k_low);
  }

  Quantity high_ = 0;
  std::vector<Own> owned_;        ///< the preemptor's images that some node has; twice if it is used twice
  std::vector<Quantity> scores_;  ///< by list; empty: a list is rated for each node
};

}  // namespace

MadeScorer image_locality(const Query& query) { return std::make_unique<ImageLocality>(query); }

}  // namespace touchstone::optimized
