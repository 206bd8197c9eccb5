"""Values that are kept elsewhere, and changed at one of the places."""

from constructs.registry import construct
from values.copies import OPEN, copy, reader
from values.named import app_type, enumeration, reference, structure
from values.places import Place, candidate, change, change_inout, log_all
from values.types import Array, Dictionary, Int, Optional, Text, any_type, scalar, tuple_type, unwrapped


def exercise(b, type, steps=(2, 4), inout=0.2, stem="value"):
    """Copies of a value and changes of the copies, with their state after each."""
    name = b.variable(stem, type, type.literal(b), spelled=True)
    read = reader(b, name, type) if b.chance(0.3) else None
    for step in range(b.number(*steps)):
        if step % 2 == 0 or b.chance(0.3):
            source = candidate(b, share=0.4, chained=False, writable=False)
            copy(b, source if b.chance(0.5) else Place(name, type))
        place = candidate(b, share=0.5)
        if b.chance(inout) and not place.chained:
            change_inout(b, place)
        else:
            change(b, place)
        b.log(type.show(name))
    if read:
        b.log(f"{read}()")
    log_all(b, 4)


@construct("tuple-copy")
def tuples(b):
    exercise(b, tuple_type(b, b.number(1, 2)))


@construct("tuple-rows")
def tuple_rows(b):
    """A tuple that changes from step to step of a loop, and is kept at each."""
    labels = b.one([("id", "total"), ("x", "y"), (None, None)])
    extra = scalar(b)
    spelled = ", ".join((f"{l}: " if l else "") + t for l, t in zip(labels, ["Int", extra.spell()]))
    first, second = labels if labels[0] else ("0", "1")
    literal = ", ".join((f"{l}: " if l else "") + v for l, v in zip(labels, ["0", extra.literal(b)]))
    b.line(f"var last{b.one(['', f': ({spelled})'])} = ({literal})")
    keep = b.one(["array", "dictionary", "closure", "structure", "optional"])
    declare = {"array": f"var rows: [({spelled})] = []", "dictionary": f"var rows: [Int: ({spelled})] = [:]",
               "closure": "var rows: [() -> String] = []", "structure": "var rows: [Row§] = []",
               "optional": f"var rows: [({spelled})?] = []"}
    if keep == "structure":
        b.declare(f"struct Row§ {{\n    var cell: ({spelled})\n}}")
    b.line(declare[keep])
    head = b.one(["for i in 1...3", "for (i, _) in [5, 6, 7].enumerated()", "for i in stride(from: 0, to: 6, by: 2)",
        "var i = 0\nwhile i < 3"])
    if "\n" in head:
        first_line, head = head.split("\n")
        b.line(first_line)
    with b.block(head):
        b.line(f"last.{first} {b.one(['+=', '='])} i")
        b.line(b.one(extra.changes(b, f"last.{second}")))
        b.line({"array": "rows.append(last)", "dictionary": "rows[i] = last", "structure": "rows.append(Row§(cell: last))",
            "optional": "rows.append(last)",
                "closure": f'rows.append {{ [last] in "\\(last.{first})" }}'}[keep])
        if head.startswith("while"):
            b.line("i += 1")
    b.line(f"last.{first} = 100")
    b.log({"array": '"\\(rows)"', "dictionary": 'rows.keys.sorted().map { "\\(rows[$0]!)" }.joined()',
        "closure": 'rows.map { $0() }.joined(separator: ",")',
           "structure": 'rows.map { "\\($0.cell)" }.joined()', "optional": f'rows.map {{ "\\($0?.{first} ?? -1)" }}.joined()'}[keep])
    if keep == "array":
        b.lines("let before = rows", f"rows[0].{first} = -5")
        for statements in b.some([["var (one, two) = rows[1]", "one += 1", 'log.append("\\(one) \\(two)")'], ["swap(&rows[0], &last)"],
            ["var r = rows[1]", f"r.{first} = 9"]], 0, 2):
            b.lines(*statements)
        b.log('"\\(before) \\(rows) \\(last)"')


@construct("struct-copy")
def structures(b):
    exercise(b, structure(b, b.number(0, 2)))


@construct("enum-copy")
def enumerations(b):
    exercise(b, enumeration(b, 1))


@construct("nested-values")
def nested(b):
    exercise(b, structure(b, fields=[("inner", app_type(b, 1)), ("pair", tuple_type(b, 1)), ("many", Array(app_type(b, 0)))], stem="Outer"))


@construct("array-copy")
def arrays(b):
    exercise(b, Array(any_type(b, 2, app_type)))


@construct("dictionary-copy")
def dictionaries(b):
    exercise(b, Dictionary(b.one([Int(), Text()]), unwrapped(any_type(b, 2, app_type))))


@construct("optional-copy")
def optionals(b):
    exercise(b, Optional(unwrapped(any_type(b, 2, app_type))))


@construct("class-chain")
def chain(b):
    """Methods that return their object, or a changed copy."""
    kind = b.one(["final class", "class", "struct"])
    result = b.one(["Box§", "Box§", "Self"]) if kind != "class" else "Box§"
    if kind == "struct":
        body = "var copy = self\n        copy.values.append(x)\n        return copy"
    else:
        body = "values.append(x)\n        return self"
    b.declare(f"{kind} Box§ {{\n    var values: [Int] = []\n    {b.one(['', '@discardableResult '])}func add(_ x: Int) -> {result} {{\n"
        f"        {body}\n    }}\n    func twice() -> {result} {{ add(1).add(n()) }}\n    func n() -> Int {{ values.count }}\n}}")
    b.lines("let box = Box§()", "var other = box")
    lines = ['log.append("\\(box.add(1).values)")', 'log.append("\\(box.add(1).add(n).n())")', "other = box.add(3).twice()",
        "_ = other.add(n)", "let all = [box, other.add(7)]; log.append(\"\\(all.map { $0.n() })\")", "other.values.append(2)",
        "log.append(\"\\(other.twice().values)\")"]
    b.lines(*b.some(lines, 3, 5))
    b.log('"\\(box.values) \\(other.values)"')


@construct("class-reference")
def references(b):
    """Objects are shared, and what they hold is not."""
    type = reference(b, b.number(1, 2))
    first = b.variable("first", type, type.literal(b), "let")
    second = b.variable("second", type, first, b.one(["let", "var"]))
    holder = structure(b, fields=[("box", type), ("n", Int())], stem="Holder")
    held = b.variable("held", holder, f"{holder.name}(box: {first}, n: 1)", b.one(["let", "var"]), spelled=True)
    for _ in range(b.number(3, 5)):
        place = Place(b.one([first, second, f"{held}.box"]), type)
        from values.places import descend
        change(b, descend(b, Place(place.expression, type), 1, 2) if b.chance(0.6) else place)
        if b.chance(0.4):
            copy(b, Place(first, type), OPEN)
    b.log(f'"\\({first} === {second}) \\({held}.box === {first}) \\({held}.box !== {type.literal(b)})"')
    log_all(b, 4)
