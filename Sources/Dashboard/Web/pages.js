/** The pages: a path of the address, the module that shows it, and the scope that it needs. */

const page = (path, title, load, scope = "read") => ({ path, title, load, scope });

export const pages = [
    page("/", "Overview", () => import("./pages/overview.js")),
    page("/apps/:app", "Overview", () => import("./pages/app.js")),
    page("/apps/:app/realms", "Realms", () => import("./pages/realms.js")),
    page("/apps/:app/realms/:realm", "Realm", () => import("./pages/realm.js")),
    page("/apps/:app/realms/:realm/synced", "Synced realm", () => import("./pages/synced.js")),
    page("/apps/:app/realms/:realm/partners/:partner", "Partner", () => import("./pages/partner.js")),
    page("/apps/:app/versions", "Versions", () => import("./pages/versions.js")),
    page("/apps/:app/versions/:version", "Version", () => import("./pages/version.js")),
    page("/apps/:app/fleets", "Fleets", () => import("./pages/fleets.js")),
    page("/apps/:app/fleets/:fleet", "Fleet", () => import("./pages/fleet.js")),
    page("/apps/:app/schema", "Schema", () => import("./pages/schema.js")),
    page("/apps/:app/rehearsal", "Rehearsal", () => import("./pages/rehearsal.js")),
    page("/jobs", "Jobs", () => import("./pages/jobs.js")),
    page("/jobs/:job", "Job", () => import("./pages/job.js")),
    page("/snapshots/:snapshot", "Snapshot", () => import("./pages/snapshot.js")),
    page("/snapshots/:snapshot/compare/:other", "Comparison", () => import("./pages/compare.js")),
    page("/snapshots/:snapshot/objects/:class", "Objects", () => import("./pages/objects.js")),
    page("/snapshots/:snapshot/objects/:class/:key", "Object", () => import("./pages/object.js")),
    page("/keys", "Keys", () => import("./pages/keys.js"), "admin"),
    page("/audit", "Audit log", () => import("./pages/audit.js"), "admin"),
];

/** The pages of an app, as its navigation has them. */
export const ofApp = [
    ["Overview", []], ["Realms", ["realms"]], ["Versions", ["versions"]], ["Schema", ["schema"]], ["Rehearsal", ["rehearsal"]],
    ["Fleets", ["fleets"]],
];
