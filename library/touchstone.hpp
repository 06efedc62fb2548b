#pragma once

#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "touchstone.h"

/// libtouchstone for C++17: touchstone.h with owners of handles, and results in place of error pointers. It
/// says which functions there are, what they need and what threads may do. This header only wraps them, so a
/// program needs no other symbols of the library.
namespace touchstone {
inline namespace api {

/// What is wrong: a stable code for programs, the place (argument, object, field), and a text for people.
struct Failure {
  std::string code;
  std::string place;
  std::string text;
};

/// Thrown by Expected::value() alone.
class FailureError : public std::runtime_error {
 public:
  explicit FailureError(Failure what_is_wrong)
      : std::runtime_error(what_is_wrong.code + ": " + what_is_wrong.place + ": " + what_is_wrong.text),
        failure(std::move(what_is_wrong)) {}
  Failure failure;
};

/// A value or a failure.
template <typename T>
class [[nodiscard]] Expected {
 public:
  Expected(T value) : state_(std::move(value)) {}
  Expected(Failure failure) : state_(std::move(failure)) {}

  explicit operator bool() const { return std::holds_alternative<T>(state_); }
  /// The value. Throws FailureError if there is none.
  T& value() & { return check(), std::get<T>(state_); }
  const T& value() const& { return check(), std::get<T>(state_); }
  T&& value() && { return check(), std::get<T>(std::move(state_)); }
  T* operator->() { return &value(); }
  /// Requires: there is no value.
  const Failure& error() const { return std::get<Failure>(state_); }

 private:
  void check() const {
    if (!*this) throw FailureError(error());
  }
  std::variant<T, Failure> state_;
};

struct Done {};

namespace detail {

inline Failure taken(touchstone_error* error) {
  Failure failure{touchstone_error_code(error), touchstone_error_place(error), touchstone_error_text(error)};
  touchstone_error_free(error);
  return failure;
}

inline Expected<Done> done(touchstone_error* error) {
  if (error != nullptr) return taken(error);
  return Done{};
}

inline Expected<std::string> text(touchstone_error* error, char* answer) {
  if (error != nullptr) return taken(error);
  std::string copy(answer);
  touchstone_text_free(answer);
  return copy;
}

inline std::string text(const char* text) { return text == nullptr ? std::string() : std::string(text); }

/// The only owner of a handle. Empty after it was moved from.
template <typename T, void (*Free)(T*)>
class Handle {
 public:
  explicit Handle(T* handle) : handle_(handle) {}
  Handle(Handle&& other) noexcept : handle_(std::exchange(other.handle_, nullptr)) {}
  Handle& operator=(Handle&& other) noexcept {
    std::swap(handle_, other.handle_);
    return *this;
  }
  ~Handle() { Free(handle_); }
  T* get() const { return handle_; }

 private:
  T* handle_;
};

}  // namespace detail

/// Answers one line of the protocol.
inline Expected<std::string> ask(std::string_view question, touchstone_engine engine = TOUCHSTONE_REFERENCE) {
  char* answer = nullptr;
  touchstone_error* error = touchstone_ask(engine, question.data(), question.size(), &answer);
  return detail::text(error, answer);
}

/// Answers lines one after another, also about a scheduler over time.
class Subject {
 public:
  static Expected<Subject> make(touchstone_engine engine = TOUCHSTONE_REFERENCE) {
    touchstone_subject* subject = nullptr;
    if (touchstone_error* error = touchstone_subject_new(engine, &subject)) return detail::taken(error);
    return Subject(subject);
  }
  Expected<std::string> ask(std::string_view line) {
    char* answer = nullptr;
    touchstone_error* error = touchstone_subject_ask(handle_.get(), line.data(), line.size(), &answer);
    return detail::text(error, answer);
  }

 private:
  explicit Subject(touchstone_subject* subject) : handle_(subject) {}
  detail::Handle<touchstone_subject, touchstone_subject_free> handle_;
};

class Pod {
 public:
  static Expected<Pod> read(std::string_view json) {
    touchstone_pod* pod = nullptr;
    if (touchstone_error* error = touchstone_pod_read(json.data(), json.size(), &pod))
      return detail::taken(error);
    return Pod(pod);
  }
  const touchstone_pod* get() const { return handle_.get(); }

 private:
  explicit Pod(touchstone_pod* pod) : handle_(pod) {}
  detail::Handle<touchstone_pod, touchstone_pod_free> handle_;
};

/// The result of a question about a loaded cluster. It is independent of the cluster.
class Decision {
 public:
  static Expected<Decision> make() {
    touchstone_decision* decision = nullptr;
    if (touchstone_error* error = touchstone_decision_new(&decision)) return detail::taken(error);
    return Decision(decision);
  }

  touchstone_outcome outcome() const { return touchstone_decision_outcome(get()); }
  std::string node() const { return detail::text(touchstone_decision_node(get())); }
  std::string reason() const { return detail::text(touchstone_decision_reason(get())); }
  std::vector<std::string> victims() const {
    std::vector<std::string> names;
    for (std::size_t i = 0; i < touchstone_decision_victims(get()); ++i)
      names.push_back(detail::text(touchstone_decision_victim(get(), i)));
    return names;
  }
  std::vector<std::string> choices() const {
    std::vector<std::string> names;
    for (std::size_t i = 0; i < touchstone_decision_choices(get()); ++i)
      names.push_back(detail::text(touchstone_decision_choice(get(), i)));
    return names;
  }
  std::int64_t violations() const { return touchstone_decision_violations(get()); }
  std::optional<std::int64_t> total() const { return given(touchstone_decision_total(get())); }
  std::optional<std::int64_t> next_start() const { return given(touchstone_decision_next_start(get())); }
  touchstone_decision* get() const { return handle_.get(); }

 private:
  explicit Decision(touchstone_decision* decision) : handle_(decision) {}
  static std::optional<std::int64_t> given(std::int64_t number) {
    if (number < 0) return std::nullopt;
    return number;
  }
  detail::Handle<touchstone_decision, touchstone_decision_free> handle_;
};

/// A cluster that is loaded once, changed, and asked many times.
class Cluster {
 public:
  static Expected<Cluster> load(std::string_view json) {
    touchstone_cluster* cluster = nullptr;
    if (touchstone_error* error = touchstone_cluster_load(json.data(), json.size(), &cluster))
      return detail::taken(error);
    return Cluster(cluster);
  }

  Expected<Done> put(const char* kind, std::string_view json) {
    return detail::done(touchstone_cluster_put(get(), kind, json.data(), json.size()));
  }
  Expected<Done> remove(const char* kind, const std::string& ns, const std::string& name) {
    return detail::done(touchstone_cluster_remove(get(), kind, ns.c_str(), name.c_str()));
  }
  Expected<Done> bind(const Pod& pod, const std::string& node) {
    return detail::done(touchstone_cluster_bind(get(), pod.get(), node.c_str()));
  }
  std::size_t nodes() const { return touchstone_cluster_nodes(get()); }
  std::size_t pods() const { return touchstone_cluster_pods(get()); }

  Expected<std::string> ask(std::string_view question, touchstone_engine engine = TOUCHSTONE_REFERENCE) {
    char* answer = nullptr;
    touchstone_error* error =
        touchstone_cluster_ask(get(), engine, question.data(), question.size(), &answer);
    return detail::text(error, answer);
  }
  /// One whole scheduling cycle. `decision` is memory that is used again.
  Expected<Done> schedule(const Pod& pod, Decision& decision, const touchstone_options* options = nullptr) {
    return detail::done(touchstone_schedule(get(), pod.get(), options, decision.get()));
  }
  /// Preemption alone.
  Expected<Done> preempt(const Pod& pod, Decision& decision, const touchstone_options* options = nullptr) {
    return detail::done(touchstone_preempt(get(), pod.get(), options, decision.get()));
  }
  touchstone_cluster* get() const { return handle_.get(); }

 private:
  explicit Cluster(touchstone_cluster* cluster) : handle_(cluster) {}
  detail::Handle<touchstone_cluster, touchstone_cluster_free> handle_;
};

}  // namespace api
}  // namespace touchstone
