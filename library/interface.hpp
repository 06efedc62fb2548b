#pragma once

#include <exception>
#include <memory>
#include <new>
#include <string>
#include <string_view>

#include "library/handles.hpp"
#include "library/loaded_cluster.hpp"
#include "library/touchstone.h"
#include "oracle/protocol/protocol.hpp"

/// What the functions of touchstone.h share: the types of handles, and the way from exceptions to errors.

struct touchstone_error {
  touchstone::Error error;
};

struct touchstone_subject {
  touchstone::oracle::Subject subject;
};

struct touchstone_cluster {
  std::unique_ptr<touchstone::library::LoadedCluster> cluster;
};

struct touchstone_pod {
  std::unique_ptr<touchstone::library::LoadedPod> pod;
};

struct touchstone_decision {
  touchstone_outcome outcome = TOUCHSTONE_NOTHING;
  touchstone::library::Found found = {};
};

namespace touchstone::library {

/// A new error for the caller. Ensures: never throws; without memory, it is the error out-of-memory, which
/// needs none.
touchstone_error* new_error(Error error) noexcept;

/// Thrown for an argument that is not usable.
[[noreturn]] void fail_argument(std::string code, std::string place, std::string message);

/// Checks arguments. Errors: throws kubernetes::InvalidInput (invalid-handle, missing-argument,
/// unknown-engine).
void require_handle(const void* handle, Kind kind, const char* name);
void require_argument(const void* argument, const char* name);
std::string_view text_argument(const char* text, std::size_t length, const char* name);
oracle::Engine engine_argument(touchstone_engine engine);

/// Makes an object a handle of the caller.
template <typename T>
T* handed_over(std::unique_ptr<T> object, Kind kind) {
  add_handle(object.get(), kind);
  return object.release();
}

/// A text that the caller frees.
char* handed_over_text(const std::string& text);

/// Ends a handle. Nothing happens if it is none of this kind.
template <typename T>
void free_handle(T* handle, Kind kind) noexcept {
  if (remove_handle(handle, kind)) delete handle;
}

/// Runs the body of a function of touchstone.h. No exception leaves it.
template <typename F>
touchstone_error* guarded(const F& body) noexcept {
  try {
    const std::optional<Error> error = body();
    return error ? new_error(*error) : nullptr;
  } catch (const kubernetes::InvalidInput& invalid) {
    return new_error(invalid.error);
  } catch (const std::bad_alloc&) {
    return new_error({"out-of-memory", "", "expected more memory"});
  } catch (const std::exception& unexpected) {
    return new_error({"internal", "", unexpected.what()});
  } catch (...) {
    return new_error({"internal", "", "an exception of an unknown type"});
  }
}

}  // namespace touchstone::library
