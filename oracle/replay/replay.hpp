#pragma once

#include <optional>
#include <string>
#include <vector>

#include "oracle/replay/trace.hpp"

/// Judges the recorded run of a scheduler: is it one that the release may take?
namespace touchstone::oracle {

struct ReplayLimits {
  std::size_t hidden = 3;      ///< steps that the trace leaves out, between two of its steps
  std::size_t paths = 2'000;   ///< orders of one command
  std::size_t worlds = 2'000;  ///< states of the model after one step of the trace
};

/// The first step of a trace that no path of the model explains.
struct Unexplained {
  std::size_t step = 0;  ///< from 0
  std::string place;
  std::string key;       ///< the part of the answer that differs on the path that goes furthest
  std::string recorded;  ///< its value in the trace
  std::vector<std::string> admissible;  ///< its values on the paths of the model
};

struct Replayed {
  std::optional<Unexplained> unexplained;  ///< no value: the run is accepted
  std::string skipped;                     ///< why the model does not judge the run; empty: it does
  std::size_t hidden = 0;                  ///< hidden steps between two steps with which it is accepted
  std::size_t worlds = 0;                  ///< states of the model that explain the run, at its end
  bool is_cut = false;  ///< a limit was reached: an unexplained step may have an explanation
};

/// Replays a trace. For each step, every order of concurrent steps and every choice among equals is taken.
/// If no path explains the trace, steps that it leaves out are tried between its steps: cycles, timers and
/// deliveries of events that wait. Equal states are kept once. Errors: those of read_beginning() and
/// read_command(), with the place of the step.
Result<Replayed> replay(const std::vector<TraceStep>& trace, const ReplayLimits& limits);

}  // namespace touchstone::oracle
