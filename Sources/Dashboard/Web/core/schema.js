/** Schemas as Realm JSON has them. */

import { stringified } from "./api.js";

/** A type as the shorthand of Realm JSON has it. */
export function typeName(property) {
    if (typeof property === "string") return property;
    const { type, objectType, optional } = property;
    const mark = collections[type];
    if (type === "linkingObjects") return `links from ${objectType}.${property.property}`;
    if (mark) return `${objectType ?? "mixed"}${optional && /^[a-z]/.test(objectType ?? "") ? "?" : ""}${mark}`;
    return type === "object" ? objectType : `${type}${optional ? "?" : ""}`;
}

const scalars = ["bool", "int", "float", "double", "string", "data", "date", "decimal128", "objectId", "uuid", "mixed"];
const collections = { list: "[]", set: "<>", dictionary: "{}" };

/** A schema as people write it: a property a line, and without what goes without saying. */
export function schemaText(schema) {
    const classes = schema.map(({ name, properties, ...others }) => {
        const marks = Object.entries(others).filter(([key, value]) => !goesWithoutSaying(key, value));
        const lines = Object.entries(properties).map(([key, property]) =>
            `    ${stringified(key)}: ${propertyText(property, key === others.primaryKey)}`);
        const head = [["name", name], ...marks].map(([key, value]) => `${stringified(key)}: ${stringified(value)}`).join(", ");
        return `  {${head}, "properties": {\n${lines.join(",\n")}\n  }}`;
    });
    return `[\n${classes.join(",\n")}\n]\n`;
}

/** Whether a member says what its absence says. */
function goesWithoutSaying(name, value) {
    return (name === "primaryKey" && value === null) || (value === false && ["indexed", "embedded", "asymmetric", "optional"].includes(name));
}

function propertyText(property, isPrimary) {
    const said = Object.fromEntries(Object.entries(property).filter(([name, value]) =>
        !goesWithoutSaying(name, value) && !(isPrimary && name === "indexed" && value === true)));
    // An object's `optional` is told either way: in the long form its absence might mean another thing than false.
    if (property.type === "object" && "optional" in property) said.optional = property.optional;
    return stringified(shorthand(said) ?? said);
}

/** A type as one word, where that says all of it: `int?`, `Dog`, `string[]`. */
function shorthand({ type, objectType, optional = false, ...others }) {
    if (Object.keys(others).length > 0) return null;
    const isClass = objectType && !scalars.includes(objectType) && !/[?\]}>]$/.test(objectType);
    if (type === "mixed") return optional ? "mixed" : null;
    if (scalars.includes(type)) return `${type}${optional ? "?" : ""}`;
    if (type === "object") return isClass && optional ? objectType : null;
    if (!(type in collections)) return null;
    if (isClass) return optional === (type === "dictionary") ? `${objectType}${collections[type]}` : null;
    if (!scalars.includes(objectType) || objectType === "mixed") return null;
    return `${objectType}${optional ? "?" : ""}${collections[type]}`;
}
