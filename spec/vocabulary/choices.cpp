#include "spec/vocabulary/choices.hpp"

#include <algorithm>
#include <cassert>

namespace touchstone {

std::size_t CanonicalChoices::pick(std::size_t n, std::string_view) {
  assert(n > 0);
  return 0;
}

std::size_t ScriptedChoices::pick(std::size_t n, std::string_view) {
  assert(n > 0);
  if (next_ >= script_.size()) return 0;
  return std::min(script_[next_++], n - 1);
}

namespace {

/// Replays the picks of `path`. After its end, picks the first alternative and appends this pick to `path`.
class PathChoices final : public Choices {
 public:
  struct Decision {
    std::size_t taken;
    std::size_t alternatives;
  };

  explicit PathChoices(std::vector<Decision>& path) : path_(path) {}

  std::size_t pick(std::size_t n, std::string_view) override {
    assert(n > 0);
    if (next_ == path_.size()) path_.push_back({0, n});
    assert(path_[next_].alternatives == n);
    return path_[next_++].taken;
  }

 private:
  std::vector<Decision>& path_;
  std::size_t next_ = 0;
};

}  // namespace

bool explore(const std::function<void(Choices&)>& body, std::size_t limit) {
  std::vector<PathChoices::Decision> path;
  for (std::size_t runs = 0; runs < limit; ++runs) {
    PathChoices choices(path);
    body(choices);
    while (!path.empty() && path.back().taken + 1 == path.back().alternatives) path.pop_back();
    if (path.empty()) return true;
    ++path.back().taken;
  }
  return false;
}

}  // namespace touchstone
