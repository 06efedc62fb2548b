#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>
#include <tuple>

#include "fuzz/shrink/moves.hpp"
#include "fuzz/shrink/places.hpp"

namespace touchstone::fuzz {

namespace {

/// Places that are dropped together, in the order of places_of.
using Bundle = std::vector<Path>;

/// A question from which more and more units are dropped.
class Cut {
 public:
  Cut(const Json& base, const std::vector<Bundle>& units) : base_(base), units_(units), gone_(units.size()) {}

  /// Drops the units from `begin` to `end` if the rest still shows.
  bool drop(Search& search, std::size_t begin, std::size_t end) {
    std::vector<bool> gone = gone_;
    std::fill(gone.begin() + static_cast<std::ptrdiff_t>(begin),
              gone.begin() + static_cast<std::ptrdiff_t>(end), true);
    if (gone == gone_ || !search.take(without_units(gone))) return false;
    gone_ = std::move(gone);
    return true;
  }

 private:
  Json without_units(const std::vector<bool>& gone) const {
    std::vector<const Path*> places;
    for (std::size_t i = 0; i < units_.size(); ++i) {
      if (!gone[i]) continue;
      for (const Path& path : units_[i]) places.push_back(&path);
    }
    std::sort(places.begin(), places.end(), [](const Path* a, const Path* b) { return before(*a, *b); });
    places.erase(
        std::unique(places.begin(), places.end(), [](const Path* a, const Path* b) { return *a == *b; }),
        places.end());
    return without(base_, places);
  }

  /// Only indices need an order. The order of members does not change the result.
  static bool before(const Path& a, const Path& b) {
    return std::lexicographical_compare(
        a.begin(), a.end(), b.begin(), b.end(),
        [](const Step& x, const Step& y) { return std::tie(x.key, x.index) < std::tie(y.key, y.index); });
  }

  const Json base_;
  const std::vector<Bundle>& units_;
  std::vector<bool> gone_;
};

/// Drops all units, halves, quarters, … and single units. It goes from the end, so that the first of many
/// equal units stay.
bool drop_in_chunks(Search& search, const std::vector<Bundle>& units) {
  if (units.empty()) return false;
  Cut cut(search.question(), units);
  bool any = false;
  for (std::size_t size = units.size();; size = (size + 1) / 2) {
    for (std::size_t end = units.size(); end > 0 && !search.stopped(); end -= std::min(size, end))
      any |= cut.drop(search, end - std::min(size, end), end);
    if (size == 1) return any;
  }
}

const Json* list_of(const Json& question, const char* key) {
  if (!question.is_object()) return nullptr;
  const auto found = question.find(key);
  return found != question.end() && found->is_array() ? &*found : nullptr;
}

/// The places of one signature, and their depth.
struct Level {
  std::string signature;
  std::vector<Bundle> units;
  std::size_t depth = 0;
};

/// The outermost signature that is not `done` yet, with its places.
Level next_level(const Json& question, const std::set<std::string>& done) {
  Level next;
  for (Place& place : places_of(question)) {
    const std::size_t depth = place.path.size();
    if (is_identity(place.path) || (next.depth != 0 && depth > next.depth)) continue;
    std::string signature = signature_of(place.path);
    if (next.depth == depth && signature != next.signature) continue;
    if (done.contains(signature)) continue;
    if (signature != next.signature) next = {std::move(signature), {}, depth};
    next.units.push_back({std::move(place.path)});
  }
  return next;
}

}  // namespace

bool drop_nodes_with_pods(Search& search) {
  const Json& question = search.question();
  const Json* nodes = list_of(question, "nodes");
  const Json* pods = list_of(question, "pods");
  if (nodes == nullptr || pods == nullptr) return false;
  std::vector<Bundle> units;
  for (std::size_t i = 0; i < nodes->size(); ++i) {
    Bundle& unit = units.emplace_back(Bundle{{{"nodes", 0, false}, {"nodes", i, true}}});
    const std::string name = text_at((*nodes)[i], {"metadata", "name"});
    if (name.empty()) continue;
    for (std::size_t j = 0; j < pods->size(); ++j) {
      if (text_at((*pods)[j], {"spec", "nodeName"}) == name ||
          text_at((*pods)[j], {"status", "nominatedNodeName"}) == name)
        unit.push_back({{"pods", 0, false}, {"pods", j, true}});
    }
  }
  return drop_in_chunks(search, units);
}

bool drop_values(Search& search) {
  bool any = false;
  std::set<std::string> done;
  while (!search.stopped()) {
    Level level = next_level(search.question(), done);
    if (level.units.empty()) break;
    any |= drop_in_chunks(search, level.units);
    done.insert(std::move(level.signature));
  }
  return any;
}

}  // namespace touchstone::fuzz
