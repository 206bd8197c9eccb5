import Postgres

extension JobStore {
    /// Adds to what all processes have counted.
    public func add(_ figures: JobFigures) throws {
        let rows =
            figures.counters.map { (series: $0, counts: [$1], seconds: 0.0) }
            + figures.histograms.map { (series: $0, counts: $1.counts, seconds: $1.sum) }
        // In one order, so that no two processes wait for each other.
        let ordered = rows.sorted {
            ($0.series.name.rawValue, $0.series.labels) < ($1.series.name.rawValue, $1.series.labels)
        }
        try pool.transaction { connection in
            // The figures that a crash of the database loses are not worth a wait.
            try connection.execute(script: "SET LOCAL synchronous_commit = off")
            for row in ordered {
                try connection.execute(
                    """
                    INSERT INTO job_figure (name, labels, counts, seconds)
                    VALUES (\(row.series.name.rawValue), \(row.series.labels), \(PostgresArray(row.counts)), \(row.seconds))
                    ON CONFLICT (name, labels) DO UPDATE SET seconds = job_figure.seconds + excluded.seconds, counts = ARRAY(
                        SELECT coalesce(was, 0) + coalesce(more, 0)
                        FROM unnest(job_figure.counts, excluded.counts) WITH ORDINALITY AS count (was, more, place) ORDER BY place)
                    """)
            }
        }
    }

    /// The figures of all processes together, without those that only a newer program knows.
    public func figures() throws -> JobFigures {
        var figures = JobFigures()
        let rows = try pool.withConnection { connection in
            try connection.query("SELECT name, labels, counts, seconds FROM job_figure")
        }
        for row in rows {
            guard let name = JobFigures.Name(rawValue: try row.value("name")) else { continue }
            let series = JobFigures.Series(name: name, labels: try row.value("labels"))
            let counts = try row.value("counts", as: PostgresArray<Int>.self).elements
            if name.isHistogram {
                figures.add(Histogram(counts: counts, sum: try row.value("seconds")), to: series)
            } else {
                figures.add(counts.reduce(0, +), to: series)
            }
        }
        return figures
    }
}
