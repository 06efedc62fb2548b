#pragma once

#include <cstddef>
#include <functional>
#include <string_view>

namespace touchstone::kubernetes {

/// Is told now and then what is being done, such as "reading cluster.json", and how far; a total of 0 is not
/// known. May be empty.
using Progress = std::function<void(std::string_view what, std::size_t done, std::size_t total)>;

}  // namespace touchstone::kubernetes
