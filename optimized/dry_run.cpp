#include "optimized/dry_run.hpp"

#include <algorithm>

namespace touchstone::optimized {

namespace {

/// PRE-NODE-3
constexpr Quantity k_priority_offset = 2147483648;

}  // namespace

bool is_plain(const Query& query, NodeIndex) { return query.others.empty() && query.ports.empty(); }

DryRun::DryRun(const Query& query) : query_(query) {
  const Budgets& budgets = query.tables.budgets;
  for (std::uint32_t list = 0; list < budgets.lists(); ++list) {
    Quantity least = std::numeric_limits<Quantity>::max();
    for (const std::uint32_t number : budgets.list(list)) least = std::min(least, budgets[number].allowed);
    least_allowed_.push_back(least);
  }
  left_.resize(budgets.size());
}

DryRunResult DryRun::run(NodeIndex node) {
  violating_victims_.clear();
  other_victims_.clear();
  has_both_groups_ = false;
  if (query_.static_rejections(node) != 0) return DryRunResult::none;
  pods_ = query_.pods_of(node);
  const std::size_t level = pods_.level_below(query_.priority);
  // PRE-VICTIM-2
  if (level == pods_.levels && query_.release.no_potential_victims == NoPotentialVictims::rejected)
    return DryRunResult::none;
  const std::vector<PodRow> nominated = query_.counted_nominated(node);
  if (is_plain(query_, node)) {
    PlainRoom room(query_, node, pods_, nominated);
    return search(room, level);
  }
  WholeRoom room(query_, node, pods_, nominated);
  return search(room, level);
}

template <typename Room>
DryRunResult DryRun::search(Room& room, std::size_t level) {
  const std::size_t first = level == pods_.levels ? pods_.count : pods_.level_first[level];
  room.take_all_from(level);                    // PRE-VICTIM-1
  if (!room.fits()) return DryRunResult::none;  // PRE-VICTIM-3
  const bool some_violate = find_violating(first);
  std::size_t next = first;
  if (some_violate) {  // PRE-VICTIM-6
    for (std::size_t i = first; i < pods_.count; ++i) {
      if (violating_[i]) reprieve(room, i, violating_victims_);
    }
  } else {
    next = room.put_levels_back(level);
  }
  for (std::size_t i = next; i < pods_.count; ++i) {
    if (!some_violate || !violating_[i]) reprieve(room, i, other_victims_);
  }
  const bool nobody = violating_victims_.empty() && other_victims_.empty();
  return nobody ? DryRunResult::nobody_has_to_go : DryRunResult::candidate;
}

template <typename Room>
void DryRun::reprieve(Room& room, std::size_t pod, std::vector<std::uint32_t>& victims) {
  room.put_back(pod);
  if (room.fits()) return;
  room.take_again(pod);
  victims.push_back(static_cast<std::uint32_t>(pod));
}

/// Lemma (budgets that last): before a pod is asked, fewer pods than there are potential victims have spent a
/// disruption of any PDB; so a list whose PDBs all allow that many is violated by nobody.
bool DryRun::may_violate(std::size_t first) const {
  if (query_.release.pdb_budget == PdbBudget::ignored) return false;
  const bool is_spent = query_.release.pdb_budget != PdbBudget::threshold;
  const Quantity enough = is_spent ? static_cast<Quantity>(pods_.count - first) : 1;
  return std::any_of(pods_.budgets + first, pods_.budgets + pods_.count,
                     [&](std::uint32_t list) { return least_allowed_[list] < enough; });
}

bool DryRun::find_violating(std::size_t first) {
  if (!may_violate(first)) return false;
  const Budgets& budgets = query_.tables.budgets;
  for (std::size_t i = first; i < pods_.count; ++i) {
    for (const std::uint32_t number : budgets.list(pods_.budgets[i])) left_[number] = budgets[number].allowed;
  }
  violating_.assign(pods_.count, false);
  std::size_t violators = 0;
  for (std::size_t i = first; i < pods_.count; ++i) {
    violating_[i] = violates(pods_.budgets[i]);
    violators += violating_[i];
  }
  has_both_groups_ = violators > 0 && violators < pods_.count - first;
  return violators > 0;
}

/// Spends what the pod costs of each PDB in the list.
bool DryRun::violates(std::uint32_t list) {
  const PdbBudget rule = query_.release.pdb_budget;
  bool violating = false;
  for (const std::uint32_t number : query_.tables.budgets.list(list)) {
    Quantity& left = left_[number];
    violating = violating || left <= 0;
    if (left <= 0 && rule == PdbBudget::consumed_until_violated) break;  // PRE-PDB-4
    if (rule != PdbBudget::threshold) left -= 1;                         // PRE-PDB-3, PRE-PDB-5
  }
  return violating;
}

Key DryRun::key() const {
  Key key;
  key.pdb_violations = static_cast<Quantity>(violating_victims_.size());  // PRE-PDB-8
  key.victims = static_cast<Quantity>(violating_victims_.size() + other_victims_.size());
  std::int32_t highest = std::numeric_limits<std::int32_t>::min();
  const auto each_victim = [&](const auto& look) {
    for (const std::vector<std::uint32_t>* victims : {&violating_victims_, &other_victims_}) {
      for (const std::uint32_t victim : *victims) look(victim);
    }
  };
  each_victim([&](std::uint32_t victim) {
    key.priority_sum += pods_.priority[victim] + k_priority_offset;
    highest = std::max(highest, pods_.priority[victim]);
  });
  if (key.victims == 0) return key;
  const std::uint32_t first =
      violating_victims_.empty() ? other_victims_.front() : violating_victims_.front();
  key.first_priority = are_sorted_again() ? highest : pods_.priority[first];
  if (!query_.release.choice_by_start_time) return key;
  Quantity earliest = k_unstarted;
  each_victim([&](std::uint32_t victim) {
    if (pods_.priority[victim] == highest) earliest = std::min(earliest, pods_.start[victim]);
  });
  key.earliest_start = -earliest;
  return key;
}

std::vector<PodIndex> DryRun::victims() const {
  std::vector<std::uint32_t> rows = violating_victims_;
  rows.insert(rows.end(), other_victims_.begin(), other_victims_.end());
  const auto row = [this](std::uint32_t i) {
    PodRow of;
    of.priority = pods_.priority[i];
    of.start = pods_.start[i];
    of.pod = pods_.pod[i];
    return of;
  };
  const Tables& tables = query_.tables;
  if (are_sorted_again()) {
    std::stable_sort(rows.begin(), rows.end(),
                     [&](std::uint32_t a, std::uint32_t b) { return outranks(row(a), row(b), tables); });
    // PRE-VICTIM-5: each sorting turns unstarted pods round.
    for (auto from = rows.begin(); from != rows.end();) {
      const auto ends = [&](std::uint32_t i) {
        return pods_.start[i] != k_unstarted || outranks(row(*from), row(i), tables);
      };
      const auto to = std::find_if(from, rows.end(), ends);
      if (tables.release.unstarted_order == UnstartedOrder::reversed) std::reverse(from, to);
      from = to == from ? from + 1 : to;
    }
  }
  std::vector<PodIndex> victims;
  for (const std::uint32_t i : rows) victims.push_back(pods_.pod[i]);
  return victims;
}

}  // namespace touchstone::optimized
