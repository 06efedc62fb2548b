#include <cstring>

#include "library/interface.hpp"

/// The typed functions of touchstone.h that decide, and those that read a decision.

using namespace touchstone;
using namespace touchstone::library;

namespace {

std::optional<Quantity> given(int64_t number) {
  return number < 0 ? std::nullopt : std::optional<Quantity>(number);
}

/// Reads the members that the caller's structure has.
Numbered numbers_of(const touchstone_options* options) {
  touchstone_options known = TOUCHSTONE_OPTIONS_INIT;
  if (options == nullptr) return {};
  if (options->size < sizeof(touchstone_options))
    fail_argument("missing-argument", "options.size", "expected sizeof(touchstone_options)");
  std::memcpy(&known, options, sizeof(known));
  return {given(known.start), given(known.offset), given(known.quota)};
}

touchstone_outcome outcome_of(oracle::Command command, Outcome outcome) {
  switch (outcome) {
    case Outcome::fits:
      return command == oracle::Command::schedule ? TOUCHSTONE_SCHEDULED : TOUCHSTONE_FITS;
    case Outcome::nominated:
      return TOUCHSTONE_NOMINATED;
    case Outcome::none:
      return TOUCHSTONE_NONE;
    case Outcome::ineligible:
      return TOUCHSTONE_INELIGIBLE;
    case Outcome::error:
      return TOUCHSTONE_FAILED;
    case Outcome::skipped:
      break;
  }
  return TOUCHSTONE_SKIPPED;
}

touchstone_error* decide(oracle::Command command, touchstone_cluster* cluster, const touchstone_pod* pod,
                         const touchstone_options* options, touchstone_decision* decision) noexcept {
  return guarded([&]() -> std::optional<Error> {
    require_handle(cluster, Kind::cluster, "cluster");
    require_handle(pod, Kind::pod, "pod");
    require_handle(decision, Kind::decision, "decision");
    Result<Found> found = cluster->cluster->find(command, *pod->pod, numbers_of(options));
    if (!found) return found.error();
    decision->found = std::move(found).value();
    decision->outcome = outcome_of(command, decision->found.outcome);
    return std::nullopt;
  });
}

const Found* found_in(const touchstone_decision* decision) {
  return is_handle(decision, Kind::decision) ? &decision->found : nullptr;
}

const char* name_at(const std::vector<std::string>& names, size_t index) {
  return index < names.size() ? names[index].c_str() : nullptr;
}

}  // namespace

touchstone_error* touchstone_pod_read(const char* json, size_t length, touchstone_pod** pod) {
  return guarded([&]() -> std::optional<Error> {
    require_argument(pod, "pod");
    auto read = LoadedPod::read(text_argument(json, length, "json"));
    if (!read) return read.error();
    auto made = std::make_unique<touchstone_pod>();
    made->pod = std::move(read).value();
    *pod = handed_over(std::move(made), Kind::pod);
    return std::nullopt;
  });
}

void touchstone_pod_free(touchstone_pod* pod) { free_handle(pod, Kind::pod); }

touchstone_error* touchstone_decision_new(touchstone_decision** decision) {
  return guarded([&]() -> std::optional<Error> {
    require_argument(decision, "decision");
    *decision = handed_over(std::make_unique<touchstone_decision>(), Kind::decision);
    return std::nullopt;
  });
}

void touchstone_decision_free(touchstone_decision* decision) { free_handle(decision, Kind::decision); }

touchstone_error* touchstone_schedule(touchstone_cluster* cluster, const touchstone_pod* pod,
                                      const touchstone_options* options, touchstone_decision* decision) {
  return decide(oracle::Command::schedule, cluster, pod, options, decision);
}

touchstone_error* touchstone_preempt(touchstone_cluster* cluster, const touchstone_pod* pod,
                                     const touchstone_options* options, touchstone_decision* decision) {
  return decide(oracle::Command::run, cluster, pod, options, decision);
}

touchstone_outcome touchstone_decision_outcome(const touchstone_decision* decision) {
  return found_in(decision) == nullptr ? TOUCHSTONE_NOTHING : decision->outcome;
}

const char* touchstone_decision_node(const touchstone_decision* decision) {
  const Found* const found = found_in(decision);
  return found == nullptr ? nullptr : found->node.c_str();
}

const char* touchstone_decision_reason(const touchstone_decision* decision) {
  const Found* const found = found_in(decision);
  return found == nullptr ? nullptr : found->reason.c_str();
}

size_t touchstone_decision_victims(const touchstone_decision* decision) {
  const Found* const found = found_in(decision);
  return found == nullptr ? 0 : found->victims.size();
}

const char* touchstone_decision_victim(const touchstone_decision* decision, size_t index) {
  const Found* const found = found_in(decision);
  return found == nullptr ? nullptr : name_at(found->victims, index);
}

int64_t touchstone_decision_violations(const touchstone_decision* decision) {
  const Found* const found = found_in(decision);
  return found == nullptr ? 0 : found->violations;
}

size_t touchstone_decision_choices(const touchstone_decision* decision) {
  const Found* const found = found_in(decision);
  return found == nullptr ? 0 : found->choices.size();
}

const char* touchstone_decision_choice(const touchstone_decision* decision, size_t index) {
  const Found* const found = found_in(decision);
  return found == nullptr ? nullptr : name_at(found->choices, index);
}

int64_t touchstone_decision_total(const touchstone_decision* decision) {
  const Found* const found = found_in(decision);
  return found == nullptr ? -1 : found->total.value_or(-1);
}

int64_t touchstone_decision_next_start(const touchstone_decision* decision) {
  const Found* const found = found_in(decision);
  return found == nullptr ? -1 : found->next_start.value_or(-1);
}
