import RealmModel

/// Names of a realm as identifiers of a language, each its own.
struct ModelNames {
    private let keywords: Set<NameKey>
    private var taken: Set<NameKey> = []

    /// - Parameter keywords: what no name may be, separated by spaces.
    init(keywords: String) {
        self.keywords = Set(keywords.split(separator: " ").map { NameKey(String($0)) })
    }

    /// The identifier for a name: itself where the language takes it, and no other name of the room has it.
    mutating func take(_ name: String) -> String {
        var text = String(name.unicodeScalars.map { Self.isPart($0) ? Character($0) : "_" })
        if text.isEmpty || text.utf8.first.map({ (0x30...0x39).contains($0) }) ?? false { text = "_" + text }
        if keywords.contains(name: text) { text += "_" }
        var candidate = text
        var number = 1
        while !taken.insert(name: candidate) {
            number += 1
            candidate = "\(text)_\(number)"
        }
        return candidate
    }

    private static func isPart(_ scalar: Unicode.Scalar) -> Bool {
        scalar == "_" || scalar.properties.isAlphabetic || ("0"..."9").contains(scalar)
    }

    static let swift = """
        associatedtype class deinit enum extension fileprivate func import init inout internal let open operator private protocol public \
        rethrows static struct subscript typealias var break case continue default defer do else fallthrough for guard if in repeat \
        return switch where while as Any catch false is nil super self Self throw throws true try Type description hash objectSchema \
        isInvalidated isFrozen realm observe
        """
    static let kotlin = """
        as break class continue do else false for fun if in interface is null object package return super this throw true try typealias \
        typeof val var when while
        """
    static let csharp = """
        abstract as base bool break byte case catch char checked class const continue decimal default delegate do double else enum event \
        explicit extern false finally fixed float for foreach goto if implicit in int interface internal is lock long namespace new null \
        object operator out override params private protected public readonly ref return sbyte sealed short sizeof stackalloc static \
        string struct switch this throw true try typeof uint ulong unchecked unsafe ushort using virtual void volatile while
        """
    static let dart = """
        assert break case catch class const continue default do else enum extends false final finally for if in is new null rethrow return \
        super switch this throw true try var void while with late required
        """
    static let javascript = """
        break case catch class const continue debugger default delete do else enum export extends false finally for function if import in \
        instanceof new null return super switch this throw true try typeof var void while with let static yield await
        """
}

/// A class with identifiers of a language for it and its properties.
struct ModelClass {
    let schema: ObjectSchema
    let name: String
    let properties: [(property: Property, name: String)]

    /// The classes of a schema.
    static func all(of schema: Schema, keywords: String) -> [ModelClass] {
        var names = ModelNames(keywords: keywords)
        return schema.classes.map { objectSchema in
            var members = ModelNames(keywords: keywords)
            return ModelClass(
                schema: objectSchema, name: names.take(objectSchema.name),
                properties: objectSchema.properties.map { ($0, members.take($0.publicName)) })
        }
    }
}

extension [ModelClass] {
    /// The identifier of a class.
    func name(of className: String?) -> String {
        first { $0.schema.name.hasSameBytes(as: className ?? "") }?.name ?? "Any"
    }

    /// The identifier of a property of a class.
    func name(of property: String?, in className: String?) -> String {
        first { $0.schema.name.hasSameBytes(as: className ?? "") }?
            .properties.first { $0.property.name.hasSameBytes(as: property ?? "") }?.name ?? ""
    }

    /// Whether a property is a link to an embedded class.
    func isEmbedded(_ property: Property) -> Bool {
        first { $0.schema.name.hasSameBytes(as: property.objectType ?? "") }?.schema.isEmbedded ?? false
    }
}

extension String {
    /// The text as a literal of a language of C's family, between double quotes.
    var literal: String {
        "\""
            + unicodeScalars.map { scalar -> String in
                switch scalar {
                case "\"": "\\\""
                case "\\": "\\\\"
                case "\n": "\\n"
                case "\r": "\\r"
                case "\t": "\\t"
                case "$": "$"
                default: String(scalar)
                }
            }.joined() + "\""
    }

    /// The text as a literal of a language that puts values into strings by `$`.
    var dollarLiteral: String {
        literal.split(separator: "$", omittingEmptySubsequences: false).joined(separator: "\\$")
    }
}
