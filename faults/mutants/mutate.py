#!/usr/bin/python3
"""Writes mutants of C++ sources into the sources themselves, each behind a switch, and a table of them.

    mutate.py [--others N] [--seed N] [--before TABLE] TREE TABLE SOURCE...

TREE is a copy of the project; SOURCE is a file of it, which is rewritten in place. A mutant is one small change: another
operator, a dropped operand, a negated condition, a statement that is not run, another constant, swapped arguments. All
mutants of a file stand in it together, so one build serves them all; `touchstone::mutants::is_on(7)` says whether mutant 7
is the one that runs (switch.hpp). TABLE is a JSON object: "files" has a hash of each source, "mutants" the number, name, file,
line, column, function, operator, original and replacement of each mutant. A name stays the same for as long as the changed
expression, its function and its file do.

--others N makes a sample of about N mutants of other kinds, to which no test was tuned: a condition that is always true or
false, an enumerator or a parameter instead of another one, a number that is one more.

What does not compile with its change is left out and counted. To find that takes most of the time; with --before it is taken
from an earlier TABLE for the sources that are the same as then. Left out as well: constexpr functions, static tables,
templates' arguments, assertions and labels of cases, which cannot be switched while the program runs, and a return that is the
last thing a function does, without which it has no result.

Needs python3-clang-19 and libclang-19-dev.
"""
import argparse
import hashlib
import json
import os
import random
import re
import subprocess
import sys
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path

from clang.cindex import Cursor, CursorKind as Kind, Index, StorageClass, TypeKind

CLANG = "clang++-19"
FLAGS = ["-xc++", "-std=c++20", "-I.", "-include", "compare", "-Wno-c++11-narrowing"]
RESOURCES = subprocess.run([CLANG, "-print-resource-dir"], capture_output=True, text=True, check=True).stdout.strip()

RELATIONAL = {"<": ["<=", ">"], "<=": ["<", ">="], ">": [">=", "<"], ">=": [">", "<="], "==": ["!="], "!=": ["=="]}
ARITHMETIC = {"+": "-", "-": "+", "*": "/", "/": "*", "%": "/", "&": "|", "|": "&", "<<": ">>", ">>": "<<"}
ASSIGNING = {"+=": "-=", "-=": "+=", "*=": "/=", "|=": "&=", "&=": "|="}
OTHER_NAMES = {"any_of": "all_of", "all_of": "any_of", "none_of": "any_of", "min": "max", "max": "min", "front": "back",
               "back": "front", "lower_bound": "upper_bound", "upper_bound": "lower_bound", "min_element": "max_element",
               "max_element": "min_element"}
OPERATOR = r"[<>=!&|+*/%^-]+"
# Functions whose first two arguments can be swapped.
SYMMETRIC = {"min", "max", "swap", "agree", "sum", "product", "go_sum", "go_product", "wrapped_sum", "wrapped_product", "common",
             "equally_important", "same_domain", "__builtin_add_overflow", "__builtin_mul_overflow"}
FUNCTIONS = {Kind.FUNCTION_DECL, Kind.CXX_METHOD, Kind.CONSTRUCTOR, Kind.DESTRUCTOR, Kind.CONVERSION_FUNCTION,
             Kind.FUNCTION_TEMPLATE}
LOOPS = {Kind.FOR_STMT, Kind.WHILE_STMT, Kind.DO_STMT, Kind.CXX_FOR_RANGE_STMT}
NUMBERS = {TypeKind.INT, TypeKind.UINT, TypeKind.LONG, TypeKind.ULONG, TypeKind.LONGLONG, TypeKind.ULONGLONG, TypeKind.SHORT,
           TypeKind.USHORT, TypeKind.UCHAR, TypeKind.CHAR_S, TypeKind.SCHAR}


# Whether mutants are of the other kinds. Set once, before files are parsed.
OTHERS = False


@dataclass
class Change:
    """A place of the text, and what may stand there instead."""
    begin: int
    end: int
    kind: str  # expression, statement, constant
    alternatives: list = field(default_factory=list)  # (operator, text)


@dataclass
class Context:
    function: str
    in_loop: bool = False
    in_switch: bool = False


class File:
    def __init__(self, path):
        self.path = path
        self.text = path.read_text(encoding="utf-8")
        self.bytes = self.text.encode()
        self.changes = {}
        self.functions = {}
        self.parameters = []  # name and type, of the function that is visited
        self.final_returns = set()  # where they begin

    def slice(self, begin, end):
        return self.bytes[begin:end].decode()

    def of(self, cursor):
        return self.slice(cursor.extent.start.offset, cursor.extent.end.offset)

    def add(self, begin, end, kind, operator, text, function):
        change = self.changes.setdefault((begin, end, kind), Change(begin, end, kind))
        if all(text != known for _, known in change.alternatives):
            change.alternatives.append((operator, text))
            self.functions[(begin, end, kind)] = function

    def instead(self, cursor, operator, text, context):
        self.add(cursor.extent.start.offset, cursor.extent.end.offset, "expression", operator, text, context.function)


def is_bool(cursor):
    return cursor.type.get_canonical().kind == TypeKind.BOOL


def is_number(cursor):
    return cursor.type.get_canonical().kind in NUMBERS


def two_sides(file, cursor):
    """Both operands and the operator between them, or None."""
    children = [child for child in cursor.get_children() if child.kind.is_expression() and child.extent.start.offset < child.extent.end.offset]
    if len(children) == 3:  # an overloaded operator stands between its operands
        children = sorted(children, key=lambda child: child.extent.start.offset)
        begins = [child.extent.start.offset for child in children]
        ends = [child.extent.end.offset for child in children]
        whole = begins[0] == cursor.extent.start.offset and ends[2] == cursor.extent.end.offset
        if whole and ends[0] <= begins[1] and ends[1] <= begins[2] and re.fullmatch(OPERATOR, file.of(children[1])):
            return children[0], file.of(children[1]), children[2]
        return None
    if len(children) != 2:
        return None
    left, right = children
    if left.extent.end.offset > right.extent.start.offset:
        return None
    if left.extent.start.offset != cursor.extent.start.offset or right.extent.end.offset != cursor.extent.end.offset:
        return None
    between = file.slice(left.extent.end.offset, right.extent.start.offset)
    between = re.sub(r"//[^\n]*", "", between).strip()
    return (left, between, right) if re.fullmatch(OPERATOR, between) else None


def is_compared(file, cursor):
    """Whether a condition has mutants of its own that amount to its negation."""
    while cursor.kind in (Kind.UNEXPOSED_EXPR, Kind.PAREN_EXPR):
        children = list(cursor.get_children())
        if len(children) != 1:
            break
        cursor = children[0]
    sides = two_sides(file, cursor)
    if sides and sides[1] in ("==", "!="):
        return True
    return file.of(cursor).startswith("!") or file.of(cursor) in ("true", "false")


def negate(file, cursor, context):
    if OTHERS:
        for value in ("true", "false"):
            if file.of(cursor) not in ("true", "false"):
                file.instead(cursor, f"condition to {value}", value, context)
    elif not is_compared(file, cursor):
        file.instead(cursor, "negated condition", f"!({file.of(cursor)})", context)


def delete(file, cursor, context, what):
    if OTHERS:
        return
    begin, end = cursor.extent.start.offset, cursor.extent.end.offset
    rest = file.bytes[end:]
    semicolon = re.match(rb"\s*;", rest)
    if not semicolon:
        return
    file.add(begin, end + semicolon.end(), "statement", what, "", context.function)


def other_name(file, cursor, context):
    """Mutants of a name, of the other kinds."""
    text, target = file.of(cursor), cursor.referenced
    if target is None or not text.endswith(target.spelling):
        return
    if target.kind == Kind.ENUM_CONSTANT_DECL:
        names = [each.spelling for each in target.semantic_parent.get_children() if each.kind == Kind.ENUM_CONSTANT_DECL]
        other = names[(names.index(target.spelling) + 1) % len(names)]
        if other != target.spelling:
            file.instead(cursor, "another enumerator", text[:-len(target.spelling)] + other, context)
    elif is_number(cursor):
        file.instead(cursor, "one more", f"{text} + 1", context)
    if target.kind == Kind.PARM_DECL:
        same = [name for name, spelling in file.parameters if spelling == target.type.get_canonical().spelling and name != text]
        if same:
            file.instead(cursor, "another parameter", same[0], context)


def expression(file, cursor, context):
    """Mutants of one expression, without those of its parts."""
    if OTHERS:
        if cursor.kind in (Kind.DECL_REF_EXPR, Kind.MEMBER_REF_EXPR):
            other_name(file, cursor, context)
        return
    text = file.of(cursor)
    sides = two_sides(file, cursor) if cursor.kind in (Kind.BINARY_OPERATOR, Kind.CALL_EXPR, Kind.UNEXPOSED_EXPR,
                                                      Kind.COMPOUND_ASSIGNMENT_OPERATOR) else None
    if sides:
        left, operator, right = sides
        a, b = file.of(left), file.of(right)
        for other in RELATIONAL.get(operator, []):
            file.instead(cursor, f"{operator} to {other}", f"{a} {other} {b}", context)
        if operator in ("&&", "||"):
            other = "||" if operator == "&&" else "&&"
            file.instead(cursor, f"{operator} to {other}", f"({a}) {other} ({b})", context)
            file.instead(cursor, "dropped operand", f"static_cast<bool>({a})", context)
            file.instead(cursor, "dropped operand", f"static_cast<bool>({b})", context)
        if operator in ARITHMETIC and is_number(left) and is_number(right):
            file.instead(cursor, f"{operator} to {ARITHMETIC[operator]}", f"{a} {ARITHMETIC[operator]} {b}", context)
        if operator in ASSIGNING and is_number(left):
            file.instead(cursor, f"{operator} to {ASSIGNING[operator]}", f"{a} {ASSIGNING[operator]} {b}", context)
        if operator == "<=>":
            file.instead(cursor, "swapped operands", f"{b} <=> {a}", context)
    elif cursor.kind == Kind.UNARY_OPERATOR and text.startswith("!"):
        file.instead(cursor, "dropped !", f"static_cast<bool>({text[1:]})", context)
    elif cursor.kind == Kind.UNARY_OPERATOR and (text.startswith("++") or text.startswith("--")):
        file.instead(cursor, f"{text[:2]} to {'--' if text[0] == '+' else '++'}", ("--" if text[0] == "+" else "++") + text[2:], context)
    elif cursor.kind == Kind.INTEGER_LITERAL and re.fullmatch(r"[0-9'xXa-fA-F]+[uUlL]*", text):
        file.instead(cursor, "another constant", f"{text} + 1", context)
        if text.strip("uUlL") != "0":
            file.instead(cursor, "another constant", f"{text} - 1", context)
    elif cursor.kind == Kind.CXX_BOOL_LITERAL_EXPR:
        file.instead(cursor, "another constant", "false" if text == "true" else "true", context)
    elif cursor.kind == Kind.CONDITIONAL_OPERATOR:
        children = list(cursor.get_children())
        if len(children) == 3:
            first, then, otherwise = (file.of(child) for child in children)
            file.instead(cursor, "swapped branches", f"{first} ? {otherwise} : {then}", context)
    elif cursor.kind == Kind.CALL_EXPR:
        call(file, cursor, context)


def call(file, cursor, context):
    text = file.of(cursor)
    name = cursor.spelling
    if name in OTHER_NAMES:
        found = list(re.finditer(rf"\b{name}\b(?=\()", text))
        if found:
            place = found[-1] if name in ("front", "back") else found[0]
            file.instead(cursor, f"{name} to {OTHER_NAMES[name]}", text[:place.start()] + OTHER_NAMES[name] + text[place.end():], context)
    if name in SYMMETRIC or name.startswith("operator"):
        return
    arguments = [argument for argument in cursor.get_arguments() if argument is not None]
    for one, other in zip(arguments, arguments[1:]):
        same = one.type.get_canonical().spelling.replace("const ", "") == other.type.get_canonical().spelling.replace("const ", "")
        a, b = file.of(one), file.of(other)
        begin, end = cursor.extent.start.offset, cursor.extent.end.offset
        inside = begin <= one.extent.start.offset and one.extent.end.offset <= other.extent.start.offset and other.extent.end.offset <= end
        if not same or a == b or not inside or not a or not b:
            continue
        swapped = (file.slice(begin, one.extent.start.offset) + b + file.slice(one.extent.end.offset, other.extent.start.offset) + a +
                   file.slice(other.extent.end.offset, end))
        file.instead(cursor, "swapped arguments", swapped, context)


def statement(file, cursor, context):
    """A statement of a block, or the body of a loop or a condition."""
    text = file.of(cursor)
    if text.startswith("assert") or re.search(r"\breserve\([^;]*$", text):  # reserved memory changes no answer
        return
    if cursor.kind == Kind.CONTINUE_STMT:
        delete(file, cursor, context, "deleted continue")
        if not context.in_switch and not OTHERS:
            file.add(cursor.extent.start.offset, cursor.extent.end.offset, "jump", "continue to break", "break", context.function)
    elif cursor.kind == Kind.BREAK_STMT:
        delete(file, cursor, context, "deleted break")
        if context.in_loop and not context.in_switch and not OTHERS:
            file.add(cursor.extent.start.offset, cursor.extent.end.offset, "jump", "break to continue", "continue", context.function)
    elif cursor.kind == Kind.RETURN_STMT:
        if cursor.extent.start.offset not in file.final_returns:
            delete(file, cursor, context, "deleted return")
        for child in cursor.get_children():
            if is_bool(child):
                negate(file, child, context)
    elif cursor.kind.is_expression():
        delete(file, cursor, context, "deleted statement")
    visit(file, cursor, context)


def final_returns(cursor):
    """The returns after which a function would end without a value."""
    children = list(cursor.get_children())
    if cursor.kind == Kind.RETURN_STMT:
        return {cursor.extent.start.offset}
    if cursor.kind == Kind.IF_STMT:
        return set().union(*(final_returns(child) for child in children if not child.kind.is_expression()))
    if cursor.kind in (Kind.COMPOUND_STMT, Kind.SWITCH_STMT, Kind.CASE_STMT, Kind.DEFAULT_STMT) and children:
        return final_returns(children[-1])
    return set()


def visit(file, cursor, context):
    if cursor.kind == Kind.COMPOUND_STMT:
        for child in cursor.get_children():
            statement(file, child, context)
        return
    if cursor.kind.is_expression() and cursor.kind != Kind.LAMBDA_EXPR:
        if file.of(cursor).startswith("assert(") or cursor.spelling == "__unspec":  # of "order > 0"
            return
        expression(file, cursor, context)
    children = list(cursor.get_children())
    inner = Context(context.function, context.in_loop, context.in_switch)
    if cursor.kind == Kind.VAR_DECL:
        head = file.slice(cursor.extent.start.offset, cursor.extent.end.offset)
        if re.match(r"(static\s+)?constexpr\b", head):
            return constant(file, cursor, context)
        if cursor.storage_class == StorageClass.STATIC:
            return
    if cursor.kind == Kind.CASE_STMT:
        children = children[1:]
        for child in children:
            statement(file, child, inner)
        return
    if cursor.kind == Kind.DEFAULT_STMT:
        for child in children:
            statement(file, child, inner)
        return
    if cursor.kind == Kind.LAMBDA_EXPR:
        inner = Context(context.function)
        file.final_returns |= final_returns(children[-1])
    elif cursor.kind in LOOPS:
        inner.in_loop, inner.in_switch = True, False
    elif cursor.kind == Kind.SWITCH_STMT:
        inner.in_switch = True
    if cursor.kind in (Kind.IF_STMT, Kind.WHILE_STMT) and children:
        text = file.of(cursor)
        first = children[0]
        if re.match(r"(if|while)\s+constexpr", text):
            children = [child for child in children if not child.kind.is_expression()]
        elif first.kind.is_expression():
            negate(file, first, context)
            visit(file, first, inner)
            children = children[1:]
        elif len(children) > 1 and children[1].kind.is_expression() and children[1].extent.start.offset >= first.extent.end.offset:
            # "if (const auto x = ...; condition)"
            if ";" in file.slice(first.extent.start.offset, children[1].extent.start.offset):
                visit(file, first, inner)
                negate(file, children[1], context)
                visit(file, children[1], inner)
                children = children[2:]
        for child in children:
            statement(file, child, inner)
        return
    if cursor.kind in LOOPS and children:
        for child in children[:-1]:
            visit(file, child, inner)
        statement(file, children[-1], inner)
        return
    if cursor.kind in (Kind.STATIC_ASSERT, Kind.TYPE_ALIAS_DECL, Kind.TYPEDEF_DECL, Kind.ENUM_DECL):
        return
    for child in children:
        visit(file, child, inner)


def constant(file, cursor, context):
    """`constexpr std::size_t k_most = 64;` becomes an object that converts to its number, so that it can be another."""
    text = file.of(cursor)
    found = re.fullmatch(r"(?:static\s+)?constexpr\s+([\w:]+)\s+(\w+)\s*=\s*([0-9']+)", text)
    if found and not OTHERS:
        file.add(cursor.extent.start.offset, cursor.extent.end.offset, "constant", "another constant", f"{found[3]} + 1", context.function)
        file.add(cursor.extent.start.offset, cursor.extent.end.offset, "constant", "another constant", f"{found[3]} - 1", context.function)


def top_level(file, cursor, name):
    """Functions and constants of a file, wherever they are declared in it."""
    for child in cursor.get_children():
        if child.location.file is None or Path(child.location.file.name).resolve() != file.path.resolve():
            continue
        if child.kind in (Kind.NAMESPACE, Kind.CLASS_DECL, Kind.STRUCT_DECL, Kind.CLASS_TEMPLATE, Kind.LINKAGE_SPEC):
            top_level(file, child, name + ([child.spelling] if child.spelling and child.kind != Kind.NAMESPACE else []))
        elif child.kind in FUNCTIONS and child.is_definition():
            parts = list(child.get_children())
            body = next((part for part in parts if part.kind == Kind.COMPOUND_STMT), None)
            if body is None:
                continue
            head = file.slice(child.extent.start.offset, body.extent.start.offset)
            if re.search(r"\b(constexpr|consteval)\b", head):
                continue
            context = Context("::".join(name + [child.spelling]))
            file.final_returns |= final_returns(body)
            file.parameters = [(part.spelling, part.type.get_canonical().spelling) for part in parts if part.kind == Kind.PARM_DECL]
            for part in parts:
                if part.kind.is_expression() and child.kind == Kind.CONSTRUCTOR:
                    visit(file, part, context)
            visit(file, body, context)
        elif child.kind == Kind.VAR_DECL:
            if re.match(r"(static\s+)?constexpr\b", file.of(child)):
                constant(file, child, Context("::".join(name + [child.spelling])))


def rewritten(file, numbers):
    """The text with every change in it that has a number."""
    wanted = []
    for key, change in file.changes.items():
        alternatives = [(numbers[(file.path, *key, text)], text) for _, text in change.alternatives
                        if (file.path, *key, text) in numbers]
        if alternatives:
            wanted.append((change, alternatives))
    wanted.sort(key=lambda each: (each[0].begin, -each[0].end, each[0].kind != "statement"))

    def render(begin, end, inside):
        parts = []
        place = begin
        i = 0
        while i < len(inside):
            change, alternatives = inside[i]
            nested = []
            i += 1
            while i < len(inside) and inside[i][0].begin < change.end:
                if inside[i][0].end <= change.end:
                    nested.append(inside[i])
                i += 1
            parts.append(file.slice(place, change.begin))
            parts.append(one(change, alternatives, nested))
            place = change.end
        parts.append(file.slice(place, end))
        return "".join(parts)

    def one(change, alternatives, nested):
        on = "::touchstone::mutants::is_on({})".format
        if change.kind == "statement":
            (number, _), = alternatives
            return f"{{ if (!{on(number)}) {{ {render(change.begin, change.end, nested)} }} }}"
        if change.kind == "jump":
            (number, text), = alternatives
            return f"if ({on(number)}) {text}; else {file.slice(change.begin, change.end)}"
        if change.kind == "constant":
            found = re.fullmatch(r"(?:static\s+)?constexpr\s+([\w:]+)\s+(\w+)\s*=\s*([0-9']+)", file.slice(change.begin, change.end))
            static = "static " if found[0].startswith("static") else ""
            cases = "".join(f"{on(number)} ? static_cast<{found[1]}>({text}) : " for number, text in alternatives)
            return (f"{static}const struct {{ operator {found[1]}() const {{ return {cases}static_cast<{found[1]}>({found[3]}); }} }} {found[2]}{{}}")
        cases = "".join(f"{on(number)} ? ({text}) : " for number, text in alternatives)
        return f"({cases}({render(change.begin, change.end, nested)}))"

    first_include = re.search(r'^#include|^#pragma once\n', file.text, re.MULTILINE)
    head = '#include "faults/mutants/switch.hpp"\n'
    body = render(0, len(file.bytes), wanted)
    at = first_include.start()
    if body[at:].startswith("#pragma once"):
        at += len("#pragma once\n")
    return body[:at] + head + body[at:]


def broken_numbers(path):
    """Numbers of mutants in the lines that do not compile."""
    shown = subprocess.run([CLANG, *FLAGS, "-fsyntax-only", "-w", "-ferror-limit=0", "-fno-caret-diagnostics", str(path)],
                           capture_output=True, text=True, check=False)
    if shown.returncode == 0:
        return set()
    numbers = set()
    texts = {}
    pending = False  # an error in a header of the library, whose notes lead to the code that uses it
    for line in shown.stderr.splitlines():
        found = re.match(r"(.*?):(\d+):(\d+): (fatal error|error|note):", line)
        if not found or (found[4] == "note" and not pending):
            continue
        pending = found[1].startswith("/")
        if pending:
            continue
        if found[1] not in texts:
            texts[found[1]] = Path(found[1]).read_text(encoding="utf-8").split("\n")
        lines = texts[found[1]][:int(found[2])]
        before = "\n".join(lines[:-1] + [lines[-1].encode()[:int(found[3]) - 1].decode(errors="ignore")])
        here = re.findall(r"is_on\((\d+)\)", before) or re.findall(r"is_on\((\d+)\)", lines[-1])
        if here:
            numbers.add(int(here[-1]))
    if not numbers:
        sys.exit(f"{path} does not compile, and no mutant is near:\n{shown.stderr}")
    return numbers


def name_of(mutant, known):
    same = f"{mutant['file']}|{mutant['function']}|{mutant['operator']}|{mutant['original']}|{mutant['replacement']}"
    known[same] = known.get(same, 0) + 1
    return hashlib.sha256(f"{same}|{known[same]}".encode()).hexdigest()[:12]


def parsed(source):
    """The file with all changes that can be made to it, or a text: why it does not compile."""
    file = File(Path(source))
    unit = Index.create().parse(source, args=[*FLAGS, "-resource-dir", RESOURCES])
    errors = [str(each) for each in unit.diagnostics if each.severity >= 3]
    if errors:
        return "\n".join(errors)
    top_level(file, unit.cursor, [])
    return file


def hash_of(file):
    return hashlib.sha256(file.bytes).hexdigest()


def main(options):
    global OTHERS
    OTHERS = options.others is not None
    table, sources = options.table, options.sources
    with ProcessPoolExecutor(os.cpu_count()) as pool:
        files = list(pool.map(parsed, sources))
    wrong = [each for each in files if isinstance(each, str)]
    if wrong:
        sys.exit("\n".join(wrong))
    numbers = {}
    mutants = []
    known = {}
    for file in files:
        for key, change in sorted(file.changes.items()):
            for operator, text in change.alternatives:
                before = file.bytes[:change.begin]
                mutant = {"number": len(mutants) + 1, "file": str(file.path), "line": before.count(b"\n") + 1,
                          "column": change.begin - before.rfind(b"\n"), "function": file.functions[key], "operator": operator,
                          "original": file.slice(change.begin, change.end), "replacement": text}
                mutant["name"] = name_of(mutant, known)
                numbers[(file.path, *key, text)] = mutant["number"]
                mutants.append(mutant)
    if OTHERS:
        mutants = random.Random(options.seed).sample(mutants, min(len(mutants), options.others))
        mutants.sort(key=lambda mutant: mutant["number"])
        anew = {mutant["number"]: i for i, mutant in enumerate(mutants, 1)}
        numbers = {key: anew[number] for key, number in numbers.items() if number in anew}
        for mutant in mutants:
            mutant["number"] = anew[mutant["number"]]
    candidates = len(mutants)
    before = json.loads(Path(options.before).read_text(encoding="utf-8")) if options.before else {"files": {}, "mutants": []}
    checked = {file.path for file in files if before["files"].get(str(file.path)) == hash_of(file)}
    compiled = {mutant["name"] for mutant in before["mutants"]}
    left_out = {mutant["number"] for mutant in mutants if Path(mutant["file"]) in checked and mutant["name"] not in compiled}
    numbers = {key: number for key, number in numbers.items() if number not in left_out}
    for file in files:
        file.path.write_text(rewritten(file, numbers), encoding="utf-8")
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        # Headers first: what is wrong in one of them is wrong wherever it is included.
        for suffix in (".hpp", ".cpp"):
            unsure = [file for file in files if file.path.suffix == suffix and file.path not in checked]
            while unsure:
                broken = list(pool.map(lambda file: broken_numbers(file.path), unsure))
                unsure = [file for file, each in zip(unsure, broken) if each]
                gone = set().union(*broken)
                touched = {key[0] for key, number in numbers.items() if number in gone}  # also a header with templates
                numbers = {key: number for key, number in numbers.items() if number not in gone}
                for file in files:
                    if file.path in touched:
                        file.path.write_text(rewritten(file, numbers), encoding="utf-8")
    compiled = set(numbers.values())
    mutants = [mutant for mutant in mutants if mutant["number"] in compiled]
    hashes = {str(file.path): hash_of(file) for file in files}
    Path(table).write_text(json.dumps({"files": hashes, "mutants": mutants}, indent=1), encoding="utf-8")
    print(f"{len(mutants)} mutants in {len(files)} files; {candidates - len(mutants)} more do not compile")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--others", type=int, metavar="N", help="A sample of so many mutants of other kinds")
    parser.add_argument("--seed", type=int, default=1, metavar="N", help="What draws that sample (default: 1)")
    parser.add_argument("--before", metavar="TABLE", help="A table of an earlier run, for what compiles")
    parser.add_argument("tree")
    parser.add_argument("table")
    parser.add_argument("sources", nargs="+")
    main(parser.parse_args())
