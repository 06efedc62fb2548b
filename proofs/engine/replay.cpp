#include "proofs/engine/replay.hpp"

#include <stdexcept>

namespace proving {

namespace {

class Replay final : public Proof {
 public:
  Replay(const Model& model, std::string_view without) : model_(model), without_(without) {}

  Replayed run(const Body& body) {
    try {
      body(*this);
    } catch (const std::exception& error) {
      replayed_.failure = error.what();
    }
    return replayed_;
  }

  void assume(std::string_view label, Truth truth) override {
    if (label == without_) return;
    if (!truth) throw std::runtime_error("the numbers are not as assumed: " + std::string(label));
  }
  void claim(std::string_view what, Truth truth) override {
    if (!truth) replayed_.refuted.insert(std::string(what));
  }
  void witness(std::string_view what, Truth truth) override {
    if (truth) replayed_.witnessed.insert(std::string(what));
  }
  void observe(std::string_view what) override { replayed_.observed += std::string(what) + "\n"; }

 protected:
  Integer symbol(const std::string& name) override { return value(name); }
  std::int64_t value(const std::string& name) override {
    for (const auto& [known, number] : model_.numbers) {
      if (known == name) return number;
    }
    // A path that ends before it introduces the number allows any value.
    return 0;
  }

 private:
  const Model& model_;
  std::string_view without_;
  Replayed replayed_;
};

}  // namespace

Replayed replay(const Body& body, const Model& model, std::string_view without) {
  return Replay(model, without).run(body);
}

}  // namespace proving
