import RealmModel

/// The effect of a run of changes on a class, kept beside its row groups rather than in them: where it is stored, and how
/// large it is.
///
/// A class has its patches in the order in which they were made; `ClassReader` shows the class with all of them.
public struct Patch: Hashable, Sendable {
    /// Where `PatchContents` are.
    public var segment: SegmentID
    /// Bytes that it takes in the store.
    public var storedBytes: Int
    /// Objects that it adds.
    public var insertedCount: Int
    /// Objects that it changes, of the row groups and of patches before it.
    public var changedCount: Int
    /// Objects that it deletes, of the row groups and of patches before it.
    public var deletedCount: Int
    /// Whether it is being folded into the row groups: later changes are kept apart from it.
    public var isSealed: Bool

    /// Describes a patch.
    public init(
        segment: SegmentID, storedBytes: Int, insertedCount: Int, changedCount: Int, deletedCount: Int,
        isSealed: Bool = false
    ) {
        self.segment = segment
        self.storedBytes = storedBytes
        self.insertedCount = insertedCount
        self.changedCount = changedCount
        self.deletedCount = deletedCount
        self.isSealed = isSealed
    }

    /// Objects that it speaks of.
    public var rowCount: Int { insertedCount + changedCount + deletedCount }
}
