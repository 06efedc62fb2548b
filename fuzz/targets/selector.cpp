#include <nlohmann/json.hpp>

#include "fuzz/targets/target.hpp"
#include "kubernetes/objects/fields.hpp"
#include "kubernetes/objects/selectors.hpp"
#include "kubernetes/write/written.hpp"
#include "optimized/store/labels.hpp"
#include "reference/filters/labels.hpp"

namespace {

using namespace touchstone;
using Terms = std::vector<NodeSelectorTerm>;

/// The content of an input: selectors, and labels that they may match.
struct Asked {
  std::optional<LabelSelector> selector;
  Terms terms;
  Labels labels;
};

Result<Asked> read(std::string_view text) {
  const auto document = kubernetes::Document::parse(text, "a.json");
  if (!document) return document.error();
  try {
    const kubernetes::Value root = document.value().root();
    return Asked{kubernetes::label_selector_field(root, "labelSelector"),
                 kubernetes::node_selector_terms_field(root), kubernetes::labels_field(root, "labels")};
  } catch (const kubernetes::InvalidInput& invalid) {
    return invalid.error;
  }
}

std::string written(const Asked& asked) {
  nlohmann::ordered_json json;
  if (asked.selector) json["labelSelector"] = kubernetes::written_selector(*asked.selector);
  json["nodeSelectorTerms"] = kubernetes::written_terms(asked.terms);
  json["labels"] = asked.labels;
  return json.dump();
}

void check_matches(const Asked& asked, std::string_view text) {
  constexpr std::string_view k_law = "both engines match labels alike";
  optimized::Symbols symbols;
  const optimized::Numbering number = [&symbols](const std::string& text) { return symbols.add(text); };
  const std::vector<optimized::Label> labels = optimized::numbered(asked.labels, number);
  const auto check = [&](const char* what, bool optimized, bool reference) {
    if (optimized != reference)
      fuzz::broken(k_law, std::string(what) + (reference ? ": the reference alone" : ": optimized alone"),
                   text);
  };
  if (asked.selector) {
    const auto selector = optimized::Selector::of_labels(*asked.selector, number);
    check("labelSelector", selector.matches(labels, symbols),
          reference::matches(*asked.selector, asked.labels));
    check("is valid", selector.is_valid(), reference::is_valid(*asked.selector));
  }
  for (const NodeSelectorTerm& term : asked.terms) {
    const auto selector = optimized::Selector::of_term(term.match_expressions, number);
    check("term", selector.matches(labels, symbols),
          reference::matches(term.match_expressions, asked.labels));
  }
}

}  // namespace

/// Law: a selector is read or refused; it does not change when written and read again; both engines match it
/// alike.
int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text = fuzz::text_of(data, size);
  const Result<Asked> asked = read(text);
  if (!asked) return fuzz::check_error(asked.error(), "a.json", text), 0;
  const std::string once = written(asked.value());
  const Result<Asked> again = read(once);
  if (!again || written(again.value()) != once)
    fuzz::broken("a selector that was written is read again", once, text);
  check_matches(asked.value(), text);
  return 0;
}
