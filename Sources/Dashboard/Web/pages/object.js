/** One object, with its links in both directions. */

import { h, replace } from "../core/dom.js";
import { ask, path, stringified } from "../core/api.js";
import { count, counted } from "../core/format.js";
import { keepThere } from "../core/live.js";
import { address } from "../core/router.js";
import { empty } from "../components/parts.js";
import { ProblemView } from "../components/problem-view.js";
import { keyText, ValueView } from "../components/value-view.js";

export async function show({ params: { snapshot: id, class: name, key }, signal, within }) {
    const place = path`v1/snapshots/${id}/objects/${name}/${key}`;
    const [snapshot, schema, object] = await Promise.all([
        ask({ path: path`v1/snapshots/${id}`, signal }),
        ask({ path: path`v1/snapshots/${id}/schema`, signal }), ask({ path: place, signal, keepsFractions: true }),
    ]);
    within(snapshot.app);
    keepThere(snapshot.app, snapshot.realm, path`v1/snapshots/${id}`, signal);
    const declared = schema.schema.find((item) => item.name === name);
    const properties = Object.entries(declared.properties).filter(([, property]) => property.type !== "linkingObjects");
    const members = (view) => h("dl", { class: "members object" }, properties.map(([property, type]) => h("div", null, h("dt", null, property),
        h("dd", null, property in object ? view.value(object[property], type) : "has no value"))));
    const view = new ValueView(id, schema.schema, true);
    const values = h("div", null, members(view));
    const origins = h("div", { "aria-live": "polite" }, empty("Looks for them…"));
    // Who links here is found among all objects: the object itself does not wait for that.
    ask({ path: place, query: { links: "true" }, signal }).then((found) => {
        if (found.outgoing.length > 0) replace(values, members(new ValueView(id, schema.schema, true, captions(found.outgoing))));
        replace(origins, found.links.length === 0 ? empty("No object links to it.") : h("ul", null, found.links.map((origin) => links(view, origin))));
    }).catch((problem) => { if (!signal.aborted) replace(origins, new ProblemView(problem)); });
    return [
        h("h1", null, h("a", { href: address(["snapshots", id, "objects", name]) }, name), ` ${key} in `,
            h("a", { href: address(["apps", snapshot.app, "realms", snapshot.realm]) }, snapshot.realm)),
        values, h("section", null, h("h2", null, "Links to it"), origins),
    ];
}

/** What objects are called that this one links to, by class and key. */
function captions(outgoing) {
    return new Map(outgoing.flatMap((link) => link.objects.filter((object) => object.caption !== null)
        .map((object) => [`${link.class} ${stringified(object.primaryKey ?? object.key)}`, object.caption])));
}

function links(view, { class: name, property, count: number, objects }) {
    return h("li", null, `${name}.${property}: `, counted(number, "object"), " – ",
        objects.map((object, index) => [index > 0 && ", ", linking(view, name, object)]),
        number > objects.length && ` and ${count(number - objects.length)} more`);
}

/** An object that links to this one; an embedded one has no page, and is found at its owner's. */
function linking(view, name, { key, primaryKey, caption, owner }) {
    const text = primaryKey === null ? `object ${key}` : keyText(primaryKey);
    if (owner) return [linking(view, owner.class, { ...owner, owner: null }), h("small", null, ` at ${owner.class}.${owner.path.join(".")}`)];
    if (view.classes.get(name)?.embedded) return `embedded ${text}`;
    return [h("a", { href: view.address(name, primaryKey ?? { $key: key }) }, text), caption && h("small", null, ` ${caption}`)];
}
