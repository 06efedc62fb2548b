#include "fuzz/generate/exhaustive.hpp"

#include <algorithm>

namespace touchstone::fuzz {

namespace {

class FewerChoices final : public Choices {
 public:
  FewerChoices(Choices& choices, Bounds bounds) : choices_(choices), bounds_(bounds) {}

  std::size_t pick(std::size_t n, std::string_view where) override {
    if (where == "once in") {
      if (n > bounds_.rarest) return 0;
      return choices_.pick(2, where) == 0 ? 0 : n - 1;
    }
    const std::size_t tried = std::min(n, bounds_.most_alternatives);
    return choices_.pick(tried, where) * n / tried;
  }

 private:
  Choices& choices_;
  Bounds bounds_;
};

}  // namespace

Explored every_scenario(const Scenarios& scenarios, Bounds bounds, std::size_t limit,
                        const std::function<bool(const Question&)>& is_enough) {
  Explored explored;
  bool enough = false;
  const auto one = [&](Choices& every) {
    if (enough) return;
    FewerChoices choices(every, bounds);
    ++explored.scenarios;
    enough = is_enough(scenario(choices, scenarios));
  };
  explored.all = explore(one, limit) && !enough;
  return explored;
}

}  // namespace touchstone::fuzz
