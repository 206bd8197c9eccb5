import RealmModel

/// Something that an engine notices of a migration's objects, whether it ends the migration or not: what a rehearsal reports.
public enum MigrationFinding: Hashable, Sendable {
    /// Objects whose primary key is another object's as well.
    ///
    /// - Parameters:
    ///   - objectCount: all objects that share a value.
    ///   - pairs: the first of them.
    case collisions(className: String, property: String, objectCount: Int, pairs: [Collision])
    /// Objects of a class that becomes embedded that nothing links to.
    case orphans(className: String, objects: NamedObjects)
    /// Objects of a class that becomes embedded with more than one link to them.
    case sharedObjects(className: String, objects: NamedObjects)
    /// A regular expression of the script that took long for one text.
    ///
    /// - Parameters:
    ///   - expression: as the script has it, without its slashes and flags.
    ///   - milliseconds: of the processor, for the slowest text.
    ///   - line: of the script where that was, from 1.
    case slowExpression(_ expression: String, milliseconds: Int, line: Int?)
    /// A class that the script enumerates and that neither schema has, which Realm passes over.
    ///
    /// - Parameters:
    ///   - nearest: asks for the name that may be meant; nil where none is like it.
    ///   - line: of the script where that was first, from 1; nil where it is not known.
    case unknownClass(_ name: String, nearest: String?, line: Int?)
    /// A rehearsal of independent classes with all their objects in one part, which a run as a whole would not differ from.
    case untriedIndependence

    /// Two objects of one primary key.
    public struct Collision: Hashable, Sendable {
        /// The primary key.
        public var value: Value
        /// The object of the least key that has the value.
        public var first: ObjectKey
        /// Another one.
        public var second: ObjectKey

        /// Names two objects.
        public init(value: Value, first: ObjectKey, second: ObjectKey) {
            self.value = value
            self.first = first
            self.second = second
        }
    }
}
