import RealmModel

/// The name of everything that one upload or one attempt of a job writes: a random UUID.
public struct BatchID: Hashable, Sendable {
    /// The first eight bytes of the UUID.
    public var high: UInt64
    /// The last eight bytes.
    public var low: UInt64

    /// Wraps the two halves of a UUID.
    public init(high: UInt64, low: UInt64) {
        self.high = high
        self.low = low
    }
}

/// The name of a stored segment or column: what wrote it, and its number there.
///
/// A writer numbers what it writes by itself, so nothing has to be asked for while columns stream.
public struct SegmentID: Hashable, Sendable {
    /// The upload or attempt that wrote it.
    public var batch: BatchID
    /// Its number in the batch, from 0; segments and columns share the numbers.
    public var ordinal: Int32

    /// Names a segment.
    public init(batch: BatchID, ordinal: Int32) {
        self.batch = batch
        self.ordinal = ordinal
    }
}

/// One property of one row group: where its values are, and how many.
public struct Segment: Hashable, Sendable {
    /// The rows, deleted ones included.
    public var rowCount: Int
    /// How many of them are null.
    public var nullCount: Int
    /// Where the values are.
    public var content: Content

    /// Where a segment's values are.
    public enum Content: Hashable, Sendable {
        /// Every row holds this value; nothing is stored.
        case constant(Value)
        /// The store has them, in `storedBytes` bytes, compressed.
        case stored(SegmentID, storedBytes: Int)
    }

    /// Describes a segment.
    public init(rowCount: Int, nullCount: Int, content: Content) {
        self.rowCount = rowCount
        self.nullCount = nullCount
        self.content = content
    }

    /// A segment of one value, which stores nothing.
    public init(repeating value: Value, rowCount: Int) {
        self.init(rowCount: rowCount, nullCount: value.isNull ? rowCount : 0, content: .constant(value))
    }
}

/// The values of one property of a class, row group by row group.
public enum Column: Hashable, Sendable {
    /// Every row of every row group holds this value: what adding a property makes, at no cost by size.
    case constant(Value)
    /// The store has the list of segments, one a row group.
    case segments(SegmentID)
}

/// A run of consecutive objects of a class, the same for all its columns.
public struct RowGroup: Hashable, Sendable {
    /// The rows, deleted ones included.
    public var rowCount: Int
    /// The smallest object key; keys ascend within a group and from group to group.
    public var firstKey: ObjectKey
    /// The largest object key.
    public var lastKey: ObjectKey
    /// Set bits are rows whose object was deleted; nil where none was.
    public var deleted: Bitmap?

    /// Describes a row group.
    public init(rowCount: Int, firstKey: ObjectKey, lastKey: ObjectKey, deleted: Bitmap? = nil) {
        self.rowCount = rowCount
        self.firstKey = firstKey
        self.lastKey = lastKey
        self.deleted = deleted
    }

    /// The objects that are not deleted.
    public var objectCount: Int { rowCount - (deleted?.setCount ?? 0) }

    /// The keys of all rows where none is left out, as mostly none is; nil where some are.
    public var keysWithoutGaps: ClosedRange<Int64>? {
        guard rowCount > 0, lastKey.value &- firstKey.value == Int64(rowCount - 1) else { return nil }
        return firstKey.value...lastKey.value
    }

    /// The rows whose object is not deleted, ascending.
    public var liveRows: [Int] {
        guard let deleted else { return Array(0..<rowCount) }
        return (0..<rowCount).filter { !deleted[$0] }
    }
}
