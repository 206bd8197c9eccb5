"""How long it takes to check a Swift file as an app has one: models, enumerations, helpers, and a ladder of versions."""

import subprocess
import time

from service import ServiceError

CLASSES = ["Account", "Address", "Book", "Chapter", "Device", "Episode", "Feed", "Letter", "Note", "Track"]
HEAD = """
import Foundation
import RealmSwift

enum Visibility: String, PersistableEnum {
    case everyone
    case friends
    case nobody
}

struct Name {
    let first: String
    let last: String

    var full: String { last.isEmpty ? first : "\\(first) \\(last)" }

    init(_ text: String) {
        let parts = text.components(separatedBy: " ")
        first = parts.first ?? ""
        last = parts.dropFirst().joined(separator: " ")
    }
}

extension String {
    var trimmed: String { trimmingCharacters(in: .whitespaces) }

    func shortened(to length: Int) -> String {
        count <= length ? self : String(prefix(length)) + "…"
    }
}
"""
MODEL = """
final class {name}: Object {{
    @Persisted(primaryKey: true) var id: String
    @Persisted(indexed: true) var title: String = ""
    @Persisted var subtitle: String?
    @Persisted var created = Date()
    @Persisted var position: Int = 0
    @Persisted var rating: Double?
    @Persisted var isHidden: Bool = false
    @Persisted var visibility: Visibility = .everyone
    @Persisted var tags: List<String>
    @Persisted var scores: Map<String, Int>
    @Persisted var parent: {other}?
}}
"""
STEP = """
        if oldSchemaVersion < {version} {{
            var seen = Set<String>()
            migration.enumerateObjects(ofType: {name}.className()) {{ oldObject, newObject in
                guard let old = oldObject, let new = newObject else {{ return }}
                let text = (old["title"] as? String ?? "").trimmed
                let name = Name(text)
                new["title"] = name.full.shortened(to: {length})
                if let rating = old["rating"] as? Double, rating > {version}.5 {{
                    new["position"] = Int(rating.rounded()) * 2 + {version}
                }} else {{
                    new["position"] = seen.count
                }}
                switch old["visibility"] as? String {{
                case "friends"?, "family"?: new["visibility"] = Visibility.friends.rawValue
                case .some(let other) where other.hasPrefix("no"): new["visibility"] = Visibility.nobody.rawValue
                default: new["visibility"] = Visibility.everyone.rawValue
                }}
                if !seen.insert(text.lowercased()).inserted {{
                    print("{name} \\(old["id"] ?? "?") was there before, \\(seen.count) others were not")
                }}
            }}
        }}
"""


def source(lines):
    """A file of some so many lines; not fewer."""
    text = HEAD
    for index, name in enumerate(CLASSES):
        text += MODEL.format(name=name, other=CLASSES[(index + 1) % len(CLASSES)])
    tail = "    }\n)\n"
    text += "\nlet configuration = Realm.Configuration(\n    schemaVersion: 40,\n"
    text += "    migrationBlock: { migration, oldSchemaVersion in"
    version = 0
    while text.count("\n") + tail.count("\n") < lines:
        version += 1
        text += STEP.format(version=version, name=CLASSES[version % len(CLASSES)], length=20 + version)
    return text + tail


def check(run):
    """By the program alone, as an editor would ask, processes and all."""
    text = source(400)
    path = run.folder / "Migration.swift"
    path.write_text(text)
    seconds = []
    for _ in range(max(run.options.runs, 5)):
        start = time.monotonic()
        checked = subprocess.run([run.options.program, "script", "check", path], capture_output=True, text=True)
        seconds.append(time.monotonic() - start)
        if checked.returncode != 0:
            raise ServiceError(f"the check says {checked.stdout} {checked.stderr}")
    run.results.add(
        "check a Swift file of 400 lines", [each * 1000 for each in seconds], "ms", lines=text.count("\n"))
