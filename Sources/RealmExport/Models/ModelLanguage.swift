import RealmModel

/// A language's rules for names, and how it writes a text.
struct ModelLanguage: Sendable {
    /// The characters of a name.
    enum Alphabet {
        case ascii
        /// Letters of the Basic Multilingual Plane, without marks.
        case letters
        /// Unicode's identifiers (UAX #31).
        case identifiers
    }

    let alphabet: Alphabet
    /// Words that are no names, and names that a source of models has for something else, separated by spaces.
    let keywords: String
    /// Names that no class may have, beside the keywords.
    var classes = ""
    /// Names that no property may have, beside the keywords.
    let members: String
    /// Whether no member may have the name of its class.
    var keepsClassName = false
    /// Whether an escape has braces, `\u{202e}`, rather than four digits.
    let hasBraces: Bool
    /// Whether `$` puts a value into a text.
    let hasDollar: Bool

    /// The text as a literal between double quotes; controls and what isn't seen are escaped.
    func literal(_ text: String) -> String {
        "\""
            + text.unicodeScalars.map { scalar -> String in
                switch scalar {
                case "\"": "\\\""
                case "\\": "\\\\"
                case "\n": "\\n"
                case "\r": "\\r"
                case "\t": "\\t"
                case "$" where hasDollar: "\\$"
                case _ where !scalar.isVisible: escape(scalar)
                default: String(scalar)
                }
            }.joined() + "\""
    }

    private func escape(_ scalar: Unicode.Scalar) -> String {
        if hasBraces { return "\\u{\(String(scalar.value, radix: 16))}" }
        return String(scalar).utf16.map { unit in
            let digits = String(unit, radix: 16)
            return "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
        }.joined()
    }

    /// Whether a name may have the character, at its beginning or elsewhere.
    func takes(_ scalar: Unicode.Scalar, first: Bool) -> Bool {
        if scalar.isASCII {
            return scalar == "_" || scalar.properties.isAlphabetic || !first && ("0"..."9").contains(scalar)
        }
        let properties = scalar.properties
        switch alphabet {
        case .ascii: return false
        case .letters:
            switch properties.generalCategory {
            case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter:
                return scalar.value < 0x10000 && !properties.isDefaultIgnorableCodePoint
            default: return false
            }
        case .identifiers:
            return (first ? properties.isXIDStart : properties.isXIDContinue)
                && !properties.isDefaultIgnorableCodePoint
        }
    }

    static let swift = ModelLanguage(
        alphabet: .identifiers,
        keywords: """
            associatedtype class deinit enum extension fileprivate func import init inout internal let open operator private protocol \
            public rethrows static struct subscript typealias var break case continue default defer do else fallthrough for guard if in \
            repeat return switch where while as Any catch false is nil super self Self throw throws true try precedencegroup Type Protocol \
            Object EmbeddedObject AsymmetricObject List MutableSet Map LinkingObjects Persisted AnyRealmValue Int Int64 Bool Float \
            Double String Data Date Decimal128 ObjectId UUID Codable CodingKey FetchableRecord PersistableRecord ForeignKey Swift \
            Foundation RealmSwift GRDB
            """, classes: "await async any some each actor macro package",
        members: """
            description debugDescription hash hashValue superclass zone objectSchema isInvalidated isFrozen realm observe freeze thaw \
            CodingKeys databaseTableName
            """, hasBraces: true, hasDollar: false)
    static let kotlin = ModelLanguage(
        alphabet: .letters,
        keywords: """
            as break class continue do else false for fun if in interface is null object package return super this throw true try \
            typealias typeof val var when while suspend \
            RealmObject EmbeddedRealmObject AsymmetricRealmObject RealmList RealmSet RealmDictionary RealmResults RealmInstant \
            RealmUUID RealmAny BsonDecimal128 BsonObjectId PersistedName PrimaryKey Index FullText Ignore ColumnInfo Entity ForeignKey dynamic \
            Long Boolean Float Double String ByteArray Any Nothing Unit
            """, classes: "out",
        members: "Class backlinks realmListOf realmSetOf realmDictionaryOf byteArrayOf", hasBraces: false,
        hasDollar: true)
    static let csharp = ModelLanguage(
        alphabet: .letters,
        keywords: """
            abstract as base bool break byte case catch char checked class const continue decimal default delegate do double else enum \
            event explicit extern false finally fixed float for foreach goto if implicit in int interface internal is lock long \
            namespace new null object operator out override params private protected public readonly ref return sbyte sealed short \
            sizeof stackalloc static string struct switch this throw true try typeof uint ulong unchecked unsafe ushort using virtual \
            void volatile while record var dynamic partial where required scoped file nameof nint nuint await field \
            IRealmObject IEmbeddedObject IAsymmetricObject IList ISet IDictionary IQueryable DateTimeOffset Decimal128 ObjectId Guid \
            RealmValue MapTo PrimaryKey Indexed IndexType Backlink System MongoDB Realms
            """,
        classes: "async Object Accessor BacklinksCount DynamicApi IsFrozen IsManaged IsValid ObjectSchema Realm",
        members: """
            Equals GetHashCode GetType ToString MemberwiseClone Finalize ReferenceEquals Accessor IsManaged IsValid IsFrozen Realm \
            ObjectSchema DynamicApi BacklinksCount PropertyChanged
            """, keepsClassName: true, hasBraces: false, hasDollar: false)
    static let dart = ModelLanguage(
        alphabet: .ascii,
        keywords: """
            assert break case catch class const continue default do else enum extends false final finally for if in is new null rethrow \
            return super switch this throw true try var void while with late required abstract as async await base covariant deferred \
            dynamic export extension external factory Function get hide implements import interface library mixin of on operator part \
            sealed set show static sync type typedef when yield \
            RealmModel ObjectType RealmIndexType MapTo PrimaryKey Indexed Backlink List Set Map Iterable String Uint8List DateTime \
            Decimal128 ObjectId Uuid RealmValue Object int bool double num
            """, members: "hashCode runtimeType toString noSuchMethod realm isValid isFrozen changes freeze toEJson",
        hasBraces: false, hasDollar: true)
    static let javascript = ModelLanguage(
        alphabet: .identifiers,
        keywords: """
            break case catch class const continue debugger default delete do else enum export extends false finally for function if \
            import in instanceof new null return super switch this throw true try typeof var void while with let static yield await \
            implements interface package private protected public any unknown never number string boolean symbol bigint object \
            undefined eval arguments Realm BSON Date ArrayBuffer models
            """, classes: "readonly keyof unique infer asserts",
        members: """
            constructor __proto__ keys entries toJSON isValid objectSchema linkingObjects linkingObjectsCount addListener removeListener \
            removeAllListeners getPropertyType hasOwnProperty isPrototypeOf propertyIsEnumerable toString toLocaleString valueOf
            """, hasBraces: false, hasDollar: false)
}
