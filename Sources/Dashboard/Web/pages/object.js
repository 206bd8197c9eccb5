/** One object, with its links in both directions. */

import { h } from "../core/dom.js";
import { ask, path } from "../core/api.js";
import { count, counted } from "../core/format.js";
import { address } from "../core/router.js";
import { empty } from "../components/parts.js";
import { ValueView } from "../components/value-view.js";

export async function show({ params: { snapshot: id, class: name, key }, signal, within }) {
    const place = path`v1/snapshots/${id}/objects/${name}/${key}`;
    const [snapshot, schema, object, origins] = await Promise.all([
        ask({ path: path`v1/snapshots/${id}`, signal }),
        ask({ path: path`v1/snapshots/${id}/schema`, signal }), ask({ path: place, signal, keepsFractions: true }),
        ask({ path: place, query: { links: "true" }, signal }),
    ]);
    within(snapshot.app);
    const declared = schema.schema.find((item) => item.name === name);
    const view = new ValueView(id, schema.schema, true);
    const properties = Object.entries(declared.properties).filter(([, property]) => property.type !== "linkingObjects");
    return [
        h("h1", null, h("a", { href: address(["snapshots", id, "objects", name]) }, name), ` ${key} in `,
            h("a", { href: address(["apps", snapshot.app, "realms", snapshot.realm]) }, snapshot.realm)),
        h("dl", { class: "members object" }, properties.map(([property, type]) => h("div", null, h("dt", null, property),
            h("dd", null, property in object ? view.value(object[property], type) : "has no value")))),
        h("section", null, h("h2", null, "Links to it"),
            origins.links.length === 0 ? empty("No object links to it.") : h("ul", null, origins.links.map((origin) => links(id, origin)))),
    ];
}

function links(id, { class: name, property, count: number, keys }) {
    return h("li", null, `${name}.${property}: `, counted(number, "object"), " – ",
        keys.map((key, index) => [index > 0 && ", ", h("a", { href: address(["snapshots", id, "objects", name], { key }) }, `object ${key}`)]),
        number > keys.length && ` and ${count(number - keys.length)} more`);
}
