"""Functions of partners, each as a text of JavaScript and as one of Python that does the same."""

import re

from .model import Refused


def number(text):
    """The integer that `Number` makes of a text."""
    if not re.fullmatch(r"-?[0-9]+", text):
        if text == "":
            return 0
        raise Refused(f"{text!r} is no number")
    return int(text)


class Way:
    """How some properties of the old side become properties of the new one, and back; either way may be missing."""

    def __init__(self, left, right, forward=(), backward=()):
        self.left, self.right = left, right
        # Pairs of a property and what gives it, in both languages.
        self.forward, self.backward = list(forward), list(backward)


def same(name, given, right=None):
    """The property goes over as it is; what links to the old class links to the new one."""
    return Way({name: given}, {name: right or given}, [(name, f"o.{name}", lambda o: o[name])],
               [(name, f"o.{name}", lambda o: o[name])])


def texts(name, other):
    return Way({name: "int"}, {other: "string"}, [(other, f"String(o.{name})", lambda o: str(o[name]))],
               [(name, f"Number(o.{other})", lambda o: number(o[other]))])


def upper(name):
    """A way that loses something: what is not in small letters does not come back."""
    return Way({name: "string"}, {name: "string"}, [(name, f"o.{name}.toUpperCase()", lambda o: o[name].upper())],
               [(name, f"o.{name}.toLowerCase()", lambda o: o[name].lower())])


def prefixed(name, other):
    return Way({name: "string"}, {other: "string"}, [(other, f"'L-' + o.{name}", lambda o: "L-" + o[name])],
               [(name, f"o.{other}.slice(2)", lambda o: o[other][2:])])


def marked(name, other, link):
    """A text that tells whether there is a link."""
    return Way({name: "string"}, {other: "string"},
               [(other, f"o.{name} + (o.{link} === null ? '-' : '+')", lambda o: o[name] + ("-" if o[link] is None else "+"))],
               [(name, f"o.{other}.slice(0, -1)", lambda o: o[other][:-1])])


def count(name, given, other):
    """How many elements a collection has; there is no way back."""
    return Way({name: given}, {other: "int"}, [(other, f"o.{name}.length", lambda o: len(o[name]))])


def is_there(name, given, other):
    return Way({name: given}, {other: "bool"}, [(other, f"o.{name} !== null", lambda o: o[name] is not None)])


def member(name, given, inner, other):
    """A member of an embedded object; there is no way back."""
    return Way({name: given}, {other: {"type": "string", "optional": True}},
               [(other, f"o.{name} === null ? null : o.{name}.{inner}", lambda o: None if o[name] is None else o[name][inner])])


def linked_member(name, given, inner, other):
    """Whether a link inside an embedded object is there."""
    return Way({name: given}, {other: "bool"},
               [(other, f"o.{name} !== null && o.{name}.{inner} !== null",
                 lambda o: o[name] is not None and o[name][inner] is not None)])


def total(name, other, more):
    """A number, and one that a migration adds to it."""
    return Way({name: "int"}, {name: "int", other: "int"},
               [(name, f"o.{name}", lambda o: o[name]),
                (other, f"o.{name} + (o.{more} ?? 0)", lambda o: o[name] + (o.get(more) or 0))],
               [(name, f"o.{name}", lambda o: o[name])])


def left_only(name, given):
    return Way({name: given}, {})


def right_only(name, given):
    return Way({}, {name: given})


def number_keys():
    """Numbers as keys on the old side, and their texts on the new one; what makes the key of either side's."""
    return (Way({}, {}, [("_id", "String(o._id)", lambda o: str(o["_id"]))], [("_id", "Number(o._id)", lambda o: number(o["_id"]))]),
            str, number)


def named_keys(name):
    """Keys that are made of a value, too, which changes: they can't be those of partners once an object has the value."""
    def back(key):
        return number(key.split("-")[-1])
    return (Way({}, {}, [("_id", f"o.{name} + '-' + o._id", lambda o: f"{o[name]}-{o['_id']}")],
                [("_id", "Number(o._id.split('-').pop())", lambda o: back(o["_id"]))]),
            lambda key: f"-{key}", back)


class Functions:
    """The functions of a partner: those of all its ways."""

    def __init__(self, ways, keys=None):
        self.ways, self.keys = ways, keys

    @staticmethod
    def text(parts):
        return "o => ({" + ", ".join(f"{name}: {text}" for name, text, _ in parts) + "})"

    @property
    def forward_parts(self):
        return [p for w in self.ways for p in w.forward]

    @property
    def backward_parts(self):
        return [p for w in self.ways for p in w.backward]

    @property
    def texts(self):
        return {"forward": self.text(self.forward_parts), "backward": self.text(self.backward_parts)}

    def forward(self, o):
        return {name: function(o) for name, _, function in self.forward_parts}

    def backward(self, o):
        return {name: function(o) for name, _, function in self.backward_parts}
