#pragma once

#include <z3++.h>

#include <deque>

#include "proofs/engine/integer.hpp"

namespace proving {

/// The terms behind the handles Integer and Truth during one run, and the code that decides them. One per
/// thread.
class Terms {
 public:
  virtual ~Terms() = default;

  virtual z3::context& context() = 0;
  virtual bool decide(Truth truth) = 0;
  virtual std::int64_t enumerate(Integer integer) = 0;
  /// A new integer. Nothing is known about it except what define() adds.
  virtual Integer unknown() = 0;
  virtual void define(Truth truth) = 0;
  /// Called with each sum, difference, product and complement, and with each quotient by a constant.
  virtual void computed(Integer result) = 0;

  Integer integer(const z3::expr& term);
  Truth truth(const z3::expr& formula);
  z3::expr expression(Integer integer);
  z3::expr expression(Truth truth);

  /// Makes `terms` those of this thread while this object exists.
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

  std::vector<z3::expr> terms_;  ///< term n is at index n - 1
};

}  // namespace proving
