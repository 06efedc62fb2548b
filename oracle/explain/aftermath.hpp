#pragma once

#include <vector>

#include "spec/releases/release.hpp"
#include "spec/vocabulary/cluster.hpp"
#include "spec/vocabulary/decision.hpp"

/// Checks whether the evictions of a decision help. In the dry run, each filter updates its own state when
/// pods are removed, and this state can be wrong. Then the release evicts pods, but the preemptor still does
/// not fit, or it would fit without one of the evictions. The decision stays the release's decision; the
/// result here is shown beside it.
///
/// *Afresh* means: the filters of the same release run on a cluster that never contained the victims. No
/// state of the dry run is used. VolumeAttachments stay, although those of the victims are removed later; so
/// more evictions may be unnecessary than reported. Pods that lose their nomination have lower priority than
/// the preemptor, and no filter counted them before. All other objects stay the same, even terminating pods.
namespace touchstone::oracle {

/// A victim whose eviction is unnecessary, and why the dry run did not reprieve it.
struct Needless {
  PodIndex pod;
  std::vector<Finding> findings;  ///< why the dry run rejected the pod with this victim on the node
};

/// The result of aftermath_of().
struct Aftermath {
  Status still;  ///< status of the chosen node, afresh, without the victims; not ok: ineffective
  /// The victims that may stay: with this victim on the node and all others gone, the preemptor fits afresh.
  /// Each victim is judged alone; two of them together may not be able to stay. Terminating victims are left
  /// out, since they end in any case. In the order of the victims.
  std::vector<Needless> needless;

  bool futile() const { return !still.ok(); }
  bool as_meant() const { return still.ok() && needless.empty(); }
};

/// Checks the evictions of a candidate. Requires: the candidate is one of a decision for this question by
/// this release. Complexity: filters one node once, and once more for each victim.
Aftermath aftermath_of(const Question& question, const Release& release, const Candidate& candidate);

}  // namespace touchstone::oracle
