import RealmMigration
import RealmModel

/// Advice to the author of a script that failed: the name that was probably meant, or another way to do it.
///
/// It stands beside the message, which may be Realm's or JavaScript's, word for word.
struct ScriptAdvice {
    private let source: String
    private let schemas: [Schema]

    /// - Parameter schemas: those of the two sides; empty before the run.
    init(source: String, schemas: [Schema]) {
        self.source = source
        self.schemas = schemas
    }

    /// The error with a hint at its first place, and with a line where the text alone tells it.
    func adding(to error: MigrationError) -> MigrationError {
        guard error.script == .syntax || error.script == .exception || error.code != nil,
            let advice = advice(error.message)
        else { return error }
        var error = error
        if error.details.isEmpty { error.details = [ProblemItem(error.message)] }
        error.details[0].hint = error.details[0].hint ?? advice.hint
        if error.details.allSatisfy({ $0.line == nil }) { error.details[0].line = advice.line }
        return error
    }

    private struct Advice {
        let hint: String
        var line: Int?
    }

    /// The longest message that is looked at, in UTF-8 bytes: what is longer is a script's own.
    private static let longest = 500

    private func advice(_ message: String) -> Advice? {
        guard message.utf8.count <= Self.longest else { return nil }
        if let hint = nameHint(message) { return Advice(hint: hint) }
        if message.hasPrefix("Migrations are synchronous") {
            let line = line { $0.contains(#/\b(async|Promise)\b/#.wordBoundaryKind(.simple)) }
            return Advice(
                hint: "Leave out async, await and promises: all objects are there when they are asked for.", line: line)
        }
        if message.hasPrefix("The script declares no function migrate") {
            let names = source.matches(of: #/\b(?:function|const|let|var)\s+([\p{L}_$][\p{L}\p{N}_$]*)/#).map {
                String($0.1)
            }
            let nearest = ["migrate", "onMigration"].compactMap { wanted in
                NearestName.find(wanted, among: names).map { (wanted, $0) }
            }.first
            guard let (wanted, name) = nearest else { return nil }
            let line = line { $0.contains(name) }
            let hint =
                name == wanted
                ? "'\(name)' has to be a function." : "The script declares '\(name)': call it '\(wanted)'."
            return Advice(hint: hint, line: line)
        }
        return Self.otherWay(message).map { Advice(hint: $0) }
    }

    // MARK: Names

    private func nameHint(_ message: String) -> String? {
        if let match = message.firstMatch(of: #/[Pp]roperty '(.+)\.([^.']+)'.* (?:because it )?does not exist/#) {
            let names = schemas.map { schema in
                schema.classes.filter { $0.name.hasSameBytes(as: String(match.1)) }.flatMap {
                    $0.properties.map(\.name)
                }
            }
            return Self.question(String(match.2), "property", among: names)
        }
        if let match = message.firstMatch(
            of: #/Object type '(.+)' not found in schema|for type '(.+)' because it does not/#)
        {
            let name = String(match.1 ?? match.2 ?? "")
            return Self.question(name, "class", among: schemas.map { $0.classes.map(\.name) })
        }
        if let match = message.firstMatch(of: #/\.([\w$]+) is not a function/#) {
            return NearestName.question(String(match.1), among: Self.functions)
        }
        return nil
    }

    /// The one schema that has a name, or a question whether the nearest name was meant.
    ///
    /// - Parameter names: those of the old and the new schema.
    private static func question(_ name: String, _ kind: String, among names: [[String]]) -> String? {
        func sides(with name: String) -> [String] {
            zip(["old", "new"], names).filter { $1.contains { $0.hasSameBytes(as: name) } }.map(\.0)
        }
        let known = sides(with: name)
        if !known.isEmpty { return known.count == 1 ? "Only the \(known[0]) schema has the \(kind) '\(name)'." : nil }
        guard let nearest = NearestName.find(name, among: names.joined()) else { return nil }
        let near = sides(with: nearest)
        return "Did you mean '\(nearest)'?" + (near.count == 1 ? " Only the \(near[0]) schema has it." : "")
    }

    /// The functions of `migration`, of its realms and of results, in docs/scripts.md.
    private static let functions = [
        "enumerateObjects", "create", "delete", "deleteData", "renameProperty", "renameClass", "objects",
        "objectForPrimaryKey", "deleteModel", "deleteAll", "filtered", "sorted", "forEach", "map", "push",
    ]

    // MARK: Lines

    /// The number of the first line of code that is asked for; a line that is a comment is none.
    private func line(where isMeant: (Substring) -> Bool) -> Int? {
        source.split(separator: "\n", omittingEmptySubsequences: false).firstIndex { line in
            !line.drop { $0 == " " || $0 == "\t" }.hasPrefix("//") && isMeant(line)
        }.map { $0 + 1 }
    }

    // MARK: Other ways

    /// A message by its beginning and a part of it, and what to do.
    private static let fixed: [(beginning: String, part: String, hint: String)] = [
        (
            "Can't find variable: ", "",
            "Declare it with const or let, or correct its name; upper and lower case differ."
        ),
        ("Unexpected identifier", "import call", "Scripts are one file: paste in what the module has."),
        (
            "Unexpected ", "",
            "Something is too many in this line, or missing before that: a value, a parenthesis or a comma."
        ),
        (
            "Invalid null value for non-nullable", "",
            "Give a value, or declare the property optional; a name that the old object does not have reads as undefined."
        ),
        ("Cannot modify the old realm", "", "Write to the new object, the second one that the callback is given."),
        (
            "Missing value for property", "",
            "Give the value where the object is made, or declare the property optional or with a default."
        ),
        (
            "Expected '", "got a number beyond",
            "Give it as a BigInt, such as 9007199254740993n: a number may be rounded there."
        ),
        ("Expected '", "got a number with a fraction", "Round the number, by Math.round(…) or Math.trunc(…)."),
        ("Expected '", "got NaN", "Look whether the number is one, by Number.isNaN(…), and give another for it."),
        ("Expected '", "got an infinite number", "Look whether the number is one, by Number.isFinite(…)."),
        ("Expected '", "' to be a number", "Convert the value by Number(…)."),
        ("Expected '", "' to be a string", "Convert the value by String(…)."),
        ("The script threw an object", "", "Throw an Error, as by throw new Error(\"…\"): it knows its line."),
        ("Maximum call stack size exceeded", "", "A function calls itself without an end, or too deep: write a loop."),
        ("undefined is not an object", "", missing), ("null is not an object", "", missing),
        (
            "Attempting to create an object of type", "",
            "Look the object up by objectForPrimaryKey and change it, or take another key."
        ),
    ]

    private static let missing = "Look whether the value is there before you ask for its members, as by a?.b."

    /// Variables of browsers and of Node, which scripts look for in vain.
    private static let absent = [
        "setTimeout", "setInterval", "queueMicrotask", "fetch", "require", "process", "window", "XMLHttpRequest",
        "module", "exports",
    ]

    private static func otherWay(_ message: String) -> String? {
        if absent.contains(where: { message == "Can't find variable: \($0)" }) {
            return
                "Scripts have no timers, network, files or modules: a migration is one file, and a function that runs to "
                + "its end."
        }
        return fixed.first { message.hasPrefix($0.beginning) && message.contains($0.part) }?.hint
    }
}
