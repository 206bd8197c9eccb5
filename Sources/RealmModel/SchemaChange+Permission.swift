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

    /// Whether the additive modes write because of the change: columns stay, and indexes alone wait.
    public var isWrittenInAdditiveMode: Bool {
        switch self {
        case .addTable, .addInitialProperties, .addProperty: true
        default: false
        }
    }

    /// Whether the change is one of an index, which the additive modes make along with anything else that they write.
    public var isOfIndex: Bool {
        switch self {
        case .addIndex, .removeIndex: true
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
