#include "CEmbeddedFiles.h"

static const unsigned char baseline_01_apps_bytes[] = {
#embed "../../db/baseline/01_apps.sql"
};
const struct EmbeddedFile baseline_01_apps = {baseline_01_apps_bytes, sizeof baseline_01_apps_bytes};

static const unsigned char baseline_02_realms_bytes[] = {
#embed "../../db/baseline/02_realms.sql"
};
const struct EmbeddedFile baseline_02_realms = {baseline_02_realms_bytes, sizeof baseline_02_realms_bytes};

static const unsigned char baseline_03_segments_bytes[] = {
#embed "../../db/baseline/03_segments.sql"
};
const struct EmbeddedFile baseline_03_segments = {baseline_03_segments_bytes, sizeof baseline_03_segments_bytes};

static const unsigned char baseline_04_jobs_bytes[] = {
#embed "../../db/baseline/04_jobs.sql"
};
const struct EmbeddedFile baseline_04_jobs = {baseline_04_jobs_bytes, sizeof baseline_04_jobs_bytes};

static const unsigned char baseline_05_fleets_bytes[] = {
#embed "../../db/baseline/05_fleets.sql"
};
const struct EmbeddedFile baseline_05_fleets = {baseline_05_fleets_bytes, sizeof baseline_05_fleets_bytes};

static const unsigned char baseline_06_synced_realms_bytes[] = {
#embed "../../db/baseline/06_synced_realms.sql"
};
const struct EmbeddedFile baseline_06_synced_realms = {baseline_06_synced_realms_bytes, sizeof baseline_06_synced_realms_bytes};

static const unsigned char baseline_07_partners_bytes[] = {
#embed "../../db/baseline/07_partners.sql"
};
const struct EmbeddedFile baseline_07_partners = {baseline_07_partners_bytes, sizeof baseline_07_partners_bytes};

static const unsigned char baseline_08_uploads_bytes[] = {
#embed "../../db/baseline/08_uploads.sql"
};
const struct EmbeddedFile baseline_08_uploads = {baseline_08_uploads_bytes, sizeof baseline_08_uploads_bytes};

static const unsigned char baseline_09_audit_bytes[] = {
#embed "../../db/baseline/09_audit.sql"
};
const struct EmbeddedFile baseline_09_audit = {baseline_09_audit_bytes, sizeof baseline_09_audit_bytes};

static const unsigned char baseline_10_maintenance_bytes[] = {
#embed "../../db/baseline/10_maintenance.sql"
};
const struct EmbeddedFile baseline_10_maintenance = {baseline_10_maintenance_bytes, sizeof baseline_10_maintenance_bytes};

static const unsigned char database_take_over_bytes[] = {
#embed "../../db/take_over.sql"
};
const struct EmbeddedFile database_take_over = {database_take_over_bytes, sizeof database_take_over_bytes};

static const unsigned char find_current_and_failed[] = {
#embed "../../db/migrations/0039_find_current_and_failed.sql"
};

static const unsigned char sessions[] = {
#embed "../../db/migrations/0040_sessions.sql"
};

static const unsigned char housekeeping_in_steps[] = {
#embed "../../db/migrations/0041_housekeeping_in_steps.sql"
};

static const unsigned char find_labels_versions_and_failures[] = {
#embed "../../db/migrations/0042_find_labels_versions_and_failures.sql"
};

static const unsigned char show_workers[] = {
#embed "../../db/migrations/0043_show_workers.sql"
};

static const unsigned char trace_jobs[] = {
#embed "../../db/migrations/0044_trace_jobs.sql"
};

static const unsigned char find_realms_by_last_job[] = {
#embed "../../db/migrations/0045_find_realms_by_last_job.sql"
};

static const unsigned char figures[] = {
#embed "../../db/migrations/0046_figures.sql"
};

static const unsigned char count_realms_and_snapshots[] = {
#embed "../../db/migrations/0047_count_realms_and_snapshots.sql"
};

static const unsigned char find_open_uploads_and_quarantined_members[] = {
#embed "../../db/migrations/0048_find_open_uploads_and_quarantined_members.sql"
};

static const unsigned char find_realms_by_version[] = {
#embed "../../db/migrations/0049_find_realms_by_version.sql"
};

static const unsigned char webhooks[] = {
#embed "../../db/migrations/0050_webhooks.sql"
};

static const unsigned char scope_of_devices[] = {
#embed "../../db/migrations/0051_scope_of_devices.sql"
};

static const unsigned char list_realms_by_version[] = {
#embed "../../db/migrations/0052_list_realms_by_version.sql"
};

static const unsigned char find_realms_in_new_tables[] = {
#embed "../../db/migrations/0053_find_realms_in_new_tables.sql"
};

static const unsigned char find_recovered_changes_by_version[] = {
#embed "../../db/migrations/0054_find_recovered_changes_by_version.sql"
};

// In their order, numbered from 39 without a gap.
static const struct DatabaseChangeFile changes[] = {
    {"find_current_and_failed", {find_current_and_failed, sizeof find_current_and_failed}},
    {"sessions", {sessions, sizeof sessions}},
    {"housekeeping_in_steps", {housekeeping_in_steps, sizeof housekeeping_in_steps}},
    {"find_labels_versions_and_failures", {find_labels_versions_and_failures, sizeof find_labels_versions_and_failures}},
    {"show_workers", {show_workers, sizeof show_workers}},
    {"trace_jobs", {trace_jobs, sizeof trace_jobs}},
    {"find_realms_by_last_job", {find_realms_by_last_job, sizeof find_realms_by_last_job}},
    {"figures", {figures, sizeof figures}},
    {"count_realms_and_snapshots", {count_realms_and_snapshots, sizeof count_realms_and_snapshots}},
    {"find_open_uploads_and_quarantined_members", {find_open_uploads_and_quarantined_members, sizeof find_open_uploads_and_quarantined_members}},
    {"find_realms_by_version", {find_realms_by_version, sizeof find_realms_by_version}},
    {"webhooks", {webhooks, sizeof webhooks}},
    {"scope_of_devices", {scope_of_devices, sizeof scope_of_devices}},
    {"list_realms_by_version", {list_realms_by_version, sizeof list_realms_by_version}},
    {"find_realms_in_new_tables", {find_realms_in_new_tables, sizeof find_realms_in_new_tables}},
    {"find_recovered_changes_by_version", {find_recovered_changes_by_version, sizeof find_recovered_changes_by_version}},
};

size_t database_change_count(void) { return sizeof changes / sizeof changes[0]; }

struct DatabaseChangeFile database_change(size_t index) { return changes[index]; }
