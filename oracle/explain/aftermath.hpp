#pragma once

#include <vector>

#include "spec/vocabulary/cluster.hpp"
#include "spec/vocabulary/decision.hpp"
#include "spec/releases/release.hpp"

/// What the evictions of a decision come to. A filter keeps an account of its own while pods are taken away
/// in the dry run, and that account can be wrong: then the release evicts, and the preemptor still does not
/// fit, or would have fitted without one of the evictions. The decision stands, since the release decides so;
/// this says beside it what it is worth.
///
/// *Afresh* means: the filters of the same release are asked about a cluster in which the victims have never
/// been; nothing is carried over from the dry run. VolumeAttachments stay, though those of the victims will
/// go in time, so that more may be needless than is said. The pods that lose their nomination have a lower
/// priority than the preemptor, so that no filter saw them before either. All else is as it was, also pods
/// that are terminating.
namespace touchstone::oracle {

/// A victim that need not have gone, and what the dry run held against it.
struct Needless {
  PodIndex pod;
  std::vector<Finding> findings;  ///< why the dry run would not put it back
};

struct Aftermath {
  Status still;  ///< what the chosen node says afresh with all victims gone; not ok: the evictions are futile
  /// The victims that might have stayed: with all the others gone and this one left the preemptor fits
  /// afresh. Each is judged alone: of two, that both might have stayed is not said. A victim that is
  /// terminating is left out, since it goes in any case. In the order of the victims.
  std::vector<Needless> needless;

  bool futile() const { return !still.ok(); }
  bool as_meant() const { return still.ok() && needless.empty(); }
};

/// Asks what evicting a candidate's victims comes to. Requires: the candidate is one of a decision for this
/// question by this release. Complexity: one node is filtered once more for every victim, and once.
Aftermath aftermath_of(const Question& question, const Release& release, const Candidate& candidate);

}  // namespace touchstone::oracle
