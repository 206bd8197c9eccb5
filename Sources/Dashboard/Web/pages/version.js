/** One schema version: its schema and the migration that leads to it, to be declared, checked and mended. */

import { field, h, replace, select } from "../core/dom.js";
import { ask, path, stringified } from "../core/api.js";
import { placeOf } from "../core/json-places.js";
import { schemaText } from "../core/schema.js";
import { can } from "../core/session.js";
import { action } from "../components/action-button.js";
import { CodeEditor } from "../components/code-editor.js";
import { badge, facts, when } from "../components/parts.js";
import { ProblemView } from "../components/problem-view.js";

const scriptExample = `function migrate(migration, oldSchemaVersion) {
  migration.enumerateObjects("User", (oldUser, newUser) => {
  });
}
`;

export async function show({ params: { app, version }, signal, again }) {
    const declared = await ask({ path: path`v1/apps/${app}/schemas/${version}`, signal }).catch((problem) => {
        if (problem.code === "schema_version_not_found") return null;
        throw problem;
    });
    const draft = declared ?? await begin(app, signal);
    return [
        h("h1", null, `Version ${version} `, !declared && badge("new")),
        declared && facts([["Revision", declared.revision], ["Declared", when(declared.createdAt)]]),
        ...declaration(app, version, draft, declared, again),
    ];
}

function declaration(app, version, draft, declared, again) {
    const view = editor(app, version, draft, again);
    return [declared && changes(declared, view.accept), view.section];
}

/** A new version begins with the schema of the newest one, or of nothing. */
async function begin(app, signal) {
    const list = await ask({ path: path`v1/apps/${app}/schemas`, query: { limit: 1000 }, signal });
    return { schema: list.items.at(-1)?.schema ?? [{ name: "User", properties: { name: { type: "string" } } }], migration: null };
}

/** The changes from the version before; `accept` takes a rename that one may be. */
function changes(declared, accept) {
    const items = [...(declared.changes ?? []), ...(declared.lint ?? [])];
    return items.length > 0 && h("section", null, h("h2", null, "What it changes"),
        h("ul", { class: "findings" }, items.map((item) => h("li", null, item.message ?? item.kind, item.suggests && can("write") && [
            " ", h("button", { type: "button", onclick: () => accept(item) }, `It is “${item.suggests.from}” renamed to “${item.suggests.to}”`),
        ]))));
}

/** The parts of a migration that have an editor of their own, and all others as JSON. */
function parts(migration) {
    const { language = "", source, sources, ...others } = migration ?? {};
    const rest = Object.fromEntries(Object.entries(others).filter(([, value]) => value !== null));
    return { language, text: source ?? sources?.[0]?.text ?? "", more: sources?.slice(1) ?? [], rest };
}

function editor(app, version, draft, again) {
    const { language, text, more, rest } = parts(draft.migration);
    const form = select("form", [["json", "JSON"], ["swift", "Swift model classes"]], "json");
    const schema = new CodeEditor({ label: "Schema", text: schemaText(draft.schema), rows: 16 });
    const chosen = select("language", [["", "no script"], ["javascript", "JavaScript"], ["swift", "Swift"]], language);
    const script = new CodeEditor({ label: "Script", text, rows: 16 });
    const others = new CodeEditor({ label: "Other members of the migration, as JSON", text: stringified(rest, 2), rows: 4 });
    const update = () => {
        script.hidden = chosen.value === "";
        if (chosen.value === "javascript" && script.text === "") script.text = scriptExample;
    };
    chosen.addEventListener("change", update);
    update();

    const request = () => ({
        method: "PUT", path: path`v1/apps/${app}/schemas/${version}`, type: "application/json",
        body: body({ form: form.value, schema: schema.text, language: chosen.value, script: script.text, more, others: others.text }),
    });
    const details = h("details", { open: Object.keys(rest).length > 0 }, h("summary", null, "Renames, primary keys, defaults"), others);
    const accept = ({ class: name, property, suggests: { from, to } }) => {
        const members = JSON.parse(others.text.trim() || "{}");
        const rename = property ? { class: name, from, to } : { fromClass: from, toClass: to };
        const renames = members.renames ?? [];
        const isThere = renames.some((one) => stringified(one) === stringified(rename));
        if (!isThere) others.text = stringified({ ...members, renames: [...renames, rename] }, 2);
        details.open = true;
        others.area.focus();
    };
    const result = h("div");
    const refused = (problem) => {
        mark(problem, form.value, { schema, script, others });
        replace(result, new ProblemView(problem));
        return true;
    };
    const section = h("section", null, h("h2", null, "Declaration"),
        h("div", { class: "filters" }, field("Schema as", form), field("Script in", chosen)),
        schema, script, details,
        action({ label: "Check and declare", scope: "write", main: true, request, done: again, refused }), result);
    return { section, accept };
}

/** The body, in which the schema's text stands as it was typed, from line 2 on: faults are told by its own lines. */
function body({ form, schema, language, script, more, others }) {
    const written = form === "json" ? schema : stringified({ swift: [{ name: "Models.swift", text: schema }] });
    const rest = JSON.parse(others.trim() || "{}");
    const ofLanguage = { javascript: { language, source: script }, swift: { language, sources: [{ name: "Migration.swift", text: script }, ...more] } };
    const migration = { ...rest, ...ofLanguage[language] };
    return `{"schema":\n${written}\n${Object.keys(migration).length > 0 ? `, "migration": ${stringified(migration)}` : ""}}`;
}

/** Marks each fault in the editor that it is of. */
function mark(problem, form, { schema, script, others }) {
    const marks = new Map([[schema, []], [script, []], [others, []]]);
    for (const item of problem.items ?? []) {
        const pointer = item.pointer ?? "";
        if (pointer.startsWith("/migration")) {
            marks.get(item.line ? script : others).push(item);
        } else if (form === "json" && item.line) {
            const message = item.message.replace(`line ${item.line}`, `line ${item.line - 1}`).replace(/ \(byte \d+\)/, "");
            marks.get(schema).push({ ...item, line: item.line - 1, message });
        } else {
            marks.get(schema).push({ ...item, ...(form === "json" ? classPlace(item, schema.text) : {}) });
        }
    }
    for (const [editor, items] of marks) editor.mark(items);
}

/** The place of a pointer into the schema or, where there is only the name of a class, of that class. */
function classPlace(item, text) {
    const place = placeOf((item.pointer ?? "").replace(/^\/schema/, ""), text);
    if (!item.class || (place && item.pointer !== "/schema")) return place;
    try {
        const index = JSON.parse(text).findIndex((one) => one.name === item.class);
        const property = item.property?.replaceAll("~", "~0").replaceAll("/", "~1");
        return placeOf(`/${index}${property ? `/properties/${property}` : ""}`, text) ?? placeOf(`/${index}`, text) ?? place;
    } catch {
        return place;
    }
}
