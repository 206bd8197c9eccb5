/** Small parts that many pages have. */

import { h } from "../core/dom.js";
import { address } from "../core/router.js";
import { count, counted, jobKind, ran, short } from "../core/format.js";
import { isLost } from "../core/live.js";
import { ProblemView } from "./problem-view.js";

/** A state, as a coloured word. */
export function badge(state) {
    return h("span", { class: `badge ${String(state).replace(/[^a-zA-Z]/g, "")}` }, state);
}

/** A moment, as `5 min ago`, with the whole of it behind. */
export function when(text) {
    if (!text) return "–";
    const seconds = (Date.now() - new Date(text)) / 1000;
    const steps = [[60, 1, "second"], [3600, 60, "minute"], [86_400, 3600, "hour"], [Infinity, 86_400, "day"]];
    const [, size, unit] = steps.find(([limit]) => Math.abs(seconds) < limit);
    const shown = new Intl.RelativeTimeFormat("en", { numeric: "auto" }).format(-Math.trunc(seconds / size), unit);
    return h("time", { datetime: text, title: text }, shown);
}

/** A bar of parts, each as long as its share, with what they are below: triples of a state, a number and its name. */
export function shares(parts) {
    const bar = h("div", { class: "shares", "aria-hidden": "true" }, parts.map(([state, number]) => {
        const part = h("span", { class: state, title: `${state}: ${count(number)}` });
        part.style.flexGrow = number;
        return part;
    }));
    return [bar, h("ul", { class: "legend" }, parts.map(([state, number, name]) => h("li", null, h("i", { class: state }), name, " ",
        h("b", null, count(number)))))];
}

/** Says that what is shown may be out of date; hidden until the connection breaks. */
export function interruption() {
    return h("p", { class: "notice", role: "status", hidden: true }, isLost);
}

/** A moment as day and time of the reader's clock: for what is to come, where a day more or less matters. */
export function moment(text) {
    const shown = new Intl.DateTimeFormat("en", { dateStyle: "medium", timeStyle: "short" }).format(new Date(text));
    return h("time", { datetime: text, title: text }, shown);
}

/** A table; a heading may be a pair of its text and a class of its column. */
export function table(headings, rows, caption) {
    const heads = headings.map((heading) => (Array.isArray(heading) ? heading : [heading, null]));
    return h("div", { class: "scrolls", tabindex: 0, role: "region", "aria-label": caption },
        h("table", null, h("caption", { class: "visually-hidden" }, caption),
            h("thead", null, h("tr", null, heads.map(([text, kind]) => h("th", { scope: "col", class: kind }, text)))),
            h("tbody", null, rows.map((cells) => h("tr", null,
                cells.map((cell, index) => h("td", { class: heads[index]?.[1] }, cell)))))));
}

/** The way to the first and to the next page of a list. */
export function pager(segments, query, next) {
    const first = query.cursor && h("a", { href: address(segments, { ...query, cursor: null }) }, "First page");
    const following = next && h("a", { href: address(segments, { ...query, cursor: next }), rel: "next" }, "Next page");
    return first || following ? h("nav", { class: "pager", "aria-label": "Pages" }, first, following) : null;
}

/** The items of a page, as they are shown; a sentence where there are none, and the problem where a filter was refused. */
export function listed(page, nothing, show) {
    if (page.problem) return new ProblemView(page.problem);
    return page.items.length === 0 ? empty(nothing) : show(page.items);
}

/** How many items a list has in all. */
export function totalOf({ total }, noun) {
    return total ? h("p", { class: "empty" }, total.isExact ? counted(total.count, noun) : `more than ${counted(total.count, noun)}`) : null;
}

/** Boxes of which several may be chosen; `chosen` has their values with commas. */
export function choices(label, name, values, chosen) {
    const all = (chosen ?? "").split(",");
    return h("fieldset", null, h("legend", null, label), values.map((value) => {
        const [key, text] = Array.isArray(value) ? value : [value, value];
        return h("label", { class: "choice" }, h("input", { type: "checkbox", name, value: key, checked: all.includes(key) }), ` ${text}`);
    }));
}

/** Jobs in a table. */
export function jobTable(jobs, caption) {
    return table(["Job", "State", "App", "Realm", "Created", "Took"], jobs.map((job) => [
        h("a", { href: address(["jobs", job.id]) }, `${jobKind(job)} ${short(job.id)}`),
        job.state ? badge(job.state) : "can't be read",
        h("a", { href: address(["apps", job.app]) }, job.app),
        job.realm ? h("a", { href: address(["apps", job.app, "realms", job.realm]) }, job.realm) : "–",
        when(job.createdAt), ran(job) ?? "–",
    ]), caption);
}

/** Terms and what they are. */
export function facts(pairs) {
    return h("dl", { class: "facts" }, pairs.filter(([, value]) => value !== null && value !== undefined)
        .map(([term, value]) => h("div", null, h("dt", null, term), h("dd", null, value))));
}

/** A sentence for where there is nothing. */
export function empty(...text) {
    return h("p", { class: "empty" }, text);
}
