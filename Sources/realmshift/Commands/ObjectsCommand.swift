import FileStore
import RealmFormats
import RealmJSON
import RealmModel
import RealmQuery

extension Command {
    /// `realmshift objects`: looks into a class.
    static let objects = Command(
        name: "objects", summary: "show objects of a class: those that a query finds, or who links to one",
        discussion: """
            Shows objects of CLASS in the realm FILE, a line of Realm JSON each. --where takes Realm's query language
            (docs/queries.md): the comparisons ==, !=, <, <=, > and >=, IN, BETWEEN, BEGINSWITH, ENDSWITH, CONTAINS and LIKE,
            with [c] for either case, ANY, ALL and NONE over collections, .@count, .@sum, @links.Class.property for who links,
            SUBQUERY, AND, OR and NOT, SORT, DISTINCT and LIMIT. --links names an object by its primary key, or by its object
            key in a class without one. - is standard input.
            """,
        operands: ["FILE", "CLASS"],
        options: [
            Option("--where", "QUERY", "show what fits (default: all objects)"),
            Option(
                "--sort", "PATHS",
                "properties with commas between, over links with dots; DESC behind one turns it (default: by object key)"
            ),
            Option("--limit", "N", "show the first N (default: 100)"),
            Option(
                "--links", "KEY",
                "show who links to an object: a line a property, with the keys of the first hundred (default: objects)"),
            Option("--count", nil, "show nothing but the number of objects that fit"),
            Option(
                "--from", "FORMAT",
                "\(RealmFormat.readable.alternatives) (default: what the name ends in; needed for -)",
                choices: RealmFormat.readable.map(\.name)),
            Option("--key", "HEX", "the 64-byte key of an encrypted file, 128 hexadecimal digits"),
            Option("--key-file", "F", "a file that holds the key, raw or in hexadecimal"),
            Option("--json", nil, "errors as one line of problem JSON (RFC 9457)"),
        ],
        examples: [
            "objects notes.realm Person --where 'age > 30 AND name BEGINSWITH \"A\"' --sort 'age DESC, name'",
            "objects notes.realm Person --links 17",
        ],
        run: { try objects($0) })

    private static func objects(_ arguments: Arguments) throws -> ExitStatus {
        let (path, name) = (arguments.operands[0], arguments.operands[1])
        let format = try RealmFormat(path, option: "--from", among: RealmFormat.readable, arguments, of: .objects)
        let store = try FileSegmentStore()
        let snapshot = try RealmInput.read(
            path, format: format, key: try arguments.encryptionKey(of: .objects), into: store
        ).snapshot
        guard let declared = snapshot.declared[name], !declared.isEmbedded else {
            let names = snapshot.declared.classes.filter { !$0.isEmbedded }.map(\.name)
            let nearest = NearestName.find(name, among: names).map { "; did you mean \($0)?" } ?? "."
            throw UsageError(
                snapshot.declared[name] == nil
                    ? "\(path) has no class \(name)\(nearest)"
                    : "\(name) is embedded: its objects are shown in those that own them.", command: .objects)
        }
        let objects = ObjectJSON(snapshot, from: store)
        if let text = arguments["--links"] {
            guard let key = try objects.object(named: text, ofClass: name)?.key else {
                throw UsageError("\(name) has no object with the key \(text).", command: .objects)
            }
            for origin in try LinkSearch(snapshot, from: store).origins(of: key, ofClass: name) {
                try Console.output(origin.line)
            }
            return .done
        }
        do {
            guard let search = try ObjectSearch(arguments["--where"], on: name, in: snapshot, from: store) else {
                return .done
            }
            if arguments.has("--count") {
                try Console.output("\(try search.count())\n")
                return .done
            }
            for key in try keys(search, arguments) {
                guard let object = try objects.object(key, ofClass: name) else { continue }
                try Console.output(String(decoding: object.bytes, as: UTF8.self) + "\n")
            }
        } catch let error as QueryError {
            throw UsageError([error.located, error.hint].compactMap(\.self).joined(separator: ". "), command: .objects)
        }
        return .done
    }

    private static func keys(_ search: ObjectSearch, _ arguments: Arguments) throws -> [ObjectKey] {
        let limit = try arguments.integer("--limit", in: 0...1_000_000, of: .objects) ?? 100
        guard let order = arguments["--sort"] else { return try search.keys(limit: limit) }
        let paths = try order.split(separator: ",").map { part in
            let words = part.split(separator: " ")
            let direction = words.dropFirst().map { $0.uppercased() }
            guard let path = words.first, direction.isEmpty || direction == ["ASC"] || direction == ["DESC"] else {
                throw UsageError("--sort: '\(part)' is no path with ASC or DESC behind it.", command: .objects)
            }
            return (path: String(path), isReversed: direction == ["DESC"])
        }
        return try search.keys(sorted: paths, limit: limit)
    }
}

extension LinkSearch.Origin {
    /// The links of one property as a line of JSON.
    fileprivate var line: String {
        let document: JSONValue = [
            "class": .string(className), "property": .string(property), "count": .int(Int64(count)),
            "keys": .array(keys.map { .int($0.value) }),
        ]
        return String(decoding: document.encoded(), as: UTF8.self) + "\n"
    }
}
