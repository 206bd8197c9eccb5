/** The apps, what runs, what failed lately, and what happened over time; it follows the events of some apps. */

import { field, h } from "../core/dom.js";
import { ask, path } from "../core/api.js";
import { appsToFollow, keepFresh } from "../core/live.js";
import { address, go } from "../core/router.js";
import { action } from "../components/action-button.js";
import { figuresQuery, figuresView } from "../components/figures-view.js";
import { livePart } from "../components/live-part.js";
import { empty, jobTable, pager, table, when } from "../components/parts.js";

export async function show({ query, segments, signal }) {
    const list = (state, limit) => ask({ path: "/v1/jobs", query: { state, limit }, signal });
    const content = livePart((figures, active, failed) => [figuresView(figures, { segments, query }),
        jobs("Runs and waits", active, "running,queued", "Nothing runs."), jobs("Failed last", failed, "failed", "No failed job is left.")]);
    const refresh = async () => content.show(...await Promise.all([
        ask({ path: "/v1/figures", query: figuresQuery(query), signal }), list("running,queued", 10), list("failed", 5),
    ]));
    const [apps, { apps: followed, rest }] = await Promise.all([
        ask({ path: "/v1/apps", query: { limit: 50, cursor: query.cursor }, signal }),
        appsToFollow(async () => (await list(null, 20)).items, signal),
    ]);
    await keepFresh(followed, ["job", "realm", "figures"], refresh, signal);
    return [
        h("h1", null, "Overview"),
        rest && empty(rest),
        content.element,
        h("section", null, h("h2", null, "Apps"),
            apps.items.length === 0 ? empty("There is no app yet.") : table(["App", "Created"], apps.items.map((app) => [
                h("a", { href: address(["apps", app.name]) }, app.name), when(app.createdAt),
            ]), "Apps"),
            pager(segments, query, apps.next), newApp()),
    ];
}

function jobs(title, page, state, nothing) {
    return h("section", null, h("h2", null, title),
        page.items.length === 0 ? empty(nothing) : jobTable(page.items, title),
        page.next && h("p", null, h("a", { href: address(["jobs"], { state }) }, "All of them")));
}

function newApp() {
    const name = h("input", { name: "app", pattern: " *[A-Za-z0-9._\\-]{1,128} *", placeholder: "notes", required: true });
    const button = action({
        label: "Make it", scope: "write", field: name, request: () => ({ method: "PUT", path: path`v1/apps/${name.value.trim()}` }),
        done: () => go(["apps", name.value.trim()]),
    });
    return button && h("details", null, h("summary", null, "New app"), field("Name", name, "1 to 128 letters, digits, . _ and -"), button);
}
