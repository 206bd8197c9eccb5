/** A code editor with highlighting: CodeMirror, from Debian, takes the place of the plain field as soon as it is loaded. */

import { h, replace } from "../core/dom.js";
import { CodeEditor } from "./code-editor.js";

const modes = { javascript: "javascript", json: { name: "javascript", json: true }, swift: "swift" };
let loading = null;

/** A script element would need a trusted URL; imported as a module, the classic script makes the same global. */
async function load() {
    const place = (name) => new URL(`../codemirror/${name}`, import.meta.url).href;
    const styles = h("link", { rel: "stylesheet", href: place("codemirror.css") });
    const styled = new Promise((resolve) => { styles.onload = styles.onerror = resolve; });
    document.head.append(styles);
    await import(place("codemirror.js"));
    await Promise.all([...["javascript.js", "swift.js", "matchbrackets.js"].map((name) => import(place(name))), styled]);
    return globalThis.CodeMirror;
}

export class HighlightedEditor extends CodeEditor {
    static observedAttributes = ["hidden"];

    /** @param {{label: string, text?: string, rows?: number, language?: string, readonly?: boolean}} options */
    constructor({ language = "javascript", ...options }) {
        super(options);
        this.chosenLanguage = language;
        this.rows = options.rows ?? 12;
    }

    async connectedCallback() {
        super.connectedCallback();
        loading ??= load();
        const CodeMirror = await loading.catch(() => null);
        // Without it the plain field does the same, in one colour.
        if (CodeMirror && this.isConnected && !this.mirror) this.dress(CodeMirror);
    }

    dress(CodeMirror) {
        const hadFocus = document.activeElement === this.area;
        const { selectionStart, selectionEnd } = this.area;
        const place = this.area.parentElement;
        this.mirror = CodeMirror((element) => replace(place, element), {
            value: this.area.value, mode: modes[this.chosenLanguage], theme: "realmshift", lineNumbers: true, indentUnit: 2,
            indentWithTabs: false, matchBrackets: true, screenReaderLabel: this.label, inputStyle: "textarea", spellcheck: false,
            extraKeys: { Tab: "insertSoftTab" }, readOnly: this.area.readOnly,
        });
        place.classList.add("highlighted");
        const scroller = this.mirror.getScrollerElement();
        scroller.style.minHeight = `${this.rows * 20}px`;
        // Its own field lies outside of what scrolls.
        for (const [name, value] of [["tabindex", 0], ["role", "group"], ["aria-label", `${this.label}: the text`]]) scroller.setAttribute(name, value);
        this.mirror.getInputField().setAttribute("aria-describedby", this.faults.id);
        this.mirror.on("keydown", (_, event) => this.leave(event));
        this.mirror.on("change", (_, change) => {
            if (change.origin !== "setValue") this.dispatchEvent(new Event("input", { bubbles: true }));
        });
        this.querySelector("label").onclick = () => this.mirror.focus();
        if (hadFocus) {
            this.mirror.focus();
            this.mirror.setSelection(this.mirror.posFromIndex(selectionStart), this.mirror.posFromIndex(selectionEnd));
        }
        this.number();
    }

    attributeChangedCallback() {
        // It measures its lines only where they are seen.
        if (!this.hidden) requestAnimationFrame(() => this.mirror?.refresh());
    }

    get text() {
        return this.mirror?.getValue() ?? super.text;
    }

    set text(text) {
        this.mirror?.setValue(text);
        super.text = text;
    }

    set language(language) {
        this.chosenLanguage = language;
        this.mirror?.setOption("mode", modes[language]);
    }

    focus() {
        (this.mirror ?? this.area).focus();
    }

    number() {
        if (!this.mirror) return super.number();
        this.mirror.operation(() => {
            for (const mark of this.mirror.getAllMarks()) mark.clear();
            this.mirror.eachLine((line) => this.mirror.removeLineClass(line, "gutter", "marked"));
            for (const { line, column, message } of this.marks) {
                if (!line || line > this.mirror.lineCount()) continue;
                this.mirror.addLineClass(line - 1, "gutter", "marked");
                const [from, to] = this.word(line - 1, column);
                this.mirror.markText({ line: line - 1, ch: from }, { line: line - 1, ch: to }, { className: "fault", attributes: { title: message } });
            }
        });
        this.mirror.getInputField().setAttribute("aria-invalid", this.marks.length > 0);
    }

    /** The word at a column, or the whole line where there is none. */
    word(line, column) {
        const text = this.mirror.getLine(line);
        if (!column) return [text.search(/\S|$/), Math.max(1, text.trimEnd().length)];
        const from = Math.max(0, Math.min(column - 1, text.length - 1));
        const { length } = /^[\p{L}\p{N}_$]+|^["'][^"']*["']|^./u.exec(text.slice(from))?.[0] ?? text;
        return [from, from + Math.max(1, length)];
    }

    goTo(mark) {
        if (!this.mirror) return super.goTo(mark);
        if (!mark.line) return;
        const [from, to] = this.word(Math.min(mark.line, this.mirror.lineCount()) - 1, mark.column);
        this.mirror.focus();
        this.mirror.setSelection({ line: mark.line - 1, ch: from }, { line: mark.line - 1, ch: to });
        this.mirror.scrollIntoView(null, 80);
    }

    /** Tab indents; after Escape it leaves the field, as with Shift, so that nobody is caught by the keyboard. */
    leave(event) {
        if (event.key === "Tab" && (event.shiftKey || this.leaves)) event.codemirrorIgnore = true;
        this.leaves = event.key === "Escape";
    }
}

customElements.define("highlighted-editor", HighlightedEditor);
