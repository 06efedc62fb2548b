#include "fuzz/timelines/part_lines.hpp"
#include "fuzz/timelines/parts.hpp"

namespace touchstone::fuzz {

namespace {

constexpr Quantity k_election_ms_ns = 1'000'000;

/// Generates the commands of one timeline of leader election, and plays each on the model.
class ElectionTimeline {
 public:
  ElectionTimeline(Choices& choices, const Release& release)
      : draw_{choices}, compares_own_writes_(release.own_write_is_compared) {
    Json init{{"cmd", "init"},
              {"part", "leaderElection"},
              {"release", release.version.text()},
              {"electors", Json::array()}};
    const std::size_t count = 1 + draw_.below(3);
    for (std::size_t i = 0; i < count; ++i)
      init["electors"].push_back(elector(std::string(1, static_cast<char>('a' + i))));
    if (draw_.once_in(3)) init["lease"] = record();
    lines_.emplace(init);
  }

  std::vector<Json> drawn() {
    return std::move(*lines_).drawn(draw_, [this] { return next(); });
  }

 private:
  const reference::Election& election() const {
    return static_cast<const oracle::ElectionPart&>(lines_->model()).election();
  }

  /// No deadline is a multiple of the time between attempts, and no two moments are whole seconds apart:
  /// whether an attempt that is due at the deadline is still made is chance.
  Json elector(const std::string& name) {
    // Clocks that are seconds and fractions apart. In virtual time, whose moments have no second reading of
    // the clock, an early release takes its own record of a whole second for one that it has read.
    const Quantity off_ns = draw_.one_of<Quantity>({0, 0, 7'300, -40'000, 123}) * k_election_ms_ns +
                            (compares_own_writes_ ? 1'234'567 : draw_.one_of<Quantity>({0, 1'234'567}));
    Json made{{"name", name}, {"now", k_part_begin_ns + off_ns}, {"jitter", draw_.below(oracle::k_jitters)}};
    const std::size_t setup = draw_.below(4);
    made["leaseDurationSeconds"] = setup == 3 ? 20 : 15;
    made["renewDeadlineSeconds"] = setup == 3 ? 13 : setup == 2 ? 7 : setup == 1 ? 10 : 9;
    made["retryPeriodSeconds"] = setup == 1 ? 3 : 2;
    if (!draw_.once_in(3)) made["releaseOnCancel"] = true;
    return made;
  }

  Json record() {
    const Quantity ago_ns = draw_.one_of<Quantity>({0, 86'400'000, -5'000, 3'500}) * k_election_ms_ns;
    return {{"holderIdentity", draw_.one_of<std::string>({"z", "a", "", "b"})},
            {"leaseDurationSeconds", draw_.one_of<Quantity>({15, 1, 60})},
            {"acquireTime", k_part_begin_ns - ago_ns},
            {"renewTime", k_part_begin_ns - ago_ns},
            {"leaseTransitions", draw_.below(3)}};
  }

  Json next() {
    const auto& electors = election().electors;
    auto chosen = electors.begin();
    std::advance(chosen, static_cast<std::ptrdiff_t>(draw_.below(electors.size())));
    const auto& [name, one] = *chosen;
    if (one.phase == reference::ElectorPhase::stopped && draw_.once_in(2))
      return {{"cmd", "start"}, {"elector", name}};
    if (one.waits_for != reference::LeaseStep::none && draw_.once_in(2))
      return {{"cmd", "answer"},
              {"elector", name},
              {"result", draw_.one_of<std::string>({"ok", "ok", "error", "conflict", "notFound", "lost"})}};
    switch (draw_.below(16)) {
      case 0:
        return {{"cmd", "start"}, {"elector", name}};
      case 1:
        return {{"cmd", "stop"}, {"elector", name}};
      case 2:
      case 3:
      case 4:
        return {{"cmd", "hold"},
                {"elector", name},
                {"call", draw_.one_of<std::string>({"update", "get", "create", "update"})}};
      case 5:
        return written();
      default:
        return advanced(name);
    }
  }

  Json advanced(const std::string& name) {
    const Quantity ns = draw_.one_of<Quantity>({2'000, 2'000, 500, 4'400, 1'900, 2'100, 9'000, 10'000, 15'000,
                                                16'000, 14'900, 1, 30'000}) *
                        k_election_ms_ns;
    return {
        {"cmd", "advance"}, {"elector", name}, {"nanoseconds", ns + draw_.one_of<Quantity>({1, 3, 1'001})}};
  }

  /// Another client writes the lease: it is gone, taken, or moved on.
  Json written() {
    Json line{{"cmd", "write"}};
    if (draw_.once_in(3)) return line;
    line["lease"] = record();
    const auto& stored = election().lease.record;
    if (stored && draw_.once_in(2)) {
      line["lease"]["holderIdentity"] = stored->holder;
      line["lease"]["renewTime"] =
          stored->renewed_ns + draw_.one_of<Quantity>({0, 300, 1'000, 2'000}) * k_election_ms_ns;
      line["lease"]["acquireTime"] = stored->acquired_ns;
      line["lease"]["leaseTransitions"] = stored->transitions;
      line["lease"]["leaseDurationSeconds"] = stored->lease_seconds;
    }
    return line;
  }

  Draw draw_;
  bool compares_own_writes_;
  std::optional<PartLines> lines_;
};

}  // namespace

std::vector<Json> election_timeline(Choices& choices, const Release& release) {
  return ElectionTimeline(choices, release).drawn();
}

}  // namespace touchstone::fuzz
