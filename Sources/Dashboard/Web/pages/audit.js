/** The audit log: who did what when, the last first. */

import { field, h } from "../core/dom.js";
import { askList } from "../core/api.js";
import { address, go } from "../core/router.js";
import { listed, pager, table, when } from "../components/parts.js";

export async function show({ query, segments, signal }) {
    const { app, since, cursor } = query;
    const page = await askList({ path: "/v1/audit", query: { app, since: since && `${since}T00:00:00Z`, cursor, limit: 100 }, signal });
    const submit = (event) => {
        event.preventDefault();
        go(segments, Object.fromEntries(new FormData(event.currentTarget)));
    };
    return [
        h("h1", null, "Audit log"),
        h("form", { class: "filters", onsubmit: submit }, field("App", h("input", { name: "app", value: app ?? "" })),
            field("Since", h("input", { name: "since", type: "date", value: since ?? "" })), h("p", null, h("button", null, "Filter"))),
        listed(page, "Nothing was done.", (items) => table(["When", "Key", "Did", "To", ["Status", "number"]], items.map((entry) => [
            when(entry.at), [entry.key.name, entry.token && " by a token"], entry.operation,
            entry.app ? h("a", { href: address(["apps", entry.app]), title: entry.path }, entry.path) : entry.path, entry.status ?? "unknown",
        ]), "Audit log")),
        pager(segments, query, page.next),
    ];
}
