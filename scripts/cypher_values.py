"""Values of openCypher: as its test suite writes them, and as Quarry answers them, in one form that compares."""

import json
import re

TOKEN = re.compile(r"\s*('(?:[^'\\]|\\.)*'|[A-Za-z_][\w ]*?(?=\s*[:}\])>,{]|$)|-?[\d.]+(?:[eE][+-]?\d+)?|<-|->|[(){}\[\]<>:,\-])")


class Reader:
    """Reads one written value: `(:A {name: 'x'})`, `[:T]`, `<(a)-[:T]->(b)>`, lists, maps, texts, numbers."""

    def __init__(self, text):
        self.tokens = TOKEN.findall(text)
        self.at = 0

    def peek(self):
        return self.tokens[self.at] if self.at < len(self.tokens) else ""

    def next(self):
        self.at += 1
        return self.tokens[self.at - 1]

    def skip(self, token):
        if self.peek() == token:
            self.at += 1
            return True
        return False

    def value(self):
        token = self.next()
        if token == "(":
            return self.node()
        if token == "<":
            return self.path()
        if token == "{":
            return self.map()
        if token == "[":
            return self.edge() if self.peek() == ":" else self.list()
        if token.startswith("'"):
            return re.sub(r"\\(.)", r"\1", token[1:-1])
        return plain(token)

    def labels(self):
        names = []
        while self.skip(":"):
            names.append(self.next())
        return names

    def properties(self, end):
        found = self.map() if self.skip("{") else {}
        self.skip(end)
        return found

    def node(self):
        labels = self.labels()
        return ("node", sorted(labels), self.properties(")"))

    def edge(self):
        labels = self.labels()
        return ("edge", labels, self.properties("]"))

    def path(self):
        parts = []
        while not self.skip(">"):
            if self.peek() in ("<-", "->", "-"):
                parts.append(self.next())
            else:
                parts.append(self.value())
        return ("path", [part for part in parts if not isinstance(part, str)])

    def map(self):
        found = {}
        while not self.skip("}"):
            name = self.next()
            self.skip(":")
            found[name] = self.value()
            self.skip(",")
        return found

    def list(self):
        found = []
        while not self.skip("]"):
            found.append(self.value())
            self.skip(",")
        return found


def plain(token):
    """A number, a truth, null, or a word."""
    words = {"null": None, "NULL": None, "true": True, "false": False}
    if token in words:
        return words[token]
    for number in (int, float):
        try:
            return number(token)
        except ValueError:
            continue
    return token


def written(text):
    """What the suite writes in a cell."""
    return Reader(text).value() if text else ""


def answered(value):
    """What Quarry answers in a cell: JSON, or the text of a value."""
    if isinstance(value, str) and value[:1] in ("{", "["):
        try:
            return answered(json.loads(value))
        except ValueError:
            return value
    if isinstance(value, list):
        return [answered(item) for item in value]
    if isinstance(value, dict):
        if {"labels", "properties"} <= set(value):
            return ("node", sorted(value["labels"]), answered(value["properties"]))
        if {"type", "source", "target"} <= set(value):
            return ("edge", [value["type"]], answered(value["properties"]))
        if set(value) == {"nodes", "relationships"}:
            return path(value)
        return {name: answered(member) for name, member in value.items()}
    return plain(value) if isinstance(value, str) else value


def path(value):
    """Nodes and edges in turns."""
    nodes, edges = answered(value["nodes"]), answered(value["relationships"])
    turns = [part for pair in zip(nodes, edges) for part in pair]
    return ("path", [*turns, *nodes[len(edges):]])


def form(value):
    """A text that is the same for the same value."""
    if isinstance(value, str):
        value = plain(value)
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        return f"{value:.15g}"
    if isinstance(value, (list, tuple)):
        return "[" + ",".join(form(item) for item in value) + "]"
    if isinstance(value, dict):
        return "{" + ",".join(f"{name}:{form(member)}" for name, member in sorted(value.items())) + "}"
    return json.dumps(value)
