/// One difference between two declared schemas as developers see it: what it is, whom it breaks, what to do.
public struct SchemaChangeReport: Hashable, Sendable {
    /// The kind of a change, the rows of Realm's quick reference first; the raw value is the `kind` of the API.
    public enum Kind: String, Hashable, Sendable, CaseIterable {
        case addObjectType
        case addRequiredProperty
        case addOptionalProperty
        case removeObjectType
        case removeRequiredProperty
        case removeOptionalProperty
        case changeObjectTypeName
        case changePropertyName
        case changePropertyType
        case changePropertyOptionalToRequired
        case changePropertyRequiredToOptional
        case changePrimaryKey
        case addIndex
        case removeIndex
        case changeEmbedded
    }

    /// Whether a change on one side needs more than the change itself.
    public enum Impact: String, Hashable, Sendable, CaseIterable {
        case nonBreaking = "non-breaking"
        case breaking
    }

    /// The rename that a removal and an addition might be together.
    public struct Suggestion: Hashable, Sendable {
        /// `changePropertyName` or `changeObjectTypeName`.
        public var kind: Kind
        /// The name that is removed.
        public var from: String
        /// The name that is added.
        public var to: String
    }

    /// The kind of the change.
    public var kind: Kind
    /// The class, by its name in the later schema where it has one.
    public var className: String
    /// The property, by its stored name in the later schema where it has one; nil where it is the class.
    public var property: String?
    /// The old side: a name, a type, an optionality, a kind of class, as `kind` asks for.
    public var from: String?
    /// The new side.
    public var to: String?
    /// Realm's own message where Realm has one.
    public var message: String
    /// The rename that the change may be a half of.
    public var suggests: Suggestion?

    init(
        _ kind: Kind, _ className: String, _ property: String? = nil, from: String? = nil, to: String? = nil,
        message: String
    ) {
        self.kind = kind
        self.className = className
        self.property = property
        self.from = from
        self.to = to
        self.message = message
    }
}
