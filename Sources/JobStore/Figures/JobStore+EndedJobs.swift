import Postgres
import RealmModel
import SnapshotStore
import StoreCore

extension JobStore {
    /// Adds jobs that have just ended to those of the hour.
    ///
    /// - Returns: the names of their apps, but for those that were removed.
    @discardableResult
    public func add(_ ended: EndedJobs) throws -> Set<String> {
        guard !ended.isEmpty else { return [] }
        return try pool.transaction { connection in
            var names: Set<String> = []
            // A crash of the database may lose some of the charts, which is not worth a wait.
            try connection.execute(script: "SET LOCAL synchronous_commit = off")
            // In one order, so that no two processes wait for each other; the rows that all write come last.
            for (series, durations) in ended.ofEachApp {
                // The lock keeps the app until its row is written.
                let app = try connection.query("SELECT name FROM app WHERE app_id = \(series.app) FOR KEY SHARE")
                guard let app = app.first else { continue }
                names.insert(try app.value("name"))
                try Self.add(durations, of: series.app, series.kind, series.state, connection)
            }
            for (kind, state, durations) in ended.ofAllApps {
                try Self.add(durations, of: nil, kind, state, connection)
            }
            return names
        }
    }

    private static func add(
        _ durations: Histogram, of app: RealmModel.UUID?, _ kind: JobKind, _ state: JobState,
        _ connection: PostgresConnection
    ) throws {
        _ = try connection.execute(
            """
            INSERT INTO job_hour (app_id, hour, kind, state, counts, seconds)
            VALUES (\(app), date_trunc('hour', now(), 'UTC'), \(kind.rawValue), \(state.rawValue),
                \(PostgresArray(durations.counts)), \(durations.sum))
            ON CONFLICT (coalesce(app_id, '00000000-0000-0000-0000-000000000000'), hour, kind, state) DO UPDATE SET
                seconds = job_hour.seconds + excluded.seconds, counts = ARRAY(
                    SELECT coalesce(was, 0) + coalesce(more, 0)
                    FROM unnest(job_hour.counts, excluded.counts) WITH ORDINALITY AS count (was, more, place) ORDER BY place)
            """)
    }

    /// The jobs that ended in a time, by kind and by hour or day, ascending; hours without any are left out.
    ///
    /// - Parameter app: nil for all apps.
    /// - Throws: `StoreError.notFound` (app).
    public func endedJobs(
        of app: String?, from start: Timestamp, to end: Timestamp, by step: FigureStep
    ) throws -> [EndedJobsOfStep] {
        let rows = try pool.withConnection { connection in
            let id = try app.map { try SnapshotStore.Apps.app($0, connection).id }
            return try connection.query(
                """
                SELECT date_trunc(\(step.rawValue), hour, 'UTC') AS at, kind, state, counts, seconds FROM job_hour
                WHERE coalesce(app_id, '00000000-0000-0000-0000-000000000000')
                        = coalesce(\(id), '00000000-0000-0000-0000-000000000000')
                    AND hour >= \(start) AND hour < \(end)
                ORDER BY 1, kind
                """)
        }
        var steps: [EndedJobsOfStep] = []
        for row in rows {
            // A newer program may count kinds that this one does not know.
            guard let kind = JobKind(rawValue: try row.value("kind")),
                let state = JobState(rawValue: try row.value("state"))
            else { continue }
            let at: Timestamp = try row.value("at")
            if steps.last?.at != at || steps.last?.kind != kind {
                steps.append(EndedJobsOfStep(at: at, kind: kind, counts: [:], durations: Histogram()))
            }
            let durations = Histogram(
                counts: try row.value("counts", as: PostgresArray<Int>.self).elements, sum: try row.value("seconds"))
            steps[steps.count - 1].counts[state, default: 0] += durations.count
            if state != .cancelled { steps[steps.count - 1].durations.add(durations) }
        }
        return steps
    }
}
