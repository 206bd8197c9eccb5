import RealmModel

/// Classes for Realm Swift.
struct RealmSwiftModels {
    private let classes: [ModelClass]

    init(_ schema: Schema) { classes = ModelClass.all(of: schema, keywords: ModelNames.swift) }

    var text: String { "import Foundation\nimport RealmSwift\n" + classes.map(source).joined() }

    private func source(_ model: ModelClass) -> String {
        let base =
            switch model.schema.kind {
            case .topLevel: "Object"
            case .embedded: "EmbeddedObject"
            case .asymmetric: "AsymmetricObject"
            }
        var lines = ["", "class \(model.name): \(base) {"]
        lines += model.properties.map { "    " + declaration(of: $0.property, $0.name, in: model) }
        if !model.name.hasSameBytes(as: model.schema.name) {
            lines += ["", "    override class func _realmObjectName() -> String? { \(model.schema.name.literal) }"]
        }
        let renamed = model.properties.filter { !$0.property.isComputed && !$0.name.hasSameBytes(as: $0.property.name) }
        if !renamed.isEmpty {
            let pairs = renamed.map { "\($0.name.literal): \($0.property.name.literal)" }.joined(separator: ", ")
            lines += ["", "    override class func propertiesMapping() -> [String: String] { [\(pairs)] }"]  // no name
        }
        return (lines + ["}"]).joined(separator: "\n") + "\n"
    }

    private func declaration(of property: Property, _ name: String, in model: ModelClass) -> String {
        if property.isComputed {
            let origin = classes.name(of: property.originProperty, in: property.objectType)
            return "@Persisted(originProperty: \(origin.literal)) "
                + "var \(name): LinkingObjects<\(classes.name(of: property.objectType))>"
        }
        let attribute =
            model.schema.isPrimaryKey(property)
            ? "@Persisted(primaryKey: true)" : property.index == .none ? "@Persisted" : "@Persisted(indexed: true)"
        return "\(attribute) var \(name): \(type(of: property))"
    }

    private func type(of property: Property) -> String {
        let isOptional = property.isOptional && property.type != .mixed
        let element =
            element(property) + (isOptional && !(property.type == .object && property.collection == .list) ? "?" : "")
        return switch property.collection {
        case .none: property.type == .object && !isOptional ? element + "?" : element
        case .list: "List<\(element)>"
        case .set: "MutableSet<\(element)>"
        case .dictionary: "Map<String, \(element)>"
        }
    }

    private func element(_ property: Property) -> String {
        switch property.type {
        case .int: "Int"
        case .bool: "Bool"
        case .float: "Float"
        case .double: "Double"
        case .string: "String"
        case .data: "Data"
        case .date: "Date"
        case .decimal128: "Decimal128"
        case .objectId: "ObjectId"
        case .uuid: "UUID"
        case .mixed: "AnyRealmValue"
        case .object, .linkingObjects: classes.name(of: property.objectType)
        }
    }
}
