/// Why PostgreSQL, or the way to it, refused something; never holds a value of a row.
public struct PostgresError: Error, Hashable, Sendable {
    /// The five characters of the SQLSTATE (PostgreSQL manual, appendix A); class 08 where the connection failed.
    public var sqlState: String
    /// PostgreSQL's primary message, without detail and context, which quote rows.
    public var message: String
    /// The constraint that was violated, where one was.
    public var constraint: String?

    /// Describes a failure.
    public init(sqlState: String, message: String, constraint: String? = nil) {
        self.sqlState = sqlState
        self.message = message
        self.constraint = constraint
    }

    /// A failure of the connection itself (class 08).
    public static func connection(_ message: String) -> PostgresError {
        PostgresError(sqlState: "08006", message: message)
    }

    /// A result that is not of the type it was read as: a mistake of this program.
    static func unexpected(_ message: String) -> PostgresError {
        PostgresError(sqlState: "XX000", message: message)
    }

    /// Whether the same transaction may succeed when it is run again at once (serialization failure, deadlock).
    public var isRetryable: Bool { sqlState == "40001" || sqlState == "40P01" }

    /// Whether the server takes no changes: it is a standby, or set to read only.
    public var isReadOnly: Bool { sqlState == "25006" }

    /// Whether a disk of the server is full.
    public var isDiskFull: Bool { sqlState == "53100" }

    /// Whether the cause is likely to go away by itself.
    ///
    /// Retryable ones, and lost connections (08), lack of resources (53), a server that starts or stops (57P) or is so busy
    /// that a statement, or a client within a transaction, ran into its time limit (57014, 25P03), or takes no changes, as
    /// another one does after a failover (25006).
    public var isTransient: Bool {
        isRetryable || isReadOnly || ["08", "53"].contains(String(sqlState.prefix(2))) || sqlState.hasPrefix("57P")
            || sqlState == "57014" || sqlState == "25P03"
    }

    /// Whether the values themselves are such as the database can't have (classes 22 and 54), however often they are sent.
    public var isAboutData: Bool { ["22", "54"].contains(String(sqlState.prefix(2))) }

    /// Whether a unique constraint was violated.
    public var isUniqueViolation: Bool { sqlState == "23505" }
}

extension PostgresError: CustomStringConvertible {
    /// The message with its SQLSTATE.
    public var description: String { "\(message) (SQLSTATE \(sqlState))" }
}
