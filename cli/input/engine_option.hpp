#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

#include "oracle/protocol/engine.hpp"
#include "spec/vocabulary/cluster.hpp"

namespace touchstone::cli {

/// The value of --engine by which the work to be done decides.
inline const std::string k_engine_by_work = "auto";

/// Adds `--engine` to a command; with `by_work` it may also be k_engine_by_work. Requires: the present value
/// is one of the choices.
void add_engine_option(CLI::App& command, std::string& engine, bool by_work);

/// Requires: one of oracle::k_engine_names.
oracle::Engine engine_of(const std::string& name);

/// The same; for k_engine_by_work that of oracle::engine_by_work().
oracle::Engine engine_for(const std::string& name, const Cluster& cluster,
                          const std::vector<const Pod*>& preemptors);

/// What progress shows meanwhile: "the reference decides: 5 nodes, 8 pods".
std::string deciding_by(oracle::Engine engine, const Cluster& cluster);

}  // namespace touchstone::cli
