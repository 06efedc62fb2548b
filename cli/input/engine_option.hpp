#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

#include "oracle/protocol/engine.hpp"
#include "spec/vocabulary/cluster.hpp"

namespace touchstone::cli {

/// The value of --engine that lets the amount of work choose the engine.
inline const std::string k_engine_by_work = "auto";

/// Adds `--engine` to a command. With `by_work` its value may also be k_engine_by_work. Requires: the current
/// value of `engine` is one of the choices.
void add_engine_option(CLI::App& command, std::string& engine, bool by_work);

/// The engine of that name. Requires: `name` is one of oracle::k_engine_names.
oracle::Engine engine_of(const std::string& name);

/// The engine of that name; for k_engine_by_work the one that oracle::engine_by_work() chooses.
oracle::Engine engine_for(const std::string& name, const Cluster& cluster,
                          const std::vector<const Pod*>& preemptors);

/// What the progress bar shows while an engine decides: "the reference decides: 5 nodes, 8 pods".
std::string deciding_by(oracle::Engine engine, const Cluster& cluster);

}  // namespace touchstone::cli
