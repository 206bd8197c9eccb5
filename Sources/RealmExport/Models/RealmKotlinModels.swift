import RealmModel

/// Classes for Realm Kotlin.
struct RealmKotlinModels {
    private let language = ModelLanguage.kotlin
    private let classes: ModelClasses

    init(_ schema: Schema) { classes = ModelClasses(schema, language) }

    var text: String {
        let imports = [
            "io.realm.kotlin.ext.backlinks", "io.realm.kotlin.ext.realmDictionaryOf", "io.realm.kotlin.ext.realmListOf",
            "io.realm.kotlin.ext.realmSetOf", "io.realm.kotlin.types.*", "io.realm.kotlin.types.annotations.*",
            "org.mongodb.kbson.BsonDecimal128", "org.mongodb.kbson.BsonObjectId",
        ]
        return imports.map { "import \($0)\n" }.joined() + classes.all.map(source).joined()
    }

    private func source(_ model: ModelClass) -> String {
        let base =
            switch model.schema.kind {
            case .topLevel: "RealmObject"
            case .embedded: "EmbeddedRealmObject"
            case .asymmetric: "AsymmetricRealmObject"
            }
        var lines = [""]
        if !model.name.hasSameBytes(as: model.schema.name) {
            lines.append("@PersistedName(\(language.literal(model.schema.name)))")
        }
        lines.append("class \(model.name) : \(base) {")
        for (property, name) in model.properties {
            if model.schema.isPrimaryKey(property) { lines.append("    @PrimaryKey") }
            if property.index == .general { lines.append("    @Index") }
            if property.index == .fullText { lines.append("    @FullText") }
            if !property.isComputed, !name.hasSameBytes(as: property.name) {
                lines.append("    @PersistedName(\(language.literal(property.name)))")
            }
            lines.append("    " + declaration(of: property, name))
        }
        return (lines + ["}"]).joined(separator: "\n") + "\n"
    }

    private func declaration(of property: Property, _ name: String) -> String {
        let target = classes.name(of: property.objectType)
        if property.isComputed {
            let origin = classes.name(of: property.originProperty, in: property.objectType)
            return "val \(name): RealmResults<\(target)> by backlinks(\(target)::\(origin))"
        }
        let (type, initial) = element(property)
        let isOptional = property.isOptional && !(property.type == .object && property.collection != .dictionary)
        let element = type + (isOptional || property.type == .mixed ? "?" : "")
        return switch property.collection {
        case .none:
            property.isOptional || property.type == .object || property.type == .mixed
                ? "var \(name): \(type)? = null" : "var \(name): \(type) = \(initial)"
        case .list: "var \(name): RealmList<\(element)> = realmListOf()"
        case .set: "var \(name): RealmSet<\(element)> = realmSetOf()"
        case .dictionary: "var \(name): RealmDictionary<\(element)> = realmDictionaryOf()"
        }
    }

    private func element(_ property: Property) -> (type: String, initial: String) {
        switch property.type {
        case .int: ("Long", "0")
        case .bool: ("Boolean", "false")
        case .float: ("Float", "0f")
        case .double: ("Double", "0.0")
        case .string: ("String", "\"\"")
        case .data: ("ByteArray", "byteArrayOf()")
        case .date: ("RealmInstant", "RealmInstant.from(0, 0)")
        case .decimal128: ("BsonDecimal128", "BsonDecimal128(\"0\")")
        case .objectId: ("BsonObjectId", "BsonObjectId()")
        case .uuid: ("RealmUUID", "RealmUUID.random()")
        case .mixed: ("RealmAny", "null")
        case .object, .linkingObjects: (classes.name(of: property.objectType), "null")
        }
    }
}
