import Postgres
import RealmModel
import StoreCore

extension AccessStore.Idempotency {
    /// How long an answer is kept.
    public static let age = Duration.seconds(86_400)

    /// Takes a request, where nobody has answered it and nobody is about to.
    ///
    /// - Parameter lease: how long it is held; a holder that is gone lets go by that.
    public func take(_ request: IdempotentRequest, for lease: Duration) throws -> IdempotentRequestState {
        let turn = RealmModel.UUID.version7()
        return try pool.withConnection { connection in
            let taken = try connection.query(
                """
                INSERT INTO idempotent_request AS r (key_id, idempotency_key, fingerprint, turn_id, job_id, held_until)
                VALUES (\(request.key), \(request.name), \(PostgresBytes(request.fingerprint)), \(turn),
                    \(RealmModel.UUID.version7()), now() + \(lease.inSeconds) * interval '1 second')
                ON CONFLICT (key_id, idempotency_key) DO UPDATE
                SET fingerprint = excluded.fingerprint, turn_id = excluded.turn_id, held_until = excluded.held_until,
                    status = NULL, fields = NULL, body = NULL, created_at = now(),
                    job_id = CASE WHEN r.fingerprint = excluded.fingerprint AND r.status IS NULL
                            AND r.created_at >= now() - \(Self.age.inSeconds) * interval '1 second'
                        THEN coalesce(r.job_id, excluded.job_id) ELSE excluded.job_id END
                WHERE r.created_at < now() - \(Self.age.inSeconds) * interval '1 second'
                    OR r.held_until = '-infinity'
                    OR r.held_until < now() AND r.fingerprint = excluded.fingerprint
                RETURNING job_id
                """)
            if let row = taken.first { return .taken(turn: turn, job: try row.value("job_id")) }
            let rows = try connection.query(
                """
                SELECT fingerprint, status, fields, body FROM idempotent_request
                WHERE key_id = \(request.key) AND idempotency_key = \(request.name)
                """)
            // Its holder gave it up this moment: the client may ask again.
            guard let row = rows.first else { return .inFlight }
            guard try row.value("fingerprint", as: PostgresBytes.self).bytes == request.fingerprint else {
                return .mismatch
            }
            guard let status = try row.optional("status", as: Int.self) else { return .inFlight }
            return .answered(
                KeptAnswer(
                    status: status, fields: try row.value("fields", as: PostgresArray<String>.self).elements,
                    body: try row.value("body", as: PostgresBytes.self).bytes))
        }
    }

    /// Holds requests that are still being answered, by their turns.
    public func renew(_ turns: [RealmModel.UUID: IdempotentRequest], for lease: Duration) throws {
        try pool.withConnection { connection in
            _ = try connection.execute(
                """
                UPDATE idempotent_request SET held_until = now() + \(lease.inSeconds) * interval '1 second'
                FROM unnest(\(PostgresArray(turns.values.map(\.key))), \(PostgresArray(turns.values.map(\.name))),
                    \(PostgresArray(Array(turns.keys)))) AS held (key, name, turn)
                WHERE key_id = held.key AND idempotency_key = held.name AND turn_id = held.turn AND held_until IS NOT NULL
                """)
        }
    }

    /// Keeps what was answered.
    public func keep(_ answer: KeptAnswer, to request: IdempotentRequest, turn: RealmModel.UUID) throws {
        try pool.withConnection { connection in
            _ = try connection.execute(
                """
                UPDATE idempotent_request
                SET held_until = NULL, status = \(Int32(answer.status)), fields = \(PostgresArray(answer.fields)),
                    body = \(PostgresBytes(answer.body))
                WHERE key_id = \(request.key) AND idempotency_key = \(request.name) AND turn_id = \(turn)
                """)
        }
    }

    /// Lets go of a request to which no answer counts, such as that the database is away: a repeat is a first one, but for the job that
    /// this one may have made.
    public func giveUp(_ request: IdempotentRequest, turn: RealmModel.UUID) throws {
        try pool.withConnection { connection in
            _ = try connection.execute(
                """
                UPDATE idempotent_request SET held_until = '-infinity'
                WHERE key_id = \(request.key) AND idempotency_key = \(request.name) AND turn_id = \(turn)
                """)
        }
    }

    /// Removes what is kept for long enough.
    public func removeOld() throws {
        try pool.transaction(isLong: true) { connection in
            _ = try connection.execute(
                "DELETE FROM idempotent_request WHERE created_at < now() - \(Self.age.inSeconds) * interval '1 second'")
        }
    }
}
