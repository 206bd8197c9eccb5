import RealmModel

/// Classes for Realm Dart, from which its generator makes the rest.
struct RealmDartModels {
    private let language = ModelLanguage.dart
    private let classes: ModelClasses

    init(_ schema: Schema) { classes = ModelClasses(schema, language) }

    var text: String {
        "import 'dart:typed_data';\n\nimport 'package:realm_dart/realm.dart';\n\npart 'models.realm.dart';\n"
            + classes.all.map(source).joined()
    }

    private func source(_ model: ModelClass) -> String {
        let attribute =
            switch model.schema.kind {
            case .topLevel: "@RealmModel()"
            case .embedded: "@RealmModel(ObjectType.embeddedObject)"
            case .asymmetric: "@RealmModel(ObjectType.asymmetricObject)"
            }
        var lines = ["", attribute]
        if !model.name.hasSameBytes(as: model.schema.name) { lines.append("@MapTo(\(quoted(model.schema.name)))") }
        lines.append("class _\(model.name) {")
        for (property, name) in model.properties {
            let target = classes.name(of: property.objectType)
            if property.isComputed {
                let origin = classes.name(of: property.originProperty, in: property.objectType)
                lines += ["  @Backlink(#\(origin))", "  late Iterable<_\(target)> \(name);"]
                continue
            }
            if model.schema.isPrimaryKey(property) { lines.append("  @PrimaryKey()") }
            if property.index == .general { lines.append("  @Indexed()") }
            if property.index == .fullText { lines.append("  @Indexed(RealmIndexType.fullText)") }
            if !name.hasSameBytes(as: property.name) { lines.append("  @MapTo(\(quoted(property.name)))") }
            lines.append("  late \(type(of: property)) \(name);")
        }
        return (lines + ["}"]).joined(separator: "\n") + "\n"
    }

    private func quoted(_ text: String) -> String { language.literal(text) }

    private func type(of property: Property) -> String {
        let isOptional = property.isOptional && property.type != .mixed
        let element = element(property)
        let nullable = element + (isOptional && !(property.type == .object && property.collection == .list) ? "?" : "")
        return switch property.collection {
        case .none: property.type == .object ? element + "?" : nullable
        case .list: "List<\(nullable)>"
        case .set: "Set<\(nullable)>"
        case .dictionary: "Map<String, \(nullable)>"
        }
    }

    private func element(_ property: Property) -> String {
        switch property.type {
        case .int: "int"
        case .bool: "bool"
        case .float, .double: "double"
        case .string: "String"
        case .data: "Uint8List"
        case .date: "DateTime"
        case .decimal128: "Decimal128"
        case .objectId: "ObjectId"
        case .uuid: "Uuid"
        case .mixed: "RealmValue"
        case .object, .linkingObjects: "_" + classes.name(of: property.objectType)
        }
    }
}
