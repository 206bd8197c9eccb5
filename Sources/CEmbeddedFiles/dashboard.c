#include "CEmbeddedFiles.h"

// The files of the dashboard: an array of bytes each, and a row of the table.

static const unsigned char icon_svg[] = {
#embed "../Dashboard/Web/icon.svg"
};
static const unsigned char index_html[] = {
#embed "../Dashboard/Web/index.html"
};
static const unsigned char main_js[] = {
#embed "../Dashboard/Web/main.js"
};
static const unsigned char pages_js[] = {
#embed "../Dashboard/Web/pages.js"
};
static const unsigned char core_api_js[] = {
#embed "../Dashboard/Web/core/api.js"
};
static const unsigned char core_curl_js[] = {
#embed "../Dashboard/Web/core/curl.js"
};
static const unsigned char core_declaration_js[] = {
#embed "../Dashboard/Web/core/declaration.js"
};
static const unsigned char core_dom_js[] = {
#embed "../Dashboard/Web/core/dom.js"
};
static const unsigned char core_draft_js[] = {
#embed "../Dashboard/Web/core/draft.js"
};
static const unsigned char core_events_js[] = {
#embed "../Dashboard/Web/core/events.js"
};
static const unsigned char core_format_js[] = {
#embed "../Dashboard/Web/core/format.js"
};
static const unsigned char core_json_places_js[] = {
#embed "../Dashboard/Web/core/json-places.js"
};
static const unsigned char core_live_js[] = {
#embed "../Dashboard/Web/core/live.js"
};
static const unsigned char core_query_text_js[] = {
#embed "../Dashboard/Web/core/query-text.js"
};
static const unsigned char core_router_js[] = {
#embed "../Dashboard/Web/core/router.js"
};
static const unsigned char core_schema_js[] = {
#embed "../Dashboard/Web/core/schema.js"
};
static const unsigned char core_session_js[] = {
#embed "../Dashboard/Web/core/session.js"
};
static const unsigned char core_shared_events_js[] = {
#embed "../Dashboard/Web/core/shared-events.js"
};
static const unsigned char core_upload_js[] = {
#embed "../Dashboard/Web/core/upload.js"
};
static const unsigned char components_action_button_js[] = {
#embed "../Dashboard/Web/components/action-button.js"
};
static const unsigned char components_code_editor_js[] = {
#embed "../Dashboard/Web/components/code-editor.js"
};
static const unsigned char components_curl_hint_js[] = {
#embed "../Dashboard/Web/components/curl-hint.js"
};
static const unsigned char components_declaration_editor_js[] = {
#embed "../Dashboard/Web/components/declaration-editor.js"
};
static const unsigned char components_declaration_view_js[] = {
#embed "../Dashboard/Web/components/declaration-view.js"
};
static const unsigned char components_download_js[] = {
#embed "../Dashboard/Web/components/download.js"
};
static const unsigned char components_facet_for_js[] = {
#embed "../Dashboard/Web/components/facet-for.js"
};
static const unsigned char components_facet_list_js[] = {
#embed "../Dashboard/Web/components/facet-list.js"
};
static const unsigned char components_file_drop_js[] = {
#embed "../Dashboard/Web/components/file-drop.js"
};
static const unsigned char components_figures_view_js[] = {
#embed "../Dashboard/Web/components/figures-view.js"
};
static const unsigned char components_fleet_progress_js[] = {
#embed "../Dashboard/Web/components/fleet-progress.js"
};
static const unsigned char components_highlighted_editor_js[] = {
#embed "../Dashboard/Web/components/highlighted-editor.js"
};
static const unsigned char components_job_progress_js[] = {
#embed "../Dashboard/Web/components/job-progress.js"
};
static const unsigned char components_live_part_js[] = {
#embed "../Dashboard/Web/components/live-part.js"
};
static const unsigned char components_object_table_js[] = {
#embed "../Dashboard/Web/components/object-table.js"
};
static const unsigned char components_objects_download_js[] = {
#embed "../Dashboard/Web/components/objects-download.js"
};
static const unsigned char components_parts_js[] = {
#embed "../Dashboard/Web/components/parts.js"
};
static const unsigned char components_problem_view_js[] = {
#embed "../Dashboard/Web/components/problem-view.js"
};
static const unsigned char components_query_field_js[] = {
#embed "../Dashboard/Web/components/query-field.js"
};
static const unsigned char components_report_view_js[] = {
#embed "../Dashboard/Web/components/report-view.js"
};
static const unsigned char components_schema_picture_js[] = {
#embed "../Dashboard/Web/components/schema-picture.js"
};
static const unsigned char components_time_chart_js[] = {
#embed "../Dashboard/Web/components/time-chart.js"
};
static const unsigned char components_upload_progress_js[] = {
#embed "../Dashboard/Web/components/upload-progress.js"
};
static const unsigned char components_value_view_js[] = {
#embed "../Dashboard/Web/components/value-view.js"
};
static const unsigned char pages_app_js[] = {
#embed "../Dashboard/Web/pages/app.js"
};
static const unsigned char pages_audit_js[] = {
#embed "../Dashboard/Web/pages/audit.js"
};
static const unsigned char pages_compare_js[] = {
#embed "../Dashboard/Web/pages/compare.js"
};
static const unsigned char pages_fleet_js[] = {
#embed "../Dashboard/Web/pages/fleet.js"
};
static const unsigned char pages_fleets_js[] = {
#embed "../Dashboard/Web/pages/fleets.js"
};
static const unsigned char pages_job_js[] = {
#embed "../Dashboard/Web/pages/job.js"
};
static const unsigned char pages_jobs_js[] = {
#embed "../Dashboard/Web/pages/jobs.js"
};
static const unsigned char pages_keys_js[] = {
#embed "../Dashboard/Web/pages/keys.js"
};
static const unsigned char pages_object_js[] = {
#embed "../Dashboard/Web/pages/object.js"
};
static const unsigned char pages_objects_js[] = {
#embed "../Dashboard/Web/pages/objects.js"
};
static const unsigned char pages_overview_js[] = {
#embed "../Dashboard/Web/pages/overview.js"
};
static const unsigned char pages_partner_js[] = {
#embed "../Dashboard/Web/pages/partner.js"
};
static const unsigned char pages_realm_js[] = {
#embed "../Dashboard/Web/pages/realm.js"
};
static const unsigned char pages_realms_js[] = {
#embed "../Dashboard/Web/pages/realms.js"
};
static const unsigned char pages_rehearsal_js[] = {
#embed "../Dashboard/Web/pages/rehearsal.js"
};
static const unsigned char pages_schema_js[] = {
#embed "../Dashboard/Web/pages/schema.js"
};
static const unsigned char pages_sign_in_js[] = {
#embed "../Dashboard/Web/pages/sign-in.js"
};
static const unsigned char pages_snapshot_js[] = {
#embed "../Dashboard/Web/pages/snapshot.js"
};
static const unsigned char pages_synced_js[] = {
#embed "../Dashboard/Web/pages/synced.js"
};
static const unsigned char pages_version_js[] = {
#embed "../Dashboard/Web/pages/version.js"
};
static const unsigned char pages_versions_js[] = {
#embed "../Dashboard/Web/pages/versions.js"
};
static const unsigned char styles_base_css[] = {
#embed "../Dashboard/Web/styles/base.css"
};
static const unsigned char styles_code_editor_css[] = {
#embed "../Dashboard/Web/styles/code-editor.css"
};
static const unsigned char styles_components_css[] = {
#embed "../Dashboard/Web/styles/components.css"
};
static const unsigned char styles_layout_css[] = {
#embed "../Dashboard/Web/styles/layout.css"
};

// CodeMirror, as Debian has it (libjs-codemirror), with its licence.
static const unsigned char codemirror_codemirror_js[] = {
#embed "/usr/share/javascript/codemirror/lib/codemirror.js"
};
static const unsigned char codemirror_codemirror_css[] = {
#embed "/usr/share/javascript/codemirror/lib/codemirror.css"
};
static const unsigned char codemirror_javascript_js[] = {
#embed "/usr/share/javascript/codemirror/mode/javascript/javascript.js"
};
static const unsigned char codemirror_swift_js[] = {
#embed "/usr/share/javascript/codemirror/mode/swift/swift.js"
};
static const unsigned char codemirror_matchbrackets_js[] = {
#embed "/usr/share/javascript/codemirror/addon/edit/matchbrackets.js"
};
static const unsigned char codemirror_copyright[] = {
#embed "/usr/share/doc/libjs-codemirror/copyright"
};

#define ROW(name, bytes) {name, bytes, sizeof bytes}

static const struct NamedFile files[] = {
    ROW("icon.svg", icon_svg),
    ROW("index.html", index_html),
    ROW("main.js", main_js),
    ROW("pages.js", pages_js),
    ROW("core/api.js", core_api_js),
    ROW("core/curl.js", core_curl_js),
    ROW("core/declaration.js", core_declaration_js),
    ROW("core/dom.js", core_dom_js),
    ROW("core/draft.js", core_draft_js),
    ROW("core/events.js", core_events_js),
    ROW("core/format.js", core_format_js),
    ROW("core/json-places.js", core_json_places_js),
    ROW("core/live.js", core_live_js),
    ROW("core/query-text.js", core_query_text_js),
    ROW("core/router.js", core_router_js),
    ROW("core/schema.js", core_schema_js),
    ROW("core/session.js", core_session_js),
    ROW("core/shared-events.js", core_shared_events_js),
    ROW("core/upload.js", core_upload_js),
    ROW("components/action-button.js", components_action_button_js),
    ROW("components/code-editor.js", components_code_editor_js),
    ROW("components/curl-hint.js", components_curl_hint_js),
    ROW("components/declaration-editor.js", components_declaration_editor_js),
    ROW("components/declaration-view.js", components_declaration_view_js),
    ROW("components/download.js", components_download_js),
    ROW("components/facet-for.js", components_facet_for_js),
    ROW("components/facet-list.js", components_facet_list_js),
    ROW("components/file-drop.js", components_file_drop_js),
    ROW("components/figures-view.js", components_figures_view_js),
    ROW("components/fleet-progress.js", components_fleet_progress_js),
    ROW("components/highlighted-editor.js", components_highlighted_editor_js),
    ROW("components/job-progress.js", components_job_progress_js),
    ROW("components/live-part.js", components_live_part_js),
    ROW("components/object-table.js", components_object_table_js),
    ROW("components/objects-download.js", components_objects_download_js),
    ROW("components/parts.js", components_parts_js),
    ROW("components/problem-view.js", components_problem_view_js),
    ROW("components/query-field.js", components_query_field_js),
    ROW("components/report-view.js", components_report_view_js),
    ROW("components/schema-picture.js", components_schema_picture_js),
    ROW("components/time-chart.js", components_time_chart_js),
    ROW("components/upload-progress.js", components_upload_progress_js),
    ROW("components/value-view.js", components_value_view_js),
    ROW("pages/app.js", pages_app_js),
    ROW("pages/audit.js", pages_audit_js),
    ROW("pages/compare.js", pages_compare_js),
    ROW("pages/fleet.js", pages_fleet_js),
    ROW("pages/fleets.js", pages_fleets_js),
    ROW("pages/job.js", pages_job_js),
    ROW("pages/jobs.js", pages_jobs_js),
    ROW("pages/keys.js", pages_keys_js),
    ROW("pages/object.js", pages_object_js),
    ROW("pages/objects.js", pages_objects_js),
    ROW("pages/overview.js", pages_overview_js),
    ROW("pages/partner.js", pages_partner_js),
    ROW("pages/realm.js", pages_realm_js),
    ROW("pages/realms.js", pages_realms_js),
    ROW("pages/rehearsal.js", pages_rehearsal_js),
    ROW("pages/schema.js", pages_schema_js),
    ROW("pages/sign-in.js", pages_sign_in_js),
    ROW("pages/snapshot.js", pages_snapshot_js),
    ROW("pages/synced.js", pages_synced_js),
    ROW("pages/version.js", pages_version_js),
    ROW("pages/versions.js", pages_versions_js),
    ROW("styles/base.css", styles_base_css),
    ROW("styles/code-editor.css", styles_code_editor_css),
    ROW("styles/components.css", styles_components_css),
    ROW("styles/layout.css", styles_layout_css),
    ROW("codemirror/codemirror.js", codemirror_codemirror_js),
    ROW("codemirror/codemirror.css", codemirror_codemirror_css),
    ROW("codemirror/javascript.js", codemirror_javascript_js),
    ROW("codemirror/swift.js", codemirror_swift_js),
    ROW("codemirror/matchbrackets.js", codemirror_matchbrackets_js),
    ROW("codemirror/copyright", codemirror_copyright),
};

const struct NamedFile *dashboard_file(size_t index) {
    return index < sizeof files / sizeof files[0] ? &files[index] : NULL;
}
