#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "spec/result.hpp"

namespace touchstone::kubernetes {

Result<std::vector<std::string>> yaml_to_json(std::string_view yaml, const std::string& name);

}  // namespace touchstone::kubernetes
