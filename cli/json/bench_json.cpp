#include "cli/json/bench_json.hpp"

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>

#include "kubernetes/text/bytes.hpp"
#include "oracle/saved_numbers.hpp"

namespace touchstone::cli {

namespace {

using bench::BenchRow;
using bench::Figure;

template <typename T, typename Names>
std::string name_in(T value, const Names& names) {
  return std::string(names[static_cast<std::size_t>(value)]);
}

oracle::Json json_of_row(const BenchRow& row, const std::string& release) {
  oracle::Json json;
  json["figure"] = name_in(row.figure, bench::k_figure_names);
  json["engine"] = name_in(row.engine, bench::k_timed_names);
  json["release"] = release;
  json["threads"] = row.threads;
  json["nodes"] = row.nodes;
  json["pods"] = row.pods();
  json["cluster"] = name_in(row.shape, bench::k_shape_names);
  json["preemptor"] = name_in(row.asks, bench::k_asks_names);
  json["samples"] = row.samples;
  if (row.figure == Figure::cycle) json["repeated"] = row.is_repeated;
  if (row.counts()) {
    json["runs"] = row.wall.runs;
    json["median_ns"] = row.wall.median;
    json["least_ns"] = row.wall.least;
    json["lowerQuartile_ns"] = row.wall.lower_quartile;
    json["upperQuartile_ns"] = row.wall.upper_quartile;
    json["most_ns"] = row.wall.most;
    if (row.first_pass_ns) json["firstPass_ns"] = *row.first_pass_ns;
    if (row.cpu_ns) json["cpu_ns"] = *row.cpu_ns;
    if (row.floor_ns) json["floor_ns"] = *row.floor_ns;
    if (row.disturbed()) json["disturbed"] = true;
    if (row.figure != Figure::load) json["checkedBy"] = row.checked_by;
  }
  if (row.dry_runs) json["nodesDryRun"] = *row.dry_runs;
  if (row.bytes) {
    json["bytes"] = *row.bytes;
    json["bytesAPod"] = static_cast<double>(*row.bytes) / static_cast<double>(row.pods());
  }
  if (row.peak_bytes) json["peakBytes"] = *row.peak_bytes;
  if (!row.left_out.empty()) json["leftOut"] = row.left_out;
  if (!row.disagreement.empty()) json["disagreement"] = row.disagreement;
  return json;
}

/// The value of that name. Throws Json::exception if there is none.
template <typename T, typename Names>
T value_in(const oracle::Json& name, const Names& names) {
  const auto found = std::find(names.begin(), names.end(), name.get<std::string>());
  if (found == names.end())
    throw oracle::Json::out_of_range::create(403, "unknown name " + name.dump(), &name);
  return static_cast<T>(found - names.begin());
}

template <typename T>
void read(const oracle::Json& json, const char* key, std::optional<T>& into) {
  if (json.contains(key)) into = static_cast<T>(oracle::count_at(json, key));
}

/// The times of a row. Throws Json::exception if they are not in ascending order.
bench::Times times_in(const oracle::Json& json) {
  const auto ns = [&json](const char* key) { return static_cast<Quantity>(oracle::count_at(json, key)); };
  const bench::Times times{oracle::count_at(json, "runs"), ns("least_ns"),
                           ns("lowerQuartile_ns"),         ns("median_ns"),
                           ns("upperQuartile_ns"),         ns("most_ns")};
  const std::array sizes{times.least, times.lower_quartile, times.median, times.upper_quartile, times.most};
  if (!std::is_sorted(sizes.begin(), sizes.end()))
    throw oracle::Json::out_of_range::create(
        403,
        "least_ns, lowerQuartile_ns, median_ns, upperQuartile_ns, most_ns: "
        "expected each to be no less than the one before",
        &json);
  return times;
}

BenchRow row_of(const oracle::Json& json) {
  BenchRow row;
  row.figure = value_in<Figure>(json.at("figure"), bench::k_figure_names);
  row.engine = value_in<bench::Timed>(json.at("engine"), bench::k_timed_names);
  row.threads = oracle::count_at(json, "threads");
  row.nodes = oracle::count_at(json, "nodes");
  row.shape = value_in<bench::Shape>(json.at("cluster"), bench::k_shape_names);
  row.asks = value_in<bench::Asks>(json.at("preemptor"), bench::k_asks_names);
  row.samples = json.at("samples");
  row.is_repeated = json.value("repeated", false);
  if (json.contains("runs")) row.wall = times_in(json);
  read(json, "firstPass_ns", row.first_pass_ns);
  read(json, "cpu_ns", row.cpu_ns);
  read(json, "floor_ns", row.floor_ns);
  read(json, "nodesDryRun", row.dry_runs);
  read(json, "bytes", row.bytes);
  read(json, "peakBytes", row.peak_bytes);
  row.checked_by = json.value("checkedBy", std::vector<std::string>{});
  row.left_out = json.value("leftOut", "");
  row.disagreement = json.value("disagreement", "");
  return row;
}

}  // namespace

oracle::Json json_of(const std::vector<BenchRow>& rows, const std::string& release) {
  oracle::Json json = oracle::Json::array();
  for (const BenchRow& row : rows) json.push_back(json_of_row(row, release));
  return json;
}

Result<KeptBench> read_bench(const std::string& file) {
  const Result<std::string> text = kubernetes::read_bytes(file, kubernetes::Progress());
  if (!text) return text.error();
  try {
    const oracle::Json json = oracle::Json::parse(text.value());
    KeptBench kept;
    for (const oracle::Json& row : json) {
      kept.rows.push_back(row_of(row));
      kept.release = row.at("release");
    }
    if (kept.rows.empty()) return Error{"bench-malformed", file, "expected rows of touchstone bench -o json"};
    return kept;
  } catch (const oracle::Json::exception& broken) {
    return Error{"bench-malformed", file, oracle::complaint_of(broken)};
  }
}

}  // namespace touchstone::cli
