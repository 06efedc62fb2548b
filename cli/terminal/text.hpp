#pragma once

#include <cstddef>
#include <string>
#include <string_view>

/// Text as a terminal shows it.
namespace touchstone::cli {

/// Text of unknown origin as one line that cannot steer a terminal: control characters, line ends, marks that
/// turn the direction of text, and bytes that are not UTF-8 are shown escaped (\n, \x1b, \u009b); all other
/// text is kept as it is.
std::string printable(std::string_view text);

/// As printable(), of at most so many bytes; what is longer is cut before a character and ends in "...".
std::string printable(std::string_view text, std::size_t bytes_most);

/// How many columns a terminal needs for text: one a code point, none for the colours of Terminal::styled.
std::size_t displayed_width(std::string_view text);

/// Breaks text into lines of at most `width` columns that begin with `indent` spaces. An empty line parts
/// paragraphs, and a line that begins with a space stands as it is. Ensures: ends with a line end.
std::string wrapped(std::string_view text, std::size_t width, std::size_t indent);

}  // namespace touchstone::cli
