"""Prints what README.md shows as the output of its first command. Runs from the root of the project."""

import re

text = open("README.md", encoding="utf-8").read()
print(re.search(r"```\n\$ build/release/touchstone decide [^\n]*\n(.*?)\n```", text, re.S).group(1))
