#pragma once

// Files of the repository that travel inside the programs, as C23's #embed takes them in: an array of numbers in Swift, which is what
// SwiftPM makes of resources in code, takes the compiler a minute for a third of a megabyte.

#include <stddef.h>

/// The bytes of a file, there for as long as the program.
struct __attribute__((swift_attr("@Sendable"))) EmbeddedFile {
    const unsigned char *bytes;
    size_t count;
};

// The JavaScript that scripts meet, of MigrationScript/Prelude.
extern const struct EmbeddedFile classes_js;
extern const struct EmbeddedFile coding_js;
extern const struct EmbeddedFile collections_js;
extern const struct EmbeddedFile columns_js;
extern const struct EmbeddedFile console_js;
extern const struct EmbeddedFile dictionaries_js;
extern const struct EmbeddedFile entry_js;
extern const struct EmbeddedFile functions_js;
extern const struct EmbeddedFile hardening_js;
extern const struct EmbeddedFile language_js;
extern const struct EmbeddedFile lists_js;
extern const struct EmbeddedFile objects_js;
extern const struct EmbeddedFile origin_js;
extern const struct EmbeddedFile own_properties_js;
extern const struct EmbeddedFile parts_js;
extern const struct EmbeddedFile queries_js;
extern const struct EmbeddedFile realms_js;
extern const struct EmbeddedFile regular_expressions_js;
extern const struct EmbeddedFile results_js;
extern const struct EmbeddedFile row_group_cache_js;
extern const struct EmbeddedFile row_groups_js;
extern const struct EmbeddedFile sets_js;
extern const struct EmbeddedFile swift_js;
extern const struct EmbeddedFile texts_js;
extern const struct EmbeddedFile time_js;
extern const struct EmbeddedFile values_js;

// The library of lowered Swift, of MigrationScript/Swift.
extern const struct EmbeddedFile calendars_js;
extern const struct EmbeddedFile characters_js;
extern const struct EmbeddedFile dates_js;
extern const struct EmbeddedFile decimals_js;
extern const struct EmbeddedFile expressions_js;
extern const struct EmbeddedFile floating_js;
extern const struct EmbeddedFile format_js;
extern const struct EmbeddedFile json_js;
extern const struct EmbeddedFile library_js;
extern const struct EmbeddedFile search_js;
extern const struct EmbeddedFile url_js;

// The changes of the service's own tables, of db/migrations.
extern const struct EmbeddedFile change_0001_service;
extern const struct EmbeddedFile change_0002_schema_version_revision;
extern const struct EmbeddedFile change_0003_jobs_and_names;
extern const struct EmbeddedFile change_0004_segment_size;
extern const struct EmbeddedFile change_0005_primary_key_index;
extern const struct EmbeddedFile change_0006_job_kinds;
extern const struct EmbeddedFile change_0007_key_scopes;
extern const struct EmbeddedFile change_0008_synced_realms;
extern const struct EmbeddedFile change_0009_key_expiry;
extern const struct EmbeddedFile change_0010_deltas;
extern const struct EmbeddedFile change_0011_backfills;
extern const struct EmbeddedFile change_0012_recoveries;
extern const struct EmbeddedFile change_0013_partners;
extern const struct EmbeddedFile change_0014_patches;
extern const struct EmbeddedFile change_0015_plans;
extern const struct EmbeddedFile change_0016_audit;
extern const struct EmbeddedFile change_0017_idempotent_requests;
extern const struct EmbeddedFile change_0018_job_lanes;
extern const struct EmbeddedFile change_0019_retention;
extern const struct EmbeddedFile change_0020_no_op;
extern const struct EmbeddedFile change_0021_uploads;
extern const struct EmbeddedFile change_0022_folding;
extern const struct EmbeddedFile change_0023_job_attempts;
extern const struct EmbeddedFile change_0024_previews;
extern const struct EmbeddedFile change_0025_returned_jobs;
extern const struct EmbeddedFile change_0026_job_figures;
extern const struct EmbeddedFile change_0027_job_law;
extern const struct EmbeddedFile change_0028_fleets;
extern const struct EmbeddedFile change_0029_quarantine;
extern const struct EmbeddedFile change_0030_rehearsals;
extern const struct EmbeddedFile change_0031_fleet_findings;
extern const struct EmbeddedFile change_0032_export_policy;
extern const struct EmbeddedFile change_0033_idempotent_jobs;
extern const struct EmbeddedFile change_0034_given_properties;
extern const struct EmbeddedFile change_0035_retired_sides;
extern const struct EmbeddedFile change_0036_realm_tokens;
extern const struct EmbeddedFile change_0037_left_out;

// The description of the API, of MigrationAPI/OpenAPI.
extern const struct EmbeddedFile openapi_json;
