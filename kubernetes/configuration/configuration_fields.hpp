#pragma once

#include <string_view>

namespace touchstone::kubernetes {

/// Table of the fields of a KubeSchedulerConfiguration. Its format is that of k_known_fields.
extern const std::string_view k_configuration_fields;

}  // namespace touchstone::kubernetes
