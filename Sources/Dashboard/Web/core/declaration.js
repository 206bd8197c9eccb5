/** A declaration as the API takes it, and as the fields of an editor have it. */

import { stringified } from "./api.js";
import { placeOf } from "./json-places.js";

/** The parts of a migration that have an editor of their own, and all others. */
export function partsOf(migration) {
    const { language = "", source, sources, ...others } = migration ?? {};
    const rest = Object.fromEntries(Object.entries(others).filter(([, value]) => value !== null));
    return { language, text: source ?? sources?.[0]?.text ?? "", more: sources?.slice(1) ?? [], rest };
}

/** The body, in which the schema's text stands as it was typed, from line 2 on: faults are told by its own lines. */
export function bodyOf({ form, schema, language, script, others }, more) {
    const written = form === "json" ? schema : stringified({ swift: [{ name: "Models.swift", text: schema }] });
    const rest = JSON.parse(others.trim() || "{}");
    const ofLanguage = { javascript: { language, source: script }, swift: { language, sources: [{ name: "Migration.swift", text: script }, ...more] } };
    const migration = { ...rest, ...ofLanguage[language] };
    return `{"schema":\n${written}\n${Object.keys(migration).length > 0 ? `, "migration": ${stringified(migration)}` : ""}}`;
}

/** The faults of a declaration by the editor that each is of, with its place there. */
export function faultsOf(items, { form, schema, script }) {
    const faults = { schema: [], script: [], others: [] };
    for (const item of items) {
        if ((item.pointer ?? "").startsWith("/migration")) {
            if (item.line) faults.script.push({ ...item, column: item.column ?? columnOfToken(item, script) });
            else faults.others.push(item);
        } else if (form === "json" && item.line) {
            const message = item.message.replace(`line ${item.line}`, `line ${item.line - 1}`).replace(/ \(byte \d+\)/, "");
            faults.schema.push({ ...item, line: item.line - 1, message });
        } else {
            faults.schema.push({ ...item, ...(form === "json" ? classPlace(item, schema) : {}) });
        }
    }
    return faults;
}

/** JavaScript's own messages name a line and a token: where that stands once in the line, it is the place. */
function columnOfToken({ message, line }, text) {
    const token = /^(?:SyntaxError: )?Unexpected (?:token|identifier|keyword|number) '(.+?)'/.exec(message)?.[1];
    const places = token ? (text.split("\n")[line - 1] ?? "").split(token) : [];
    return places.length === 2 ? places[0].length + 1 : null;
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
