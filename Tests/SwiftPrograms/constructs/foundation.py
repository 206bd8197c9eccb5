"""Dates, URLs and JSON of Foundation."""

from constructs.registry import construct
from writing.templates import Values, logged


@construct("date")
def dates(b):
    form = b.one(["yyyy-MM-dd HH:mm:ss", "yyyy-MM-dd", "dd.MM.yy HH:mm", "MMM d, yyyy", "MMMM d yyyy", "MMMMM EEEEE x", "EEEE, d MMMM yyyy",
        "yyyy-MM-dd'T'HH:mm:ssZ",
        "h:mm a", "yyyyMMdd", "D", "yyyy-MM-dd HH:mm:ss.SSS", "EEE MMM dd", "H:m:s", "yyyy/M/d", "MM/yyyy", "yy-M-d h a"])
    times = ["0", "86399.5", "-0.5", "-86400", "1577836800", "1582934399.25", "951782400", "4102444800", "-2208988800", "Double(n) * 86400",
        "1e9 + 0.125"]
    b.lines("let format = DateFormatter()", 'format.locale = Locale(identifier: "en_US_POSIX")',
        f'format.timeZone = TimeZone({b.one(["identifier: " + chr(34) + "UTC" + chr(34), "secondsFromGMT: 0", "secondsFromGMT: 7200", "abbreviation: " + chr(34) + "GMT" + chr(34)])})', f'format.dateFormat = "{form}"', f"let d = Date(timeIntervalSince1970: {b.one(times)})",
            "var calendar = Calendar(identifier: .gregorian)", 'calendar.timeZone = TimeZone(identifier: "UTC")!',
            f"let e = Date(timeIntervalSince1970: {b.one(times)})")
    texts = {"yyyy-MM-dd": ["2020-02-29", "2021-02-29", "2020-1-5", "20-01-01", "2020-01-01 ", " 2020-01-01", "2020-13-01", "",
        "x"], "MMM d, yyyy": ["Feb 3, 2019", "February 3, 2019", "feb 3, 2019"], "MMMM d yyyy": ["Feb 3 2019", "March 12 2020"]}.get(form,
        ["2020-01-01 12:30:10", "2020-01-01 12:30:10 ", "Feb 3, 2019", "1:05 PM", "20200229", "31.12.99 23:59",
        "2019-12-31T23:59:59+0100", "Friday, 3 March 2017", "2020/2/3", "12/2020"])
    k = b.number(-40, 400)
    lines = ["log.append(format.string(from: d))", f'log.append("\\(format.date(from: "{b.one(texts)}")?.timeIntervalSince1970 ?? -1)")',
        f'log.append("\\(format.date(from: "{b.one(texts)}").map {{ $0.timeIntervalSince1970 }} ?? -2)")', 'log.append("\\(d)")',
        'log.append("\\(d.timeIntervalSince1970) \\(d.timeIntervalSinceReferenceDate)")',
        f'log.append("\\(d.addingTimeInterval({k}.5)) \\(d < e) \\(d == e)")',
        'log.append("\\(calendar.component(.year, from: d)) \\(calendar.component(.weekday, from: d)) \\(calendar.component(.day, from: e))")',
             f'log.append("\\(calendar.date(byAdding: .{b.one(["day", "month", "year", "hour"])}, value: {k}, to: d)!)")',
             'log.append("\\(calendar.startOfDay(for: d))")', 'log.append("\\(calendar.isDate(d, inSameDayAs: e))")',
             "let parts = calendar.dateComponents([.year, .month, .day, .hour], from: d); log.append(\"\\(parts.year!) \\(parts.month!) \\(parts.day!) \\(parts.hour!)\")", f'log.append("\\(calendar.date(from: DateComponents(year: {1960 + abs(k)}, month: {b.number(1, 14)}, day: {b.number(1, 31)}))!)")', "let iso = ISO8601DateFormatter(); log.append(iso.string(from: d))",
             f'log.append("\\(ISO8601DateFormatter().date(from: "{b.one(["2020-01-01T12:00:00Z", "2020-01-01T12:00:00+02:00", "2020-01-01T12:00:00.5Z", "2020-01-01", "2020-01-01T12:00:00", "2020-01-01T12:00:00z"])}")?.timeIntervalSince1970 ?? -1)")', "let iso = ISO8601DateFormatter(); iso.formatOptions = [.withInternetDateTime, .withFractionalSeconds]; log.append(iso.string(from: e))", 'log.append("\\(d.timeIntervalSince(e)) \\(max(d, e) == d)")', "log.append(\"\\([d, e].sorted().map { $0.timeIntervalSince1970 })\")", 'log.append("\\(calendar.dateComponents([.day], from: d, to: e).day!)")', "log.append(\"\\(d.compare(e) == .orderedAscending)\")", 'log.append("\\(Date.distantPast < d)")']
    b.lines(*(line if "let iso" not in line else f"do {{ {line} }}" for line in b.some(lines[:3] + lines, 1, 4)))


@construct("url")
def urls(b):
    texts = ["https://a.b/c/d.txt?q=1&r=x%20y#frag", "http://a.b", "file:///tmp/a%20b.png", "a/b/../c", "", "https://a.b/é?q=ü",
        "http://a.b/c d", "mailto:x@y.z", "https://user@host:8080/p/", "/abs/path.tar.gz", "https://a.b/c//d/"]
    b.line(f'let u = URL(string: "{b.one(texts)}")')
    lines = ['log.append(u?.absoluteString ?? "nil")', 'log.append(u?.path ?? "nil")', 'log.append(u?.lastPathComponent ?? "nil")',
        'log.append(u?.pathExtension ?? "nil")', 'log.append(u?.host ?? "nil")', 'log.append(u?.scheme ?? "nil")',
        'log.append(u?.query ?? "nil")', 'log.append(u?.deletingLastPathComponent().absoluteString ?? "nil")',
        'log.append(u?.appendingPathComponent("x").absoluteString ?? "nil")', 'log.append("\\(URL(string: s) == nil)")',
        'log.append(URL(fileURLWithPath: "/a/b c").path)', 'log.append("\\(u == URL(string: "http://a.b"))")',
        'log.append(("/a/b.txt" as NSString).deletingPathExtension)', 'log.append(("/a/b.txt" as NSString).lastPathComponent)',
        'log.append(URL(fileURLWithPath: "/a/b.txt").lastPathComponent)', 'log.append("\\(u.map { "\\($0)" } ?? "none")")',
        'log.append("a b&c/d".addingPercentEncoding(withAllowedCharacters: .urlHostAllowed)!)',
        'log.append(URL(string: "p/q", relativeTo: URL(string: "http://h/")!)?.absoluteString ?? "nil")',
        'log.append(URLComponents(string: "http://a.b/c?x=1")?.queryItems?.first?.value ?? "nil")']
    b.lines(*b.some(lines[:1] + lines, 1, 3))


@construct("json")
def json(b):
    b.declare("enum Mode§: String, Codable {\n    case on, off\n}\nstruct Inner§: Codable, Equatable {\n    var x: Int\n"
        "    var t: String?\n}\nstruct Doc§: Codable {\n    var id: Int\n    var name: String\n    var tags: [String] = []\n"
        "    var inner: Inner§?\n    var mode: Mode§ = .on\n    var weights: [String: Double] = [:]\n" + b.one(["",
        "    enum CodingKeys: String, CodingKey {\n        case id = \"ID\", name, tags, inner, mode, weights\n    }\n"]) + "}")
    key = "ID" if "CodingKeys" in "".join(b.declarations) else "id"
    b.lines("let encoder = JSONEncoder()", "encoder.outputFormatting = " + b.one([".sortedKeys", "[.sortedKeys, .withoutEscapingSlashes]",
        "[.sortedKeys, .prettyPrinted]"]))
    texts = [f'{{"{key}": 1, "name": "a", "tags": [], "mode": "on", "weights": {{}}}}',
        f'{{"{key}": 2, "name": "é/\\\\n", "tags": ["x"], "inner": {{"x": 3}}, "mode": "off", "weights": {{"w": 1.5}}}}',
        f'{{"{key}": "1", "name": "a"}}', '{"name": 1}',
        f'{{"{key}": 3, "name": "n", "tags": ["q"], "inner": null, "mode": "bad", "weights": {{}}}}', "[]", "not"]
    q = lambda: "#\"" + b.one(texts).replace("\\\\n", "\\n") + "\"#"
    lines = [f"let d = Doc§(id: n, name: s, tags: [\"a/b\", \"\\\"\"], inner: Inner§(x: 1, t: \"t\"), weights: [\"k\": 0.5]); log.append(String(decoding: try! encoder.encode(d), as: UTF8.self))", f"if let r = try? JSONDecoder().decode(Doc§.self, from: Data({q()}.utf8)) {{ log.append(\"\\(r.id) \\(r.name) \\(r.tags) \\(r.inner?.x ?? -1) \\(r.mode)\") }} else {{ log.append(\"bad\") }}", f"do {{ let r = try JSONDecoder().decode(Doc§.self, from: {q()}.data(using: .utf8)!); log.append(r.name) }} catch {{ log.append(\"error\") }}",
             "log.append(String(data: try! encoder.encode([3, n]), encoding: .utf8)!)",
             "log.append(String(decoding: try! encoder.encode([\"k\": Inner§(x: n, t: nil)]), as: UTF8.self))",
             f"let o = (try? JSONSerialization.jsonObject(with: Data({q()}.utf8))) as? [String: Any]; log.append(\"\\(o?[\"name\"] as? String ?? \"none\") \\((o?[\"tags\"] as? [String])?.count ?? -1)\")", "let back = try! JSONDecoder().decode(Inner§.self, from: encoder.encode(Inner§(x: n, t: s))); log.append(\"\\(back == Inner§(x: n, t: s))\")", "let data = try! JSONSerialization.data(withJSONObject: [\"b\": n, \"a\": [1, \"x\"]], options: [.sortedKeys]); log.append(String(decoding: data, as: UTF8.self))", "log.append(\"\\((try? JSONDecoder().decode([Int].self, from: Data(\"[1, 2, \\(n)]\".utf8))) ?? [])\")", "log.append(String(decoding: try! encoder.encode([1.5, 2, 0.1]), as: UTF8.self))", "log.append(String(decoding: try! encoder.encode(Mode§.off), as: UTF8.self))", "log.append(\"\\((try? JSONDecoder().decode([String: Int?].self, from: Data(\"{\\\"a\\\": null}\".utf8)))?.count ?? -1)\")"]
    b.lines(*b.some(lines, 1, 3))
