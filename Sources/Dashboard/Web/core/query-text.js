/** Texts in Realm's query language: values as it writes them, and the words that may follow. */

const operators = [
    "AND", "OR", "NOT", "BEGINSWITH", "BEGINSWITH[c]", "CONTAINS", "CONTAINS[c]", "ENDSWITH", "ENDSWITH[c]", "LIKE", "LIKE[c]", "IN", "BETWEEN",
    "ANY", "ALL", "NONE", "SUBQUERY(", "TRUEPREDICATE", "true", "false", "nil",
];
const ofCollections = ["@count", "@size", "@min", "@max", "@sum", "@avg"];
const collections = ["list", "set", "dictionary"];

/** Whether a property's name can stand in a query as it is. */
export function isName(name) {
    return /^[\p{L}_][\p{L}\p{N}_]*$/u.test(name);
}

/** A value as a query writes it; null where it can't. */
export function literal(value) {
    if (value === null) return "nil";
    if (typeof value === "string") return stringLiteral(value);
    if (typeof value !== "object") return String(value);
    if ("$oid" in value) return `oid(${value.$oid})`;
    if ("$uuid" in value) return `uuid(${value.$uuid})`;
    if ("$numberDecimal" in value || "$numberDouble" in value) return String(value.$numberDecimal ?? value.$numberDouble);
    if ("$date" in value) return dateLiteral(value.$date);
    if ("$binary" in value) return `binary(B64"${value.$binary.base64}")`;
    return null;
}

/** Quotes and backslashes have rules of their own in a query: what has them is written in Base64. */
function stringLiteral(text) {
    if (!/["\\\u0000-\u001f]/.test(text)) return `"${text}"`;
    return `B64"${btoa(String.fromCharCode(...new TextEncoder().encode(text)))}"`;
}

/** Dates before 1970 count their nanoseconds backwards: only those without any can be written so. */
function dateLiteral(text) {
    const [, day, time, fraction = ""] = /^([-\d]+)T([\d:]+)(?:\.(\d+))?Z$/.exec(text) ?? [];
    if (!day) return null;
    const nanoseconds = Number(fraction.padEnd(9, "0"));
    if (nanoseconds === 0) return `${day}@${time}`;
    return day < "1970" ? null : `${day}@${time}:${nanoseconds}`;
}

/** A query with one more condition. */
export function withCondition(where, condition) {
    if (!where) return condition;
    return /\bOR\b|\|\|/i.test(where) ? `(${where}) AND ${condition}` : `${where} AND ${condition}`;
}

/** The word that ends at a place of a query, with its start; null inside of a string, where nothing is completed. */
export function wordAt(text, caret) {
    const before = text.slice(0, caret);
    if ((before.replace(/"[^"]*"|'[^']*'/g, "").match(/["']/g) ?? []).length > 0) return null;
    const [word] = /[\p{L}\p{N}_.@[\]]*$/u.exec(before);
    return { word, start: caret - word.length };
}

/**
 * What a word may become.
 *
 * @param {string} word
 * @param {object[]} schema
 * @param {string} className The class that is asked.
 */
export function completions(word, schema, className) {
    const path = word.split(".");
    const last = path.pop();
    let declared = schema.find((item) => item.name === className);
    let property = null;
    for (const name of path) {
        property = declared?.properties[name];
        if (!property) return [];
        declared = schema.find((item) => item.name === property.objectType);
    }
    const start = path.map((name) => `${name}.`).join("");
    const names = Object.entries(declared?.properties ?? {}).filter(([name]) => isName(name)).map(([name, { type, objectType }]) =>
        ({ text: start + name, kind: objectType ? `${type} of ${objectType}` : type }));
    const counts = collections.includes(property?.type) ? ofCollections.map((name) => ({ text: start + name, kind: "of all" })) : [];
    const words = path.length === 0 && last !== "" ? operators.map((name) => ({ text: name, kind: "word" })) : [];
    const fits = ({ text }) => text.slice(start.length).toLowerCase().startsWith(last.toLowerCase()) && text !== word;
    return [...names, ...counts, ...words].filter(fits).slice(0, 12);
}
