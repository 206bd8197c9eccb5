/** One realm: its history of snapshots, what it can become, and what was done to it; it follows the events of its app. */

import { field, h, select } from "../core/dom.js";
import { ask, integer, path } from "../core/api.js";
import { bytes, count, short } from "../core/format.js";
import { keepFresh } from "../core/live.js";
import { address, go } from "../core/router.js";
import { action } from "../components/action-button.js";
import { download } from "../components/download.js";
import { livePart } from "../components/live-part.js";
import { badge, empty, facts, jobTable, pager, when } from "../components/parts.js";

export async function show({ params: { app, realm: name }, query, segments, signal, again }) {
    const parts = {
        summary: livePart(summary),
        content: livePart((current, schema) => current && [objects(current, schema.schema), h("section", null, h("h2", null, "Download"), download(current, name))]),
        migration: livePart((current, kind, versions) => current && migrate(app, { name, kind }, current, versions)),
        history: livePart((current, snapshots) => [history(app, { name, currentSnapshot: current }, snapshots.items, again), pager(segments, query, snapshots.next)]),
        jobs: livePart(jobsOf),
    };
    const refresh = async () => {
        const [realm, snapshots, jobs, declared] = await Promise.all([
            ask({ path: path`v1/apps/${app}/realms/${name}`, signal }),
            ask({ path: path`v1/apps/${app}/realms/${name}/snapshots`, query: { cursor: query.cursor, limit: 30 }, signal }),
            ask({ path: "/v1/jobs", query: { app, realm: name, limit: 10 }, signal }),
            ask({ path: path`v1/apps/${app}/schemas`, query: { limit: 1000 }, signal }),
        ]);
        const current = realm.currentSnapshot
            ? snapshots.items.find((item) => item.id === realm.currentSnapshot)
                ?? await ask({ path: path`v1/snapshots/${realm.currentSnapshot}`, signal })
            : null;
        const schema = current && await ask({ path: path`v1/snapshots/${current.id}/schema`, signal });
        parts.summary.show(realm, current);
        parts.content.show(current, schema);
        parts.migration.show(current && { schemaVersion: current.schemaVersion ?? null }, realm.kind, declared.items.map((item) => item.version));
        parts.history.show(realm.currentSnapshot, snapshots);
        parts.jobs.show(jobs.items, realm.lastJob);
    };
    const concerns = (kind, about) => kind === "version" || [name, null].includes(kind === "job" ? about.realm : about.name);
    await keepFresh(app, ["realm", "job", "version"], refresh, signal, concerns);
    return [
        h("h1", null, name), Object.values(parts).map((part) => part.element),
        action({
            label: "Delete the realm", sure: `Delete ${name} with all of its snapshots?`, scope: "write",
            request: { method: "DELETE", path: path`v1/apps/${app}/realms/${name}` }, done: () => go(["apps", app, "realms"]),
        }),
    ];
}

/** The jobs of the realm alone, and a fleet's where that came last, with what it did to the realm. */
function jobsOf(jobs, last) {
    const isOfFleet = last !== null && !jobs.some((job) => job.id === last.id);
    return h("section", null, h("h2", null, "Jobs"),
        isOfFleet && h("p", null, "A fleet’s job had it last: ", h("a", { href: address(["jobs", last.id]) }, `job ${short(last.id)}`), " ", badge(last.state)),
        jobs.length > 0 ? jobTable(jobs, "Jobs") : empty(isOfFleet ? "There is no job of this realm alone." : "There is no job of this realm."));
}

function summary(realm, current) {
    const labels = Object.entries(realm.labels).map(([label, value]) => `${label}:${value}`).join(" ");
    return facts([
        ["Kind", realm.kind], ["Schema version", current ? current.schemaVersion ?? "none" : null],
        ["Stored", current && bytes(current.storedBytes)], ["Labels", labels || null],
        ["Sync", realm.sync && h("a", { href: address(["apps", realm.app, "realms", realm.name, "synced"]) }, badge(realm.sync.state))], ["Created", when(realm.createdAt)],
    ]);
}

function objects(snapshot, schema) {
    const embedded = new Set(schema.filter((item) => item.embedded).map((item) => item.name));
    return h("section", null, h("h2", null, "Objects"), h("ul", { class: "classes" },
        Object.entries(snapshot.objectCounts).map(([name, number]) => h("li", null, embedded.has(name) ? name
            : h("a", { href: address(["snapshots", snapshot.id, "objects", name]) }, name), " ", count(number)))));
}

/** The versions that a realm can be migrated to: a local one never goes back, and numbers of a synced one's models are not compared. */
function migrate(app, realm, current, versions) {
    const targets = versions.filter((version) => realm.kind === "synced" || current.schemaVersion === null || version > current.schemaVersion);
    if (targets.length === 0) {
        return h("section", null, h("h2", null, "Migrate"), empty("No version above its own is declared. ",
            h("a", { href: address(["apps", app, "versions"]) }, "Declare one")));
    }
    const target = select("targetVersion", targets.map((version) => [String(version), `version ${version}`]), String(targets.at(-1)));
    const steps = select("steps", [["direct", "direct, as the SDKs do"], ["chain", "each version in between"]], "direct");
    const request = (isTrial) => () => ({
        method: "POST", path: path`v1/apps/${app}/realms/${realm.name}/migrations`,
        body: { targetVersion: integer(target.value), ...(steps.value === "direct" ? {} : { steps: steps.value }),
            ...(isTrial ? { dryRun: true } : {}) },
    });
    const done = (job) => go(["jobs", job.id]);
    const start = action({ label: "Migrate", scope: "migrate", main: true, request: request(false), done });
    return start && h("section", null, h("h2", null, "Migrate"),
        h("div", { class: "filters" }, field("To", target), field("Way", steps)), start,
        action({ label: "Rehearse without changing it", scope: "migrate", request: request(true), done }));
}

/** The snapshots, the newest first, each with what made it. */
function history(app, realm, snapshots, again) {
    return h("section", null, h("h2", null, "History"),
        snapshots.length === 0 ? empty("It has no snapshot yet.") : h("ol", { class: "history" }, snapshots.map((snapshot) => {
            const isCurrent = snapshot.id === realm.currentSnapshot;
            const { kind, job } = snapshot.createdBy;
            return h("li", { class: isCurrent ? "current" : null },
                h("p", null, h("a", { href: address(["snapshots", snapshot.id]) }, `Snapshot ${short(snapshot.id)}`),
                    isCurrent && [" ", badge("current")], ` version ${snapshot.schemaVersion ?? "–"}, by `,
                    job ? h("a", { href: address(["jobs", job]) }, kind) : kind, ", ", when(snapshot.createdAt),
                    snapshot.parent && [" – ", h("a", { href: address(["snapshots", snapshot.parent, "compare", snapshot.id]) }, "what changed")]),
                !isCurrent && action({
                    label: "Restore", sure: "Make this the current snapshot?", scope: "write",
                    request: { method: "POST", path: path`v1/apps/${app}/realms/${realm.name}/restore`, body: { snapshot: snapshot.id } },
                    done: again,
                }));
        })));
}
