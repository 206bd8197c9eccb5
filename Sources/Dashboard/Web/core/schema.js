/** Schemas as Realm JSON has them. */

import { stringified } from "./api.js";

/** A type as the shorthand of Realm JSON has it. */
export function typeName(property) {
    if (typeof property === "string") return property;
    const { type, objectType, optional } = property;
    const mark = { list: "[]", set: "<>", dictionary: "{}" }[type];
    if (type === "linkingObjects") return `links from ${objectType}.${property.property}`;
    if (mark) return `${objectType ?? "mixed"}${optional && /^[a-z]/.test(objectType ?? "") ? "?" : ""}${mark}`;
    return type === "object" ? objectType : `${type}${optional ? "?" : ""}`;
}

/** A schema as people write it: a property a line, and without what goes without saying. */
export function schemaText(schema) {
    const classes = schema.map(({ name, properties, ...others }) => {
        const marks = Object.entries(others).filter(([key, value]) => !goesWithoutSaying(key, value));
        const lines = Object.entries(properties).map(([key, property]) => `    ${stringified(key)}: ${propertyText(property)}`);
        const head = [["name", name], ...marks].map(([key, value]) => `${stringified(key)}: ${stringified(value)}`).join(", ");
        return `  {${head}, "properties": {\n${lines.join(",\n")}\n  }}`;
    });
    return `[\n${classes.join(",\n")}\n]\n`;
}

/** Whether a member says what its absence says. */
function goesWithoutSaying(name, value, type) {
    if (name === "primaryKey") return value === null;
    return value === false && (["indexed", "embedded", "asymmetric"].includes(name) || (name === "optional" && type !== "object"));
}

function propertyText(property) {
    const said = Object.entries(property).filter(([name, value]) => !goesWithoutSaying(name, value, property.type));
    const isPlain = said.every(([name]) => name === "type" || name === "optional")
        && ["bool", "int", "float", "double", "string", "data", "date", "decimal128", "objectId", "uuid"].includes(property.type);
    return stringified(isPlain ? typeName(property) : Object.fromEntries(said));
}
