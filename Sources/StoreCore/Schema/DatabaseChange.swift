import CEmbeddedFiles

/// One change of the service's own tables; its files travel inside the binary.
struct DatabaseChange {
    let number: Int
    let name: String
    let sql: String

    /// Makes all tables in an empty place: the files of `db/baseline`.
    static let baseline = DatabaseChange(
        38, "baseline",
        [
            baseline_01_apps, baseline_02_realms, baseline_03_segments, baseline_04_jobs, baseline_05_fleets,
            baseline_06_synced_realms, baseline_07_partners, baseline_08_uploads, baseline_09_audit,
            baseline_10_maintenance,
        ])

    /// Brings the tables of the last program before the baseline to the same shape, so that it has the baseline's number and name.
    static let takeOver = DatabaseChange(baseline.number, baseline.name, [database_take_over])

    /// The version of the tables that `takeOver` starts from; the first change to get there was called `service`.
    static let formerVersion = baseline.number - 1
    static let firstFormerName = "service"

    /// The changes since the baseline, the files of `db/migrations`, which `CEmbeddedFiles` lists.
    static let later = (0..<database_change_count()).map { index in
        let change = database_change(index)
        return DatabaseChange(baseline.number + 1 + index, String(cString: change.name), [change.file])
    }

    /// The change that a database of a version needs next; nil where it is up to date.
    ///
    /// - Throws: `StoreError.databaseTooOld`, `databaseTooNew`.
    static func next(after version: Int) throws(StoreError) -> DatabaseChange? {
        let current = DatabaseSchema.currentVersion
        switch version {
        case 0: return baseline
        case ..<formerVersion: throw .databaseTooOld(found: version, needed: formerVersion)
        case formerVersion: return takeOver
        case current: return nil
        case current...: throw .databaseTooNew(found: version, known: current)
        default: return later.first { $0.number > version }
        }
    }

    private init(_ number: Int, _ name: String, _ files: [EmbeddedFile]) {
        self.number = number
        self.name = name
        sql = files.map { file in
            String(decoding: UnsafeBufferPointer(start: file.bytes, count: file.count), as: UTF8.self)
        }.joined(separator: "\n")
    }
}
