/** The editor of a declared version: its schema, its script, and what the service says of both while one types. */

import { field, h, replace, select } from "../core/dom.js";
import { ask, Problem, stringified } from "../core/api.js";
import { bodyOf, faultsOf, partsOf } from "../core/declaration.js";
import { dropDraft, keepDraft, readDraft } from "../core/draft.js";
import { schemaText } from "../core/schema.js";
import { can } from "../core/session.js";
import { action } from "./action-button.js";
import { declarationView } from "./declaration-view.js";
import { HighlightedEditor } from "./highlighted-editor.js";
import { when } from "./parts.js";
import { ProblemView } from "./problem-view.js";

const scriptExample = `function migrate(migration, oldSchemaVersion) {
  migration.enumerateObjects("User", (oldUser, newUser) => {
  });
}
`;
/** Nobody reads while typing: the service is asked when the hands rest. */
const restMilliseconds = 350;

export class DeclarationEditor extends HTMLElement {
    /**
     * @param {string} place The path of the version in the API.
     * @param {{schema: object[], migration: object|null}} draft What the editor begins with.
     * @param {object|null} declared The version as it is declared.
     * @param {() => void} again Shows the page anew.
     * @param {AbortSignal} signal Ends with the page.
     */
    constructor(place, draft, declared, again, signal) {
        super();
        Object.assign(this, { place, declared, again, signal });
        const { language, text, more, rest } = partsOf(draft.migration);
        this.more = more;
        this.begun = {
            form: "json", schema: schemaText(draft.schema), language, script: text,
            others: Object.keys(rest).length > 0 ? stringified(rest, 2) : "",
        };
    }

    connectedCallback() {
        const kept = readDraft(this.place);
        this.build(kept?.value ?? this.begun);
        const isEditor = can("write");
        replace(this, this.notice,
            h("div", { class: "beside" },
                h("div", null, h("div", { class: "filters" }, field("Schema as", this.form), field("Script in", this.language)),
                    this.schema, this.script, this.details),
                h("aside", { "aria-label": "What it changes" }, this.said)),
            action({
                label: "Check and declare", scope: "write", main: true, request: () => this.request(),
                done: () => this.declareDone(), refused: (problem) => this.refused(problem),
            }), this.result);
        this.follow();
        if (kept) this.tellDraft(kept);
        if (isEditor && (kept || !this.declared)) this.check();
        else replace(this.said, this.declared && declarationView(this.declared, isEditor && this.accept));
        if (isEditor) this.addEventListener("input", () => this.edited());
    }

    disconnectedCallback() {
        clearTimeout(this.resting);
        this.checking?.abort();
    }

    build(value) {
        const readonly = !can("write");
        const editor = (options) => new HighlightedEditor({ ...options, readonly });
        this.notice = h("div", { "aria-live": "polite" });
        this.form = select("form", [["json", "JSON"], ["swift", "Swift model classes"]], value.form);
        this.schema = editor({ label: "Schema", text: value.schema, rows: 16, language: value.form });
        this.language = select("language", [["", "no script"], ["javascript", "JavaScript"], ["swift", "Swift"]], value.language);
        this.script = editor({ label: "Script", text: value.script, rows: 10, language: value.language || "javascript" });
        this.others = editor({ label: "Other members of the migration, as JSON", text: value.others, rows: 4, language: "json" });
        this.details = h("details", { open: value.others !== "" }, h("summary", null, "Renames, primary keys, defaults"), this.others);
        this.said = h("div", { "aria-live": "polite" });
        this.result = h("div");
        this.accept = (rename) => this.acceptRename(rename);
    }

    /** The editors follow the choices of languages. */
    follow() {
        this.schema.language = this.form.value;
        this.script.hidden = this.language.value === "";
        if (this.language.value) this.script.language = this.language.value;
        const isChosen = this.language.value !== this.followed;
        this.followed = this.language.value;
        // Not while somebody types: what was emptied stays empty.
        if (isChosen && this.language.value === "javascript" && this.script.text === "") this.script.text = scriptExample;
    }

    get value() {
        return {
            form: this.form.value, schema: this.schema.text, language: this.language.value, script: this.script.text, others: this.others.text,
        };
    }

    request(verb = null) {
        return {
            method: verb ? "POST" : "PUT", path: verb ? `${this.place}/${verb}` : this.place, type: "application/json",
            body: bodyOf(this.value, this.more),
        };
    }

    edited() {
        this.follow();
        const { value } = this;
        if (stringified(value) === stringified(this.begun)) {
            dropDraft(this.place);
            this.notice.replaceChildren();
        } else if (keepDraft(this.place, value, this.declared?.revision ?? null)) {
            this.tellDraft(readDraft(this.place));
        } else {
            replace(this.notice, h("p", { class: "notice" }, "This is too large for the browser to keep as a draft: declare it before you leave the page."));
        }
        clearTimeout(this.resting);
        this.resting = setTimeout(() => this.check(), restMilliseconds);
    }

    tellDraft({ base, at }) {
        const isBehind = base !== (this.declared?.revision ?? null);
        const discard = () => {
            dropDraft(this.place);
            this.again();
        };
        const text = "A draft, not declared yet: it is kept in this tab until it is declared, you sign out or the tab is closed.";
        if (this.notice.dataset.base === String(base) && this.notice.childElementCount > 0) return;
        this.notice.dataset.base = base;
        replace(this.notice, h("p", { class: "notice" }, text, isBehind && [
            " It began with ", base === null ? "no declared version" : `revision ${base}`, ", and ",
            this.declared ? `revision ${this.declared.revision} is declared now, ` : "the version is gone now.",
            this.declared && when(this.declared.createdAt), this.declared && ".",
        ], " ", h("button", { type: "button", onclick: discard, title: `Typed ${at}` }, "Discard it")));
    }

    /** Asks what declaring would do, and marks what is at fault. */
    async check() {
        this.checking?.abort();
        this.checking = new AbortController();
        const signal = AbortSignal.any([this.checking.signal, this.signal]);
        let found;
        try {
            found = await ask({ ...this.request("check"), signal });
        } catch (problem) {
            if (signal.aborted) return;
            // A body that is no JSON is refused before anything is checked.
            found = { problem: problem.document ?? { detail: problem.message }, changes: [], lint: [], suggestions: [] };
            if (!(problem instanceof Problem)) found.problem.errors = [{ pointer: "/migration", message: problem.message }];
        }
        if (signal.aborted) return;
        this.mark(found.problem, false);
        this.result.replaceChildren();
        replace(this.said, declarationView(found, this.accept));
    }

    mark(problem, goes) {
        const faults = faultsOf(problem?.errors ?? [], this.value);
        for (const name of ["schema", "script", "others"]) this[name].mark(faults[name], goes);
    }

    refused(problem) {
        clearTimeout(this.resting);
        this.checking?.abort();
        this.mark(problem.document, true);
        replace(this.result, new ProblemView(problem));
        return true;
    }

    declareDone() {
        dropDraft(this.place);
        return this.again();
    }

    /** Takes a rename that a change may be into the migration. */
    acceptRename(rename) {
        const members = JSON.parse(this.others.text.trim() || "{}");
        const renames = members.renames ?? [];
        const isThere = renames.some((one) => stringified(one) === stringified(rename));
        if (!isThere) this.others.text = stringified({ ...members, renames: [...renames, rename] }, 2);
        this.details.open = true;
        this.others.focus();
        this.edited();
    }
}

customElements.define("declaration-editor", DeclarationEditor);
