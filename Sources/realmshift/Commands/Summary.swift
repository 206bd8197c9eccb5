import Columns
import FoundationEssentials
import RealmFile
import RealmFormats
import RealmJSON

/// A summary of a command that wrote a realm, for standard error.
struct Summary {
    private let start = Date().timeIntervalSinceReferenceDate
    /// `migrated`, `converted` or `rescued`.
    private let verb: String
    private let input: String
    private let output: String
    private let format: RealmFormat

    /// Begins to measure the time.
    ///
    /// - Parameter output: what messages call it.
    init(_ verb: String, _ input: String, to output: String, format: RealmFormat) {
        self.verb = verb
        self.input = FileName.of(input, isInput: true)
        self.output = output
        self.format = format
    }

    /// Says that something is not in the output, whatever else is kept quiet.
    private func tell(leftOut text: String) {
        Console.error("realmshift: left out of \(TerminalText.cell(output)): \(TerminalText.cell(text))\n")
    }

    /// Says which classes are not in the output, whatever else is kept quiet.
    func tellLeftOut(of snapshot: Snapshot) {
        guard format == .realm else { return }
        for stored in RealmFileWriter.leftOut(of: snapshot) {
            let objects = Quantity.count(stored.objectCount, "object", "objects")
            tell(
                leftOut:
                    "the asymmetric class '\(stored.schema.name)' with \(objects), which a local realm has no place for"
            )
        }
    }

    /// Says which indexes are not in a file of an older format, whatever else is kept quiet.
    func tellIndexesLeftOut(of snapshot: Snapshot, in fileFormat: WrittenFormat) {
        guard format == .realm else { return }
        for index in RealmFileWriter.indexesLeftOut(of: snapshot, in: fileFormat) {
            tell(
                leftOut: "the index of the list \(index.className).\(index.property), which format "
                    + "\(fileFormat.rawValue) has no place for; Realm makes it when it opens the file")
        }
    }

    /// One line: what became of what, with versions, objects, bytes and seconds.
    ///
    /// - Parameters:
    ///   - source: what was read.
    ///   - result: what was written.
    ///   - bytes: of the output.
    ///   - report: what is to be told of the source besides, for JSON alone.
    ///   - asJSON: as an object of JSON.
    func text(source: Snapshot, result: Snapshot, bytes: Int, report: ReadingReport = ReadingReport(), asJSON: Bool)
        -> String
    {
        let seconds = Date().timeIntervalSinceReferenceDate - start
        let counts = result.declared.classes.map { ($0.name, result[$0.name]?.objectCount ?? 0) }
        if asJSON {
            let versions = [source.schemaVersion, result.schemaVersion].map { version -> JSONValue in
                version.map { .int(Int64(clamping: $0)) } ?? .null
            }
            let members: KeyValuePairs<String, JSONValue> = [
                "input": .string(input), "output": .string(output), "format": .string(format.name),
                "fromVersion": versions[0], "toVersion": versions[1],
                "objectCounts": .object(counts.map { JSONMember($0.0, .int(Int64($0.1))) }),
                "bytes": .int(Int64(bytes)), "seconds": .double((seconds * 1000).rounded() / 1000),
            ]
            let document = JSONValue.object(members.map { JSONMember($0.key, $0.value) } + report.members)
            return String(decoding: document.encoded(), as: UTF8.self) + "\n"
        }
        let objects = Quantity.count(counts.reduce(0) { $0 + $1.1 }, "object", "objects")
        let classes = Quantity.count(counts.count, "class", "classes")
        return
            "realmshift: \(verb) \(TerminalText.cell(input)) to \(TerminalText.cell(output)): \(Self.versions(source, result)), "
            + "\(objects) in \(classes), \(Quantity.count(bytes, "byte", "bytes")) of \(format.name), "
            + Quantity.duration(seconds) + "\n"
    }

    private static func versions(_ source: Snapshot, _ result: Snapshot) -> String {
        let names = [source, result].map { $0.schemaVersion.map(String.init) ?? "none" }
        return "schema version \(names[0])" + (names[0] == names[1] ? "" : " → \(names[1])")
    }
}
