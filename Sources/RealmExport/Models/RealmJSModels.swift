import RealmModel

/// Classes for Realm JS, in TypeScript.
struct RealmJSModels {
    private let language = ModelLanguage.javascript
    private let classes: ModelClasses

    init(_ schema: Schema) { classes = ModelClasses(schema, language) }

    var text: String {
        "import Realm, { BSON } from \"realm\";\n" + classes.all.map(source).joined()
            + "\nexport const models = [\(classes.all.map(\.name).joined(separator: ", "))];\n"
    }

    private func source(_ model: ModelClass) -> String {
        var lines = ["", "export class \(model.name) extends Realm.Object<\(model.name)> {"]
        let names = names(of: model)
        func name(_ property: Property) -> String { names[name: property.name] ?? property.publicName }
        lines += model.schema.properties.map { "  \(language.literal(name($0)))!: \(type(of: $0));" }
        lines += ["", "  static schema: Realm.ObjectSchema = {", "    name: \(language.literal(model.schema.name)),"]
        switch model.schema.kind {
        case .topLevel: break
        case .embedded: lines.append("    embedded: true,")
        case .asymmetric: lines.append("    asymmetric: true,")
        }
        if let key = model.schema.primaryKeyProperty { lines.append("    primaryKey: \(language.literal(name(key))),") }
        lines.append("    properties: {")
        lines += model.schema.properties.map {
            "      \(language.literal(name($0))): { \(members(of: $0, name: name($0))) },"
        }
        return (lines + ["    },", "  };", "}"]).joined(separator: "\n") + "\n"
    }

    /// The names of a class's properties: any text but those that classes of JavaScript, or of Realm, have for something else.
    private func names(of model: ModelClass) -> [NameKey: String] {
        let kept = Set(language.members.split(separator: " ").map { NameKey(String($0)) })
        let wanted = Set(model.schema.properties.map { NameKey($0.publicName) })
        return model.schema.properties.reduce(into: [:]) { names, property in
            var name = property.publicName
            if kept.contains(name: name) {
                repeat { name += "_" } while wanted.contains(name: name)
            }
            names[name: property.name] = name
        }
    }

    private func members(of property: Property, name: String) -> String {
        var members: [String] = []
        let element = property.objectType ?? property.type.rawValue
        switch property.collection {
        case .none:
            members.append("type: \(language.literal(property.type.rawValue))")
            if let target = property.objectType { members.append("objectType: \(language.literal(target))") }
        case .list, .set, .dictionary:
            members += [
                "type: \(language.literal(property.collection.rawValue))", "objectType: \(language.literal(element))",
            ]
        }
        if let origin = property.originProperty { members.append("property: \(language.literal(origin))") }
        if property.isOptional { members.append("optional: true") }
        switch property.index {
        case .none: break
        case .general: members.append("indexed: true")
        case .fullText: members.append("indexed: \"full-text\"")
        }
        if !property.isComputed, !name.hasSameBytes(as: property.name) {
            members.append("mapTo: \(language.literal(property.name))")
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
