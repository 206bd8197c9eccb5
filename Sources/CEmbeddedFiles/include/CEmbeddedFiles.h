#pragma once

// Files of the repository that travel inside the programs, as C23's #embed takes them in: an array of numbers in Swift, which is what
// SwiftPM makes of resources in code, takes the compiler a minute for a third of a megabyte.

#include <stddef.h>

/// The bytes of a file, there for as long as the program.
struct __attribute__((swift_attr("@Sendable"))) EmbeddedFile {
    const unsigned char *bytes;
    size_t count;
};

/// A file of many, by its name.
struct NamedFile {
    const char *name;
    const unsigned char *bytes;
    size_t count;
};

// The JavaScript that scripts meet, of ScriptChild/Prelude.
extern const struct EmbeddedFile bridge_js;
extern const struct EmbeddedFile classes_js;
extern const struct EmbeddedFile coding_js;
extern const struct EmbeddedFile collections_js;
extern const struct EmbeddedFile columns_js;
extern const struct EmbeddedFile console_js;
extern const struct EmbeddedFile dictionaries_js;
extern const struct EmbeddedFile entry_js;
extern const struct EmbeddedFile functions_js;
extern const struct EmbeddedFile hardening_js;
extern const struct EmbeddedFile independence_js;
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
extern const struct EmbeddedFile sharing_js;
extern const struct EmbeddedFile swift_js;
extern const struct EmbeddedFile texts_js;
extern const struct EmbeddedFile time_js;
extern const struct EmbeddedFile upserts_js;
extern const struct EmbeddedFile values_js;

// The library of lowered Swift, of ScriptChild/Swift.
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

// The service's own tables, of db.
extern const struct EmbeddedFile baseline_01_apps;
extern const struct EmbeddedFile baseline_02_realms;
extern const struct EmbeddedFile baseline_03_segments;
extern const struct EmbeddedFile baseline_04_jobs;
extern const struct EmbeddedFile baseline_05_fleets;
extern const struct EmbeddedFile baseline_06_synced_realms;
extern const struct EmbeddedFile baseline_07_partners;
extern const struct EmbeddedFile baseline_08_uploads;
extern const struct EmbeddedFile baseline_09_audit;
extern const struct EmbeddedFile baseline_10_maintenance;
extern const struct EmbeddedFile database_take_over;

/// The file of the dashboard at a place of its table, of Dashboard/Web; NULL behind the last.
const struct NamedFile *dashboard_file(size_t index);

/// A change of the tables since the baseline: a file of db/migrations, by the name behind its number.
struct DatabaseChangeFile {
    const char *name;
    struct EmbeddedFile file;
};

/// The number of the changes since the baseline; database_changes.c lists them.
size_t database_change_count(void);
/// One of these changes, in their order; the index has to be below their number.
struct DatabaseChangeFile database_change(size_t index);

/// The part of the API's description at a place of its table, of MigrationAPI/OpenAPI/Parts; NULL behind the last.
const struct NamedFile *openapi_part(size_t index);
