/** The declared schema versions of an app, and how many realms have reached each. */

import { field, h, replace } from "../core/dom.js";
import { ask, path } from "../core/api.js";
import { count } from "../core/format.js";
import { keepFresh } from "../core/live.js";
import { address, go } from "../core/router.js";
import { can } from "../core/session.js";
import { empty, pager, table, when } from "../components/parts.js";

export async function show({ params: { app }, query, segments, signal }) {
    const [found, form] = [h("div"), h("div")];
    const refresh = async () => {
        const [declared, reached] = await Promise.all([
            ask({ path: path`v1/apps/${app}/schemas`, query: { cursor: query.cursor, limit: 100 }, signal }),
            ask({ path: path`v1/apps/${app}/versions`, signal }),
        ]);
        replace(found, list(app, declared.items, reached.items), pager(segments, query, declared.next));
        // What one types stays.
        if (!form.hasChildNodes() && can("write")) replace(form, declare(app, declared.items));
    };
    await keepFresh(app, ["version", "realm"], refresh, signal);
    return [h("h1", null, "Versions"), found, form];
}

function list(app, declared, reached) {
    if (declared.length === 0) return empty("No schema version has been declared.");
    const realms = new Map(reached.map((item) => [String(item.version), item.count]));
    return table(["Version", "Migration", ["Revision", "number"], ["Realms", "number"], "Declared"], declared.map((item) => [
        h("a", { href: address(["apps", app, "versions", item.version]) }, `version ${item.version}`),
        item.migration ? item.migration.language ?? "declared" : "none", item.revision,
        realms.has(String(item.version))
            ? h("a", { href: address(["apps", app, "realms"], { version: item.version }) }, count(realms.get(String(item.version)))) : 0,
        when(item.createdAt),
    ]), "Declared versions");
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
