/** Shows why something was refused: the sentence, each fault with its place, and the code. */

import { h } from "../core/dom.js";
import { address } from "../core/router.js";

export class ProblemView extends HTMLElement {
    /**
     * @param {Error|object} problem A `Problem`, any other error, or a problem document.
     * @param {{snapshot?: string}} context The snapshot that keys of objects are of.
     */
    constructor(problem, context = {}) {
        super();
        this.problem = problem.document ?? (problem instanceof Error ? { detail: problem.message } : problem);
        this.context = context;
    }

    connectedCallback() {
        const { detail, title, code, errors, realmCode, stack } = this.problem;
        this.setAttribute("role", "alert");
        const message = detail ?? title;
        const items = (errors ?? []).filter((item) => item.message !== message || this.place(item).length > 0);
        this.replaceChildren(
            h("p", null, message),
            ...(items.length ? [h("ul", null, items.map((item) => this.item(item, message)))] : []),
            ...(stack ? [h("pre", { tabindex: 0 }, [stack].flat().join("\n"))] : []),
            ...(code ? [h("small", null, h("code", null, code), realmCode && [" · Realm: ", h("code", null, realmCode)])] : []),
        );
    }

    item(item, message) {
        const place = this.place(item);
        return h("li", null, item.message !== message && [item.message, " "], place.length > 0 && h("span", { class: "place" }, place));
    }

    place(item) {
        const parts = [];
        if (item.line) parts.push(`line ${item.line}` + (item.column ? `, column ${item.column}` : ""));
        if (item.class) parts.push(item.property ? `${item.class}.${item.property}` : item.class);
        if (item.key !== undefined && item.key !== null) parts.push(this.object(item));
        if (item.step !== undefined && item.step !== null) parts.push(`schema version ${item.step}`);
        if (item.pointer && !item.line) parts.push(`at ${item.pointer}`);
        return parts.flatMap((part, index) => (index === 0 ? [part] : [" · ", part]));
    }

    object(item) {
        const text = `object ${item.key}`;
        if (!this.context.snapshot || !item.class) return text;
        return h("a", { href: address(["snapshots", this.context.snapshot, "objects", item.class], { key: item.key }) }, text);
    }
}

customElements.define("problem-view", ProblemView);
