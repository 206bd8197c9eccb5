/** A field for a query in Realm's language, which completes properties and words and marks a fault at its place. */

import { h, newID, replace } from "../core/dom.js";
import { completions, wordAt } from "../core/query-text.js";
import { ProblemView } from "./problem-view.js";

export class QueryField extends HTMLElement {
    /** @param {{where: string, schema: object[], className: string, problem: Error|null}} options */
    constructor({ where, schema, className, problem }) {
        super();
        Object.assign(this, { schema, className, problem });
        this.offered = [];
        this.chosen = -1;
        this.list = h("ul", { id: newID(), class: "completions", role: "listbox", hidden: true, "aria-label": "Completions" });
        this.input = h("input", {
            id: newID(), name: "where", value: where, class: "query", spellcheck: "false", autocapitalize: "off", autocomplete: "off",
            placeholder: "age > 40 AND name BEGINSWITH[c] 'a'", "aria-invalid": problem ? true : null, role: "combobox",
            "aria-autocomplete": "list", "aria-controls": this.list.id, "aria-expanded": "false",
            oninput: () => this.offer(), onkeydown: (event) => this.steer(event), onblur: () => this.close(),
        });
        this.fault = h("div");
    }

    connectedCallback() {
        replace(this, h("label", { for: this.input.id }, "Where"), h("div", { class: "completes" }, this.input, this.list),
            h("small", null, "in Realm's query language; names and words are completed"), this.fault);
        if (this.problem) this.showFault(this.problem);
    }

    get value() {
        return this.input.value;
    }

    offer() {
        const at = wordAt(this.input.value, this.input.selectionStart);
        this.at = at;
        this.offered = at && at.word !== "" ? completions(at.word, this.schema, this.className) : [];
        this.choose(-1);
        replace(this.list, this.offered.map(({ text, kind }, index) => h("li", {
            id: `${this.list.id}-${index}`, role: "option", "aria-selected": "false",
            // The field keeps the focus.
            onmousedown: (event) => { event.preventDefault(); this.take(index); },
        }, text, " ", h("small", null, kind))));
        this.list.hidden = this.offered.length === 0;
        this.input.setAttribute("aria-expanded", !this.list.hidden);
    }

    steer(event) {
        if (this.list.hidden) return;
        const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
        if (step) this.choose((this.chosen + step + this.offered.length) % this.offered.length);
        else if (event.key === "Escape") this.close();
        else if ((event.key === "Enter" || event.key === "Tab") && this.chosen >= 0) this.take(this.chosen);
        else return;
        event.preventDefault();
    }

    choose(index) {
        this.list.children[this.chosen]?.setAttribute("aria-selected", "false");
        this.chosen = index;
        this.list.children[index]?.setAttribute("aria-selected", "true");
        if (index >= 0) this.input.setAttribute("aria-activedescendant", `${this.list.id}-${index}`);
        else this.input.removeAttribute("aria-activedescendant");
    }

    take(index) {
        const { text } = this.offered[index];
        const caret = this.at.start + text.length;
        this.input.setRangeText(text, this.at.start, this.at.start + this.at.word.length, "end");
        this.input.setSelectionRange(caret, caret);
        this.close();
    }

    close() {
        this.list.hidden = true;
        this.choose(-1);
        this.input.setAttribute("aria-expanded", "false");
    }

    /** The query again with a mark under the place of its fault, which is also selected. */
    showFault(problem) {
        const offset = problem.items[0]?.offset;
        replace(this.fault, new ProblemView({ detail: problem.message, code: problem.code }));
        if (offset === undefined || offset === null) return;
        const bytes = new TextEncoder().encode(this.input.value).slice(0, offset);
        const index = new TextDecoder().decode(bytes).length;
        this.fault.prepend(h("pre", { class: "fault" }, `${this.input.value}\n${" ".repeat(index)}▲`));
        requestAnimationFrame(() => {
            this.input.focus();
            const [word] = /^[\p{L}\p{N}_]*/u.exec(this.input.value.slice(index));
            this.input.setSelectionRange(index, Math.min(this.input.value.length, index + Math.max(1, word.length)));
        });
    }
}

customElements.define("query-field", QueryField);
