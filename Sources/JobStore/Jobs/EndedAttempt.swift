import Postgres
import Problems
import RealmJSON
import RealmModel
import StoreCore

/// How an attempt ended that had no result.
public struct EndedAttempt: Hashable, Sendable {
    /// Its number, from 1.
    public var attempt: Int
    /// When it began; nil where an older program began it.
    public var startedAt: Timestamp?
    /// When it ended, or was found to have ended.
    public var endedAt: Timestamp
    /// Why.
    public var problem: ProblemDocument
}

extension EndedAttempt {
    /// The attempts of a job, as a row has them.
    ///
    /// - Throws: `StoreError.damaged`.
    static func list(_ stored: PostgresJSON) throws -> [EndedAttempt] {
        guard let list = try? JSONValue.parse(Array(stored.text.utf8)), let attempts = list.elements else {
            throw StoreError.damaged("the attempts of a job")
        }
        return try attempts.map(EndedAttempt.init(json:))
    }

    private init(json: JSONValue) throws(StoreError) {
        self.init(
            attempt: Int(try json.stored("attempt", \.int)),
            startedAt: try json.storedIfAny("startedAt", Self.moment),
            endedAt: try json.stored("endedAt", Self.moment),
            problem: try json.stored("problem") { try? ProblemDocument(json: $0) })
    }

    /// Microseconds since 1970.
    private static func moment(_ json: JSONValue) -> Timestamp? {
        json.int.map { Timestamp(seconds: $0 / 1_000_000, nanoseconds: Int32($0 % 1_000_000) * 1000) }
    }
}
