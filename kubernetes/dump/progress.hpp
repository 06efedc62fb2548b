#pragma once

#include <cstddef>
#include <functional>
#include <string_view>

namespace touchstone::kubernetes {

/// Called from time to time with the current activity, such as "reading cluster.json", and with the part done
/// and the total. A total of 0 means unknown. May be empty.
using Progress = std::function<void(std::string_view what, std::size_t done, std::size_t total)>;

}  // namespace touchstone::kubernetes
