import RealmModel

/// Classes for Realm JS, in TypeScript.
struct RealmJSModels {
    private let classes: [ModelClass]

    init(_ schema: Schema) { classes = ModelClass.all(of: schema, keywords: ModelNames.javascript) }

    var text: String {
        "import Realm, { BSON } from \"realm\";\n" + classes.map(source).joined()
            + "\nexport const models = [\(classes.map(\.name).joined(separator: ", "))];\n"
    }

    private func source(_ model: ModelClass) -> String {
        var lines = ["", "export class \(model.name) extends Realm.Object<\(model.name)> {"]
        lines += model.properties.map { "  \(quoted($0.property.publicName))!: \(type(of: $0.property));" }
        lines += ["", "  static schema: Realm.ObjectSchema = {", "    name: \(model.schema.name.literal),"]
        switch model.schema.kind {
        case .topLevel: break
        case .embedded: lines.append("    embedded: true,")
        case .asymmetric: lines.append("    asymmetric: true,")
        }
        if let key = model.schema.primaryKeyProperty { lines.append("    primaryKey: \(key.publicName.literal),") }
        lines.append("    properties: {")
        lines += model.properties.map {
            "      \(quoted($0.property.publicName)): { \(members(of: $0.property, in: model)) },"
        }
        return (lines + ["    },", "  };", "}"]).joined(separator: "\n") + "\n"
    }

    private func quoted(_ name: String) -> String { name.literal }

    private func members(of property: Property, in model: ModelClass) -> String {
        var members: [String] = []
        let element = property.objectType ?? property.type.rawValue
        switch property.collection {
        case .none:
            members.append("type: \(property.type.rawValue.literal)")
            if let target = property.objectType { members.append("objectType: \(target.literal)") }
        case .list, .set, .dictionary:
            members += ["type: \(property.collection.rawValue.literal)", "objectType: \(element.literal)"]
        }
        if let origin = property.originProperty { members.append("property: \(origin.literal)") }
        if property.isOptional { members.append("optional: true") }
        switch property.index {
        case .none: break
        case .general: members.append("indexed: true")
        case .fullText: members.append("indexed: \"full-text\"")
        }
        if !property.isComputed, !property.publicName.hasSameBytes(as: property.name) {
            members.append("mapTo: \(property.name.literal)")
        }
        return members.joined(separator: ", ")
    }

    private func type(of property: Property) -> String {
        let isOptional = property.isOptional && property.type != .mixed
        let element = element(property) + (isOptional ? " | null" : "")
        return switch property.collection {
        case .none:
            property.type == .linkingObjects
                ? "Realm.Results<\(element)>" : property.type == .object && !isOptional ? element + " | null" : element
        case .list: "Realm.List<\(element)>"
        case .set: "Realm.Set<\(element)>"
        case .dictionary: "Realm.Dictionary<\(element)>"
        }
    }

    private func element(_ property: Property) -> String {
        switch property.type {
        case .int, .float, .double: "number"
        case .bool: "boolean"
        case .string: "string"
        case .data: "ArrayBuffer"
        case .date: "Date"
        case .decimal128: "BSON.Decimal128"
        case .objectId: "BSON.ObjectId"
        case .uuid: "BSON.UUID"
        case .mixed: "Realm.Mixed"
        case .object, .linkingObjects: classes.name(of: property.objectType)
        }
    }
}
