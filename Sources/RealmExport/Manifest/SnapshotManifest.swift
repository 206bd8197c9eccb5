import Columns
import RealmJSON
import RealmModel

/// Writes what is in a snapshot as JSON, to be checked again elsewhere: objects, digests, nulls and extremes by class.
///
/// `{"schemaVersion", "schema", "classes": [{"class", "objectCount", "digest", "properties": [{"property", "nulls", "elements"?,
/// "minimum"?, "maximum"?}]}]}`. Each column is read once; memory is bounded by a row group.
public struct SnapshotManifest {
    private enum Position {
        case start
        /// Before the row group of a number, of the class of a number.
        case group(Int, class: Int, ClassSource, ClassTally)
        case end
    }

    private let snapshot: Snapshot
    private let store: any SegmentStore
    private let text: SnapshotText
    private var position = Position.start

    /// Prepares to write.
    public init(_ snapshot: Snapshot, from store: any SegmentStore) {
        self.snapshot = snapshot
        self.store = store
        text = SnapshotText(snapshot, from: store)
    }

    /// The next bytes, none while a class is still read; nil after the last.
    ///
    /// - Throws: what the store throws; `ColumnError`; `InputError` where embedded objects nest too deep.
    public mutating func next() throws -> [UInt8]? {
        switch position {
        case .start:
            let version = snapshot.schemaVersion.map { JSONValue($0) } ?? .null
            let head =
                Array("{\"schemaVersion\":".utf8) + version.encoded() + Array(",\"schema\":".utf8)
                + SchemaJSON.encode(snapshot.declared).encoded() + Array(",\"classes\":[".utf8)
            return head + (try open(class: 0))
        case .group(let group, let number, let source, let tally):
            guard group < source.groupCount else {
                let entry = try tally.finish(place: nil, losses: [:]).json.encoded()
                return entry + (try open(class: number + 1))
            }
            try source.willRead(group: group)
            try tally.take(group: group, try text.rowGroup(group, ofClass: source.schema.name))
            source.forgetRowGroup()
            position = .group(group + 1, class: number, source, tally)
            return []
        case .end: return nil
        }
    }

    /// Goes on to a class, or to the end; what stands before either.
    private mutating func open(class number: Int) throws -> [UInt8] {
        guard number < snapshot.declared.classes.count else {
            position = .end
            return Array("]}\n".utf8)
        }
        let source = try ClassSource(snapshot.declared.classes[number].name, of: snapshot, store: store)
        position = .group(0, class: number, source, ClassTally(source))
        return number == 0 ? [] : [UInt8(ascii: ",")]
    }
}

extension ClassManifest {
    fileprivate var json: JSONValue {
        [
            "class": .string(className), "objectCount": .int(Int64(objectCount)),
            "digest": digest.map { .string($0) } ?? .null, "properties": propertiesJSON,
        ]
    }
}
