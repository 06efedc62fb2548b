#pragma once

#include <cstddef>
#include <string>
#include <string_view>

/// Text as a terminal shows it.
namespace touchstone::cli {

/// Text of unknown origin as one line that cannot control a terminal. These are escaped (\n, \x1b, \u009b):
/// control characters, line ends, marks that change the direction of text, and bytes that are not UTF-8. All
/// other text stays as it is.
std::string printable(std::string_view text);

/// As printable(), for at most `bytes_most` bytes of text. Longer text is cut before a character and ends in
/// "...".
std::string printable(std::string_view text, std::size_t bytes_most);

/// The columns that a terminal needs for text: one for each code point, none for the colours of
/// Terminal::styled.
std::size_t displayed_width(std::string_view text);

/// Breaks text into lines of at most `width` columns that begin with `indent` spaces. An empty line separates
/// paragraphs. A line that begins with a space is not broken. Ensures: ends with a line end.
std::string wrapped(std::string_view text, std::size_t width, std::size_t indent);

}  // namespace touchstone::cli
