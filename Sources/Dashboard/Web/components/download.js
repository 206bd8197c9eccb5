/** A snapshot in every format that there is. */

import { field, h, replace, select } from "../core/dom.js";
import { path, target } from "../core/api.js";
import { CurlHint } from "./curl-hint.js";

const formats = [
    ["realm", "Realm file (.realm)", "realm"], ["json", "Realm JSON (.json)", "json"], ["ndjson", "NDJSON (.ndjson)", "ndjson"],
    ["sqlite", "SQLite (.sqlite)", "sqlite"], ["sql", "SQL for PostgreSQL (.sql)", "sql"], ["csv", "CSV (.zip)", "csv.zip"],
    ["parquet", "Parquet (.zip)", "parquet.zip"], ["ejson", "Extended JSON (.zip)", "ejson.zip"],
];

/** A choice of formats, and a link that downloads; without a key of encryption, which `curl` can send. */
export function download(snapshot, name) {
    const format = select("format", formats.map(([key, text]) => [key, text]), "realm");
    const request = () => ({
        path: path`v1/snapshots/${snapshot.id}/content`, query: { format: format.value },
        output: `${name}.${formats.find(([key]) => key === format.value)[2]}`,
    });
    const link = h("span");
    const update = () => replace(link, h("a", { class: "button", href: target(request()), download: request().output }, "Download"));
    format.addEventListener("change", update);
    update();
    return h("div", null, h("div", { class: "filters" }, field("Format", format), h("p", null, link)), new CurlHint(() => [request()]));
}
