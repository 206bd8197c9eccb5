/** Saves the objects that a query finds, as CSV or NDJSON, page by page. */

import { h, replace } from "../core/dom.js";
import { ask, stringified } from "../core/api.js";
import { count } from "../core/format.js";
import { ProblemView } from "./problem-view.js";

const types = { csv: "text/csv", ndjson: "application/x-ndjson" };

/** A field of CSV (RFC 4180): quoted where it has to be; what is no text or number stands as JSON. */
function csvField(value) {
    if (value === null || value === undefined) return "";
    const plain = typeof value === "object" ? value.$date ?? value.$oid ?? value.$uuid ?? value.$numberDecimal ?? value.$numberDouble : value;
    const text = plain !== undefined ? String(plain) : stringified(value);
    return /[",\r\n]/.test(text) || text !== text.trim() ? `"${text.replaceAll('"', '""')}"` : text;
}

export class ObjectsDownload extends HTMLElement {
    /** @param {{request: object, columns: string[], name: string}} options `request` asks for a page of the list. */
    constructor(options) {
        super();
        Object.assign(this, options);
    }

    connectedCallback() {
        this.result = h("span", { "aria-live": "polite" });
        const button = (form, text) => h("button", { type: "button", onclick: () => this.save(form) }, text);
        replace(this, button("csv", "Save as CSV"), " ", button("ndjson", "Save as NDJSON"), " ", this.result);
    }

    disconnectedCallback() {
        this.saving?.abort();
    }

    async save(form) {
        this.saving?.abort();
        this.saving = new AbortController();
        const { signal } = this.saving;
        const parts = form === "csv" ? [this.columns.map(csvField).join(",") + "\r\n"] : [];
        const line = form === "csv" ? (item) => this.columns.map((name) => csvField(item[name])).join(",") + "\r\n" : (item) => stringified(item) + "\n";
        try {
            let number = 0;
            for (let cursor = null, isFirst = true; isFirst || cursor; isFirst = false) {
                const page = await ask({ ...this.request, query: { ...this.request.query, cursor, limit: 1000 }, keepsFractions: true, signal });
                // A Blob lies where the browser wants it, also on the disk.
                parts.push(new Blob([page.items.map(line).join("")]));
                number += page.items.length;
                cursor = page.next;
                replace(this.result, `${count(number)} objects `, h("button", { type: "button", onclick: () => this.stop() }, "Stop"));
            }
            const saved = URL.createObjectURL(new Blob(parts, { type: types[form] }));
            h("a", { href: saved, download: `${this.name}.${form}` }).click();
            setTimeout(() => URL.revokeObjectURL(saved), 60_000);
            replace(this.result, `${count(number)} objects saved`);
        } catch (problem) {
            if (!signal.aborted) replace(this.result, new ProblemView(problem));
        }
    }

    stop() {
        this.saving.abort();
        this.result.replaceChildren();
    }
}

customElements.define("objects-download", ObjectsDownload);
