import Columns
import RealmModel

/// Reads a realm from Realm JSON: `{"schemaVersion", "schema", "objects"}`, the members in any order.
///
/// The document is read in chunks of about 1 MiB and never held as a whole; the largest object alone has to fit in
/// memory, at most 128 MiB. Where `objects` comes before `schema`, it is passed over and read afterwards.
public struct RealmJSONReader {
    private let text: DocumentText
    private let store: any SegmentStore
    private let limits: RowGroupLimits
    private let keySpace: KeySpace

    private var source: any ByteSource { text.source }
    private var window: ByteWindow { text.window }

    /// Prepares to read.
    ///
    /// - Parameters:
    ///   - source: the document, in UTF-8.
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

    /// Reads the document.
    ///
    /// - Throws: `InputError` where the document is wrong, with the place and never a value; what the source and the
    ///   store throw.
    public func read() throws -> Snapshot { try RealmIntake.read(read) }

    private func read(_ repeated: RepeatedPrimaryKeys?, into intake: inout RealmIntake?) throws -> Snapshot {
        window.seek(to: 0)
        try window.skipByteOrderMark()
        var version: JSONValue?
        var schema: JSONValue?
        var objectsOffset: Int?
        func makeIntake(_ head: DocumentHead) -> RealmIntake {
            RealmIntake(schema: head.schema, store: store, limits: limits, keySpace: keySpace, repeated: repeated)
        }
        var names: Set<NameKey> = []
        try readMembers { name, place in
            guard names.insert(name: name) else {
                throw text.malformed("a member that stands twice in its object", at: place)
            }
            switch name {
            case "schemaVersion": version = try takeValue()
            case "schema": schema = try takeValue()
            case "objects" where schema == nil:
                objectsOffset = window.offset
                try window.skipValue()
            case "objects":
                let objects = makeIntake(try DocumentHead(schemaVersion: version, schema: schema))
                intake = objects
                try readObjects(into: objects)
            default: throw InputError.unknownMember(name, "A realm", known: ["schemaVersion", "schema", "objects"])
            }
        }
        guard try window.peekBehindSpace() == nil else {
            throw text.malformed("something follows the value", at: window.offset)
        }
        let complete = try DocumentHead(schemaVersion: version, schema: schema)
        let objects = intake ?? makeIntake(complete)
        intake = objects
        if let objectsOffset {
            window.seek(to: objectsOffset)
            try readObjects(into: objects)
        }
        return try objects.finish(schemaVersion: complete.schemaVersion, source: source)
    }

    private func takeValue() throws -> JSONValue {
        let run = try window.takeValue()
        return try text.parse(run, at: window.offset - run.count)
    }

    /// Reads an object whose values the function moves behind; gives it each name and where that stands.
    private func readMembers(_ body: (String, Int) throws -> Void) throws {
        try open(UInt8(ascii: "{"), "An object")
        guard try window.peekBehindSpace() != UInt8(ascii: "}") else { return window.advance() }
        repeat {
            guard try window.peekBehindSpace() == UInt8(ascii: "\"") else {
                throw try unexpected("a member's name has to stand here")
            }
            let offset = window.offset
            guard case .string(let name) = try takeValue() else {
                throw text.malformed("a member's name has to stand here", at: offset)
            }
            try expect(UInt8(ascii: ":"), "a colon has to stand here")
            guard try window.peekBehindSpace() != nil else { throw try unexpected("") }
            try body(name, offset)
        } while try takeComma()
        try expect(UInt8(ascii: "}"), "a comma or } has to stand here")
    }

    private func readObjects(into intake: RealmIntake) throws {
        var names: Set<NameKey> = []
        try readMembers { name, place in
            guard names.insert(name: name) else {
                throw text.malformed("a member that stands twice in its object", at: place)
            }
            try readClass(name, at: place, into: intake)
        }
    }

    private func readClass(_ name: String, at place: Int, into intake: RealmIntake) throws {
        let pointer = JSONPointer("/objects").member(name)
        let number = try intake.classNumber(ofDocument: name, at: pointer) { try source.place(of: place) }
        try open(UInt8(ascii: "["), "An array")
        guard try window.peekBehindSpace() != UInt8(ascii: "]") else { return window.advance() }
        var index = 0
        repeat {
            guard try window.peekBehindSpace() != nil else { throw try unexpected("") }
            try readObject(number, pointer, index, into: intake)
            index += 1
        } while try takeComma()
        try expect(UInt8(ascii: "]"), "a comma or ] has to stand here")
    }

    private func readObject(_ number: Int, _ pointer: JSONPointer, _ index: Int, into intake: RealmIntake) throws {
        let offset = window.offset
        let run = try window.takeValue()
        try text.parser.withTape(of: run) { tape in
            do {
                try intake.take(class: number, JSONTape.root, of: tape, offset: offset)
            } catch let refusal as Refusal {
                throw try intake.error(
                    refusal, in: run, at: .init(offset: offset, pointer: pointer.element(index)), of: source)
            }
        } malformed: {
            text.malformed($0, in: offset)
        }
    }

    /// Moves behind an opening bracket; another value in its place may be JSON, but is no realm.
    private func open(_ byte: UInt8, _ what: String) throws {
        guard let found = try window.peekBehindSpace() else { throw try unexpected("") }
        guard found == byte else {
            let place = try source.place(of: window.offset)
            throw InputError(.malformedDocument, place.item("\(what) has to stand at \(place)."))
        }
        window.advance()
    }

    private func expect(_ byte: UInt8, _ reason: String) throws {
        guard try window.peekBehindSpace() == byte else { throw try unexpected(reason) }
        window.advance()
    }

    private func unexpected(_ reason: String) throws -> any Error {
        text.malformed(try window.peekBehindSpace() == nil ? "the end is missing" : reason, at: window.offset)
    }

    private func takeComma() throws -> Bool {
        guard try window.peekBehindSpace() == UInt8(ascii: ",") else { return false }
        window.advance()
        return true
    }
}

extension RealmIntake {
    /// The number of a class that a document names.
    ///
    /// - Throws: `unknownClass` where the schema has it not, or its objects stand in their parents.
    func classNumber(
        ofDocument name: String, at pointer: JSONPointer, place: () throws -> TextPlace
    ) throws -> Int {
        var name = name
        guard let number = name.withUTF8({ classNumber(of: UnsafeRawBufferPointer($0)) }) else {
            let place = try place()
            var item = place.item(
                "The schema has no class '\(name)', at \(place).", pointer: pointer.description, className: name)
            item.hint = NearestName.question(name, among: classes.map(\.schema.name))
            throw InputError(.unknownClass, item)
        }
        guard !classes[number].schema.isEmbedded else {
            let place = try place()
            throw InputError(
                .malformedDocument,
                place.item(
                    "Objects of the embedded class \(name) stand in their parents, at \(place).",
                    pointer: pointer.description, className: name))
        }
        return number
    }
}
