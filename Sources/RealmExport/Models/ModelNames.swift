import RealmModel

/// Names of a realm as identifiers of a language, each its own.
struct ModelNames {
    private let language: ModelLanguage
    private let keywords: Set<String>  // no name
    /// Compilers may take names for one that differ by how they are composed, as Swift's texts do.
    private var taken: Set<String> = []  // no name
    /// The number that an identifier was given last.
    private var numbers: [String: Int] = [:]  // no name

    /// The identifiers of classes and tables.
    ///
    /// - Parameter others: names that none of them may have, beside the language's.
    init(_ language: ModelLanguage, besides others: [String] = []) {
        self.language = language
        let words = (language.keywords + " " + language.classes).split(separator: " ").map(String.init)
        keywords = Set(words + others)
    }

    /// The identifiers of a class's properties.
    ///
    /// - Parameter className: the identifier of the class.
    init(membersOf className: String, _ language: ModelLanguage) {
        self.language = language
        let words = (language.keywords + " " + language.members).split(separator: " ").map(String.init)
        keywords = Set(words + (language.keepsClassName ? [className] : []))
    }

    /// The identifier for a name: itself where the language takes it, and no other name of the room has it.
    mutating func take(_ name: String) -> String {
        var text = String(
            String.UnicodeScalarView(name.unicodeScalars.map { language.takes($0, first: false) ? $0 : "_" }))
        // A name of nothing but such strokes is a pattern or a word to be in many languages.
        if text.utf8.allSatisfy({ $0 == UInt8(ascii: "_") }) { text = "unnamed" }
        if let first = text.unicodeScalars.first, !language.takes(first, first: true) { text = "_" + text }
        if keywords.contains(text) { text += "_" }
        var candidate = text
        var number = numbers[text] ?? 1
        while !taken.insert(candidate).inserted {
            number += 1
            candidate = "\(text)_\(number)"
        }
        numbers[text] = number
        return candidate
    }
}

/// A class with identifiers of a language for it and its properties.
struct ModelClass {
    let schema: ObjectSchema
    let name: String
    let properties: [(property: Property, name: String)]
}

/// The classes of a schema with identifiers of a language.
struct ModelClasses {
    let all: [ModelClass]
    private let byName: [NameKey: Int]

    init(_ schema: Schema, _ language: ModelLanguage) {
        var names = ModelNames(language)
        all = schema.classes.map { objectSchema in
            let name = names.take(objectSchema.name)
            var members = ModelNames(membersOf: name, language)
            return ModelClass(
                schema: objectSchema, name: name,
                properties: objectSchema.properties.map { ($0, members.take($0.publicName)) })
        }
        byName = Dictionary(
            all.enumerated().map { (NameKey($1.schema.name), $0) }, uniquingKeysWith: { first, _ in first })
    }

    /// The identifier of a class.
    func name(of className: String?) -> String { model(of: className)?.name ?? "Any" }

    /// The identifier of a property of a class.
    func name(of property: String?, in className: String?) -> String {
        model(of: className)?.properties.first { $0.property.name.hasSameBytes(as: property ?? "") }?.name ?? ""
    }

    private func model(of className: String?) -> ModelClass? { byName[name: className ?? ""].map { all[$0] } }
}
