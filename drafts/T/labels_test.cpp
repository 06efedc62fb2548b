// tests/optimized/store/labels_test.cpp
#include "optimized/store/labels.hpp"

#include <gtest/gtest.h>

#include "reference/filters/labels.hpp"

namespace touchstone::tests::labels_test {

// PRE-NODEAFFINITY-4: every operator, with values that a field without a value has or does not have.
TEST(OptimizedLabels, OfFieldsHoldAsThoseOfTheReference) {
  for (const char* op : {"In", "NotIn", "Exists", "DoesNotExist", "Gt", "Lt", "", "Near"}) {
    for (const std::vector<std::string>& values :
         {std::vector<std::string>{}, {""}, {"a"}, {"5"}, {"", ""}, {"a", "b"}}) {
      const Requirement field{"metadata.namespace", op, values};
      EXPECT_EQ(optimized::is_valid_field(field), reference::is_valid_field(field))
          << op << " " << values.size();
      EXPECT_EQ(optimized::holds_without_value(field), reference::field_holds(field, "n1"))
          << op << " " << values.size();
    }
  }
}

}  // namespace touchstone::tests::labels_test
