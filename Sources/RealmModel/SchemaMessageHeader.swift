/// The first line of Realm's messages about schemas, under which the single errors or changes are listed.
public enum SchemaMessageHeader: String, Hashable, Sendable, CaseIterable {
    /// The schema is none that Realm accepts.
    case validationFailed = "Schema validation failed due to the following errors:"
    /// The schema version would have to be raised.
    case migrationRequired = "Migration is required due to the following errors:"
    /// The modes `immutable` and `readOnly`.
    case readOnly = "The following changes cannot be made in read-only schema mode:"
    /// The modes `additiveDiscovered` and `additiveExplicit`.
    case additiveOnly = "The following changes cannot be made in additive-only schema mode:"
    /// Another process changed the file.
    case externalChange = "Unsupported schema changes were made by another client or process:"

    /// The whole text: the header, an item a line, and Realm's advice where it gives one.
    public func text(_ items: [String]) -> String {
        ([rawValue] + items.map { "- " + $0 } + advice).joined(separator: "\n")
    }

    private var advice: [String] {
        switch self {
        case .additiveOnly, .externalChange:
            [
                "If your app is running in development mode, you can delete the realm and restart the app to update "
                    + "your schema."
            ]
        case .validationFailed, .migrationRequired, .readOnly: []
        }
    }
}
