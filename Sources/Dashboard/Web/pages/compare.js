/** What differs between two snapshots of a realm: the schema, and the objects of each class. */

import { h } from "../core/dom.js";
import { ask, path, stringified } from "../core/api.js";
import { count, short } from "../core/format.js";
import { keepThere } from "../core/live.js";
import { address } from "../core/router.js";
import { empty, pager, table } from "../components/parts.js";

export async function show({ params: { snapshot: from, other: to }, query, segments, signal, within }) {
    const [snapshot, found, objects] = await Promise.all([
        ask({ path: path`v1/snapshots/${to}`, signal }), ask({ path: path`v1/snapshots/${from}/diff/${to}`, signal }),
        query.class ? ask({
            path: path`v1/snapshots/${from}/diff/${to}/objects`, query: { class: query.class, cursor: query.cursor, limit: 50 }, signal,
        }) : null,
    ]);
    within(snapshot.app);
    keepThere(snapshot.app, snapshot.realm, path`v1/snapshots/${to}`, signal, { found: () => ask({ path: path`v1/snapshots/${from}`, signal }) });
    const link = (id) => h("a", { href: address(["snapshots", id]) }, short(id));
    return [
        h("h1", null, "From ", link(from), " to ", link(to), " of ",
            h("a", { href: address(["apps", snapshot.app, "realms", snapshot.realm]) }, snapshot.realm)),
        h("section", null, h("h2", null, "Schema"), found.schema.length === 0 ? empty("The same.")
            : h("ul", { class: "findings" }, found.schema.map((change) => h("li", null, change.message)))),
        h("section", null, h("h2", null, "Objects, by the properties that both versions have"), found.classes.length === 0 ? empty("The same.") : classes(found.classes, segments)),
        objects && h("section", null, h("h2", null, `Objects of ${query.class}`), rows(objects.items), pager(segments, query, objects.next)),
    ];
}

function classes(items, segments) {
    return table(["Class", ["Added", "number"], ["Removed", "number"], ["Changed", "number"], "By property"], items.map((item) => [
        h("a", { href: address(segments, { class: item.class }) }, item.class), count(item.added), count(item.removed), count(item.changed),
        item.properties.map((property) => `${property.property} (${count(property.changed)})`).join(", "),
    ]), "Classes that differ");
}

/** An object that was changed has a line for each property whose value is another. */
function rows(items) {
    return table(["Key", "Before", "After"], items.map(({ key, before, after }) => {
        const names = [...new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})])]
            .filter((name) => !before || !after || stringified(before[name]) !== stringified(after[name]));
        const side = (object) => (object === null ? "–" : h("dl", { class: "members" }, names.filter((name) => name in object)
            .map((name) => h("div", null, h("dt", null, name), h("dd", null, stringified(object[name]))))));
        return [key, side(before), side(after)];
    }), "Objects that differ");
}
