extension SchemaChange {
    /// Whether the mode `automatic` makes the change without a raised version: new classes and indexes.
    ///
    /// The mode `softResetFile` asks the same: a change that is not permitted empties the file.
    public var isPermittedAtSameVersion: Bool {
        switch self {
        case .addTable, .addInitialProperties, .removeTable, .addIndex, .removeIndex: true
        default: false
        }
    }

    /// Whether the additive modes accept the change, which does not say that they make it.
    public var isPermittedInAdditiveMode: Bool {
        switch self {
        case .addTable, .addInitialProperties, .removeTable, .addProperty, .removeProperty, .addIndex, .removeIndex:
            true
        default: false
        }
    }

    /// Whether the additive modes make the change: columns stay, and indexes wait for a raised version.
    public func isMadeInAdditiveMode(versionBumped: Bool) -> Bool {
        switch self {
        case .addTable, .addInitialProperties, .addProperty: true
        case .addIndex, .removeIndex: versionBumped
        default: false
        }
    }

    /// Whether the modes `immutable` and `readOnly`, which make no change, can read the file in spite of it.
    public var isPermittedReadOnly: Bool {
        switch self {
        case .addTable, .addInitialProperties, .removeTable, .removeProperty, .addIndex, .removeIndex, .changeTableType:
            true
        default: false
        }
    }
}
