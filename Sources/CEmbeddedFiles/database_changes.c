#include "CEmbeddedFiles.h"

static const unsigned char change_0001_service_bytes[] = {
#embed "../../db/migrations/0001_service.sql"
};
const struct EmbeddedFile change_0001_service = {change_0001_service_bytes, sizeof change_0001_service_bytes};

static const unsigned char change_0002_schema_version_revision_bytes[] = {
#embed "../../db/migrations/0002_schema_version_revision.sql"
};
const struct EmbeddedFile change_0002_schema_version_revision = {change_0002_schema_version_revision_bytes, sizeof change_0002_schema_version_revision_bytes};

static const unsigned char change_0003_jobs_and_names_bytes[] = {
#embed "../../db/migrations/0003_jobs_and_names.sql"
};
const struct EmbeddedFile change_0003_jobs_and_names = {change_0003_jobs_and_names_bytes, sizeof change_0003_jobs_and_names_bytes};

static const unsigned char change_0004_segment_size_bytes[] = {
#embed "../../db/migrations/0004_segment_size.sql"
};
const struct EmbeddedFile change_0004_segment_size = {change_0004_segment_size_bytes, sizeof change_0004_segment_size_bytes};

static const unsigned char change_0005_primary_key_index_bytes[] = {
#embed "../../db/migrations/0005_primary_key_index.sql"
};
const struct EmbeddedFile change_0005_primary_key_index = {change_0005_primary_key_index_bytes, sizeof change_0005_primary_key_index_bytes};

static const unsigned char change_0006_job_kinds_bytes[] = {
#embed "../../db/migrations/0006_job_kinds.sql"
};
const struct EmbeddedFile change_0006_job_kinds = {change_0006_job_kinds_bytes, sizeof change_0006_job_kinds_bytes};

static const unsigned char change_0007_key_scopes_bytes[] = {
#embed "../../db/migrations/0007_key_scopes.sql"
};
const struct EmbeddedFile change_0007_key_scopes = {change_0007_key_scopes_bytes, sizeof change_0007_key_scopes_bytes};

static const unsigned char change_0008_synced_realms_bytes[] = {
#embed "../../db/migrations/0008_synced_realms.sql"
};
const struct EmbeddedFile change_0008_synced_realms = {change_0008_synced_realms_bytes, sizeof change_0008_synced_realms_bytes};

static const unsigned char change_0009_key_expiry_bytes[] = {
#embed "../../db/migrations/0009_key_expiry.sql"
};
const struct EmbeddedFile change_0009_key_expiry = {change_0009_key_expiry_bytes, sizeof change_0009_key_expiry_bytes};

static const unsigned char change_0010_deltas_bytes[] = {
#embed "../../db/migrations/0010_deltas.sql"
};
const struct EmbeddedFile change_0010_deltas = {change_0010_deltas_bytes, sizeof change_0010_deltas_bytes};

static const unsigned char change_0011_backfills_bytes[] = {
#embed "../../db/migrations/0011_backfills.sql"
};
const struct EmbeddedFile change_0011_backfills = {change_0011_backfills_bytes, sizeof change_0011_backfills_bytes};

static const unsigned char change_0012_recoveries_bytes[] = {
#embed "../../db/migrations/0012_recoveries.sql"
};
const struct EmbeddedFile change_0012_recoveries = {change_0012_recoveries_bytes, sizeof change_0012_recoveries_bytes};

static const unsigned char change_0013_partners_bytes[] = {
#embed "../../db/migrations/0013_partners.sql"
};
const struct EmbeddedFile change_0013_partners = {change_0013_partners_bytes, sizeof change_0013_partners_bytes};

static const unsigned char change_0014_patches_bytes[] = {
#embed "../../db/migrations/0014_patches.sql"
};
const struct EmbeddedFile change_0014_patches = {change_0014_patches_bytes, sizeof change_0014_patches_bytes};

static const unsigned char change_0015_plans_bytes[] = {
#embed "../../db/migrations/0015_plans.sql"
};
const struct EmbeddedFile change_0015_plans = {change_0015_plans_bytes, sizeof change_0015_plans_bytes};

static const unsigned char change_0016_audit_bytes[] = {
#embed "../../db/migrations/0016_audit.sql"
};
const struct EmbeddedFile change_0016_audit = {change_0016_audit_bytes, sizeof change_0016_audit_bytes};

static const unsigned char change_0017_idempotent_requests_bytes[] = {
#embed "../../db/migrations/0017_idempotent_requests.sql"
};
const struct EmbeddedFile change_0017_idempotent_requests = {change_0017_idempotent_requests_bytes, sizeof change_0017_idempotent_requests_bytes};

static const unsigned char change_0018_job_lanes_bytes[] = {
#embed "../../db/migrations/0018_job_lanes.sql"
};
const struct EmbeddedFile change_0018_job_lanes = {change_0018_job_lanes_bytes, sizeof change_0018_job_lanes_bytes};

static const unsigned char change_0019_retention_bytes[] = {
#embed "../../db/migrations/0019_retention.sql"
};
const struct EmbeddedFile change_0019_retention = {change_0019_retention_bytes, sizeof change_0019_retention_bytes};

static const unsigned char change_0020_no_op_bytes[] = {
#embed "../../db/migrations/0020_no_op.sql"
};
const struct EmbeddedFile change_0020_no_op = {change_0020_no_op_bytes, sizeof change_0020_no_op_bytes};

static const unsigned char change_0021_uploads_bytes[] = {
#embed "../../db/migrations/0021_uploads.sql"
};
const struct EmbeddedFile change_0021_uploads = {change_0021_uploads_bytes, sizeof change_0021_uploads_bytes};

static const unsigned char change_0022_folding_bytes[] = {
#embed "../../db/migrations/0022_folding.sql"
};
const struct EmbeddedFile change_0022_folding = {change_0022_folding_bytes, sizeof change_0022_folding_bytes};

static const unsigned char change_0023_job_attempts_bytes[] = {
#embed "../../db/migrations/0023_job_attempts.sql"
};
const struct EmbeddedFile change_0023_job_attempts = {change_0023_job_attempts_bytes, sizeof change_0023_job_attempts_bytes};

static const unsigned char change_0024_previews_bytes[] = {
#embed "../../db/migrations/0024_previews.sql"
};
const struct EmbeddedFile change_0024_previews = {change_0024_previews_bytes, sizeof change_0024_previews_bytes};

static const unsigned char change_0025_returned_jobs_bytes[] = {
#embed "../../db/migrations/0025_returned_jobs.sql"
};
const struct EmbeddedFile change_0025_returned_jobs = {change_0025_returned_jobs_bytes, sizeof change_0025_returned_jobs_bytes};

static const unsigned char change_0026_job_figures_bytes[] = {
#embed "../../db/migrations/0026_job_figures.sql"
};
const struct EmbeddedFile change_0026_job_figures = {change_0026_job_figures_bytes, sizeof change_0026_job_figures_bytes};

static const unsigned char change_0027_job_law_bytes[] = {
#embed "../../db/migrations/0027_job_law.sql"
};
const struct EmbeddedFile change_0027_job_law = {change_0027_job_law_bytes, sizeof change_0027_job_law_bytes};

static const unsigned char change_0028_fleets_bytes[] = {
#embed "../../db/migrations/0028_fleets.sql"
};
const struct EmbeddedFile change_0028_fleets = {change_0028_fleets_bytes, sizeof change_0028_fleets_bytes};

static const unsigned char change_0029_quarantine_bytes[] = {
#embed "../../db/migrations/0029_quarantine.sql"
};
const struct EmbeddedFile change_0029_quarantine = {change_0029_quarantine_bytes, sizeof change_0029_quarantine_bytes};

static const unsigned char change_0030_rehearsals_bytes[] = {
#embed "../../db/migrations/0030_rehearsals.sql"
};
const struct EmbeddedFile change_0030_rehearsals = {change_0030_rehearsals_bytes, sizeof change_0030_rehearsals_bytes};

static const unsigned char change_0031_fleet_findings_bytes[] = {
#embed "../../db/migrations/0031_fleet_findings.sql"
};
const struct EmbeddedFile change_0031_fleet_findings = {change_0031_fleet_findings_bytes, sizeof change_0031_fleet_findings_bytes};

static const unsigned char change_0032_export_policy_bytes[] = {
#embed "../../db/migrations/0032_export_policy.sql"
};
const struct EmbeddedFile change_0032_export_policy = {change_0032_export_policy_bytes, sizeof change_0032_export_policy_bytes};

static const unsigned char change_0033_idempotent_jobs_bytes[] = {
#embed "../../db/migrations/0033_idempotent_jobs.sql"
};
const struct EmbeddedFile change_0033_idempotent_jobs = {change_0033_idempotent_jobs_bytes, sizeof change_0033_idempotent_jobs_bytes};

static const unsigned char change_0034_given_properties_bytes[] = {
#embed "../../db/migrations/0034_given_properties.sql"
};
const struct EmbeddedFile change_0034_given_properties = {change_0034_given_properties_bytes, sizeof change_0034_given_properties_bytes};

static const unsigned char change_0035_retired_sides_bytes[] = {
#embed "../../db/migrations/0035_retired_sides.sql"
};
const struct EmbeddedFile change_0035_retired_sides = {change_0035_retired_sides_bytes, sizeof change_0035_retired_sides_bytes};

static const unsigned char change_0036_realm_tokens_bytes[] = {
#embed "../../db/migrations/0036_realm_tokens.sql"
};
const struct EmbeddedFile change_0036_realm_tokens = {change_0036_realm_tokens_bytes, sizeof change_0036_realm_tokens_bytes};

static const unsigned char change_0037_left_out_bytes[] = {
#embed "../../db/migrations/0037_left_out.sql"
};
const struct EmbeddedFile change_0037_left_out = {change_0037_left_out_bytes, sizeof change_0037_left_out_bytes};
