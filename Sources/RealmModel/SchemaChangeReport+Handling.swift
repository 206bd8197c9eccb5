/// Realm's quick reference of breaking and non-breaking changes, and what each asks of those who make it.
extension SchemaChangeReport {
    /// Whether the change breaks synced clients where it is made in the schema of the server.
    public var serverSide: Impact { kind.serverSide }
    /// Whether the change breaks where it is made in the object model of a client.
    public var client: Impact { kind.client }
    /// The steps that the change needs to work, a sentence each.
    public var requires: [String] { kind.requires }
    /// How to go about it, in a sentence.
    public var handling: String { kind.handling }
}

extension SchemaChangeReport.Kind {
    /// The column "Server-Side Schema".
    public var serverSide: SchemaChangeReport.Impact {
        switch self {
        case .addObjectType, .addRequiredProperty, .addOptionalProperty, .addIndex, .removeIndex: .nonBreaking
        default: .breaking
        }
    }

    /// The column "Client-Side Object Model".
    public var client: SchemaChangeReport.Impact {
        switch self {
        case .removeObjectType, .removeRequiredProperty, .removeOptionalProperty: .nonBreaking
        default: serverSide
        }
    }

    /// The steps that the change needs to work, a sentence each; none for indexes.
    public var requires: [String] {
        switch self {
        case .addObjectType: [Self.raisedVersionByGuide]
        case .addOptionalProperty: [Self.raisedVersion]
        case .addRequiredProperty:
            [Self.raisedVersion, "Give the property to existing synced documents, or they no longer reach clients."]
        case .removeObjectType: [Self.raisedVersionByGuide, Self.keep]
        case .removeRequiredProperty, .removeOptionalProperty: [Self.raisedVersion, Self.keep]
        case .changeObjectTypeName, .changePropertyName:
            [Self.raisedVersion, "Declare the rename in the migration, or the values stay behind under the old name."]
        case .changePropertyType:
            [Self.raisedVersion, "Convert the values in the migration, for Realm starts over with the type's default."]
        case .changePropertyOptionalToRequired:
            [
                Self.raisedVersion,
                "Copy the values in the migration, for Realm resets all of them, not the nulls alone.",
            ]
        case .changePropertyRequiredToOptional:
            [Self.raisedVersion, "Make sure that every reader of the property copes with null."]
        case .changePrimaryKey:
            [Self.raisedVersion, "Every object needs a value of its own; null counts as one."]
        case .addIndex, .removeIndex: []
        case .changeEmbedded:
            [Self.raisedVersion, "An object that becomes embedded needs exactly one object that links to it."]
        }
    }

    /// How to go about the change, in a sentence.
    public var handling: String {
        switch self {
        case .addObjectType: "Existing realms get an empty class; nothing else is to be done."
        case .addRequiredProperty:
            "Existing objects get the type's zero or empty value, synced ones none until a backfill; a script fills in better."
        case .addOptionalProperty: "Existing objects get null; fill in values by a script where they are known."
        case .removeObjectType:
            "Remove the class from the app's model; its objects stay in files until they are deleted."
        case .removeRequiredProperty:
            "Remove the property from the app's model; synced documents get an empty value for it from then on."
        case .removeOptionalProperty:
            "Remove the property from the app's model; synced documents get null for it from then on."
        case .changeObjectTypeName:
            "Create the objects anew in the new class by a script; synced, write both through a partner class."
        case .changePropertyName:
            "Rename in the migration, or map the new name onto the stored one; synced, use a partner class."
        case .changePropertyType:
            "Convert by a script that reads the old object; synced, add a property of the new type or a partner class."
        case .changePropertyOptionalToRequired:
            "Copy by a script, with a value of your choice for null; synced, use a partner class."
        case .changePropertyRequiredToOptional: "Existing values stay; synced, use a partner class."
        case .changePrimaryKey: "Set values that differ by a script; synced, use a partner class."
        case .addIndex: "The index is built when the realm is migrated."
        case .removeIndex: "The index goes when the realm is migrated."
        case .changeEmbedded:
            "Link and delete by a script until it fits, or let the migration resolve it; synced, use a partner class."
        }
    }

    /// Whether a client that has a local file of the old model can open it with the new one at a raised version alone.
    public var needsRaisedVersion: Bool { requires.contains(Self.raisedVersion) }

    private static let raisedVersion = "Raise the schema version."
    private static let raisedVersionByGuide =
        "Raise the schema version, as Realm's guide asks for; Realm itself opens a file at the old one, too."
    private static let keep = "Keep it in the server's schema as long as any client uses it."
}
