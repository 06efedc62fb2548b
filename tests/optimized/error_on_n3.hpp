#pragma once

#include <string>

#include "tests/support/storage.hpp"

namespace touchstone::tests {

/// Nodes n1 to n3 with this amount of cpu each. Pod p needs 1000 milli and has a bound claim. A filter errs
/// on n3 from v1.23 on, because the ephemeral volume of a pod there has a claim of another pod
/// (PRE-ATTACH-6).
inline Question with_error_on_n3(Quantity cpu) {
  QuestionBuilder builder;
  for (const char* name : {"n1", "n2", "n3"}) builder.node(name, cpu);
  builder.has(with_volume(pod("on-n3", 20, 0), source("ephemeral")));
  Stored stored(builder.asks(with_claim(pod("p", 10, 1000), "c")));
  stored.with(claim("c", "v")).with(volume("v")).with(claim("on-n3-v0", "v"));
  stored.with(CsiNode{"n3", {"d"}, {{"d", 9}}, {}});
  return stored;
}

}  // namespace touchstone::tests
