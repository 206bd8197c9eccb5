import RealmModel

/// The bytes of snapshots, columns and row groups, as stores keep them and pipes carry them.
public enum SnapshotCoding {
    /// Written; 1, which has no unsynced objects, and 2, which has no patches, are read as well.
    private static let version: UInt8 = 3

    /// The bytes of a snapshot: schemas, counters, and where the columns are.
    public static func encode(_ snapshot: Snapshot) -> [UInt8] {
        var writer = ByteWriter()
        writer.write(byte: version)
        writer.write(byte: snapshot.schemaVersion == nil ? 0 : 1)
        writer.write(snapshot.schemaVersion ?? 0)
        SchemaCoding.encode(snapshot.declared, into: &writer)
        writer.write(count: snapshot.classes.count)
        for stored in snapshot.classes { encode(stored, into: &writer) }
        return writer.bytes
    }

    /// The snapshot of bytes that `encode` wrote.
    public static func decodeSnapshot(_ bytes: [UInt8]) throws(ColumnError) -> Snapshot {
        var reader = ByteReader(bytes)
        let coding = try reader.readByte()
        guard (1...version).contains(coding) else { throw reader.damage("the version of a snapshot") }
        let hasVersion = try reader.readByte() != 0
        let schemaVersion: UInt64 = try reader.readInteger()
        let declared = try SchemaCoding.decodeSchema(from: &reader)
        var classes: [StoredClass] = []
        for _ in 0..<(try reader.readCount()) { classes.append(try decodeClass(from: &reader, coding)) }
        try expectEnd(of: reader)
        return Snapshot(schemaVersion: hasVersion ? schemaVersion : nil, declared: declared, classes: classes)
    }

    /// The bytes of a column's list of segments.
    public static func encode(column segments: [Segment]) -> [UInt8] {
        var writer = ByteWriter()
        writer.write(count: segments.count)
        for segment in segments {
            writer.write(count: segment.rowCount)
            writer.write(count: segment.nullCount)
            switch segment.content {
            case .constant(let value):
                writer.write(byte: 0)
                ValueCoding.encode(value, into: &writer)
            case .stored(let id, let storedBytes):
                writer.write(byte: 1)
                encode(id, into: &writer)
                writer.write(count: storedBytes)
            }
        }
        return writer.bytes
    }

    /// The list of segments of bytes that `encode(column:)` wrote.
    public static func decodeColumn(_ bytes: [UInt8]) throws(ColumnError) -> [Segment] {
        var reader = ByteReader(bytes)
        var segments: [Segment] = []
        for _ in 0..<(try reader.readCount()) {
            let rowCount = try reader.readCount()
            let nullCount = try reader.readCount()
            guard rowCount <= RowGroupLimits.rowCeiling, nullCount <= rowCount else {
                throw reader.damage("the size of a segment")
            }
            let content: Segment.Content
            if try reader.readByte() == 0 {
                content = .constant(try ValueCoding.decode(from: &reader))
            } else {
                content = .stored(try decodeID(from: &reader), storedBytes: try reader.readCount())
            }
            segments.append(Segment(rowCount: rowCount, nullCount: nullCount, content: content))
        }
        try expectEnd(of: reader)
        return segments
    }

    /// The bytes of a class's row groups.
    public static func encode(rowGroups: [RowGroup]) -> [UInt8] {
        var writer = ByteWriter()
        writer.write(count: rowGroups.count)
        for group in rowGroups {
            writer.write(count: group.rowCount)
            writer.write(group.firstKey.value)
            writer.write(group.lastKey.value)
            writer.write(byte: group.deleted == nil ? 0 : 1)
            if let deleted = group.deleted { writer.write(raw: deleted.bytes) }
        }
        return writer.bytes
    }

    /// The row groups of bytes that `encode(rowGroups:)` wrote.
    public static func decodeRowGroups(_ bytes: [UInt8]) throws(ColumnError) -> [RowGroup] {
        var reader = ByteReader(bytes)
        var groups: [RowGroup] = []
        for _ in 0..<(try reader.readCount()) {
            let rowCount = try reader.readCount()
            guard rowCount <= RowGroupLimits.rowCeiling else { throw reader.damage("the size of a row group") }
            let firstKey = ObjectKey(try reader.readInteger())
            let lastKey = ObjectKey(try reader.readInteger())
            var deleted: Bitmap?
            if try reader.readByte() != 0 {
                deleted = Bitmap(bytes: Array(try reader.readRaw((rowCount + 7) / 8)), count: rowCount)
            }
            groups.append(RowGroup(rowCount: rowCount, firstKey: firstKey, lastKey: lastKey, deleted: deleted))
        }
        try expectEnd(of: reader)
        return groups
    }

    private static func expectEnd(of reader: ByteReader) throws(ColumnError) {
        guard reader.isAtEnd else { throw reader.damage("bytes follow the end") }
    }

    /// Appends a segment's name.
    public static func encode(_ id: SegmentID, into writer: inout ByteWriter) {
        writer.write(id.batch.high)
        writer.write(id.batch.low)
        writer.write(id.ordinal)
    }

    /// Reads a segment's name.
    public static func decodeID(from reader: inout ByteReader) throws(ColumnError) -> SegmentID {
        SegmentID(
            batch: BatchID(high: try reader.readInteger(), low: try reader.readInteger()),
            ordinal: try reader.readInteger())
    }

    private static func encode(_ stored: StoredClass, into writer: inout ByteWriter) {
        SchemaCoding.encode(stored.schema, into: &writer)
        writer.write(stored.nextSequence)
        writer.write(count: stored.objectCount)
        writer.write(count: stored.unsyncedCount)
        writer.write(byte: stored.rowGroups == nil ? 0 : 1)
        if let rowGroups = stored.rowGroups { encode(rowGroups, into: &writer) }
        for column in [stored.keys] + stored.columns { encode(column, into: &writer) }
        writer.write(count: stored.patches.count)
        for patch in stored.patches { encode(patch, into: &writer) }
    }

    private static func encode(_ patch: Patch, into writer: inout ByteWriter) {
        encode(patch.segment, into: &writer)
        for count in [patch.storedBytes, patch.insertedCount, patch.changedCount, patch.deletedCount] {
            writer.write(count: count)
        }
        writer.write(byte: patch.isSealed ? 1 : 0)
    }

    private static func decodePatch(from reader: inout ByteReader) throws(ColumnError) -> Patch {
        Patch(
            segment: try decodeID(from: &reader), storedBytes: try reader.readCount(),
            insertedCount: try reader.readCount(), changedCount: try reader.readCount(),
            deletedCount: try reader.readCount(), isSealed: try reader.readByte() != 0)
    }

    private static func decodeClass(from reader: inout ByteReader, _ coding: UInt8) throws(ColumnError) -> StoredClass {
        let schema = try SchemaCoding.decodeClass(from: &reader)
        let nextSequence: Int64 = try reader.readInteger()
        let objectCount = try reader.readCount()
        let unsyncedCount = coding == 1 ? 0 : try reader.readCount()
        let rowGroups = try reader.readByte() == 0 ? nil : try decodeID(from: &reader)
        let keys = try decodeColumnReference(from: &reader)
        var columns: [Column] = []
        for _ in schema.properties { columns.append(try decodeColumnReference(from: &reader)) }
        var patches: [Patch] = []
        if coding > 2 {
            for _ in 0..<(try reader.readCount()) { patches.append(try decodePatch(from: &reader)) }
        }
        return StoredClass(
            schema: schema, nextSequence: nextSequence, objectCount: objectCount, unsyncedCount: unsyncedCount,
            rowGroups: rowGroups, keys: keys, columns: columns, patches: patches)
    }

    private static func encode(_ column: Column, into writer: inout ByteWriter) {
        switch column {
        case .constant(let value):
            writer.write(byte: 0)
            ValueCoding.encode(value, into: &writer)
        case .segments(let id):
            writer.write(byte: 1)
            encode(id, into: &writer)
        }
    }

    private static func decodeColumnReference(from reader: inout ByteReader) throws(ColumnError) -> Column {
        if try reader.readByte() == 0 { return .constant(try ValueCoding.decode(from: &reader)) }
        return .segments(try decodeID(from: &reader))
    }
}
