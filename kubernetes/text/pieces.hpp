#pragma once

#include <functional>
#include <string_view>

namespace touchstone::kubernetes {

/// Gives the next bytes of something long, or none at its end; they last until the next call.
using Pieces = std::function<std::string_view()>;

}  // namespace touchstone::kubernetes
