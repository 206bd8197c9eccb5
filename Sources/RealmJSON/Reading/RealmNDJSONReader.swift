import Columns
import RealmModel

/// Reads a realm from lines of JSON: first `{"schemaVersion", "schema"}`, then `{"class", "object"}` each.
///
/// Lines are read in chunks of about 1 MiB; the largest alone has to fit in memory, at most 128 MiB. Empty lines are
/// passed over.
public struct RealmNDJSONReader {
    private let text: DocumentText
    private let store: any SegmentStore
    private let limits: RowGroupLimits
    private let keySpace: KeySpace

    private var source: any ByteSource { text.source }
    private var window: ByteWindow { text.window }

    /// Prepares to read.
    ///
    /// - Parameters:
    ///   - source: the lines, in UTF-8.
    ///   - store: where the objects go.
    ///   - chunk: bytes to read at once.
    ///   - keyBytes: bytes of primary keys that are held in memory.
    ///   - scratch: makes an empty store for more primary keys, which is let go when the document is read.
    public init(
        _ source: any ByteSource, into store: any SegmentStore, limits: RowGroupLimits = .standard,
        chunk: Int = 1 << 20, keyBytes: Int = 16 << 20,
        scratch: @escaping () throws -> any SegmentStore = { MemorySegmentStore() }
    ) {
        text = DocumentText(source, chunk: chunk)
        self.store = store
        self.limits = limits
        keySpace = KeySpace(bytes: keyBytes, scratch: scratch)
    }

    /// Reads the lines.
    ///
    /// - Throws: `InputError` where a line is wrong, with the place and never a value; what the source and the store
    ///   throw.
    public func read() throws -> Snapshot { try RealmIntake.read(read) }

    private func read(_ repeated: RepeatedPrimaryKeys?, into current: inout RealmIntake?) throws -> Snapshot {
        window.seek(to: 0)
        try window.skipByteOrderMark()
        let head = try readHead()
        let intake = RealmIntake(
            schema: head.schema, store: store, limits: limits, keySpace: keySpace, repeated: repeated)
        current = intake
        var number = 0
        while let line = try nextLine() {
            number = try readObject(line.run, at: line.offset, into: intake, guess: number)
        }
        return try intake.finish(schemaVersion: head.schemaVersion, source: source)
    }

    /// The next line that holds anything.
    private func nextLine() throws -> (run: UnsafeRawBufferPointer, offset: Int)? {
        while true {
            let offset = window.offset
            guard let run = try window.takeLine() else { return nil }
            if run.contains(where: { $0 != 0x20 && $0 != 0x0d && $0 != 0x09 }) { return (run, offset) }
        }
    }

    private func readHead() throws -> DocumentHead {
        guard let line = try nextLine() else {
            throw text.malformed("the end is missing", at: window.offset)
        }
        let value = try text.parse(line.run, at: line.offset)
        _ = try JSONBody(value, "The first line", members: ["schemaVersion", "schema"], at: JSONPointer())
        return try DocumentHead(schemaVersion: value["schemaVersion"], schema: value["schema"])
    }

    /// Reads one line and gives the number of its class, which is likely the next line's, too.
    private func readObject(
        _ run: UnsafeRawBufferPointer, at offset: Int, into intake: RealmIntake, guess: Int
    ) throws -> Int {
        try text.parser.withTape(of: run) { tape in
            guard let (name, object) = Self.members(tape) else {
                let place = try source.place(of: offset)
                throw InputError(
                    .malformedDocument,
                    place.item(
                        "A line has to be {\"class\": \"..\", \"object\": {..}}, at \(place).", pointer: ""))
            }
            let number =
                try intake.topLevelClass(tape.bytes(name), guess: guess)
                ?? intake.classNumber(ofDocument: tape.string(name), at: JSONPointer("/class")) {
                    try source.place(of: offset)
                }
            do {
                try intake.take(class: number, object, of: tape, offset: offset)
            } catch let refusal as Refusal {
                throw try intake.error(
                    refusal, in: run, at: .init(offset: offset, pointer: JSONPointer("/object")), of: source)
            }
            return number
        } malformed: {
            text.malformed($0, in: offset)
        }
    }

    /// The words of the class's name and of the object.
    private static func members(_ tape: JSONTape) -> (name: Int, object: Int)? {
        guard tape.tag(JSONTape.root) == JSONTape.Tag.object else { return nil }
        var name: Int?
        var object: Int?
        var member = JSONTape.root + 1
        while member < tape.end(ofContainer: JSONTape.root) - 1 {
            if name == nil, tape.string(member, is: "class"), tape.tag(member + 1) == JSONTape.Tag.string {
                name = member + 1
            } else if object == nil, tape.string(member, is: "object") {
                object = member + 1
            } else {
                return nil
            }
            member = tape.next(after: member + 1)
        }
        guard let name, let object else { return nil }
        return (name, object)
    }
}

extension RealmIntake {
    /// The number of a class that is not embedded; nil where the name is of none.
    func topLevelClass(_ name: UnsafeRawBufferPointer, guess: Int) -> Int? {
        classNumber(of: name, guess: guess).flatMap { classes[$0].schema.isEmbedded ? nil : $0 }
    }
}
