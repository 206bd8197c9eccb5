import Columns
import RealmModel

/// The effect of a migration on a realm's data, found by comparing the realm before and after it.
public struct Rehearsal: Hashable, Sendable {
    /// The schema version before; nil where the realm was never given one.
    public var fromVersion: UInt64?
    /// The schema version after.
    public var toVersion: UInt64?
    /// The changes of the schema.
    public var schema: [SchemaChangeReport]
    /// The differences in the objects, class by class; classes without a difference are left out.
    public var classes: [ClassDifference]
    /// The values that are not there any more.
    public var losses: [Loss]
    /// Values and objects that are gone, and of which no loss could be told.
    public var untold: Untold

    /// Values and objects of the realm before that are there no more, of which no loss is told.
    public struct Untold: Hashable, Sendable {
        /// Values that others stand for which don't have them in them, or that are not as they were: they may be lost.
        public var replaced = 0
        /// Values that are lost, but too few of their property to be told of.
        public var few = 0
        /// Objects that are gone, those that are losses among them.
        public var gone = 0
        /// Values that are where nothing was: nothing is lost by them, and the realm had them not.
        public var filled = 0

        /// None.
        public init() {}

        /// Whether all that was there is.
        public var isNone: Bool { replaced == 0 && few == 0 && gone == 0 }
    }

    /// Values that a migration lost.
    public struct Loss: Hashable, Sendable {
        /// Objects whose values are kept as examples.
        public static let exampleLimit = 3

        /// The class, as it was called before.
        public var className: String
        /// The property's name in the store, as it was called before; nil where it is the class with all its objects.
        public var property: String?
        /// How they were lost.
        public var kind: Kind
        /// The objects that had them.
        public var objects: NamedObjects
        /// The empty value that is there instead; nil where there is none.
        public var to: EmptyValue?
        /// How many objects had a value before; nil where that was not asked for.
        public var total: Int?
        /// Some of the objects, with their values.
        public var examples: [Example]

        /// An object that lost a value.
        public struct Example: Hashable, Sendable {
            /// Its object key.
            public var key: Int64
            /// The value before.
            public var before: Value
            /// The value now; nil where there is none any more.
            public var after: Value?
        }

        /// Describes a loss.
        public init(
            className: String, property: String?, kind: Kind, objects: NamedObjects, to: EmptyValue? = nil,
            total: Int? = nil, examples: [Example] = []
        ) {
            self.className = className
            self.property = property
            self.kind = kind
            self.objects = objects
            self.to = to
            self.total = total
            self.examples = examples
        }

        /// How values are lost; the raw values are stable.
        public enum Kind: String, Hashable, Sendable, CaseIterable {
            /// The property, or the class, is gone, and nothing has taken over what it had.
            case dropped
            /// Objects are gone, and none has what they had.
            case deleted
            /// They are null now.
            case null
            /// They were links, and are null now; or links of collections, to objects that are gone.
            case link
            /// The property's new type begins with zero, and so do they.
            case zero
            /// They are empty, zero, false or the epoch now.
            case emptied
            /// All objects have one value now.
            case uniform
            /// They are values that other objects had, or that another property of each object has.
            case exchanged
            /// They were many different ones, and are far fewer now.
            case merged
            /// They were null, and are zero or empty in a property that takes no null any more.
            case nullToZero
            /// Other numbers are there.
            case inexact
            /// Numbers have fewer digits.
            case rounded
            /// A part of a text, of data, of a collection, of an embedded object or of a date is left.
            case truncated
            /// The result that a script's language makes of values of the wrong type is there.
            case wrongType
            /// Dates of the first months of 1970, or after the year 5100, are there: seconds and milliseconds were taken for each other.
            case wrongTimeUnit
            /// A property was added, and no object has a value of it.
            case unfilled
        }
    }

    /// Compares a realm before and after a migration.
    ///
    /// - Parameters:
    ///   - renames: those that the migration made.
    ///   - isScripted: whether a script ran, of which it can be asked that it fills what was added.
    ///   - store: where the columns of both are.
    ///   - isCancelled: asked for each class and every few objects that differ; true ends it.
    /// - Throws: `Cancelled`; what the store throws.
    public init(
        from: Snapshot, to: Snapshot, renames: [SchemaRename] = [], isScripted: Bool = false,
        store: any SegmentStore, isCancelled: () -> Bool = { false }
    ) throws {
        fromVersion = from.schemaVersion
        toVersion = to.schemaVersion
        schema = SchemaChangeReport.compare(existing: from.declared, target: to.declared, renames: renames)
        let copies = try ClassCopies(from, to, RenamedNames(renames), store: store, isCancelled)
        let comparison = SnapshotComparison(from, copies.to, renames: renames, store: copies.store)
        var found = RealmLosses(from, copies, comparison.linked, isScripted: isScripted)
        var classes: [ClassDifference] = []
        try withoutActuallyEscaping(isCancelled) { isCancelled in
            for name in comparison.classNames {
                let survey = comparison.survey(of: name)
                let difference = try comparison.compare(name, survey: survey, isCancelled: isCancelled)
                if copies.newNames[NameKey(name)] != nil {
                    classes.append(.gone(name, from[name]?.objectCount ?? 0))
                } else if !difference.isEmpty {
                    classes.append(difference)
                }
                try found.add(difference, of: comparison.oldName(of: name), survey, isCancelled)
            }
        }
        self.classes = classes
        losses = try found.losses(isCancelled: isCancelled)
        untold = found.untold
    }

    /// A comparison was ended before it had come to its end.
    public struct Cancelled: Error {}

    /// Objects that are there after the migration alone, before it alone, and those that differ.
    public var objectCounts: (created: Int, deleted: Int, touched: Int) {
        classes.reduce(into: (0, 0, 0)) { counts, difference in
            counts.0 += difference.added
            counts.1 += difference.removed
            counts.2 += difference.changed
        }
    }
}
