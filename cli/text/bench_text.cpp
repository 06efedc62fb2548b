#include "cli/text/bench_text.hpp"

#include <algorithm>
#include <cstdio>
#include <set>
#include <tuple>

#include "cli/terminal/output.hpp"

namespace touchstone::cli {

namespace {

using bench::Asks;
using bench::BenchRow;
using bench::Figure;
using bench::Timed;

/// The number of columns of a table before the column that says what is wrong with a row.
constexpr std::size_t k_decision_columns = 13;
constexpr std::size_t k_in_turn_columns = 9;
constexpr std::size_t k_cycle_columns = 10;

template <typename T, typename Names>
std::string name_of(T value, const Names& names) {
  return std::string(names[static_cast<std::size_t>(value)]);
}

/// A number with three significant digits. The spread of the measurements does not support more.
std::string number(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.*f", value < 9.995 ? 2 : value < 99.95 ? 1 : 0, value);
  return text;
}

std::string time_of(Quantity ns) {
  const double time = static_cast<double>(ns);
  if (time < 1e6) return number(time / 1e3) + " us";
  return time < 1e9 ? number(time / 1e6) + " ms" : number(time / 1e9) + " s";
}

std::string quartiles_of(const bench::Times& times) {
  return time_of(times.lower_quartile) + " to " + time_of(times.upper_quartile);
}

std::string ratio(double of, double to) { return to > 0 ? number(of / to) + " x" : ""; }
std::string ratio(Quantity of, Quantity to) {
  return ratio(static_cast<double>(of), static_cast<double>(to));
}

std::string engine_of(const BenchRow& row) {
  return name_of(row.engine, bench::k_timed_names) + (row.samples ? ", sample" : "");
}

std::string trouble_of(const BenchRow& row) {
  if (!row.disagreement.empty()) return "VOID: " + row.disagreement;
  return row.disturbed() ? "disturbed: only " + time_of(*row.cpu_ns) + " of it is CPU time" : "";
}

std::string checked_by(const BenchRow& row) {
  std::string all;
  for (const std::string& each : row.checked_by) all += (all.empty() ? "" : ", ") + each;
  return all.empty() ? "unchecked" : all;
}

bool is_same_question(const BenchRow& a, const BenchRow& b) {
  return a.figure == b.figure && a.nodes == b.nodes && a.shape == b.shape && a.asks == b.asks;
}

/// The row of the optimized engine's complete search on all cores, with which other rows are compared; null
/// if it was not measured.
const BenchRow* best_of(const std::vector<BenchRow>& rows, const BenchRow& row) {
  const BenchRow* best = nullptr;
  for (const BenchRow& each : rows) {
    if (each.engine == Timed::optimized && !each.samples && is_same_question(each, row)) best = &each;
  }
  return best;
}

/// Clears the first cells of a row that equal those of the row above, among the first `columns`.
void clear_repeated(std::vector<Row>& table, std::size_t columns) {
  for (std::size_t i = table.size(); i-- > 1;) {
    for (std::size_t column = 0; column < columns && table[i][column] == table[i - 1][column]; ++column)
      table[i][column] = "";
  }
}

std::string decisions_of(const std::vector<BenchRow>& rows, const Terminal& terminal) {
  std::vector<Row> cells;
  for (const BenchRow& row : rows) {
    if (row.figure != Figure::decision || !row.left_out.empty()) continue;
    Row line = {std::to_string(row.nodes), name_of(row.shape, bench::k_shape_names),
                name_of(row.asks, bench::k_asks_names), engine_of(row), std::to_string(row.threads)};
    if (!row.counts()) {
      line.resize(k_decision_columns);
      line.push_back(trouble_of(row));
      cells.push_back(line);
      continue;
    }
    const BenchRow* best = best_of(rows, row);
    line.push_back(time_of(row.wall.median));
    line.push_back(quartiles_of(row.wall));
    line.push_back(row.cpu_ns ? time_of(*row.cpu_ns) : "");
    line.push_back(row.floor_ns ? time_of(*row.floor_ns) : "");
    line.push_back(row.floor_ns ? ratio(row.wall.median, *row.floor_ns) : "");
    const double dry_runs = static_cast<double>(row.dry_runs.value_or(0));
    line.push_back(row.dry_runs ? number(100 * dry_runs / static_cast<double>(row.nodes)) + " %" : "");
    line.push_back(best == nullptr ? "" : ratio(row.wall.median, best->wall.median));
    line.push_back(checked_by(row));
    line.push_back(trouble_of(row));
    cells.push_back(line);
  }
  if (cells.empty()) return "";
  clear_repeated(cells, 3);
  cells.insert(cells.begin(), heading(terminal, {"NODES", "CLUSTER", "PREEMPTOR", "ENGINE", "THREADS",
                                                 "DECISION", "QUARTILES", "CPU", "FLOOR", "OVER FLOOR",
                                                 "DRY-RUN", "VS OPTIMIZED", "CHECKED BY"}));
  return "\n" + table(terminal, cells);
}

std::string loads_of(const std::vector<BenchRow>& rows, const Terminal& terminal) {
  std::vector<Row> cells = {heading(terminal, {"NODES", "CLUSTER", "PODS", "LOAD", "QUARTILES", "PER POD",
                                               "COLUMNS", "BYTES PER POD", "PEAK OF THE PROCESS"})};
  for (const BenchRow& row : rows) {
    if (row.figure != Figure::load) continue;
    const double pods = static_cast<double>(row.pods());
    cells.push_back({std::to_string(row.nodes), name_of(row.shape, bench::k_shape_names),
                     std::to_string(row.pods()), time_of(row.wall.median), quartiles_of(row.wall),
                     number(static_cast<double>(row.wall.median) / pods) + " ns",
                     number(static_cast<double>(*row.bytes) / 1e6) + " MB",
                     number(static_cast<double>(*row.bytes) / pods),
                     row.peak_bytes ? number(static_cast<double>(*row.peak_bytes) / 1e6) + " MB" : "unknown",
                     trouble_of(row)});
  }
  return cells.size() == 1 ? "" : table(terminal, cells);
}

std::string in_turn_of(const std::vector<BenchRow>& rows, const Terminal& terminal) {
  std::vector<Row> cells;
  for (const BenchRow& row : rows) {
    if (row.figure != Figure::in_turn || !row.left_out.empty()) continue;
    Row line = {std::to_string(row.nodes), engine_of(row), std::to_string(row.threads)};
    if (!row.counts()) {
      line.resize(k_in_turn_columns);
      line.push_back(trouble_of(row));
    } else {
      const BenchRow* best = best_of(rows, row);
      for (const std::string& cell :
           {std::to_string(row.wall.runs), time_of(row.wall.median), quartiles_of(row.wall),
            number(1e9 / static_cast<double>(row.wall.median)),
            best == nullptr ? "" : ratio(row.wall.median, best->wall.median), checked_by(row),
            trouble_of(row)})
        line.push_back(cell);
    }
    cells.push_back(line);
  }
  if (cells.empty()) return "";
  clear_repeated(cells, 1);
  cells.insert(cells.begin(),
               heading(terminal, {"NODES", "ENGINE", "THREADS", "PREEMPTORS IN TURN", "DECISION AND UPDATES",
                                  "QUARTILES", "PER SECOND", "VS OPTIMIZED", "CHECKED BY"}));
  return "\n" + table(terminal, cells);
}

/// The row of the optimized engine for the first pod of its kind, with which other cycles are compared; null if
/// it was not measured.
const BenchRow* first_cycle_of(const std::vector<BenchRow>& rows, const BenchRow& row) {
  for (const BenchRow& each : rows) {
    if (each.figure == Figure::cycle && each.engine == Timed::optimized && !each.is_repeated &&
        each.nodes == row.nodes && each.samples == row.samples && each.counts())
      return &each;
  }
  return nullptr;
}

std::string cycles_of(const std::vector<BenchRow>& rows, const Terminal& terminal) {
  std::vector<Row> cells;
  for (const BenchRow& row : rows) {
    if (row.figure != Figure::cycle) continue;
    Row line = {std::to_string(row.nodes), row.samples ? "sample" : "all nodes",
                name_of(row.engine, bench::k_timed_names),
                row.is_repeated ? "like came before" : "first of its kind", std::to_string(row.threads)};
    if (!row.counts()) {
      line.resize(k_cycle_columns);
    } else {
      const BenchRow* first = first_cycle_of(rows, row);
      for (const std::string& cell :
           {time_of(row.wall.median), quartiles_of(row.wall), row.cpu_ns ? time_of(*row.cpu_ns) : "",
            first == nullptr ? "" : ratio(row.wall.median, first->wall.median), checked_by(row)})
        line.push_back(cell);
    }
    line.push_back(trouble_of(row));
    cells.push_back(line);
  }
  if (cells.empty()) return "";
  clear_repeated(cells, 2);
  cells.insert(cells.begin(), heading(terminal, {"NODES", "SEARCH", "ENGINE", "POD", "THREADS", "WHOLE CYCLE",
                                                 "QUARTILES", "CPU", "VS FIRST", "CHECKED BY"}));
  return "\n" + table(terminal, cells);
}

/// How the decision time of an engine grows from one cluster size to the next.
std::string growth_of(const std::vector<BenchRow>& rows, const Terminal& terminal) {
  std::vector<Row> cells = {
      heading(terminal, {"CLUSTER", "PREEMPTOR", "ENGINE", "THREADS", "NODES", "GROW BY", "DECISION BY"})};
  for (const BenchRow& row : rows) {
    if (row.figure != Figure::decision || row.samples || !row.counts()) continue;
    const auto is_next = [&row](const BenchRow& other) {
      return other.figure == Figure::decision && !other.samples && other.counts() &&
             other.engine == row.engine && other.threads == row.threads && other.shape == row.shape &&
             other.asks == row.asks && other.nodes > row.nodes;
    };
    const auto next = std::find_if(rows.begin(), rows.end(), is_next);
    if (next == rows.end()) continue;
    cells.push_back({name_of(row.shape, bench::k_shape_names), name_of(row.asks, bench::k_asks_names),
                     engine_of(row), std::to_string(row.threads),
                     std::to_string(row.nodes) + " to " + std::to_string(next->nodes),
                     ratio(static_cast<double>(next->nodes), static_cast<double>(row.nodes)),
                     ratio(next->wall.median, row.wall.median)});
  }
  if (cells.size() == 1) return "";
  std::stable_sort(cells.begin() + 1, cells.end(), [](const Row& a, const Row& b) {
    return std::tie(a[0], a[1], a[2], a[3]) < std::tie(b[0], b[1], b[2], b[3]);
  });
  return "\n" + table(terminal, cells);
}

/// The reasons why something was not measured, each once.
std::string left_out_of(const std::vector<BenchRow>& rows) {
  std::set<std::string> reasons;
  for (const BenchRow& row : rows) {
    if (!row.left_out.empty()) reasons.insert(row.left_out);
  }
  std::string text;
  for (const std::string& reason : reasons) text += "\nLeft out: " + reason;
  return text.empty() ? "" : text + "\n";
}

}  // namespace

std::string text_of(const std::vector<BenchRow>& rows, const Terminal& terminal) {
  return loads_of(rows, terminal) + decisions_of(rows, terminal) + in_turn_of(rows, terminal) +
         cycles_of(rows, terminal) + growth_of(rows, terminal) + left_out_of(rows);
}

}  // namespace touchstone::cli
