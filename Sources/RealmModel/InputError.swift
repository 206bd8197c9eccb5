/// Why a realm or a schema that was handed in could not be read: one type for every format, so that it can cross a pipe.
///
/// Says where, never what: no value of an object is in it.
public struct InputError: Error, Hashable, Sendable {
    /// The kinds of bad input; the raw value is the `code` of the problem document.
    public enum Code: String, Hashable, Sendable, CaseIterable {
        /// The bytes are not of the format that they are said to be.
        case notARealm = "not_a_realm"
        /// The end is missing.
        case truncated = "truncated"
        /// Something inside contradicts the format.
        case damaged = "damaged"
        /// A format or version that is not read here.
        case unsupportedFormat = "unsupported_format"
        /// The file is encrypted and no key was given, or the key does not fit.
        case wrongEncryptionKey = "wrong_encryption_key"
        /// The text is not JSON (RFC 8259).
        case malformedJSON = "malformed_json"
        /// A member of the document is missing, or of another shape than it has to be.
        case malformedDocument = "malformed_document"
        /// A member that the document, or an object in it, has not.
        case unknownMember = "unknown_member"
        /// A script is in a language that nothing runs.
        case scriptLanguageUnsupported = "script_language_unsupported"
        /// The schema is none that Realm accepts.
        case schemaInvalid = "schema_invalid"
        /// An object of a class that the schema has not.
        case unknownClass = "unknown_class"
        /// A member of an object that its class has not.
        case unknownProperty = "unknown_property"
        /// A value of another type than its property's.
        case typeMismatch = "type_mismatch"
        /// A required value is missing or null.
        case missingValue = "missing_value"
        /// Two objects of a class have the same key or primary key.
        case duplicateKey = "duplicate_key"
        /// A link to an object that is not there.
        case brokenLink = "broken_link"
        /// A value that the format asked for has no place for.
        case notInFormat = "not_in_format"
        /// Something is larger than Realm or this program allows.
        case tooLarge = "too_large"
    }

    /// The kind.
    public var code: Code
    /// The problem, in one sentence that also says where.
    public var message: String
    /// The single things that are wrong, each with its place; at least one.
    public var details: [ProblemItem]

    /// Describes bad input that is wrong in one way, at a place that is not known.
    public init(_ code: Code, _ message: String) {
        self.init(code, ProblemItem(message))
    }

    /// Describes bad input that is wrong in one place.
    ///
    /// - Parameter item: its message is the error's.
    public init(_ code: Code, _ item: ProblemItem) {
        self.init(code, item.message, details: [item])
    }

    /// Describes bad input that is wrong in several places.
    public init(_ code: Code, _ message: String, details: [ProblemItem]) {
        self.code = code
        self.message = message
        self.details = details
    }
}

extension InputError: CustomStringConvertible {
    /// The message.
    public var description: String { message }
}
