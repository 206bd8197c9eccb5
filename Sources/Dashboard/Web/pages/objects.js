/** The objects of a class in a snapshot, all or those that a query finds, with the values of a property to narrow them by. */

import { field, h, select } from "../core/dom.js";
import { ask, path, target } from "../core/api.js";
import { count } from "../core/format.js";
import { keepThere } from "../core/live.js";
import { address, go } from "../core/router.js";
import { FacetFor } from "../components/facet-for.js";
import { ObjectTable } from "../components/object-table.js";
import { ObjectsDownload } from "../components/objects-download.js";
import { empty } from "../components/parts.js";
import { QueryField } from "../components/query-field.js";
import { ValueView } from "../components/value-view.js";

const pageSize = 100;
/** More columns than these are shown when one chooses them. */
const mostColumns = 10;

export async function show({ params: { snapshot: id, class: name }, query, segments, signal, within }) {
    const { where, key, sort, cursor } = query;
    const request = {
        path: path`v1/snapshots/${id}/objects/${name}`, query: { where, key, sort, cursor, limit: pageSize, total: where ? "true" : null },
        keepsFractions: true,
    };
    const [snapshot, schema, page] = await Promise.all([
        ask({ path: path`v1/snapshots/${id}`, signal }), ask({ path: path`v1/snapshots/${id}/schema`, signal }),
        ask({ ...request, signal }).catch((problem) => problem),
    ]);
    const isFault = page instanceof Error;
    // A fault of the query is shown at its place; any other is the page's.
    if (isFault && !((where || sort) && page.code === "invalid_parameter")) throw page;
    within(snapshot.app);
    keepThere(snapshot.app, snapshot.realm, path`v1/snapshots/${id}`, signal);
    const declared = schema.schema.find((item) => item.name === name);
    const shown = { id, name, schema: schema.schema, declared, query, segments, view: new ValueView(id, schema.schema) };
    shown.columns = columnsOf(declared, query);
    return [
        h("h1", null, `${name} in `, h("a", { href: address(["apps", snapshot.app, "realms", snapshot.realm]) }, snapshot.realm)),
        h("p", null, summary(snapshot, name, page, where), " at ",
            h("a", { href: address(["snapshots", id]) }, `version ${snapshot.schemaVersion ?? "–"}`), " – ",
            h("a", { href: target({ path: path`v1/snapshots/${id}/content`, query: { format: "csv", class: name } }), download: true }, "all as CSV")),
        filters(shown, isFault ? page : null),
        isFault ? null : h("div", { class: "beside" },
            h("div", null, cursor && h("p", null, h("a", { href: address(segments, { ...query, cursor: null }) }, "From the first object on")),
                table(shown, request, page, snapshot)),
            h("aside", { "aria-label": "Values and columns" }, key ? null : new FacetFor(shown, signal), columnChoice(shown))),
        isFault || key || page.items.length === 0 ? null : h("p", null, new ObjectsDownload({
            request: { ...request, query: { where, sort } }, columns: shown.columns.all, name: `${snapshot.realm}-${name}`,
        })),
    ];
}

function summary(snapshot, name, page, where) {
    const all = `${count(snapshot.objectCounts[name] ?? 0)} objects`;
    if (!where || !page.total) return all;
    return `${page.total.isExact ? "" : "more than "}${count(page.total.count)} of ${all}`;
}

/** The properties that are shown as columns, and all that there are. */
function columnsOf(declared, { columns }) {
    const keyName = declared.primaryKey ?? "_key";
    const all = Object.entries(declared.properties).filter(([, property]) => property.type !== "linkingObjects").map(([name]) => name)
        .filter((name) => name !== keyName);
    const wanted = columns === undefined ? all.slice(0, mostColumns) : columns.split(",").filter((name) => all.includes(name));
    return { keyName, all: [keyName, ...all], shown: [keyName, ...wanted] };
}

function filters({ segments, schema, name, query }, problem) {
    const classes = schema.filter((item) => !item.embedded).map((item) => item.name);
    const chosen = select("class", classes, name);
    const of = (className) => [...segments.slice(0, 3), className];
    const where = new QueryField({ where: query.where ?? "", schema, className: name, problem });
    const submit = (event) => {
        event.preventDefault();
        go(of(chosen.value), chosen.value === name ? { ...query, key: null, cursor: null, where: where.value } : {});
    };
    chosen.addEventListener("change", () => go(of(chosen.value)));
    return h("form", { class: "filters", onsubmit: submit }, field("Class", chosen), where, h("p", null, h("button", null, "Find")),
        query.key && h("p", null, `with the object key ${query.key} `, h("a", { href: address(segments) }, "all")));
}

function table({ id, declared, columns, query, segments, view }, request, page, snapshot) {
    if (page.items.length === 0) return empty(query.where || query.key ? "No object is so." : "The class has no object.");
    const { keyName, shown } = columns;
    const typeOf = (name) => declared.properties[name] ?? { type: "int" };
    const numeric = (name) => (["int", "float", "double", "decimal128"].includes(typeOf(name).type) && name !== keyName ? "number" : null);
    return new ObjectTable({
        request, first: page, label: `Objects of ${declared.name}`,
        total: query.key ? page.items.length : query.where ? page.total?.isExact ? page.total.count : null : snapshot.objectCounts[declared.name] ?? null,
        columns: shown.map((name) => ({ head: head(name, typeOf(name), query, segments, keyName), class: numeric(name) })),
        row: (item) => shown.map((name) => {
            const text = view.value(item[name], typeOf(name));
            const href = name === keyName ? view.address(declared.name, item[name]) : null;
            return href ? h("a", { href }, text) : text;
        }),
        // The address says where one is without another page being shown.
        seen: (cursor) => history.replaceState(null, "", address(segments, { ...query, cursor })),
    });
}

const sortable = ["bool", "int", "float", "double", "string", "date", "decimal128", "objectId", "uuid"];

/** A column's name, which orders the objects by it: ascending, descending, and by their keys again. */
function head(name, { type }, query, segments, keyName) {
    if (!sortable.includes(type) || (name === keyName && name === "_key") || query.key) return name;
    const isUp = query.sort === name;
    const isDown = query.sort === `-${name}`;
    const next = isUp ? `-${name}` : isDown ? null : name;
    return h("a", { class: "sorts", href: address(segments, { ...query, cursor: null, sort: next }) }, name, isUp ? " ▲" : isDown ? " ▼" : "",
        h("span", { class: "visually-hidden" }, isUp ? ", ascending" : isDown ? ", descending" : ", sort"));
}

/** Boxes for the columns, which are in the address. */
function columnChoice({ columns, query, segments }) {
    const { keyName, all, shown } = columns;
    const choose = (name, isShown) => {
        const chosen = all.filter((one) => one !== keyName && (one === name ? isShown : shown.includes(one)));
        history.replaceState(null, "", address(segments, { ...query, columns: chosen.join(",") || "none" }));
        window.dispatchEvent(new HashChangeEvent("hashchange"));
    };
    return h("details", { open: query.columns !== undefined }, h("summary", null, `Columns (${shown.length} of ${all.length})`),
        all.filter((name) => name !== keyName).map((name) => h("label", { class: "column" },
            h("input", { type: "checkbox", name: `column ${name}`, checked: shown.includes(name), onchange: (event) => choose(name, event.target.checked) }), ` ${name}`)));
}
