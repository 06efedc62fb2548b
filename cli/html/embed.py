"""Writes a C++ source that holds the text of page.html.

usage: embed.py page.html OUTPUT
"""

import sys

text = open(sys.argv[1], encoding="utf-8").read()
parts = [text[i:i + 8000] for i in range(0, len(text), 8000)]  # compilers limit the length of one literal
with open(sys.argv[2], "w", encoding="utf-8") as out:
    out.write('#include "cli/html/template.hpp"\n\nnamespace touchstone::cli {\n\n')
    out.write("const std::string_view k_html_template =\n")
    out.write("\n".join(f'R"page({part})page"' for part in parts))
    out.write(";\n\n}  // namespace touchstone::cli\n")
