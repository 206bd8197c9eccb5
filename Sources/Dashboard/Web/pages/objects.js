/** The objects of a class in a snapshot, all or those that a query finds, page by page. */

import { field, h, replace, select } from "../core/dom.js";
import { ask, path, target } from "../core/api.js";
import { count } from "../core/format.js";
import { address, go } from "../core/router.js";
import { empty, pager, table } from "../components/parts.js";
import { ProblemView } from "../components/problem-view.js";
import { ValueView } from "../components/value-view.js";

export async function show({ params: { snapshot: id, class: name }, query, segments, signal, within }) {
    const { where, key, cursor } = query;
    const objects = ask({ path: path`v1/snapshots/${id}/objects/${name}`, query: { where, key, cursor, limit: 50 }, signal })
        .catch((problem) => problem);
    const [snapshot, schema, page] = await Promise.all([
        ask({ path: path`v1/snapshots/${id}`, signal }), ask({ path: path`v1/snapshots/${id}/schema`, signal }), objects,
    ]);
    const isFault = page instanceof Error;
    // A fault of the query is shown at its place; any other is the page's.
    if (isFault && !(where && page.code === "invalid_parameter")) throw page;
    within(snapshot.app);
    const declared = schema.schema.find((item) => item.name === name);
    return [
        h("h1", null, `${name} in `, h("a", { href: address(["apps", snapshot.app, "realms", snapshot.realm]) }, snapshot.realm)),
        h("p", null, `${count(snapshot.objectCounts[name] ?? 0)} objects at `,
            h("a", { href: address(["snapshots", id]) }, `version ${snapshot.schemaVersion ?? "–"}`), " – ",
            h("a", { href: target({ path: path`v1/snapshots/${id}/content`, query: { format: "csv", class: name } }), download: true }, "all as CSV")),
        filters(segments, { where, key }, schema.schema, name, isFault ? page : null),
        isFault ? null : rows(id, schema.schema, declared, page.items, Boolean(where || key)),
        isFault ? null : pager(segments, query, page.next),
    ];
}

function filters(segments, { where, key }, schema, name, problem) {
    const classes = schema.filter((item) => !item.embedded).map((item) => item.name);
    const chosen = select("class", classes, name);
    const input = h("input", {
        name: "where", value: where ?? "", class: "query", spellcheck: "false", autocapitalize: "off", autocomplete: "off",
        placeholder: "age > 40 AND name BEGINSWITH[c] 'a'", "aria-invalid": problem ? true : null,
    });
    const submit = (event) => {
        event.preventDefault();
        const segmentsOfClass = [...segments.slice(0, 3), chosen.value];
        go(segmentsOfClass, { where: chosen.value === name ? input.value : null });
    };
    chosen.addEventListener("change", () => go([...segments.slice(0, 3), chosen.value]));
    const fault = h("div");
    if (problem) showFault(fault, input, problem);
    return h("form", { class: "filters", onsubmit: submit }, field("Class", chosen),
        field("Where", input, "in Realm's query language"), h("p", null, h("button", null, "Find")),
        key && h("p", null, `with the object key ${key} `, h("a", { href: address(segments) }, "all")), fault);
}

/** The query again with a mark under the place of its fault, which is also selected. */
function showFault(element, input, problem) {
    const offset = problem.items[0]?.offset;
    replace(element, new ProblemView({ detail: problem.message, code: problem.code }));
    if (offset === undefined || offset === null) return;
    const bytes = new TextEncoder().encode(input.value).slice(0, offset);
    const index = new TextDecoder().decode(bytes).length;
    element.prepend(h("pre", { class: "fault" }, `${input.value}\n${" ".repeat(index)}▲`));
    requestAnimationFrame(() => {
        input.focus();
        input.setSelectionRange(index, Math.min(input.value.length, index + 1));
    });
}

function rows(id, schema, declared, items, isSome) {
    if (items.length === 0) return empty(isSome ? "No object is so." : "The class has no object.");
    const view = new ValueView(id, schema);
    const keyName = declared.primaryKey ?? "_key";
    const properties = Object.entries(declared.properties).filter(([, property]) => property.type !== "linkingObjects");
    const names = properties.filter(([name]) => name !== keyName);
    const numeric = (property) => (["int", "float", "double", "decimal128"].includes(property.type) ? "number" : null);
    return table([keyName, ...names.map(([name, property]) => [name, numeric(property)])], items.map((item) => {
        const target = view.address(declared.name, item[keyName]);
        const text = view.value(item[keyName], declared.properties[keyName] ?? { type: "int" });
        return [target ? h("a", { href: target }, text) : text, ...names.map(([name, property]) => view.value(item[name], property))];
    }), `Objects of ${declared.name}`);
}
