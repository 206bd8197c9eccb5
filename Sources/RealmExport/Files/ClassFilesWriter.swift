import Columns
import RealmJSON
import RealmModel

/// Writes a snapshot as an archive of files, one a class that is not embedded, and `manifest.json`; or the file of one class alone.
///
/// Memory is bounded by a row group and the caches that links and embedded objects are looked up in.
public struct ClassFilesWriter {
    private enum Position {
        case file(Int)
        /// Before the row group of a number.
        case group(Int, Work)
        case manifest
        case end
    }

    /// A file that is being written.
    private struct Work {
        let number: Int
        let name: String
        let source: ClassSource
        let file: any ClassFile
        let tally: ClassTally
    }

    private let snapshot: Snapshot
    private let store: any SegmentStore
    private let format: ClassFileFormat
    private let classes: [ObjectSchema]
    private let isArchive: Bool
    private let maker: CellMaker
    private let text: SnapshotText
    private var relations: NamedRelations?
    /// How often the relations of all classes were made: once, however many files there are.
    private(set) var relationsMade = 0
    private var archive = ZipArchive()
    private var names = FileNames()
    private var manifests: [ClassManifest] = []
    private var position = Position.file(0)

    /// Prepares to write.
    ///
    /// - Parameter className: the class whose file is written alone; nil for an archive of all.
    /// - Throws: `ExportError.noSuchClass` where the declared schema has none of the name that is not embedded.
    public init(
        _ snapshot: Snapshot, from store: any SegmentStore, as format: ClassFileFormat, className: String? = nil
    ) throws(ExportError) {
        self.snapshot = snapshot
        self.store = store
        self.format = format
        isArchive = className == nil
        classes = snapshot.declared.classes.filter {
            !$0.isEmbedded && (className.map($0.name.hasSameBytes(as:)) ?? true)
        }
        if let className, classes.isEmpty { throw .noSuchClass(className) }
        maker = CellMaker(snapshot, store: store, rules: format.rules)
        text = SnapshotText(snapshot, from: store)
        if isArchive { _ = names.take("manifest", ending: "json") }
    }

    /// The next bytes, perhaps none; nil after the last.
    ///
    /// - Throws: what the store throws; `ColumnError`; `ExportError`; `InputError` where embedded objects nest too deep.
    public mutating func next() throws -> [UInt8]? {
        switch position {
        case .file(let number):
            guard number < classes.count else {
                position = isArchive ? .manifest : .end
                return []
            }
            let work = try begin(number)
            position = .group(0, work)
            try append(try work.file.begin())
        case .group(let group, let work):
            guard group < work.source.groupCount else {
                try finish(work)
                position = .file(work.number + 1)
                break
            }
            try write(group, to: work)
            position = .group(group + 1, work)
        case .manifest:
            try archive.begin("manifest.json", isDeflated: true)
            try archive.append(manifest.encoded())
            try archive.end()
            archive.finish()
            position = .end
            return archive.take()
        case .end: return nil
        }
        return isArchive ? archive.take() : take()
    }

    private var plain: [UInt8] = []

    private mutating func take() -> [UInt8] {
        defer { plain = [] }
        return plain
    }

    private mutating func append(_ bytes: [UInt8]) throws {
        if isArchive { try archive.append(bytes) } else { plain += bytes }
    }

    private mutating func begin(_ number: Int) throws -> Work {
        let name = names.take(classes[number].name, ending: format.ending)
        let source = try ClassSource(classes[number].name, of: snapshot, store: store)
        if relations == nil, format.needsRelations {
            relations = try NamedRelations(snapshot, store: store, written: classes)
            relationsMade += 1
        }
        let file = try format.make(
            ClassFileContext(
                source: source, maker: maker, snapshot: snapshot, store: store, relations: relations))
        if isArchive { try archive.begin(name, isDeflated: format.isDeflated) }
        let tally = ClassTally(source, countsAlone: !isArchive)
        return Work(number: number, name: name, source: source, file: file, tally: tally)
    }

    private mutating func write(_ group: Int, to work: Work) throws {
        try work.source.willRead(group: group)
        let rows = try text.rowGroup(group, ofClass: work.source.schema.name)
        try append(try work.file.write(group: group, rows))
        try work.tally.take(group: group, rows)
        work.source.forgetRowGroup()
    }

    private mutating func finish(_ work: Work) throws {
        try append(try work.file.finish())
        let manifest = try work.tally.finish(
            place: work.name, losses: work.file.losses, names: work.file.names)
        guard isArchive else { return }
        try archive.end()
        manifests.append(manifest)
    }

    private var manifest: JSONValue {
        [
            "schemaVersion": snapshot.schemaVersion.map { JSONValue($0) } ?? .null,
            "schema": SchemaJSON.encode(snapshot.declared),
            "classes": .array(
                manifests.map { manifest in
                    [
                        "class": .string(manifest.className), "file": manifest.place.map { .string($0) } ?? .null,
                        "objectCount": .int(Int64(manifest.objectCount)),
                        "digest": manifest.digest.map { .string($0) } ?? .null,
                        "properties": manifest.propertiesJSON, "losses": manifest.lossesJSON,
                    ]
                }),
        ]
    }
}
