#pragma once

namespace touchstone {

/// The minor release that exists only as alpha builds; its patch 0 stands for them.
inline constexpr int k_alpha_minor = 38;

}  // namespace touchstone
