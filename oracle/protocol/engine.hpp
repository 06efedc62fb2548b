#pragma once

#include <array>
#include <cstddef>
#include <string_view>

namespace touchstone::oracle {

/// Which engine answers. With `both`, the reference answers, and each difference of the optimized engine is
/// reported.
enum class Engine { reference, optimized, both };
inline constexpr std::array<std::string_view, 3> k_engine_names = {"reference", "optimized", "both"};

inline std::string_view name_of(Engine engine) { return k_engine_names[static_cast<std::size_t>(engine)]; }

}  // namespace touchstone::oracle
