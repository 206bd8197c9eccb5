/// The words of Realm's quick reference for a change in the schema of a synced realm's server.
extension SchemaChangeReport {
    /// Why a synced realm refuses the change: the row of the table, what it would break, and the ways out.
    public var refusal: String {
        let row = kind.row.map { " Realm's table has it as “\($0)”, breaking in the server-side schema." } ?? ""
        return "\(message)\(row) \(kind.breaks) \(kind.waysOut)"
    }
}

extension SchemaChangeReport.Kind {
    /// The title of the row in Realm's table; nil for what has none.
    public var row: String? {
        switch self {
        case .addObjectType: "Add an object type"
        case .addRequiredProperty: "Add a required property"
        case .addOptionalProperty: "Add an optional property"
        case .removeObjectType: "Remove an object type"
        case .removeRequiredProperty: "Remove a required property"
        case .removeOptionalProperty: "Remove an optional property"
        case .changeObjectTypeName: "Change an object type name"
        case .changePropertyName: "Change a property name"
        case .changePropertyType: "Change property type but keep the name"
        case .changePropertyOptionalToRequired: "Change property from optional to required"
        case .changePropertyRequiredToOptional: "Change property from required to optional"
        case .changePrimaryKey, .addIndex, .removeIndex, .changeEmbedded: nil
        }
    }

    /// Whether clients that know nothing of the change go on as before when it is made in the schema of the server.
    public var keepsServing: Bool { serverSide == .nonBreaking }

    /// Whether something goes that was there, which a client's own model may do without harm.
    public var isRemoval: Bool { client != serverSide }

    /// The harm of the change to clients that know nothing of it, in a sentence.
    var breaks: String {
        switch self {
        case .addObjectType, .addRequiredProperty, .addOptionalProperty, .addIndex, .removeIndex: "It breaks nothing."
        case .removeObjectType: "Clients whose model has the class could neither read its objects nor write them."
        case .removeRequiredProperty:
            "Clients whose model requires the property would get objects without it, which they can't hold."
        case .removeOptionalProperty: "Clients whose model has the property would lose its values, and what they set."
        case .changeObjectTypeName: "Clients that know the class by its old name would lose all of its objects."
        case .changePropertyName: "Clients that know the property by its old name would lose its values."
        case .changePropertyType: "Clients of the old model could neither read the new values nor write such."
        case .changePropertyOptionalToRequired:
            "Clients of the old model set the property to null, which would be refused."
        case .changePropertyRequiredToOptional: "Clients of the old model would get null where they can't hold it."
        case .changePrimaryKey: "Clients would not find their objects again."
        case .changeEmbedded: "Clients of the old model find the objects where they are not any more."
        }
    }

    /// The ways to do without the change, in two sentences at most.
    var waysOut: String {
        switch self {
        case .addObjectType, .addRequiredProperty, .addOptionalProperty, .addIndex, .removeIndex:
            "Nothing is to be done."
        case .removeObjectType:
            "Leave the class in the server's schema, and declare a schema version without it for the clients. "
                + Self.terminate
        case .removeRequiredProperty, .removeOptionalProperty:
            "Leave the property in the server's schema, and declare a schema version without it for the clients: its "
                + "values stay, and new objects get null or the type's empty value. " + Self.terminate
        case .changePropertyName:
            "Keep the stored name, and map the new one onto it (`mapTo`), or keep both through a partner class. "
                + Self.terminate
        case .changeObjectTypeName, .changePropertyType, .changePropertyOptionalToRequired,
            .changePropertyRequiredToOptional, .changePrimaryKey, .changeEmbedded:
            "Keep both, the old and the new definition, through a partner class. " + Self.terminate
        }
    }

    private static let terminate =
        "Otherwise terminate sync and enable it again with the new schema, which resets the clients."
}
