#pragma once

#include <string>
#include <string_view>

namespace touchstone::optimized {

/// A text of the release in which the first placeholder `word`, such as "$pod", is replaced by `value`.
/// Without the placeholder the text is returned unchanged.
inline std::string filled_in(std::string text, std::string_view word, std::string_view value) {
  const std::size_t at = text.find(word);
  if (at != std::string::npos) text.replace(at, word.size(), value);
  return text;
}

}  // namespace touchstone::optimized
