/** Jobs by states, kinds, app, realm, fleet and time, the newest or the oldest first; they follow the events of their apps. */

import { field, h, select } from "../core/dom.js";
import { ask, askList, path } from "../core/api.js";
import { appsToFollow, keepFresh } from "../core/live.js";
import { go } from "../core/router.js";
import { livePart } from "../components/live-part.js";
import { choices, empty, jobTable, listed, pager, totalOf } from "../components/parts.js";

const states = ["queued", "running", "succeeded", "failed", "cancelled"];
const kinds = [["migration", "migrations"], ["fleet", "parts of fleets"], ["rehearsal", "rehearsals from every version"], ["backfill", "backfills"],
    ["partnerBackfill", "backfills of partners"]];

export async function show({ query, segments, signal }) {
    const { app, realm, fleet, state, kind, since, until, sort, cursor } = query;
    const list = () => askList({ path: "/v1/jobs", query: {
        app, realm, fleet, state, kind, since: moment(since), until: moment(until), sort, cursor, limit: 50, total: "true",
    }, signal });
    const found = livePart((page) => [totalOf(page, "job"), listed(page, "There is no such job.", (items) => jobTable(items, "Jobs")),
        pager(segments, query, page.next)]);
    const { apps, rest } = app ? await named(app, signal) : await appsToFollow(async () => (await list()).items, signal);
    // A realm's jobs go with it, and only the realm tells of that.
    const concerns = (kind, about) => kind !== "realm" || !realm || [realm, null].includes(about.name);
    await keepFresh(apps, ["job", "realm"], async () => found.show(await list()), signal, concerns);
    const text = (name, value, options) => h("input", { name, value: value ?? "", ...options });
    const submit = (event) => {
        event.preventDefault();
        const data = new FormData(event.currentTarget);
        const both = (name) => data.getAll(name).join(",");
        go(segments, { ...Object.fromEntries(data), state: both("state"), kind: both("kind") });
    };
    return [
        h("h1", null, "Jobs"),
        h("form", { onsubmit: submit },
            h("div", { class: "filters" }, choices("State", "state", states, state)),
            h("div", { class: "filters" }, field("App", text("app", app)), field("Realm", text("realm", realm), "together with an app"),
                field("Order", select("sort", [["", "newest first"], ["createdAt", "oldest first"]], sort ?? "")), h("p", null, h("button", null, "Filter"))),
            h("details", { class: "more", open: [kind, fleet, since, until].some(Boolean) }, h("summary", null, "Kind, fleet and time"),
                choices("Kind", "kind", kinds, kind),
                h("div", { class: "filters" }, field("Fleet", text("fleet", fleet, { size: 30 }), "its id, together with an app"),
                    field("Since", text("since", since, { type: "datetime-local" })), field("Until", text("until", until, { type: "datetime-local" }))))),
        rest && empty(rest),
        found.element,
    ];
}

/** The app of a name, as `appsToFollow` has it; none where the name is not an app's, which nobody can follow. */
async function named(app, signal) {
    try {
        return { apps: [(await ask({ path: path`v1/apps/${app}`, signal })).name], rest: null };
    } catch (problem) {
        const { status } = problem.document ?? {};
        if (status === 400 || status === 404) return { apps: [], rest: status === 404 ? problem.message : null };
        throw problem;
    }
}

/** A time of the reader's clock, as the API takes it. */
function moment(text) {
    return text && new Date(text).toISOString();
}
