#include <algorithm>
#include <string>

#include "fuzz/generate/draw.hpp"

/// Adds to a cluster what scores look at.
namespace touchstone::fuzz {

namespace {

/// One cluster in this many has the family.
std::size_t odds_of_scored(Family family) {
  switch (family) {
    case Family::sampling:
      return 48;
    case Family::storage_scores:
      return 8;
    case Family::avoided:
      return 4;
    default:
      return 3;
  }
}

/// Chooses the families of scores.
void draw_scored_families(Draw& draw, const Scenarios& scenarios) {
  for (const Family family : scenarios.families) {
    if (family <= Family::unusual || family == Family::extenders) continue;
    // A pod that fits nowhere has no scores.
    const bool is_there = family == Family::roomy ? !draw.once_in(6) : draw.once_in(odds_of_scored(family));
    if (is_there) draw.families.insert(family);
  }
  if (draw.minor < 16) draw.families.erase(Family::soft_spread);  // the API does not have it
}

/// Adds nodes that are like those of the cluster, until there are `wanted`.
void draw_more_nodes(Draw& draw, Question& question, std::size_t wanted) {
  Cluster& cluster = question.cluster;
  const std::size_t nodes = cluster.nodes.size();
  const std::size_t pods = cluster.pods.size();
  for (std::size_t n = nodes; n < wanted; ++n) {
    Node node = cluster.nodes[draw.below(nodes)];
    const std::string like = node.name;
    node.name = "m" + std::to_string(n + 1);
    if (node.labels.contains(k_hostname)) node.labels[k_hostname] = node.name;
    cluster.nodes.push_back(node);
    for (std::size_t p = 0; p < pods; ++p) {
      if (cluster.pods[p].node_name != like || !draw.once_in(6)) continue;
      Pod pod = cluster.pods[p];
      pod.name += "-" + node.name;
      pod.uid += "-" + node.name;
      pod.node_name = node.name;
      cluster.pods.push_back(std::move(pod));
    }
  }
}

/// The node at which the search begins; the index may be larger than the number of nodes.
void draw_start_of_search(Draw& draw, Question& question) {
  question.start = static_cast<Quantity>(draw.below(question.cluster.nodes.size() + 2));
}

}  // namespace

void draw_scored(Draw& draw, const Scenarios& scenarios, Question& question) {
  if (question.cluster.nodes.empty()) return;
  draw_scored_families(draw, scenarios);
  if (draw.has(Family::zones)) draw_zone_labels(draw, question);
  if (draw.has(Family::services)) draw_selecting(draw, question);
  if (draw.has(Family::avoided)) draw_avoided(draw, question);
  if (draw.has(Family::images)) draw_images(draw, question);
  if (draw.has(Family::soft_taints)) draw_soft_taints(draw, question);
  if (draw.has(Family::preferred_nodes)) draw_preferred_nodes(draw, question);
  if (draw.has(Family::preferred_pods)) draw_preferred_pods(draw, question);
  if (draw.has(Family::soft_spread)) draw_soft_spread(draw, question);
  if (draw.has(Family::storage_scores)) draw_storage_scores(draw, question);
  if (draw.has(Family::roomy)) {
    if (draw.has(Family::borders)) draw_odd_requests(draw, question);
    make_room(draw, scenarios.release, question);
    if (draw.has(Family::borders)) draw_borders(draw, scenarios.release, question);
  }
  if (draw.has(Family::roomy) && draw.once_in(2))
    draw_more_nodes(draw, question, question.cluster.nodes.size() + 1 + draw.below(4));
  // With so many nodes a search finds only some of them.
  if (draw.has(Family::sampling))
    draw_more_nodes(draw, question, draw.one_of<std::size_t>({100, 101, 120, 150, 250, 99, 300, 400}));
  if (draw.has(Family::start)) draw_start_of_search(draw, question);
}

}  // namespace touchstone::fuzz
