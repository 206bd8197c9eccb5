/// Something that a fleet which commits nothing has found, the same in any number of realms.
public struct FleetFinding: Hashable, Sendable {
    /// Characters of a message at most.
    public static let messageLimit = 300

    /// How much it matters.
    public enum Level: String, Hashable, Sendable, CaseIterable {
        case error
        case warning
        case note
    }

    /// How much it matters.
    public let level: Level
    /// The name of its rule.
    public let rule: String
    /// The class; nil where it is about none.
    public let className: String?
    /// The property; nil where it is about none.
    public let property: String?
    /// The message, without what tells one realm from another.
    public let message: String

    /// Describes a finding.
    public init(_ level: Level, _ rule: String, _ message: String, className: String? = nil, property: String? = nil) {
        self.level = level
        self.rule = rule
        self.className = className
        self.property = property
        // U+0000 is none that PostgreSQL's texts have.
        self.message = String(message.filter { $0 != "\0" }.prefix(Self.messageLimit))
    }
}
