/** The declared schema versions of an app, and how many realms have reached each. */

import { field, h } from "../core/dom.js";
import { ask, path } from "../core/api.js";
import { count } from "../core/format.js";
import { address, go } from "../core/router.js";
import { can } from "../core/session.js";
import { empty, pager, table, when } from "../components/parts.js";

export async function show({ params: { app }, query, segments, signal }) {
    const [declared, reached] = await Promise.all([
        ask({ path: path`v1/apps/${app}/schemas`, query: { cursor: query.cursor, limit: 100 }, signal }),
        ask({ path: path`v1/apps/${app}/versions`, signal }),
    ]);
    const realms = new Map(reached.items.map((item) => [String(item.version), item.count]));
    return [
        h("h1", null, "Versions"),
        declared.items.length === 0 ? empty("No schema version has been declared.")
            : table(["Version", "Migration", ["Revision", "number"], ["Realms", "number"], "Declared"], declared.items.map((item) => [
                h("a", { href: address(["apps", app, "versions", item.version]) }, `version ${item.version}`),
                item.migration ? item.migration.language ?? "declared" : "none", item.revision,
                realms.has(String(item.version))
                    ? h("a", { href: address(["apps", app, "realms"], { version: item.version }) }, count(realms.get(String(item.version)))) : 0,
                when(item.createdAt),
            ]), "Declared versions"),
        pager(segments, query, declared.next),
        can("write") && declare(app, declared.items),
    ];
}

function declare(app, items) {
    const next = items.length > 0 ? String(BigInt(items.at(-1).version) + 1n) : "1";
    const number = h("input", { name: "version", value: next, inputmode: "numeric", pattern: "[0-9]+", required: true, size: 6 });
    const submit = (event) => {
        event.preventDefault();
        go(["apps", app, "versions", number.value]);
    };
    return h("section", null, h("h2", null, "Declare a version"),
        h("form", { class: "filters", onsubmit: submit }, field("Number", number), h("p", null, h("button", null, "Go on"))));
}
