/** One schema version: its schema and the migration that leads to it, to be declared, checked and mended. */

import { h } from "../core/dom.js";
import { ask, path } from "../core/api.js";
import { counted } from "../core/format.js";
import { keepThere } from "../core/live.js";
import { address, go } from "../core/router.js";
import { can } from "../core/session.js";
import { action } from "../components/action-button.js";
import { DeclarationEditor } from "../components/declaration-editor.js";
import { badge, facts, when } from "../components/parts.js";

export async function show({ params: { app, version }, signal, again }) {
    const place = path`v1/apps/${app}/schemas/${version}`;
    const declared = await ask({ path: place, signal }).catch((problem) => {
        if (problem.code === "schema_version_not_found" && /^[0-9]+$/.test(version)) return null;
        throw problem;
    });
    const draft = declared ?? await begin(app, signal);
    const reached = declared && await realmsAt(app, version, signal);
    keepThere(app, null, path`v1/apps/${app}`, signal);
    return [
        h("h1", null, `Version ${version} `, !declared && badge("new")),
        declared && facts([["Revision", declared.revision], ["Declared", when(declared.createdAt)],
            ["Picture", h("a", { href: address(["apps", app, "schema"], { version }) }, "classes and links")]]),
        new DeclarationEditor(place, draft, declared, again, signal),
        reached > 0 && can("write") && h("p", { class: "empty" }, "It can’t be removed: ", h("a", { href: address(["apps", app, "realms"], { version }) },
            `${counted(reached, "realm has", "realms have")} reached it`), "."),
        reached === 0 && action({
            label: "Remove the version", sure: `Remove version ${version}?`, scope: "write",
            request: { method: "DELETE", path: place }, done: () => go(["apps", app, "versions"]),
        }),
        h("p", null, h("small", null, "The editor is CodeMirror, by Marijn Haverbeke and others: ",
            h("a", { href: new URL("../codemirror/copyright", import.meta.url).pathname }, "its licence"), ".")),
    ];
}

/** How many realms have a version now. */
async function realmsAt(app, version, signal) {
    const { items } = await ask({ path: path`v1/apps/${app}/versions`, signal });
    return items.find((item) => String(item.version) === String(version))?.count ?? 0;
}

/** A new version begins with the schema of the newest one, or of nothing. */
async function begin(app, signal) {
    const list = await ask({ path: path`v1/apps/${app}/schemas`, query: { limit: 1000 }, signal });
    return { schema: list.items.at(-1)?.schema ?? [{ name: "User", properties: { name: { type: "string" } } }], migration: null };
}
