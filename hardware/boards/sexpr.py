"""KiCad's file format: s-expressions as nested lists; strings keep their quotes."""

import re


def parse(text):
    """Nested lists of an s-expression; strings keep their quotes."""
    stack = [[]]
    for token in re.findall(r'[()]|"(?:\\.|[^"\\])*"|[^\s()]+', text):
        if token == "(":
            stack.append([])
        elif token == ")":
            done = stack.pop()
            stack[-1].append(done)
        else:
            stack[-1].append(token)
    return stack[0][0]


def dump(tree, depth=0):
    """The text of nested lists."""
    if not isinstance(tree, list):
        return tree
    if not any(isinstance(item, list) for item in tree):
        return "(" + " ".join(tree) + ")"
    pad = "\n" + "\t" * (depth + 1)
    parts = [(pad + dump(item, depth + 1)) if isinstance(item, list) else " " + item for item in tree]
    return "(" + "".join(parts).lstrip() + "\n" + "\t" * depth + ")"


def quote(text):
    return '"' + str(text).replace("\\", "\\\\").replace('"', '\\"') + '"'
