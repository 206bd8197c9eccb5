import Columns
import RealmFile
import RealmJSON
import RealmModel

/// Decodes inputs, and looks at all that comes of them.
struct InputDecoding {
    /// A fault that no input may lead to.
    enum Fault: Error {
        /// Another error than `InputError` and `ColumnError`.
        case foreignError(String)
        /// More stored bytes than the input's size allows.
        case tooMuchOutput
        /// A decoder that was content, whose snapshot can't be read.
        case unreadableSnapshot(String)
        /// An array that is another one after it was stored.
        case unstableArray
        /// More steps of a rescue than the input's size allows.
        case tooManySteps(Int)
        /// Something that a rescue changed, and that its report does not name.
        case unnamedLoss(String)
    }

    /// More rows of one array are not looked at.
    private static let rowLimit = 2048

    let kind: InputKind
    let bytes: [UInt8]
    let key: EncryptionKey?
    /// The file before a disk damaged it.
    let intact: [UInt8]?
    /// Row groups of these limits, so that small files have several.
    let limits: RowGroupLimits

    /// Decodes the input.
    ///
    /// - Returns: whether it is one.
    func run() throws(Fault) -> Bool {
        do {
            try decode()
            return true
        } catch let fault as Fault {
            throw fault
        } catch is BoundedStore.Full {
            throw .tooMuchOutput
        } catch {
            guard error is InputError || error is ColumnError else { throw .foreignError("\(error)") }
            return false
        }
    }

    private func decode() throws {
        switch kind {
        case .realm: try bytes.withUnsafeBytes { try readRealm($0) }
        case .rescue: try bytes.withUnsafeBytes { try rescue($0, []) }
        case .encryptedRealm: try decrypt()
        case .json, .ndjson: try readText()
        case .segment: try decodeSegment(bytes)
        case .segmentContent: try decodeSegment(PackedSegment.pack(bytes))
        case .column: _ = try SnapshotCoding.decodeColumn(bytes)
        case .rowGroups: _ = try SnapshotCoding.decodeRowGroups(bytes).map(\.objectCount)
        case .snapshot: _ = try SnapshotCoding.decodeSnapshot(bytes)
        }
    }

    private func readRealm(_ bytes: UnsafeRawBufferPointer) throws {
        let reader = try RealmFileReader(bytes: bytes)
        _ = try? reader.summary()
        let store = BoundedStore(inputBytes: bytes.count)
        try look(at: try reader.read(tablesInto: store, limits: limits), in: store)
    }

    private func rescue(_ bytes: UnsafeRawBufferPointer, _ damagedPages: Set<Int>) throws {
        let store = BoundedStore(inputBytes: bytes.count)
        let rescue = RealmFileRescue(bytes: bytes, damagedPages: damagedPages)
        let result = Result { try rescue.read(into: store, limits: limits) }
        // A file that was damaged by chance takes less than what ends a rescue.
        guard rescue.steps <= RealmFileRescue.stepLimit(bytes: bytes.count) else {
            throw Fault.tooManySteps(rescue.steps)
        }
        let (snapshot, report) = try result.get()
        try look(at: snapshot, in: store)
        guard report.rescue?.readCount == snapshot.classes.reduce(0, { $0 + $1.objectCount }) else {
            throw Fault.unreadableSnapshot("the report tells of another number of objects")
        }
        // Segments that go to a store are checked before they are believed.
        for stored in snapshot.classes { try stored.checkShape(in: store) }
        if let intact, let told = report.rescue { try check(told, snapshot, in: store, beside: intact) }
    }

    /// Holds what a rescue gave against the file before it was damaged.
    private func check(
        _ report: RescueReport, _ snapshot: Snapshot, in store: BoundedStore, beside intact: [UInt8]
    ) throws {
        // Another commit is another realm, and the report says that it is one.
        guard report.source == .current, DiskDamage.isNoticeable(from: intact, to: bytes),
            let original = IntactRealms.realm(of: intact)
        else { return }
        let law = RescueLaw(original, report)
        if let unnamed = law.unnamed(in: try IntactRealm(snapshot, store)) { throw Fault.unnamedLoss(unnamed) }
    }

    private func decrypt() throws {
        guard let key else { return }
        do {
            try bytes.withUnsafeBytes {
                try PlainRealmFile.withSalvagedBytes(of: $0, key: key, in: WholeMemory(), rescue)
            }
        } catch is InputError {
            // Nothing of it can be read; the reader says more.
        }
        try bytes.withUnsafeBytes { bytes in
            let file = try EncryptedRealmFile(bytes: bytes, key: key)
            var plain: [UInt8] = []
            try file.decrypt { plain += $0 }
            try plain.withUnsafeBytes { try readRealm($0) }
        }
    }

    private func readText() throws {
        let source = ByteArraySource(bytes)
        let store = BoundedStore(inputBytes: bytes.count)
        let chunk = limits.rows < 100 ? 16 : 1 << 16
        let snapshot =
            kind == .json
            ? try RealmJSONReader(source, into: store, limits: limits, chunk: chunk).read()
            : try RealmNDJSONReader(source, into: store, limits: limits, chunk: chunk).read()
        try look(at: snapshot, in: store)
    }

    /// Reads every column, and writes the snapshot as text; what a decoder made can be read.
    private func look(at snapshot: Snapshot, in store: BoundedStore) throws(Fault) {
        do {
            for stored in snapshot.classes {
                let reader = try ClassReader(stored, store: store)
                for group in reader.rowGroups.indices {
                    _ = try reader.keys(inGroup: group)
                    for (index, property) in stored.schema.properties.enumerated() {
                        try look(at: try reader.column(index, inGroup: group), as: ColumnType(property))
                    }
                }
            }
        } catch let fault as Fault {
            throw fault
        } catch {
            throw .unreadableSnapshot("\(error)")
        }
    }

    private func look(at array: ColumnArray, as type: ColumnType) throws {
        for row in 0..<min(array.count, Self.rowLimit) { _ = try array.value(at: row, as: type) }
    }

    private func decodeSegment(_ bytes: [UInt8]) throws {
        let array = try SegmentCoding.decode(bytes)
        let stored = SegmentCoding.encode(array)
        guard let again = try? SegmentCoding.decode(stored), SegmentCoding.encode(again) == stored else {
            throw Fault.unstableArray
        }
        for element in PropertyType.allCases {
            for collection in CollectionKind.allCases {
                let type = ColumnType(element, collection)
                guard array.hasLayout(of: type) else { continue }
                try look(at: array, as: type)
            }
        }
    }
}
