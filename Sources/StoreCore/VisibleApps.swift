import Postgres

/// The apps that somebody may see.
public enum VisibleApps: Hashable, Sendable {
    /// All, those that come later included.
    case all
    /// Those of some names, whether they are there or not.
    case named(Set<String>)

    /// Whether an app of a name is among them.
    public func contains(_ app: String) -> Bool {
        switch self {
        case .all: true
        case .named(let names): names.contains(app)
        }
    }

    /// Whether all of others are among them.
    public func contains(allOf others: VisibleApps) -> Bool {
        switch others {
        case .all: self == .all
        case .named(let names): names.allSatisfy(contains)
        }
    }

    /// The names as the database has them; nil for all.
    package var names: PostgresArray<String>? {
        switch self {
        case .all: nil
        case .named(let names): PostgresArray(names.sorted())
        }
    }
}
