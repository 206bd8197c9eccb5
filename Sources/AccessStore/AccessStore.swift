import Postgres

/// Who may do what, and what is kept of requests, in PostgreSQL.
///
/// Every function of its parts throws `StoreError`, or `PostgresError` where the database fails.
public struct AccessStore: Sendable {
    let pool: PostgresPool

    /// A store over a pool; `DatabaseSchema.upgrade` has to have run.
    public init(_ pool: PostgresPool) { self.pool = pool }

    /// The keys that clients authenticate with.
    public var keys: Keys { Keys(pool: pool) }

    /// The secrets that keys have made for realms.
    public var tokens: Tokens { Tokens(pool: pool) }

    /// The sessions that browsers have in place of keys.
    public var sessions: Sessions { Sessions(pool: pool) }

    /// Requests that may be repeated, and what was answered to them.
    public var idempotency: Idempotency { Idempotency(pool: pool) }

    /// Who did what when.
    public var audit: Audit { Audit(pool: pool) }

    /// The keys that clients authenticate with.
    public struct Keys: Sendable {
        let pool: PostgresPool
    }

    /// The secrets that keys have made for realms.
    public struct Tokens: Sendable {
        let pool: PostgresPool
    }

    /// The sessions that browsers have in place of keys.
    public struct Sessions: Sendable {
        let pool: PostgresPool
    }

    /// Requests that may be repeated, and what was answered to them.
    public struct Idempotency: Sendable {
        let pool: PostgresPool
    }

    /// Who did what when.
    public struct Audit: Sendable {
        let pool: PostgresPool
    }
}
