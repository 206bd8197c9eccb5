import Postgres
import RealmModel
import StoreCore

extension JobStore {
    /// Jobs, without the schemas and migrations that their requests brought along.
    ///
    /// A page ends where its problems are 4 MiB, whatever its limit. Where no index leads to the jobs that fit it looks at a bounded
    /// number of them, and may end early; the next one goes on.
    public func list(
        _ filter: JobFilter = JobFilter(), by order: JobOrderOfList = .newest, _ page: PageRequest = PageRequest()
    ) throws -> Page<ListedJob> {
        let place = try Cursor.moment(.jobs, page, isAscending: order == .oldest)
        return try pool.withConnection { connection in
            let rows = try connection.query(
                """
                SELECT \(job: .listed), found FROM (
                    SELECT *, count(*) OVER () AS found,
                        sum(problem_bytes) OVER (ORDER BY \(unsafeSQL: order.columns)) - problem_bytes AS bytes_before
                    FROM (
                        SELECT job.*, coalesce(octet_length(problem::text), 0) AS problem_bytes
                        FROM \(jobsOf: filter, by: order, after: place)
                        WHERE \(jobsBehind: place, by: order, of: filter) \(andJobIsOf: filter)
                        ORDER BY \(unsafeSQL: order.columns) LIMIT \(page.rowLimit)
                    ) AS jobs
                ) AS j \(Job.joinedOrder)
                WHERE bytes_before < \(Self.pageBytes) ORDER BY j.\(unsafeSQL: order.columns)
                """)
            let jobs = try rows.map(ListedJob.init(row:))
            var listed = try Page(jobs, found: rows.first?.value("found") ?? 0, rows.count, page, .jobs) {
                Cursor.key($0.createdAt, $0.id)
            }
            if listed.next == nil {
                listed.next = try end(of: filter, by: order, after: place, connection)
            }
            if page.wantsTotal { listed.total = try total(of: filter, connection) }
            return listed
        }
    }

    /// The cursor of the place at which a page that is not full stopped looking; nil where it came to the list's end.
    private func end(
        of filter: JobFilter, by order: JobOrderOfList, after place: (time: Timestamp, id: RealmModel.UUID),
        _ connection: PostgresConnection
    ) throws -> String? {
        guard let limit = filter.lookLimit else { return nil }
        return try connection.query(
            """
            SELECT created_at, job_id FROM job WHERE \(jobsBehind: place, by: order, of: filter)
            ORDER BY \(unsafeSQL: order.columns) LIMIT 1 OFFSET \(limit - 1)
            """
        ).first.map { Cursor.text(.jobs, Cursor.key(try $0.value("created_at"), try $0.value("job_id"))) }
    }

    /// The jobs of all pages, as far as they are counted: of those that a first page looks at.
    private func total(of filter: JobFilter, _ connection: PostgresConnection) throws -> ListTotal {
        let place = try Cursor.moment(.jobs, PageRequest())
        let found = try connection.query(
            """
            SELECT count(*) AS found FROM (
                SELECT FROM \(jobsOf: filter, by: .newest, after: place)
                WHERE \(jobsBehind: place, by: .newest, of: filter) \(andJobIsOf: filter)
                LIMIT \(ListTotal.largest + 1)
            ) AS jobs
            """)[0].value("found", as: Int.self)
        let end = try end(of: filter, by: .newest, after: place, connection)
        return ListTotal(found: found, isComplete: end == nil)
    }
}
