import RealmModel

/// All that a patch says: objects that were added, with all their values; objects that were changed, with the values that
/// changed; objects that are gone.
public struct PatchContents: Hashable, Sendable {
    /// The keys of objects that were added, ascending and above all that the class had before.
    public var inserted: [Int64]
    /// The keys of objects that were changed, ascending; none of them was added or deleted by the patch itself.
    public var changed: [Int64]
    /// The keys of objects that were deleted, ascending.
    public var deleted: [Int64]
    /// The rows of added objects by the hashes of their primary keys; empty where the class has none.
    public var primaryKeys: PrimaryKeyIndex
    /// The values, by property.
    public var columns: [PatchColumn]

    /// The values of one property in a patch.
    public struct PatchColumn: Hashable, Sendable {
        /// The stored name of the property.
        public var property: String
        /// The values of added objects, one each; nil where the patch has none, or was made before the property was added.
        public var inserted: ColumnArray?
        /// Which of `changed` have a value here, by their places, ascending.
        public var changedRows: [Int64]
        /// Their values.
        public var changed: ColumnArray?

        /// Puts a column together.
        public init(
            _ property: String, inserted: ColumnArray? = nil, changedRows: [Int64] = [], changed: ColumnArray? = nil
        ) {
            self.property = property
            self.inserted = inserted
            self.changedRows = changedRows
            self.changed = changed
        }
    }

    /// Puts contents together.
    public init(
        inserted: [Int64] = [], changed: [Int64] = [], deleted: [Int64] = [],
        primaryKeys: PrimaryKeyIndex = PrimaryKeyIndex(), columns: [PatchColumn] = []
    ) {
        self.inserted = inserted
        self.changed = changed
        self.deleted = deleted
        self.primaryKeys = primaryKeys
        self.columns = columns
    }

    /// Whether nothing is said.
    public var isEmpty: Bool { inserted.isEmpty && changed.isEmpty && deleted.isEmpty }

    /// The bytes of the contents, as stores keep them.
    public func encoded() -> [UInt8] { PatchCoding.encode(self) }

    /// The patch that they are in a store.
    public func patch(in segment: SegmentID, storedBytes: Int) -> Patch {
        Patch(
            segment: segment, storedBytes: storedBytes, insertedCount: inserted.count, changedCount: changed.count,
            deletedCount: deleted.count)
    }
}
