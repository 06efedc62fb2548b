#pragma once

#include <functional>
#include <string_view>

namespace touchstone::kubernetes {

/// Returns the next bytes of a long input; none at its end. The bytes are valid until the next call.
using ByteSource = std::function<std::string_view()>;

}  // namespace touchstone::kubernetes
