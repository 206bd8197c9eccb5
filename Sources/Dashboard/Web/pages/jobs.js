/** Jobs by state, app and realm, the newest first. */

import { field, h, select } from "../core/dom.js";
import { askList } from "../core/api.js";
import { go } from "../core/router.js";
import { jobTable, listed, pager } from "../components/parts.js";

const states = [["", "all"], "queued", "running", "succeeded", "failed", "cancelled"];

export async function show({ query, segments, signal }) {
    const { app, realm, state, cursor } = query;
    const page = await askList({ path: "/v1/jobs", query: { app, realm, state, cursor, limit: 50 }, signal });
    const submit = (event) => {
        event.preventDefault();
        go(segments, Object.fromEntries(new FormData(event.currentTarget)));
    };
    return [
        h("h1", null, "Jobs"),
        h("form", { class: "filters", onsubmit: submit },
            field("State", select("state", states, state ?? "")),
            field("App", h("input", { name: "app", value: app ?? "" })),
            field("Realm", h("input", { name: "realm", value: realm ?? "" }), "together with an app"),
            h("p", null, h("button", null, "Filter"))),
        listed(page, "There is no such job.", (items) => jobTable(items, "Jobs")),
        pager(segments, query, page.next),
    ];
}
