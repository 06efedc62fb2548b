#pragma once

#include "proofs/scene.hpp"
#include "proofs/theorems/theorems.hpp"

namespace touchstone::proofs::TOUCHSTONE_BUILD {

/// The search for victims on one node, and its result. Assumes that the preemptor requests some cpu.
struct Searched {
  Searched(Proof& proof, Question asked, Release of)
      : question(std::move(asked)), release(std::move(of)), cycle(question, release, trace) {
    proof.assume(k_wants_something, cpu_of(question.pod) > Quantity(0));
    found = scheduler::select_victims(cycle, 0, {});
    for (const scheduler::PodOnNode& pod : scheduler::potential_victims(cycle, 0)) lower.push_back(pod.pod);
    stays.assign(question.cluster.pods.size(), true);
    for (const PodIndex victim : victims()) stays[victim] = false;
    proof.observe(is_candidate() ? "victims:" + text_of(victims()) : "no candidate");
  }
  Searched(const Searched&) = delete;
  Searched& operator=(const Searched&) = delete;

  bool is_candidate() const { return found.status.ok(); }
  /// Empty if the node is no candidate.
  const std::vector<PodIndex>& victims() const { return found.candidate.victims; }

  /// The potential victims in the order in which they are tried for reprieve.
  std::vector<PodIndex> order_of_reprieve() const {
    std::vector<scheduler::PodOnNode> pods = scheduler::potential_victims(cycle, 0);
    scheduler::sort_by_importance(pods, release);
    const std::vector<bool> violating = scheduler::pdb_violations(cycle, pods);
    std::vector<PodIndex> order;
    for (const bool now : {true, false}) {
      for (std::size_t i = 0; i < pods.size(); ++i) {
        if (violating[i] == now) order.push_back(pods[i].pod);
      }
    }
    return order;
  }

  Question question;
  Release release;
  Trace trace = Trace::none();
  scheduler::Cycle cycle;
  scheduler::DryRun found;
  std::vector<PodIndex> lower;
  std::vector<bool> stays;
};

}  // namespace touchstone::proofs::TOUCHSTONE_BUILD
