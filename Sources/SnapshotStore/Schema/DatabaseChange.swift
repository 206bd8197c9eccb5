/// One change of the service's own tables, a file of `db/migrations`; the files travel inside the binary.
struct DatabaseChange {
    let number: Int
    let name: String
    let sql: String

    /// All changes in order, numbered from 1 without a gap.
    static let all = [
        DatabaseChange(1, "service", PackageResources._001_service_sql),
        DatabaseChange(2, "schema_version_revision", PackageResources._002_schema_version_revision_sql),
        DatabaseChange(3, "jobs_and_names", PackageResources._003_jobs_and_names_sql),
        DatabaseChange(4, "segment_size", PackageResources._004_segment_size_sql),
        DatabaseChange(5, "primary_key_index", PackageResources._005_primary_key_index_sql),
        DatabaseChange(6, "job_kinds", PackageResources._006_job_kinds_sql),
        DatabaseChange(7, "key_scopes", PackageResources._007_key_scopes_sql),
        DatabaseChange(8, "synced_realms", PackageResources._008_synced_realms_sql),
        DatabaseChange(9, "key_expiry", PackageResources._009_key_expiry_sql),
        DatabaseChange(10, "deltas", PackageResources._010_deltas_sql),
        DatabaseChange(11, "backfills", PackageResources._011_backfills_sql),
        DatabaseChange(12, "recoveries", PackageResources._012_recoveries_sql),
        DatabaseChange(13, "partners", PackageResources._013_partners_sql),
        DatabaseChange(14, "patches", PackageResources._014_patches_sql),
        DatabaseChange(15, "plans", PackageResources._015_plans_sql),
        DatabaseChange(16, "audit", PackageResources._016_audit_sql),
        DatabaseChange(17, "idempotent_requests", PackageResources._017_idempotent_requests_sql),
        DatabaseChange(18, "job_lanes", PackageResources._018_job_lanes_sql),
        DatabaseChange(19, "retention", PackageResources._019_retention_sql),
        DatabaseChange(20, "no_op", PackageResources._020_no_op_sql),
        DatabaseChange(21, "uploads", PackageResources._021_uploads_sql),
        DatabaseChange(22, "folding", PackageResources._022_folding_sql),
        DatabaseChange(23, "job_attempts", PackageResources._023_job_attempts_sql),
        DatabaseChange(24, "previews", PackageResources._024_previews_sql),
        DatabaseChange(25, "returned_jobs", PackageResources._025_returned_jobs_sql),
        DatabaseChange(26, "job_figures", PackageResources._026_job_figures_sql),
        DatabaseChange(27, "job_law", PackageResources._027_job_law_sql),
        DatabaseChange(28, "fleets", PackageResources._028_fleets_sql),
        DatabaseChange(29, "quarantine", PackageResources._029_quarantine_sql),
        DatabaseChange(30, "rehearsals", PackageResources._030_rehearsals_sql),
        DatabaseChange(31, "fleet_findings", PackageResources._031_fleet_findings_sql),
        DatabaseChange(32, "export_policy", PackageResources._032_export_policy_sql),
        DatabaseChange(33, "idempotent_jobs", PackageResources._033_idempotent_jobs_sql),
        DatabaseChange(34, "given_properties", PackageResources._034_given_properties_sql),
        DatabaseChange(35, "retired_sides", PackageResources._035_retired_sides_sql),
        DatabaseChange(36, "realm_tokens", PackageResources._036_realm_tokens_sql),
    ]

    private init(_ number: Int, _ name: String, _ text: [UInt8]) {
        self.number = number
        self.name = name
        sql = String(decoding: text, as: UTF8.self)
    }
}
