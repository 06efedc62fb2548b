#pragma once

#include <string_view>

namespace touchstone::cli {

/// The text of page.html.
extern const std::string_view k_html_template;

}  // namespace touchstone::cli
