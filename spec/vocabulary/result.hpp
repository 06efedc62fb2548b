#pragma once

#include <cassert>
#include <string>
#include <utility>
#include <variant>

namespace touchstone {

/// An error in the input: a stable code, the place (file, object and field, if known), and a message that
/// says what was expected. Scripts and tests compare only code and path.
struct Error {
  std::string code;
  std::string path;
  std::string message;

  bool operator==(const Error&) const = default;
};

/// A value or an error. Requires: value() is called only if there is a value, and error() only if there is an
/// error.
template <typename T>
class Result {
 public:
  Result(T value) : state_(std::move(value)) {}
  Result(Error error) : state_(std::move(error)) {}

  explicit operator bool() const { return std::holds_alternative<T>(state_); }
  const T& value() const& { return check(), std::get<T>(state_); }
  T&& value() && { return check(), std::get<T>(std::move(state_)); }
  const Error& error() const { return assert(!*this), std::get<Error>(state_); }

 private:
  void check() const { assert(*this); }
  std::variant<T, Error> state_;
};

}  // namespace touchstone
