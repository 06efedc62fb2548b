#include "library/interface.hpp"

#include <cstdlib>
#include <cstring>

namespace touchstone::library {

namespace {

touchstone_error& without_memory() {
  static touchstone_error error{{"out-of-memory", "", "expected more memory"}};
  return error;
}
// Made when the library is loaded, since later there may be no memory.
[[maybe_unused]] const touchstone_error& k_made_early = without_memory();

const Error* error_at(const touchstone_error* error) {
  if (error == &without_memory() || is_handle(error, Kind::error)) return &error->error;
  return nullptr;
}

}  // namespace

touchstone_error* new_error(Error error) noexcept {
  try {
    return handed_over(std::make_unique<touchstone_error>(std::move(error)), Kind::error);
  } catch (...) {
    return &without_memory();
  }
}

void fail_argument(std::string code, std::string place, std::string message) {
  throw kubernetes::InvalidInput({std::move(code), std::move(place), std::move(message)});
}

void require_handle(const void* handle, Kind kind, const char* name) {
  if (!is_handle(handle, kind)) fail_argument("invalid-handle", name, "expected a live handle of this type");
}

void require_argument(const void* argument, const char* name) {
  if (argument == nullptr) fail_argument("missing-argument", name, "expected an address, found NULL");
}

std::string_view text_argument(const char* text, std::size_t length, const char* name) {
  if (length > 0) require_argument(text, name);
  return length == 0 ? std::string_view() : std::string_view(text, length);
}

oracle::Engine engine_argument(touchstone_engine engine) {
  switch (static_cast<int>(engine)) {
    case TOUCHSTONE_REFERENCE:
      return oracle::Engine::reference;
    case TOUCHSTONE_OPTIMIZED:
      return oracle::Engine::optimized;
    case TOUCHSTONE_BOTH:
      return oracle::Engine::both;
    default:
      fail_argument("unknown-engine", "engine", "expected a value of touchstone_engine");
  }
}

char* handed_over_text(const std::string& text) {
  const auto copy = static_cast<char*>(std::malloc(text.size() + 1));
  if (copy == nullptr) throw std::bad_alloc();
  std::memcpy(copy, text.c_str(), text.size() + 1);
  try {
    add_handle(copy, Kind::text);
  } catch (...) {
    std::free(copy);
    throw;
  }
  return copy;
}

}  // namespace touchstone::library

using touchstone::library::Kind;

int touchstone_abi() { return TOUCHSTONE_ABI; }

const char* touchstone_version() { return TOUCHSTONE_VERSION; }

const char* touchstone_error_code(const touchstone_error* error) {
  const touchstone::Error* const given = touchstone::library::error_at(error);
  return given == nullptr ? nullptr : given->code.c_str();
}

const char* touchstone_error_place(const touchstone_error* error) {
  const touchstone::Error* const given = touchstone::library::error_at(error);
  return given == nullptr ? nullptr : given->path.c_str();
}

const char* touchstone_error_text(const touchstone_error* error) {
  const touchstone::Error* const given = touchstone::library::error_at(error);
  return given == nullptr ? nullptr : given->message.c_str();
}

void touchstone_error_free(touchstone_error* error) { touchstone::library::free_handle(error, Kind::error); }

void touchstone_text_free(char* text) {
  if (touchstone::library::remove_handle(text, Kind::text)) std::free(text);
}
