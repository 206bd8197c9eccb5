import RealmModel

/// Classes for Realm .NET.
struct RealmDotnetModels {
    private let language = ModelLanguage.csharp
    private let classes: ModelClasses

    init(_ schema: Schema) { classes = ModelClasses(schema, language) }

    var text: String {
        "#nullable enable\nusing System;\nusing System.Collections.Generic;\nusing System.Linq;\nusing MongoDB.Bson;\nusing Realms;\n"
            + classes.all.map(source).joined()
    }

    private func source(_ model: ModelClass) -> String {
        let base =
            switch model.schema.kind {
            case .topLevel: "IRealmObject"
            case .embedded: "IEmbeddedObject"
            case .asymmetric: "IAsymmetricObject"
            }
        var lines = [""]
        if !model.name.hasSameBytes(as: model.schema.name) {
            lines.append("[MapTo(\(language.literal(model.schema.name)))]")
        }
        lines += ["public partial class \(model.name) : \(base)", "{"]
        for (property, name) in model.properties {
            if property.isComputed {
                let origin = classes.name(of: property.originProperty, in: property.objectType)
                lines.append("    [Backlink(nameof(\(classes.name(of: property.objectType)).\(origin)))]")
                lines.append(
                    "    public IQueryable<\(classes.name(of: property.objectType))> \(name) { get; } = null!;")
                continue
            }
            if model.schema.isPrimaryKey(property) { lines.append("    [PrimaryKey]") }
            if property.index == .general { lines.append("    [Indexed]") }
            if property.index == .fullText { lines.append("    [Indexed(IndexType.FullText)]") }
            if !name.hasSameBytes(as: property.name) { lines.append("    [MapTo(\(language.literal(property.name)))]") }
            lines.append("    " + declaration(of: property, name))
        }
        return (lines + ["}"]).joined(separator: "\n") + "\n"
    }

    private func declaration(of property: Property, _ name: String) -> String {
        let isOptional = property.isOptional && property.type != .mixed
        let element = element(property)
        let nullable = element + (isOptional && !(property.type == .object && property.collection == .list) ? "?" : "")
        switch property.collection {
        case .none:
            let isReference = property.type == .string || property.type == .data
            let type = property.type == .object ? element + "?" : nullable
            return "public \(type) \(name) { get; set; }" + (isReference && !isOptional ? " = null!;" : "")
        case .list: return "public IList<\(nullable)> \(name) { get; } = null!;"
        case .set: return "public ISet<\(nullable)> \(name) { get; } = null!;"
        case .dictionary: return "public IDictionary<string, \(nullable)> \(name) { get; } = null!;"
        }
    }

    private func element(_ property: Property) -> String {
        switch property.type {
        case .int: "long"
        case .bool: "bool"
        case .float: "float"
        case .double: "double"
        case .string: "string"
        case .data: "byte[]"
        case .date: "DateTimeOffset"
        case .decimal128: "Decimal128"
        case .objectId: "ObjectId"
        case .uuid: "Guid"
        case .mixed: "RealmValue"
        case .object, .linkingObjects: classes.name(of: property.objectType)
        }
    }
}
