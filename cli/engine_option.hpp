#pragma once

#include <CLI/CLI.hpp>
#include <string>

#include "oracle/engine.hpp"
#include "spec/cluster.hpp"

namespace touchstone::cli {

/// The value of --engine by which the size of the cluster decides.
inline const std::string k_engine_by_size = "auto";

/// Adds `--engine` to a command; with `by_size` it may also be k_engine_by_size. Requires: the present value
/// is one of the choices.
void add_engine_option(CLI::App& command, std::string& engine, bool by_size);

/// Requires: one of oracle::k_engine_names.
oracle::Engine engine_of(const std::string& name);

/// The same; for k_engine_by_size the reference, or for a cluster that would keep it busy for more than a
/// second the optimized engine.
oracle::Engine engine_for(const std::string& name, const Cluster& cluster);

}  // namespace touchstone::cli
