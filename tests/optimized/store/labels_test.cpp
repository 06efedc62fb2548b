#include "optimized/store/labels.hpp"

#include <gtest/gtest.h>

#include "reference/filters/labels.hpp"

/// Both engines find the same selectors valid, and match the same labels.
namespace touchstone::tests::optimized_labels_test {

namespace {

using optimized::Numbering;
using optimized::Selector;
using optimized::Symbols;

/// Calls `act` with every text of at most `most` of these characters.
template <typename F>
void for_each_text(std::string_view characters, std::size_t most, const F& act,
                   const std::string& text = "") {
  act(text);
  if (text.size() == most) return;
  for (const char c : characters) for_each_text(characters, most, act, text + c);
}

/// Expects that both engines find the selector valid, or that both find it invalid. Returns whether it is.
bool valid_alike(const LabelSelector& selector, const std::string& what) {
  Symbols symbols;
  const Numbering number = [&symbols](const std::string& text) { return symbols.add(text); };
  const bool is_valid = reference::is_valid(selector);
  EXPECT_EQ(Selector::of_labels(selector, number).is_valid(), is_valid) << what;
  return is_valid;
}

/// Expects that both engines find the text valid as a key, and as a value, or that both do not.
void text_alike(const std::string& text) {
  valid_alike({{}, {{text, "Exists", {}}}}, "key " + text);
  valid_alike({{{"k", text}}, {}}, "value " + text);
}

/// Expects that both engines match the requirements alike. The optimized engine looks up the texts of a
/// preemptor without storing them, and stores those of other pods. Both ways are compared.
void match_alike(const std::vector<Requirement>& requirements, const Labels& labels) {
  Symbols symbols;
  const Numbering adds = [&symbols](const std::string& text) { return symbols.add(text); };
  const Numbering finds = [&symbols](const std::string& text) { return symbols.find(text); };
  const std::vector<optimized::Label> own = optimized::numbered(labels, adds);
  const Requirement& last = requirements.back();
  for (const Numbering* number : {&finds, &adds}) {
    EXPECT_EQ(Selector::of_term(requirements, *number).matches(own, symbols),
              reference::matches(requirements, labels))
        << last.op << " " << last.values.size();
    const LabelSelector selector{{}, requirements};
    EXPECT_EQ(Selector::of_labels(selector, *number).matches(own, symbols),
              reference::matches(selector, labels))
        << last.op << " " << last.values.size();
  }
}

}  // namespace

// PRE-NODEAFFINITY-3: short texts of the characters of keys and values, and of the characters next to them in
// ASCII.
TEST(OptimizedLabels, AreValidAsThoseOfTheReference) {
  for_each_text("aA0-_./", 5, text_alike);
  for_each_text("azAZ09`{@[/:. ", 3, text_alike);
}

// PRE-NODEAFFINITY-3: a name and a value have at most 63 characters, and the domain of a key at most 253.
TEST(OptimizedLabels, HaveTheLongestKeysAndValues) {
  const auto is_key = [](const std::string& key) {
    return valid_alike({{}, {{key, "Exists", {}}}}, "key " + key);
  };
  const std::string longest_name(63, 'a');
  std::string longest_domain = longest_name + "." + longest_name + "." + longest_name + "." + longest_name;
  longest_domain.pop_back();
  longest_domain.pop_back();
  ASSERT_EQ(longest_domain.size(), 253u);
  EXPECT_TRUE(is_key(longest_domain + "/" + longest_name));
  EXPECT_FALSE(is_key(longest_domain + "/" + longest_name + "a"));
  EXPECT_FALSE(is_key(longest_domain + "a/" + longest_name));
  EXPECT_TRUE(valid_alike({{{"k", longest_name}}, {}}, "longest value"));
  EXPECT_FALSE(valid_alike({{{"k", longest_name + "a"}}, {}}, "longer value"));
}

// PRE-PDB-2, PRE-NODEAFFINITY-3: every operator, with values that labels have, lack, or cannot have. The
// requirement stands alone, or behind one that holds.
TEST(OptimizedLabels, MatchAsThoseOfTheReference) {
  const std::vector<std::string> ops = {"In", "NotIn", "Exists", "DoesNotExist", "Gt", "Lt", "", "Near"};
  const std::vector<std::vector<std::string>> lists = {{},
                                                       {""},
                                                       {"a"},
                                                       {"5"},
                                                       {"05"},
                                                       {"-5"},
                                                       {"5", "6"},
                                                       {"a", "b"},
                                                       {"x y"},
                                                       {"5a"},
                                                       {"9223372036854775808"}};
  const std::vector<Labels> labels = {{},           {{"j", "5"}},  {{"k", ""}},   {{"k", "4"}}, {{"k", "5"}},
                                      {{"k", "6"}}, {{"k", "5a"}}, {{"k", "-6"}}, {{"k", "a"}}};
  std::size_t matched = 0;
  for (const Labels& own : labels) {
    for (const std::string& op : ops) {
      for (const std::vector<std::string>& values : lists) {
        const Requirement requirement{"k", op, values};
        match_alike({requirement}, own);
        match_alike({{"i", "DoesNotExist", {}}, requirement}, own);
        matched += reference::matches({requirement}, own) ? 1 : 0;
      }
    }
  }
  EXPECT_GT(matched, 80u);
}

// PRE-SPREAD-2: an absent selector matches nothing. A selector without requirements matches everything.
TEST(OptimizedLabels, MatchNoAbsentSelector) {
  const Symbols symbols;
  const optimized::LabelSpan none;
  EXPECT_FALSE(Selector::nothing().matches(none, symbols));
  EXPECT_FALSE(Selector::nothing().is_empty());
  EXPECT_TRUE(Selector().matches(none, symbols));
  EXPECT_TRUE(Selector().is_empty());
}

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

}  // namespace touchstone::tests::optimized_labels_test
