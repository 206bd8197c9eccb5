import RealmModel

/// Classes for Realm Swift.
struct RealmSwiftModels {
    private let language = ModelLanguage.swift
    private let classes: ModelClasses

    init(_ schema: Schema) { classes = ModelClasses(schema, language) }

    var text: String { "import Foundation\nimport RealmSwift\n" + classes.all.map(source).joined() }

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
            lines += [
                "", "    override class func _realmObjectName() -> String? { \(language.literal(model.schema.name)) }",
            ]
        }
        let renamed = model.properties.filter { !$0.property.isComputed && !$0.name.hasSameBytes(as: $0.property.name) }
        if !renamed.isEmpty {
            let pairs = renamed.map { "\(language.literal($0.name)): \(language.literal($0.property.name))" }.joined(
                separator: ", ")
            lines += ["", "    override class func propertiesMapping() -> [String: String] { [\(pairs)] }"]  // no name
        }
        return (lines + ["}"]).joined(separator: "\n") + "\n"
    }

    private func declaration(of property: Property, _ name: String, in model: ModelClass) -> String {
        if property.isComputed {
            let origin = classes.name(of: property.originProperty, in: property.objectType)
            return "@Persisted(originProperty: \(language.literal(origin))) "
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
