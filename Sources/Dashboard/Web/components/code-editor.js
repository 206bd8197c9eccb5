/** A text of code with the numbers of its lines, where faults are marked at their line and column. */

import { h, newID, replace } from "../core/dom.js";

export class CodeEditor extends HTMLElement {
    /** @param {{label: string, text?: string, rows?: number, readonly?: boolean}} options */
    constructor({ label, text = "", rows = 12, readonly = false }) {
        super();
        this.label = label;
        this.marks = [];
        this.numbers = h("div", { class: "numbers", "aria-hidden": "true" });
        this.faults = h("ul", { class: "faults", id: newID(), "aria-live": "polite" });
        this.area = h("textarea", {
            rows, spellcheck: "false", autocapitalize: "off", autocomplete: "off", wrap: "off", readonly, id: newID(),
            "aria-describedby": this.faults.id,
            oninput: () => this.edited(), onscroll: () => { this.numbers.scrollTop = this.area.scrollTop; },
            onkeydown: (event) => this.indent(event),
        });
        this.area.value = text;
    }

    connectedCallback() {
        replace(this, h("label", { for: this.area.id }, this.label),
            h("div", { class: "code" }, this.numbers, this.area), this.faults);
        this.number();
    }

    get text() {
        return this.area.value;
    }

    set text(text) {
        this.area.value = text;
        this.mark([]);
    }

    /** Marks faults, `{message, line, column}`, and goes to the first unless told otherwise. */
    mark(items, goes = true) {
        this.marks = items;
        this.number();
        // Faults that are there already are not told again.
        const shown = JSON.stringify(items.map(({ line, column, message }) => [line, column, message]));
        if (shown !== this.shown) this.list(items);
        this.shown = shown;
        this.area.setAttribute("aria-invalid", items.length > 0);
        if (goes && items.length > 0) this.goTo(items[0]);
    }

    list(items) {
        replace(this.faults, items.map((item) => h("li", null, h("button", { type: "button", onclick: () => this.goTo(item) },
            item.line ? `Line ${item.line}` + (item.column ? `, column ${item.column}` : "") : "Here"), " ", item.message)));
    }

    focus() {
        this.area.focus();
    }

    edited() {
        // A fault stands where it was found until the next check, and no longer.
        if (this.marks.length > 0) this.mark([]);
        else this.number();
    }

    number() {
        const lines = this.area.value.split("\n").length;
        const marked = new Map(this.marks.map((mark) => [mark.line, mark]));
        replace(this.numbers, Array.from({ length: lines }, (_, index) => {
            const mark = marked.get(index + 1);
            return h("div", { class: mark ? "marked" : null, title: mark?.message }, index + 1);
        }));
        this.numbers.scrollTop = this.area.scrollTop;
    }

    goTo({ line, column }) {
        if (!line) return;
        const lines = this.area.value.split("\n");
        const start = lines.slice(0, line - 1).reduce((sum, text) => sum + text.length + 1, 0) + Math.max(0, (column ?? 1) - 1);
        const end = Math.max(start + 1, start - Math.max(0, (column ?? 1) - 1) + (lines[line - 1]?.length ?? 0));
        this.area.focus();
        this.area.setSelectionRange(start, end);
        this.area.scrollTop = Math.max(0, (line - 4) * parseFloat(getComputedStyle(this.area).lineHeight));
    }

    /** Tab indents; Escape before it leaves the field, so that nobody is caught by the keyboard. */
    indent(event) {
        if (event.key === "Escape") this.leaves = true;
        if (event.key !== "Tab" || event.shiftKey || this.leaves || this.area.readOnly) {
            if (event.key !== "Escape") this.leaves = false;
            return;
        }
        event.preventDefault();
        this.area.setRangeText("  ", this.area.selectionStart, this.area.selectionEnd, "end");
        this.edited();
    }
}

customElements.define("code-editor", CodeEditor);
