"""Functions, methods and initializers of one name, and names that conditions bind, behind ‘else’."""

from constructs.registry import construct

TAKEN = ["Any", "Int", "Int?", "Double", "String", "String?", "Character", "[Int]", "Float", "Any?", "Int8"]
ANY = {"Any", "Any?"}
# Values, and what takes them.
GIVEN = {
    "5": {"Int", "Int?", "Double", "Float", "Int8"} | ANY, "n": {"Int", "Int?"} | ANY, "n + 1": {"Int", "Int?"} | ANY,
    "2.5": {"Double", "Float"} | ANY, "s": {"String", "String?"} | ANY, '"a"': {"String", "String?", "Character"} | ANY,
    "Int(s)": {"Int?", "Any?"}, "s.first": {"Any?"}, "[1, 2]": {"[Int]"} | ANY, "true": ANY, "Double(n)": {"Double"} | ANY,
    "-1": {"Int", "Int?", "Double", "Float", "Int8"} | ANY, "1 + 2": {"Int", "Int?", "Double", "Float", "Int8"} | ANY,
    "Float(1)": {"Float"} | ANY, "Int8(3)": {"Int8"} | ANY, "s as Any": ANY, "nil as Int?": {"Int?", "Any?"},
}


@construct("overload")
def overload(b):
    kinds = b.some(TAKEN, 2, 4)
    where = b.one(["global", "method", "static", "init"])
    extra = b.one(["", "", ", n: Int = 1", ", _ more: Int..."])
    functions = []
    for index, kind in enumerate(kinds):
        rest = extra if index == 0 else ""
        if where == "init":
            functions.append(f'init(_ x: {kind}{rest}) {{ text = "{kind}{index}" }}')
        else:
            head = {"global": "func told§", "method": "func told", "static": "static func told"}[where]
            functions.append(f'{head}(_ x: {kind}{rest}) -> String {{ "{kind}{index}" }}')
    if extra and where != "init" and b.chance(0.5):
        functions.append(functions[0].replace(extra, "").replace("0\" }", "9\" }"))
    if b.chance(0.3) and where == "global":
        functions.append('func told§<T>(_ x: T) -> String { "generic" }')
    b.random.shuffle(functions)
    if where == "global":
        b.declare("\n".join(functions))
    else:
        b.declare("struct Teller§ {\n" + ("    var text: String\n" if where == "init" else "")
            + "\n".join("    " + line for line in functions) + "\n}")
    call = {"global": "told§({})", "method": "Teller§().told({})", "static": "Teller§.told({})", "init": "Teller§({}).text"}[where]
    fitting = [given for given, taken in GIVEN.items() if taken & set(kinds)] or ["n"]
    for given in b.some(fitting, 1, 2):
        b.log(call.format(given))


@construct("else-names")
def else_names(b):
    value = b.one(["Int(s)", "s.isEmpty ? nil : n", "n > 2 ? n : nil", "s.first"])
    b.line(f"let v = {value}")
    bound = b.one(["let v", "let v = v", "let w = v, let v = v"])
    test = b.one(["v == v && n > 5", '"\\(v)".count > 1', "n == 0"])
    b.lines(f"if {bound}, {test} {{", '    log.append("a\\(v)")', "} else " + b.one(["{", "if let v, n > 2 {"]),
        '    log.append("b\\(v as Any)")', "}")
    b.declare(f'func guarded§(_ v: Int?, _ n: Int) -> String {{\n    guard let v = v, v > n else {{ return "\\(v as Any)" }}\n    return "\\(v)"\n}}')
    b.log("guarded§(Int(s), n) + guarded§(n, 2) + guarded§(nil, 0)")
    b.line(f'let told = if {bound}, {test} {{ "c\\(v)" }} else {{ "d\\(v as Any)" }}')
    b.log("told")


@construct("shown-nested")
def shown_nested(b):
    b.declare("struct Outer§ {\n    struct Inner: Hashable { var a = 1; var r = 1..<2 }\n    enum Kind { case plain, with(Inner), list([Inner]) }\n}")
    values = ["Outer§.Inner()", "[Outer§.Inner(a: n)]", "Outer§.Kind.plain", "[Outer§.Kind.with(Outer§.Inner())]", "[1..<3]", "[1...n + 1]",
        "[Set([n])]", "[[1, 2, 3][1...]]", "Optional(Outer§.Inner()) as Any", "(Outer§.Inner(), [1..<2])", '["k": Outer§.Inner()]',
        "Optional(0..<n + 1) as Any", "Outer§.Kind.list([Outer§.Inner()])", "[Optional(Set([1]))]", "[n: [1...2]]", "Set([Outer§.Inner()])"]
    for value in b.some(values, 2, 5):
        b.log(f'"\\({value})"')
