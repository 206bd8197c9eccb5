import Columns
import RealmModel

/// Takes the objects of a document one by one, in any order, and makes a snapshot of them.
///
/// Memory: the open row groups of all classes, together at most `bufferLimit`; runs of keys; and for classes with a primary key an index
/// of its values, which goes to scratch space where it takes more than it may.
///
/// Here, and in what else is changed with every object, `@exclusivity(unchecked)` spares the runtime's check of each
/// access, which took as long as reading the objects; no function gives a variable away while another changes it.
final class RealmIntake {
    /// Bytes that the open row groups of all classes may take together, near enough.
    private static let bufferLimit = 96 << 20

    /// Cells of columns that a byte of the document may make, and those that a document may make besides: a property that an object
    /// leaves out has a cell, too, so that a little text of objects of a wide class would make any number.
    ///
    /// Asked for every object: constants that are known when it is compiled.
    static var cells: (perByte: Int, free: Int) { (32, 16 << 20) }

    let schema: Schema
    let store: any SegmentStore
    let limits: RowGroupLimits
    let classes: [ClassIntake]
    private let classNames: NameTable

    /// The class and property that are being read, for errors.
    @exclusivity(unchecked) var currentClass = 0
    @exclusivity(unchecked) var currentProperty: Int?
    /// The object key of the object that is being read, where the document says it.
    @exclusivity(unchecked) var currentKey: Int64?
    /// Where the object that is being read starts: bytes from the start of the input.
    @exclusivity(unchecked) var currentOffset = 0
    /// Cells of columns that were made.
    @exclusivity(unchecked) var cellCount = 0
    /// The properties and elements that lead to the embedded object that is being read.
    @exclusivity(unchecked) var path: [PathStep] = []

    /// Words of the values of the objects that are being read, a run of one a property each; 0 where none is given.
    @exclusivity(unchecked) var slots: [Int] = []
    /// Keys of embedded objects that their parents have not taken yet.
    @exclusivity(unchecked) var children: [Int64] = []
    /// For each primary key that was linked to before it came, the key of the object that then came, or -1.
    var tickets: [Int64] = []
    /// Where the first link of each ticket stands.
    var ticketOffsets: [Int] = []
    /// Keys in the tables of all classes.
    @exclusivity(unchecked) var tableKeys = 0
    let keySpace: KeySpace
    /// The primary keys that the tables had no room for; nil as long as they have.
    @exclusivity(unchecked) var keyLog: KeyLog?
    /// The objects of links that are in `keyLog`, once all have come.
    var resolvedLinks: ResolvedLinks?
    /// The primary keys that are known to stand twice; nil where that is to be found out.
    let repeated: RepeatedPrimaryKeys?
    /// The classes whose key of `repeated` has come.
    var foundRepeated: Set<Int> = []
    @exclusivity(unchecked) var tape = JSONTape.none

    struct PathStep {
        let property: String
        let element: Int?
    }

    init(
        schema: Schema, store: any SegmentStore, limits: RowGroupLimits, keySpace: KeySpace,
        repeated: RepeatedPrimaryKeys? = nil
    ) {
        self.schema = schema
        let store = repeated == nil ? store : ForgetfulStore()
        self.store = store
        self.keySpace = keySpace
        self.repeated = repeated
        let share = max(Self.bufferLimit / max(schema.classes.count, 1), 1 << 18)
        self.limits = RowGroupLimits(rows: limits.rows, bytes: min(limits.bytes, share))
        classes = schema.classes.map { [limits = self.limits] in
            ClassIntake($0, in: schema, store: store, limits: limits)
        }
        classNames = NameTable(schema.classes.map(\.name))
    }

    /// The number of a class by its name.
    ///
    /// - Parameter guess: the number that is tried first.
    func classNumber(of name: UnsafeRawBufferPointer, guess: Int = 0) -> Int? {
        classNames.number(of: name, guess: guess)
    }

    /// Ends the document: sorts rows, resolves links and describes the snapshot.
    ///
    /// - Throws: `duplicateKey`, `brokenLink`, `RepeatedPrimaryKeys`; what the stores throw.
    func finish(schemaVersion: UInt64?, source: any ByteSource) throws -> Snapshot {
        try resolveKeys()
        let ended = try classes.map { intake in
            do {
                return try sorted(intake)
            } catch let error as RepeatedKey {
                throw try duplicate(error, in: intake, source: source)
            }
        }
        let resolver = LinkResolver(self, source: source)
        let stored = try zip(classes, ended).map { try resolver.resolve($1, of: $0) }
        return Snapshot(schemaVersion: schemaVersion, declared: schema, classes: stored)
    }

    private func sorted(_ intake: ClassIntake) throws -> StoredClass {
        let order = try intake.keys.sort()
        let written = try intake.writer.finish(nextSequence: intake.keys.nextSequence)
        guard let order else { return written }
        var sort = try RowSort(written, order: order, store: store, limits: limits)
        return try sort.run()
    }

    private func duplicate(_ error: RepeatedKey, in intake: ClassIntake, source: any ByteSource) throws -> InputError {
        let message = "Two objects of \(intake.schema.name) have the key \(error.key)"
        guard let offset = error.offset else {
            return InputError(
                .duplicateKey,
                ProblemItem("\(message).", className: intake.schema.name, key: ObjectKey(error.key)))
        }
        let place = try source.place(of: offset)
        return InputError(
            .duplicateKey,
            place.item(
                "\(message), the second at \(place).", className: intake.schema.name, key: ObjectKey(error.key)))
    }
}

extension JSONTape {
    /// A tape of one null, where there is none.
    // Never written to and never freed.
    nonisolated(unsafe) static let none: JSONTape = {
        let words = UnsafeMutablePointer<UInt64>.allocate(capacity: 2)
        words.initialize(repeating: UInt64(Tag.null) << 56, count: 2)
        let strings = UnsafeMutablePointer<UInt8>.allocate(capacity: 8)
        strings.initialize(repeating: 0, count: 8)
        return JSONTape(words: words, strings: strings)
    }()
}
