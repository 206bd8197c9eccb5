"""Finds the SQL statements in the sources of the stores, so that none of them is forgotten by who runs statements."""

import pathlib
import re

ROOT = pathlib.Path(__file__).resolve().parents[2]
MODULES = ("SnapshotStore", "JobStore", "AccessStore")
# A literal of one line or of several, with what is interpolated, in whose parentheses there may be others.
# ANALYZE and NOTIFY are not counted: the one reads a sample, the other no table.
LITERAL = re.compile(r'"""\n(?P<lines>.*?)"""|"(?P<line>(?:SELECT|INSERT|UPDATE|DELETE|WITH)\b(?:[^"\\]|\\.)*)"', re.S)
BEGINNING = re.compile(r"\s*(?:--[^\n]*\n\s*)*(?:SELECT|INSERT|UPDATE|DELETE|WITH)\b")


# pg_stat_statements tells no constant from a parameter.
CONSTANT = re.compile(r"'(?:[^']|'')*'|\$\d+|(?<![\w.])-?\d+(?:\.\d+)?\b|(?<!IS )(?<!NOT )\bNULL\b|\b(?:true|false)\b|(?<=extract\()\w+")


def plain(sql):
    """The text without comments and constants, in one line."""
    return " ".join(CONSTANT.sub("?", re.sub(r"--[^\n]*", "", sql)).split())


def without_interpolations(text):
    """The parts of a literal between what is interpolated."""
    parts, depth, part, index = [], 0, "", 0
    while index < len(text):
        if depth == 0 and text.startswith("\\(", index):
            parts.append(part)
            part, depth, index = "", 1, index + 2
            continue
        if depth:
            depth += {"(": 1, ")": -1}.get(text[index], 0)
        else:
            part += text[index]
        index += 1
    return parts + [part]


def literals():
    """Of each statement of the stores the file, the line, and its literal."""
    for module in MODULES:
        for path in sorted((ROOT / "Sources" / module).rglob("*.swift")):
            text = path.read_text()
            for found in LITERAL.finditer(text):
                literal = found["lines"] or found["line"] or ""
                if not BEGINNING.match(literal):
                    continue
                # A part of a statement is a constant, which whole ones interpolate.
                before = text[:found.start()].rstrip()
                if before.endswith("=") or before.endswith("appendLiteral("):
                    continue
                yield path.relative_to(ROOT), text.count("\n", 0, found.start()) + 1, literal


def statements():
    """Of each statement of the stores the file, the line, and the parts of its text that are always the same."""
    for path, line, literal in literals():
        parts = [plain(part) for part in without_interpolations(literal)]
        # A part that is made by a function, as is one that reads no table.
        if parts[0] != "SELECT" or " FROM " in " ".join(parts):
            yield path, line, parts


def text(beginning, *values, having=""):
    """The text of the one statement of the sources that begins so and has a part, with values in their places."""
    found = {literal for _, _, literal in literals() if " ".join(literal.split()).startswith(beginning) and having in literal}
    if len(found) != 1:
        raise SystemExit(f"{len(found)} statements begin with {beginning}")
    parts = without_interpolations(found.pop())
    if len(parts) != len(values) + 1:
        raise SystemExit(f"the statement has {len(parts) - 1} values: {beginning}")
    return "".join(part + value for part, value in zip(parts, (*values, "")))


def has_all(text, parts):
    """Whether a text begins with the first part, ends with the last, and has those between in their order."""
    place = len(parts[0])
    for part in parts[1:-1]:
        place = text.find(part, place) + len(part)
        if place < len(part):
            return False
    return text.startswith(parts[0]) and (len(parts) == 1 or text.endswith(parts[-1])) and (
        len(parts) > 1 or text == parts[0])


def without_case(texts):
    """The statements of which no text was seen."""
    seen = [plain(text) for text in texts]
    return [(path, line, " … ".join(filter(None, parts))) for path, line, parts in statements()
            if not any(has_all(each, parts) for each in seen)]


if __name__ == "__main__":
    for path, line, parts in statements():
        print(f"{path}:{line}  {' … '.join(filter(None, parts))[:100]}")
