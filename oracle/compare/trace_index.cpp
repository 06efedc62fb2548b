#include "oracle/compare/trace_index.hpp"

namespace touchstone::oracle {

TraceIndex::TraceIndex(const Cluster& cluster, const Trace& trace) : nodes(cluster.nodes.size()) {
  std::vector<std::vector<const Step*>> parts(nodes.size());  // of the scorer that comes next
  NodeTrace* dry_run =
      nullptr;  // budget steps have no node; they follow the step without victims of their node
  for (const Step& step : trace.steps()) {
    NodeTrace* const node = step.node ? &nodes[*step.node] : nullptr;
    switch (step.stage) {
      case Stage::attempt:
        node == nullptr ? attempt.push_back(&step) : void(node->attempt = &step);
        break;
      case Stage::score_part:
        parts[*step.node].push_back(&step);
        break;
      case Stage::score:
        node->scores.push_back({&step, std::move(parts[*step.node])});
        parts[*step.node].clear();
        break;
      case Stage::host:
        host = &step;
        break;
      case Stage::eligibility:
        eligibility.push_back(&step);
        break;
      case Stage::potential:
        node->potential = &step;
        break;
      case Stage::search:
        search.push_back(&step);
        break;
      case Stage::without_victims:
        dry_run = node;
        node->without_victims = &step;
        break;
      case Stage::budget:
        dry_run->budgets.push_back(&step);
        break;
      case Stage::reprieve:
        node->reprieves.push_back(&step);
        break;
      case Stage::candidate:
        node->candidate = &step;
        break;
      case Stage::choice:
        node->choice = &step;
        break;
      case Stage::outcome:
        outcome.push_back(&step);
        break;
    }
  }
}

}  // namespace touchstone::oracle
