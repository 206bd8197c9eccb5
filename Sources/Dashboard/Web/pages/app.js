/** One app: what happened over time, its realms by version, what runs and what failed; it follows the app's events. */

import { h } from "../core/dom.js";
import { ask, path } from "../core/api.js";
import { keepFresh } from "../core/live.js";
import { address, go } from "../core/router.js";
import { action } from "../components/action-button.js";
import { figuresQuery, figuresView } from "../components/figures-view.js";
import { livePart } from "../components/live-part.js";
import { badge, empty, jobTable, table, when } from "../components/parts.js";

export async function show({ params: { app }, query, segments, signal }) {
    const content = livePart((figures, active, failed, fleets) => [
        (figures.realms.at(-1)?.count ?? 0) === 0 && empty("No realm has been uploaded. ", h("a", { href: address(["apps", app, "realms"]) }, "Upload one")),
        figuresView(figures, { segments, query, app }),
        jobs("Runs and waits", active, { app, state: "running,queued" }, "Nothing runs."), jobs("Failed last", failed, { app, state: "failed" }, "No failed job is left."),
        fleets.items.length > 0 && h("section", null, h("h2", null, "Fleets"), fleetTable(app, fleets.items)),
    ]);
    const refresh = async () => {
        const list = (state, limit) => ask({ path: "/v1/jobs", query: { app, state, limit }, signal });
        content.show(...await Promise.all([
            ask({ path: path`v1/apps/${app}/figures`, query: figuresQuery(query), signal }), list("running,queued", 10), list("failed", 5),
            ask({ path: path`v1/apps/${app}/fleets`, query: { limit: 3 }, signal }),
        ]));
    };
    await keepFresh(app, ["job", "realm", "fleet", "figures"], refresh, signal);
    return [
        h("h1", null, app), content.element,
        action({
            label: "Remove the app", sure: `Remove ${app} with all that it has?`, scope: "admin",
            request: { method: "DELETE", path: path`v1/apps/${app}` }, done: () => go([]),
        }),
    ];
}

function jobs(title, page, filter, nothing) {
    return h("section", null, h("h2", null, title), page.items.length ? jobTable(page.items, title) : empty(nothing),
        page.next && h("p", null, h("a", { href: address(["jobs"], filter) }, "All of them")));
}

function fleetTable(app, fleets) {
    return table(["To", "State", ["Succeeded", "number"], ["Failed", "number"], "Began"], fleets.map((fleet) => [
        h("a", { href: address(["apps", app, "fleets", fleet.id]) }, `version ${fleet.targetVersion}`, fleet.dryRun && " (dry run)"), badge(fleet.state),
        fleet.counts.succeeded, fleet.counts.failed, when(fleet.createdAt),
    ]), "Fleets");
}
