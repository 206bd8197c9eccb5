/**
 * A table of objects, however many there are: pages are asked for where one scrolls to, and those far away are taken out again, so that a
 * few hundred rows are there at a time.
 */

import { h, replace } from "../core/dom.js";
import { ask } from "../core/api.js";
import { ProblemView } from "./problem-view.js";

/** How far from what is seen a page is asked for. */
const margin = "900px";

export class ObjectTable extends HTMLElement {
    /**
     * @param {{request: object, first: object, columns: {head: Node|string, class: string|null}[], row: (item: object) => any[],
     *     label: string, total: number|null, seen: (cursor: string|null) => void}} options `request` asks for a page, of which `first` is the first;
     *     `seen` is told of the page at the top of what is seen.
     */
    constructor(options) {
        super();
        Object.assign(this, options);
        this.pages = [];
    }

    connectedCallback() {
        this.table = h("table", { "aria-rowcount": this.total === null ? -1 : this.total + 1 },
            h("caption", { class: "visually-hidden" }, this.label),
            h("thead", null, h("tr", { "aria-rowindex": 1 }, this.columns.map((column) => h("th", { scope: "col", class: column.class }, column.head)))));
        this.region = h("div", { class: "scrolls window", tabindex: 0, role: "region", "aria-label": this.label, onscroll: () => this.tell() }, this.table);
        replace(this, this.region);
        this.near = new IntersectionObserver((entries) => entries.forEach((entry) => this.moved(entry)),
            { root: this.region, rootMargin: margin });
        this.add(this.request.query.cursor ?? null, this.first);
    }

    disconnectedCallback() {
        this.near.disconnect();
        this.leaving?.abort();
    }

    /** A page at the end; without an answer it is asked for when it comes near. */
    add(cursor, answer = null) {
        const page = { cursor, body: h("tbody"), number: this.pages.length, height: 400, isThere: false };
        page.body.page = page;
        this.pages.push(page);
        this.table.append(page.body);
        if (answer) this.fill(page, answer);
        else this.empty(page);
        this.near.observe(page.body);
    }

    fill(page, { items, next }) {
        const from = page.number * this.request.query.limit;
        replace(page.body, items.map((item, index) => h("tr", { "aria-rowindex": from + index + 2 },
            this.row(item).map((cell, column) => h("td", { class: this.columns[column].class }, cell)))));
        page.isThere = true;
        if (next && page === this.pages.at(-1)) this.add(next);
    }

    /** Keeps a page's place without its rows. */
    empty(page) {
        page.isThere = false;
        const cell = h("td", { colspan: this.columns.length, class: "away" });
        cell.style.height = `${page.height}px`;
        replace(page.body, h("tr", null, cell));
    }

    async moved({ target: { page }, isIntersecting, boundingClientRect }) {
        if (!isIntersecting && page.isThere && boundingClientRect.height > 0) {
            page.height = boundingClientRect.height;
            this.empty(page);
        } else if (isIntersecting && !page.isThere && !page.isAsked) {
            page.isAsked = true;
            this.leaving ??= new AbortController();
            try {
                this.fill(page, await ask({ ...this.request, query: { ...this.request.query, cursor: page.cursor }, signal: this.leaving.signal }));
            } catch (problem) {
                if (problem.name !== "AbortError") this.append(new ProblemView(problem));
            } finally {
                page.isAsked = false;
            }
        }
    }

    /** Says which page is at the top, once the scrolling rests. */
    tell() {
        clearTimeout(this.telling);
        this.telling = setTimeout(() => {
            const { top } = this.region.getBoundingClientRect();
            const page = this.pages.findLast((one) => one.body.getBoundingClientRect().top <= top + 60) ?? this.pages[0];
            this.seen(page.cursor);
        }, 200);
    }
}

customElements.define("object-table", ObjectTable);
