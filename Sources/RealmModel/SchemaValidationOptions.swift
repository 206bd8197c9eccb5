/// Checks of a schema that Realm makes beyond those for every one.
public struct SchemaValidationOptions: OptionSet, Hashable, Sendable {
    /// The bits.
    public let rawValue: Int

    /// Wraps bits.
    public init(rawValue: Int) {
        self.rawValue = rawValue
    }

    /// Every embedded class has to be reachable from a class that is not (mode `additiveExplicit`).
    public static let rejectsUnreachableEmbedded = SchemaValidationOptions(rawValue: 1)
    /// The realm is synchronised by partitions: primary keys are named `_id`.
    public static let partitionSync = SchemaValidationOptions(rawValue: 2)
    /// The realm is synchronised by queries: primary keys are named `_id`, asymmetric classes are permitted.
    public static let flexibleSync = SchemaValidationOptions(rawValue: 4)

    /// Whether the realm is synchronised in either way.
    var isSynced: Bool { !isDisjoint(with: [.partitionSync, .flexibleSync]) }
}
