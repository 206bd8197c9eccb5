/** The schema of a declared version as a picture, and what changes from another one, also for clients that stay behind. */

import { field, h, select } from "../core/dom.js";
import { ask, path } from "../core/api.js";
import { keepThere } from "../core/live.js";
import { go } from "../core/router.js";
import { badge, empty, table } from "../components/parts.js";
import { SchemaPicture } from "../components/schema-picture.js";

export async function show({ params: { app }, query, segments, signal }) {
    const { items } = await ask({ path: path`v1/apps/${app}/schemas`, query: { limit: 1000 }, signal });
    keepThere(app, null, path`v1/apps/${app}`, signal);
    if (items.length === 0) return [h("h1", null, "Schema"), empty("No schema version has been declared.")];
    const versions = items.map((item) => String(item.version));
    const version = versions.includes(query.version) ? query.version : versions.at(-1);
    const from = versions.includes(query.from) ? query.from : versions[Math.max(0, versions.indexOf(version) - 1)];
    const found = from === version ? null : await ask({ path: path`v1/apps/${app}/schemas/${from}/diff/${version}`, signal });
    // Another version is compared with the one before it.
    const choose = (name, chosen, others) => {
        const control = select(name, versions, chosen);
        control.addEventListener("change", () => go(segments, { ...others, [name]: control.value }));
        return control;
    };
    return [
        h("h1", null, `Schema of version ${version}`),
        h("div", { class: "filters" }, field("Version", choose("version", version, {})), field("Compared with", choose("from", from, { version }))),
        pictures(app, items, found ? [from, version] : [version], versions, found?.changes ?? []),
        found && h("section", null, h("h2", null, `From version ${from} to ${version}`), differences(found.changes)),
    ];
}

/** Both schemas, in which what changes is marked; below each other where they have no place side by side. */
function pictures(app, items, shown, versions, changes) {
    const changed = new Set(changes.map((change) => (change.property ? `${change.class}.${change.property}` : change.class)));
    return h("div", { class: "charts" }, shown.map((version) => h("section", null, shown.length > 1 && h("h2", null, `Version ${version}`),
        new SchemaPicture(items[versions.indexOf(version)].schema, `${app}-${version}`, changed))));
}

function differences(changes) {
    if (changes.length === 0) return empty("Nothing changes.");
    return table(["Change", "On the server", "For clients", "What to do"], changes.map((change) => [
        change.message, badge(change.serverSide), badge(change.client), change.handling,
    ]), "Changes");
}
