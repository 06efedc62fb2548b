#pragma once

#include <z3++.h>

#include <deque>

#include "proofs/engine/integer.hpp"

namespace proving {

/// What the handles of Integer and Truth stand for, during one run; and who decides them. One a thread.
class Terms {
 public:
  virtual ~Terms() = default;

  virtual z3::context& context() = 0;
  virtual bool decide(Truth truth) = 0;
  virtual std::int64_t enumerate(Integer integer) = 0;
  /// An integer of which nothing is known but what define() says.
  virtual Integer unknown() = 0;
  virtual void define(Truth truth) = 0;
  /// Told of each sum, difference, product and complement.
  virtual void computed(Integer result) = 0;

  Integer integer(const z3::expr& term);
  Truth truth(const z3::expr& formula);
  z3::expr expression(Integer integer);
  z3::expr expression(Truth truth);

  /// Makes terms those of this thread as long as it lives.
  class Current {
   public:
    explicit Current(Terms& terms);
    ~Current();
    Current(const Current&) = delete;
    Current& operator=(const Current&) = delete;
  };

 protected:
  void clear_terms() { terms_.clear(); }

 private:
  std::uint32_t keep(const z3::expr& term);

  std::vector<z3::expr> terms_;  ///< number 1 is the first
};

}  // namespace proving
