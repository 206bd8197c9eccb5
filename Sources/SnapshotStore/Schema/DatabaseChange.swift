import CEmbeddedFiles

/// One change of the service's own tables, a file of `db/migrations`; the files travel inside the binary.
struct DatabaseChange {
    let number: Int
    let name: String
    let sql: String

    /// All changes in order, numbered from 1 without a gap.
    static let all = [
        DatabaseChange(1, "service", change_0001_service),
        DatabaseChange(2, "schema_version_revision", change_0002_schema_version_revision),
        DatabaseChange(3, "jobs_and_names", change_0003_jobs_and_names),
        DatabaseChange(4, "segment_size", change_0004_segment_size),
        DatabaseChange(5, "primary_key_index", change_0005_primary_key_index),
        DatabaseChange(6, "job_kinds", change_0006_job_kinds),
        DatabaseChange(7, "key_scopes", change_0007_key_scopes),
        DatabaseChange(8, "synced_realms", change_0008_synced_realms),
        DatabaseChange(9, "key_expiry", change_0009_key_expiry),
        DatabaseChange(10, "deltas", change_0010_deltas),
        DatabaseChange(11, "backfills", change_0011_backfills),
        DatabaseChange(12, "recoveries", change_0012_recoveries),
        DatabaseChange(13, "partners", change_0013_partners),
        DatabaseChange(14, "patches", change_0014_patches),
        DatabaseChange(15, "plans", change_0015_plans),
        DatabaseChange(16, "audit", change_0016_audit),
        DatabaseChange(17, "idempotent_requests", change_0017_idempotent_requests),
        DatabaseChange(18, "job_lanes", change_0018_job_lanes),
        DatabaseChange(19, "retention", change_0019_retention),
        DatabaseChange(20, "no_op", change_0020_no_op),
        DatabaseChange(21, "uploads", change_0021_uploads),
        DatabaseChange(22, "folding", change_0022_folding),
        DatabaseChange(23, "job_attempts", change_0023_job_attempts),
        DatabaseChange(24, "previews", change_0024_previews),
        DatabaseChange(25, "returned_jobs", change_0025_returned_jobs),
        DatabaseChange(26, "job_figures", change_0026_job_figures),
        DatabaseChange(27, "job_law", change_0027_job_law),
        DatabaseChange(28, "fleets", change_0028_fleets),
        DatabaseChange(29, "quarantine", change_0029_quarantine),
        DatabaseChange(30, "rehearsals", change_0030_rehearsals),
        DatabaseChange(31, "fleet_findings", change_0031_fleet_findings),
        DatabaseChange(32, "export_policy", change_0032_export_policy),
        DatabaseChange(33, "idempotent_jobs", change_0033_idempotent_jobs),
        DatabaseChange(34, "given_properties", change_0034_given_properties),
        DatabaseChange(35, "retired_sides", change_0035_retired_sides),
        DatabaseChange(36, "realm_tokens", change_0036_realm_tokens),
        DatabaseChange(37, "left_out", change_0037_left_out),
    ]

    private init(_ number: Int, _ name: String, _ file: EmbeddedFile) {
        self.number = number
        self.name = name
        sql = String(decoding: UnsafeBufferPointer(start: file.bytes, count: file.count), as: UTF8.self)
    }
}
