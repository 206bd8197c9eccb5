/** One snapshot: where it comes from, its classes, and its downloads. */

import { h } from "../core/dom.js";
import { ask, path } from "../core/api.js";
import { bytes, counted, short } from "../core/format.js";
import { keepThere } from "../core/live.js";
import { address, go } from "../core/router.js";
import { can } from "../core/session.js";
import { typeName } from "../core/schema.js";
import { action } from "../components/action-button.js";
import { download } from "../components/download.js";
import { empty, facts, table, when } from "../components/parts.js";
import { SchemaPicture } from "../components/schema-picture.js";

export async function show({ params: { snapshot: id }, signal, again, within }) {
    const [snapshot, schema] = await Promise.all([
        ask({ path: path`v1/snapshots/${id}`, signal }), ask({ path: path`v1/snapshots/${id}/schema`, signal }),
    ]);
    within(snapshot.app);
    const isCurrent = async () => (await ask({ path: path`v1/apps/${snapshot.app}/realms/${snapshot.realm}`, signal })).currentSnapshot === id;
    const stays = await isCurrent();
    const found = async () => { if (await isCurrent() !== stays) again(); };
    keepThere(snapshot.app, snapshot.realm, path`v1/snapshots/${id}`, signal, { found });
    const realm = address(["apps", snapshot.app, "realms", snapshot.realm]);
    const { kind, job } = snapshot.createdBy;
    return [
        h("h1", null, `Snapshot ${short(id)} of `, h("a", { href: realm }, snapshot.realm)),
        facts([
            ["Schema version", snapshot.schemaVersion ?? "none"], ["Made by", job ? h("a", { href: address(["jobs", job]) }, kind) : kind],
            ["Before it", snapshot.parent && h("a", { href: address(["snapshots", snapshot.parent]) }, short(snapshot.parent))],
            ["Stored", bytes(snapshot.storedBytes)], ["Made", when(snapshot.createdAt)], ["Id", h("code", null, id)],
        ]),
        h("section", null, h("h2", null, "Download"), download(snapshot, snapshot.realm)),
        h("section", null, h("h2", null, "Schema"), new SchemaPicture(schema.schema, `${snapshot.realm}-schema`)),
        h("section", null, h("h2", null, "Classes"), schema.schema.map((item) => classView(snapshot, item))),
        stays ? can("write") && empty("It can’t be deleted: it is the realm’s current snapshot.") : action({
            label: "Delete the snapshot", sure: "Delete it for good?", scope: "write",
            request: { method: "DELETE", path: path`v1/snapshots/${id}` },
            done: () => go(["apps", snapshot.app, "realms", snapshot.realm]),
        }),
    ];
}

function classView(snapshot, item) {
    const number = snapshot.objectCounts[item.name];
    return h("details", { open: true }, h("summary", null, `${item.name} – ${item.embedded ? "embedded" : counted(number ?? 0, "object")}`),
        !item.embedded && h("p", null, h("a", { href: address(["snapshots", snapshot.id, "objects", item.name]) }, `Objects of ${item.name}`)),
        table(["Property", "Type", "Marks"], Object.entries(item.properties).map(([name, property]) => [
            name, typeName(property), [name === item.primaryKey && "primary key ", property.indexed && "indexed"],
        ]), `Properties of ${item.name}`));
}
