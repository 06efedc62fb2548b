#include "fuzz/shrink.hpp"

namespace touchstone::fuzz {

Shrunk shrink(Json question, const StillShows&, std::size_t) { return {std::move(question), 0, false}; }

}  // namespace touchstone::fuzz
