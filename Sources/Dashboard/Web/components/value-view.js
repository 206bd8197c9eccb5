/** Values of a realm: links lead to their objects, embedded objects and collections unfold, mixed values tell their type. */

import { h } from "../core/dom.js";
import { stringified } from "../core/api.js";
import { counted } from "../core/format.js";
import { address } from "../core/router.js";

const longest = 100;
const pictures = { iVBORw0KGgo: "png", "/9j/": "jpeg", R0lGOD: "gif", UklGR: "webp" };

const wrapped = {
    $oid: "objectId", $uuid: "uuid", $numberDecimal: "decimal128", $numberDouble: "double", $float: "float", $date: "date", $binary: "data",
    $ref: "link",
};

/** The type of a mixed value; null where its look tells it. */
function typeOfMixed(value) {
    switch (typeof value) {
    case "string": return "string";
    case "boolean": return "bool";
    case "number": case "bigint": return "int";
    default: return wrapped[Object.keys(value).find((name) => name in wrapped)] ?? null;
    }
}

/** A primary key or an object key as a text. */
export function keyText(value) {
    if (value === null || value === undefined) return "";
    return typeof value === "object" ? String(value.$oid ?? value.$uuid ?? "") : String(value);
}

/** Shows the values of one snapshot. */
export class ValueView {
    /**
     * @param {string} snapshot
     * @param {object[]} schema
     * @param {boolean} isWhole Whether long texts, pictures and collections are shown whole.
     * @param {Map<string, string>} captions What linked objects are called, by class and key.
     */
    constructor(snapshot, schema, isWhole = false, captions = new Map()) {
        this.captions = captions;
        this.snapshot = snapshot;
        this.schema = schema;
        this.classes = new Map(schema.map((item) => [item.name, item]));
        this.isWhole = isWhole;
    }

    /** The value of a property. */
    value(value, property) {
        if (value === null || value === undefined) return h("span", { class: "null" }, "null");
        switch (property.type) {
        case "list": case "set": return this.collection(value, property);
        case "dictionary": return this.dictionary(value, property);
        case "object": return this.object(value, property.objectType);
        case "mixed": return this.mixed(value);
        default: return this.scalar(value);
        }
    }

    /** A mixed value with its type, without which 1, 1.0 and "1" look alike. */
    mixed(value) {
        const type = typeOfMixed(value);
        const shown = this.scalar(value);
        return type ? h("span", null, shown, " ", h("small", { class: "type" }, type)) : shown;
    }

    /** The address of an object; null where it has none. */
    address(className, value) {
        const list = ["snapshots", this.snapshot, "objects", className];
        if (value === null || value === undefined) return null;
        if (typeof value === "object" && "$key" in value) return address(list, { key: value.$key });
        const text = keyText(value);
        // A path has no place for these: a query finds them.
        if (["", ".", ".."].includes(text)) return address(list, { where: `${this.classes.get(className)?.primaryKey} == "${text}"` });
        return address([...list, text]);
    }


    object(value, className) {
        const declared = this.classes.get(className);
        if (declared?.embedded) return this.members(value, declared);
        const text = typeof value === "object" && "$key" in value ? `object ${value.$key}` : keyText(value);
        const target = this.address(className, value);
        if (!target) return `${className} “${text}”`;
        const caption = this.captions.get(`${className} ${stringified(value)}`);
        return [h("a", { href: target, title: className }, this.text(text)), caption && h("small", null, ` ${caption}`)];
    }

    /** The members of an embedded object. */
    members(value, declared) {
        const rows = Object.entries(declared.properties).filter(([name]) => name in value)
            .map(([name, property]) => h("div", null, h("dt", null, name), h("dd", null, this.value(value[name], property))));
        return h("details", { open: this.isWhole }, h("summary", null, declared.name), h("dl", { class: "members" }, rows));
    }

    collection(values, property) {
        const element = this.element(property);
        if (values.length === 0) return h("span", { class: "null" }, "empty");
        if (this.isWhole) return h("ol", { class: "elements" }, values.map((value) => h("li", null, this.value(value, element))));
        if (values.length <= 3) return h("span", null, values.map((value, index) => [index > 0 && ", ", this.value(value, element)]));
        return this.unfolds(counted(values.length, "element"), () => new ValueView(this.snapshot, this.schema, true).collection(values, property));
    }

    /** What is long unfolds; what is in it is made only then. */
    unfolds(summary, content) {
        const details = h("details", { ontoggle: () => { if (details.childElementCount === 1) details.append(content()); } }, h("summary", null, summary));
        return details;
    }

    dictionary(values, property) {
        const entries = Object.entries(values);
        if (entries.length === 0) return h("span", { class: "null" }, "empty");
        if (!this.isWhole) {
            return this.unfolds(counted(entries.length, "entry", "entries"),
                () => new ValueView(this.snapshot, this.schema, true).dictionary(values, property));
        }
        const element = this.element(property);
        return h("dl", { class: "members" }, entries.map(([name, value]) =>
            h("div", null, h("dt", null, name), h("dd", null, this.value(value, element)))));
    }

    element(property) {
        return this.classes.has(property.objectType) ? { type: "object", objectType: property.objectType } : { type: property.objectType ?? "mixed" };
    }

    scalar(value) {
        if (value === null) return h("span", { class: "null" }, "null");
        if (typeof value !== "object") return this.text(String(value));
        if (Array.isArray(value)) return this.collection(value, { objectType: "mixed" });
        if ("$date" in value) return h("time", { datetime: value.$date }, value.$date);
        if ("$binary" in value) return this.bytes(value.$binary.base64);
        if ("$ref" in value) return this.object(value.$id, value.$ref);
        const [name, inner] = Object.entries(value)[0] ?? [];
        if (/^\$(oid|uuid|numberDecimal|numberDouble)$/.test(name)) return String(inner);
        if (name === "$float") return this.scalar(inner);
        return this.dictionary(value, { objectType: "mixed" });
    }

    text(text) {
        // Not to be taken for null, and to be seen as a link.
        if (text === "") return h("span", { class: "null" }, '""');
        return this.isWhole || text.length <= longest ? text : `${text.slice(0, longest)}…`;
    }

    bytes(base64) {
        const size = Math.floor((base64.replace(/=+$/, "").length * 3) / 4);
        const kind = Object.entries(pictures).find(([start]) => base64.startsWith(start))?.[1];
        if (kind && size < (this.isWhole ? 1 << 20 : 1 << 15)) {
            const picture = h("img", { src: `data:image/${kind};base64,${base64}`, alt: `${counted(size, "byte")} of a picture` });
            return this.isWhole ? picture : h("span", { class: "thumbnail" }, picture);
        }
        return h("span", { title: this.isWhole ? null : base64.slice(0, 64) }, counted(size, "byte"),
            this.isWhole && h("code", { class: "bytes" }, base64.slice(0, 1024)));
    }
}
