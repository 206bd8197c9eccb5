import Columns
import RealmModel

/// Writes a snapshot as a `.realm` file in its streaming form, chunk by chunk as the caller asks for them.
///
/// The file holds the stored schema: every class but asymmetric ones (`leftOut`), every column, those that the declared
/// schema leaves out included, and every object with the key it has. Realm opens it as it is, for reading and for writing. Full-text indexes are left
/// out; Realm makes them when it opens the file with a schema that declares them.
///
/// Memory is bounded by a row group and, while a class is written, by one of two: the links that lead to its objects, 8 bytes
/// each and at most `linkBytes`, or `indexBytes` of the index that is sorted; more of either goes to scratch space. Only links to a
/// single row group are held however many there are. An encrypted file takes two blocks of 256 KiB more.
public struct RealmFileWriter {
    /// How the bytes are handed out.
    public struct Options: Hashable, Sendable {
        /// Bytes after which a chunk ends; it may be longer by what 256 objects take.
        public var chunkBytes: Int
        /// Bytes of an index that are sorted in memory before they go to scratch space.
        public var indexBytes: Int
        /// Bytes of links to one class that are held at once, where they lead to more than one row group; others are in scratch space.
        public var linkBytes: Int
        /// How the file is encrypted; nil for a plain one.
        public var encryption: PageEncryption?
        /// The version of the format.
        public var format: WrittenFormat

        /// Sets the options.
        public init(
            chunkBytes: Int = 1 << 18, indexBytes: Int = 16 << 20, linkBytes: Int = 24 << 20,
            encryption: PageEncryption? = nil, format: WrittenFormat = .current
        ) {
            self.chunkBytes = max(chunkBytes, 1)
            self.indexBytes = indexBytes
            self.linkBytes = linkBytes
            self.encryption = encryption
            self.format = format
        }
    }

    private enum Position {
        case head
        /// Before the class of a number.
        case table(Int)
        /// In the class of a number.
        case writing(TableWriter, Int)
        case end
    }

    private let snapshot: Snapshot
    private let store: any SegmentStore
    private let scratch: () throws -> any SegmentStore
    private let options: Options
    private let output = NodeOutput()
    private let collections = CollectionNumbers()
    private var plan: Plan?
    private var tables: [Int64] = []
    private var position = Position.head
    private var encryptor: PageEncryptor?

    /// Prepares to write.
    ///
    /// - Parameters:
    ///   - store: where the snapshot's columns are.
    ///   - scratch: makes an empty store for an index or for links that take more than memory may, which is let go when they are
    ///     written. The one in memory takes about the size of the indexed values, compressed.
    public init(
        _ snapshot: Snapshot, from store: any SegmentStore,
        scratch: @escaping () throws -> any SegmentStore = { MemorySegmentStore() }, options: Options = Options()
    ) {
        self.snapshot = Self.local(snapshot)
        self.store = store
        self.scratch = scratch
        self.options = options
    }

    /// The classes that a local file has no place for: asymmetric ones, whose objects exist to be sent to a server.
    public static func leftOut(of snapshot: Snapshot) -> [StoredClass] {
        snapshot.classes.filter { $0.schema.kind == .asymmetric }
    }

    /// The properties whose index a version of the format has no place for, by class; Realm makes it when it opens the file.
    public static func indexesLeftOut(
        of snapshot: Snapshot, in format: WrittenFormat
    ) -> [(className: String, property: String)] {
        guard !format.indexesLists else { return [] }
        return snapshot.declared.classes.flatMap { object in
            object.persistedProperties.filter { $0.index == .general && $0.collection == .list && $0.type == .string }
                .map { (object.name, $0.publicName) }
        }
    }

    private static func local(_ snapshot: Snapshot) -> Snapshot {
        guard !leftOut(of: snapshot).isEmpty else { return snapshot }
        return Snapshot(
            schemaVersion: snapshot.schemaVersion,
            declared: Schema(snapshot.declared.classes.filter { $0.kind != .asymmetric }),
            classes: snapshot.classes.filter { $0.schema.kind != .asymmetric })
    }

    /// Writes the whole file.
    ///
    /// - Throws: what the sink throws, and what `next` does.
    public mutating func write(to sink: inout some ByteSink) throws {
        while let chunk = try next() { try sink.write(chunk) }
    }

    /// The next bytes of the file; nil after the last.
    ///
    /// - Throws: what the stores throw; `ColumnError`; an `InputError` of `brokenLink` where a link leads to no object,
    ///   of `tooLarge` where a string is longer than Realm allows, of `schemaInvalid` where the schema can't be stored;
    ///   of `notInFormat` where the version of the format has no place for a value.
    public mutating func next() throws -> [UInt8]? {
        guard let encryption = options.encryption else { return try nextPlain() }
        let encryptor = try encryptor ?? PageEncryptor(encryption)
        self.encryptor = encryptor
        while let chunk = try nextPlain() {
            let pages = try encryptor.encrypt(chunk)
            if !pages.isEmpty { return pages }
        }
        let pages = try encryptor.finish()
        return pages.isEmpty ? nil : pages
    }

    private mutating func nextPlain() throws -> [UInt8]? {
        if case .end = position, output.pendingCount == 0 { return nil }
        while output.pendingCount < options.chunkBytes {
            switch position {
            case .head: try begin()
            case .table(let index): begin(table: index)
            case .writing(let table, let index):
                guard let ref = try table.step() else { continue }
                tables.append(ref)
                position = .table(index + 1)
            case .end: return output.take()
            }
        }
        return output.take()
    }

    /// The plan of a file, known before the first node is written.
    private struct Plan {
        let readers: [ClassReader]
        let layout: FileLayout
        let classIndexes: [NameKey: Int]

        init(_ snapshot: Snapshot, from store: any SegmentStore, in format: WrittenFormat) throws {
            readers = try snapshot.classes.map { try ClassReader($0, store: store) }
            layout = try FileLayout(snapshot, try LinkCensus(readers, in: format), in: format)
            classIndexes = snapshot.classes.classIndexes
        }
    }

    private mutating func begin() throws {
        let plan = try Plan(snapshot, from: store, in: options.format)
        self.plan = plan
        tables = frame(plan).begin(version: snapshot.schemaVersion)
        position = .table(0)
    }

    private func frame(_ plan: Plan) -> FileFrameWriter {
        FileFrameWriter(layout: plan.layout, format: options.format, output: output)
    }

    private mutating func begin(table index: Int) {
        guard let plan else { return }
        guard index < plan.readers.count else { return finish(plan) }
        let collections = collections
        let scans = plan.layout.tables[index].backlinks.map {
            LinkScan($0.source, plan.readers[$0.source.classIndex], classIndexes: plan.classIndexes, in: options.format)
        }
        position = .writing(
            TableWriter(
                index, of: plan.layout, plan.readers[index], scans: scans, to: output, options: options,
                scratch: scratch,
                nextCollection: { collections.next() }), index)
    }

    private mutating func finish(_ plan: Plan) {
        frame(plan).finish(tables: tables, endsPage: options.encryption != nil)
        position = .end
    }
}
