"""Numbers: arithmetic, widths, floating point, conversions and formats."""

from constructs.registry import construct
from values.named import structure
from values.types import Array, Int
from writing.templates import Values, logged

WIDTHS = ["Int8", "UInt8", "Int16", "UInt16", "Int32", "UInt32", "Int64", "UInt64", "UInt"]


def numbers(b):
    values = Values(b)
    b.lines(f"let i = {b.number(-50, 50)}", f"let j = {b.one([3, 7, -4, 1 << 33, 255])}", f"var v = {b.number(0, 9)}")
    values.names["I"] = ["n", "i", "j"]
    return values


@construct("int-arithmetic")
def integers(b):
    values = numbers(b)
    logged(b, values, [
        "{I} / {P}", "{I} % {P}", "-{P} / 2", "-7 % {P}", "{I} &+ Int.max", "{I} &* {I}", "{I} &- Int.min", "{I} & {I}", "{I} | {P}",
        "{I} ^ {I}", "~{P}", "{P} << {S}", "{I} >> {S}", "{P} &<< 70", "({I}).magnitude", "({I}).signum()",
        "({I}).quotientAndRemainder(dividingBy: {P})", "({I}).isMultiple(of: {P})", "({I}).addingReportingOverflow(Int.max)",
        "({I}).multipliedReportingOverflow(by: {I}).overflow", "({I}).subtractingReportingOverflow({I})", "({P}).bitWidth",
        "({I}).nonzeroBitCount",
        "({P}).leadingZeroBitCount", "({P}).trailingZeroBitCount", "abs({I})", "min({I}, {I})", "max({I}, {I}, {I})", "Int.max / {P}",
        "Int.min / {P} + {I}", "{I} == {I}", "({I}, {I}) < ({I}, {I})", "String({I}, radix: 16)", "String({P} * 1000, radix: 2)",
        "Int(\"{P}f\", radix: 16) ?? -1",
        ";v += {I}\nv -= {P}", ";v *= {P}\nv /= {P}", ";v = -v\nv %= {P}", ";v <<= {S}\nv ^= {P}", ";v.negate()", "min(max({I}, 0), 9)",
        "(1...{P}).reduce(1, *)", "{I} > 0 ? {I} : -{I}", "0x{P}F + 0b101 + 0o{S}7 + 1_000", "({I}).description",
        "({I}).distance(to: {I})", "({I}).advanced(by: {P})", "({I}).byteSwapped", "({P}).dividingFullWidth((0, 17)).quotient",
    ], 1, 3)
    b.log('"\\(v)"')


@construct("int-width")
def widths(b):
    kind = b.one(WIDTHS)
    small = kind in ("Int8", "UInt8")
    low = b.number(0, 100) if kind.startswith("U") else b.number(-100, 100)
    b.lines(f"var x: {kind} = {low}", f"let y: {kind} = {b.number(1, 27)}")
    values = numbers(b)
    logged(b, values, [
        "x &+ y", "x &* y", "x &- y", "x / y", "x % y", "x & y", "x | y", "x ^ y", "~x", "x >> {S}",
        "y << {S}" if not small else "y &<< {S}", f"{kind}.max", f"{kind}.min", "x.addingReportingOverflow(y)",
        f"x.multipliedReportingOverflow(by: {kind}.max)", f"{kind}(truncatingIfNeeded: {{I}} &* 1000)", f"{kind}(clamping: {{I}} &* 300)",
        f"{kind}(exactly: {{I}}).map {{ \"\\($0)\" }} ?? \"no\"", "Int(x) - Int(y)", "Double(x) / 4", f"{kind}(\"{{P}}\") ?? 0",
        f"{kind}(\"-{{P}}\").map {{ \"\\($0)\" }} ?? \"none\"", "x.nonzeroBitCount", "x.leadingZeroBitCount", "y.trailingZeroBitCount",
        "x.bitWidth", "x.magnitude", "x < y", "x == y", "String(x, radix: 16)",
        ";x = x &+ y", ";x ^= y\nx |= 1", ";x &+= y", ";x &*= y", "UInt8(truncatingIfNeeded: x)", "Int32(truncatingIfNeeded: x)",
        "UInt64(truncatingIfNeeded: x)", f"[x, y].max()!", f"stride(from: y, to: y + 3, by: 1).map {{ $0 }}", f"[x, y, 1].reduce(0, &+)",
        "x.byteSwapped", "(x, y)", "x.signum()", f"{kind}(3.99)", "x.isMultiple(of: y)", "x == {P}",
        f"[{kind}: String](uniqueKeysWithValues: [(x, \"a\")])[x] ?? \"\"",
    ], 1, 3)
    b.log('"\\(x)"')


DOUBLES = [
    "{D} + {D}", "{D} * {D}", "{D} / 3", "{D} - 0.1", "0.1 + 0.2", "({D}).rounded()", "({D}).rounded(.down)", "({D}).rounded(.up)",
    "({D}).rounded(.towardZero)", "({D}).rounded(.toNearestOrEven)", "({D}).rounded(.awayFromZero)", "({D}).squareRoot()",
    "({D}).truncatingRemainder(dividingBy: 0.7)",
    "({D}).remainder(dividingBy: 3)", "floor({D})", "ceil({D})", "round({D})", "trunc({D})", "abs({D})", "fabs({D})", "pow({D}, 2)",
    "pow(2, {D} / 1e10)", "sqrt(abs({D}))", "min({D}, {D})", "max({D}, {D})", "({D}).isNaN", "({D}).isZero", "({D}).sign == .minus",
    "({D}).magnitude", "-d", "d == {D}", "{D} < x",
    "Int({D} / 1e10)", "Int(exactly: {D}).map { \"\\($0)\" } ?? \"no\"", "Double({I})", "Double({I}) / 7", "Double(\"{D}\") ?? -1",
    "Double(\"1e{S}\") ?? 0", "Double({T}) ?? -1", "({D}).description", "\"\" + String({D})", "[{D}, {D}].max() ?? 0",
    "[{D}, {D}, 1].reduce(0, +)", "1.0 / 0", "-1.0 / 0", "(0.0 / 0).isNaN",
    "Double.pi", "Double.greatestFiniteMagnitude", "Double.leastNormalMagnitude", "Double.ulpOfOne", "({D}).ulp", "({D}).nextUp",
    "hypot(3, {D})", "1e15 + 0.3", "123456789012345680.0", "1e16", "1e-5", "0.0001", "5e-324", "Double({I}) * 0.01", "({D}).exponent == 3",
    "({D}).isFinite && ({D}).isNormal", "lround({D} / 1e10)",
    "({D}).addingProduct(2, 3)", "[1.5, 0.5, {D}].sorted()", "Double.infinity > {D}", "fmod({D}, 0.3)", "({D} * 100).rounded() / 100",
    "Int(({D}).rounded(.down) / 1e10)", "Double(Int64.max)", "Double(exactly: {P}) ?? 0",
]


@construct("double")
def doubles(b):
    values = Values(b)
    b.lines(f"var d = {values.fill('{D}')}", f"let x = Double(n) + {values.fill('{D}')}")
    values.names["D"] = ["d", "x"]
    logged(b, values, DOUBLES + [";d += 0.1", ";d *= {D}", ";d = d / 3", ";d.round(.up)", ";d.negate()", ";d -= x"], 1, 3)
    b.log('"\\(d)"')


@construct("float")
def floats(b):
    values = Values(b)
    b.lines(f"var g: Float = {values.fill('{D}')}", f"let h: Float = {b.one(['4.5', '0.1', '3.7', '16777217', '1.1', '2'])}")
    logged(b, values, [
        "g", "g + h", "g * h", "g / 3", "h.squareRoot()", "sqrt(h)", "h * h - g", "Double(h)", "Double(g + 0.1)", "Float(0.1) + Float(0.2)",
        "Float({D})", "Float({I})", "Float(\"{D}\") ?? 0", "h.rounded()", "h.rounded(.up)", "floor(h) + ceil(h)", "abs(g)", "min(g, h)",
        "max(g, h)", "g == h", "Double(h) == 0.1", "h < g", "Int(h)", "h.truncatingRemainder(dividingBy: 0.3)",
        "[h, 0.5, 1.25].reduce(0, +)", "[h, 0.3, 0.7].map { $0 * 0.1 }", "Double([h, 0.1, 0.2].reduce(0, +))", "Double(h * 3)",
        "Float(Double(h) * 0.1)", "h.ulp", "h.nextUp", "Float.pi", "Float.greatestFiniteMagnitude", "Float(1) / Float(n + 3)", "pow(h, 2)",
        "-h", "h.magnitude", "(h * 100).rounded() / 100", "Float(16777216) + 1", "Float(Int.max)", "Double(Float.pi)",
        "Float(exactly: 0.1) == nil", "h.description", "String(h)", "h.isNaN", "Double(h / 7)", "h.squareRoot() == Float(h.squareRoot())",
        "Float(exactly: {P}) ?? 0",
        ";g += 0.1", ";g *= h", ";g = g / 7", ";g -= h",
    ], 1, 3)
    b.log('"\\(g) \\(Double(g))"')


@construct("number-conversion")
def conversions(b):
    values = numbers(b)
    logged(b, values, [
        "Int({T}) ?? -1", "Int(\" 1\") ?? -1", "Int(\"+{P}\") ?? -1", "Int(\"0{P}\") ?? -1", "Int(\"1_0\") ?? -1", "Int(\"９\") ?? -1",
        "Int(\"9223372036854775808\") ?? -1", "Double(\" 1\") ?? -1", "Double(\"1.\") ?? -1", "Double(\".5\") ?? -1",
        "Double(\"0x1p3\") ?? -1", "Double(\"inf\") ?? -1", "Double(\"1e400\") ?? -1", "Double(\"\") ?? -1", "Double(\"1,5\") ?? -1",
        "Bool(\"true\") ?? false", "Bool({T}) ?? false", "Int(true ? {P} : 0)", "UInt8(\"256\") ?? 1", "Int8(\"-128\") ?? 1",
        "Int(\"ff\", radix: 16) ?? 0", "Int(\"z\", radix: 36) ?? 0", "Int(\"-101\", radix: 2) ?? 0",
        "String({I}, radix: 36, uppercase: true)", "Int({D} / 1e10)", "Int(exactly: 2.5) == nil", "Int(truncatingIfNeeded: UInt64.max)",
        "UInt8(clamping: {I})", "Int64({I}) + 1",
        "Int(\"{P}\")! + {I}", "Character(\"7\").wholeNumberValue ?? -1", "Int(String({I}).reversed().map(String.init).joined()) ?? -1",
        "({T} as NSString).integerValue", "({T} as NSString).doubleValue", "Decimal(string: \"1.10\")! + 1",
        "NSNumber(value: {P}).intValue", "NSNumber(value: {D}).doubleValue", "NSNumber(value: true).intValue", "({T}).utf8.count * {P}",
        "[\"1\", \"b\", \"3\"].compactMap { Int($0) }.reduce(0, +)", "[\"1\", \"b\"].map { Int($0) }",
        "Int(Float({P}) / 2)", "(Double(String({D})) ?? 0) * 2", "Int32(\"2147483648\") == nil", "UInt(\"-1\") == nil",
        "Float(\"0.1\").map { Double($0) } ?? 0", "Int(Double({P}) * 1.5)", "Int(Character(\"a\").asciiValue ?? 0)", "UInt32({P}) << 8",
        "Unicode.Scalar(97 + UInt8({S}))", "String(UnicodeScalar(UInt8(65 + {S})))", "Character(UnicodeScalar(0xe9)!)",
    ], 1, 3)


@construct("format")
def formats(b):
    values = numbers(b)
    flags = b.one(["", "-", "0", "+", " ", "5", "-6", "05", "+4", "8"])
    logged(b, values, [
        f'=String(format: "%{flags}d", {{I}})', f'=String(format: "<%{flags}.2f>", {{D}})', '=String(format: "%.{S}f", {D})',
        '=String(format: "%@-%@", {T}, {T})', '=String(format: "%x %X", {H}, {H})', '=String(format: "%o", {H})',
        '=String(format: "%c", 65 + {S})', '=String(format: "%5.1f|%-8.3f|", {D}, {D})', '=String(format: "%02d:%02d", {S}, {P})',
        '=String(format: "%ld %lld", {I}, {I})',
        '=String(format: "%u", UInt32({H}))', '=String(format: "%e", {D})', '=String(format: "%g", {D})', '=String(format: "%%{P}")',
        '=String(format: "%#x", {H})', '=String(format: "%.3d", {P})', '=String(format: "%08.3f", {D})', '=String(format: "%i", {I})',
        '=String(format: "%2$@ %1$@", {T}, {T})', '=String(format: "%*d", 5, {P})', '=String(format: "%d", Int32({P}))',
        '=String(format: "%lu", UInt({P}))',
        '=String(format: "%5@|", {T})', '=String(format: "%G", {D})', '=String(format: "%+.1e", {D})', '=String(format: "%d%%", {P})',
        '=String(format: "% d", {I})', '=String(format: "%@", [1, 2].description)', '=String(format: "%.0f", {D})',
        '=String(format: "%04x", {H})', '=String(format: "no args")', '=String(format: "%d %@ %.1f", {I}, {T}, {D})',
        '=String(format: "%x", -1)', '=String(format: "%d", 5_000_000_000)', '=String(format: "%hhd", 300)',
    ], 1, 3)
