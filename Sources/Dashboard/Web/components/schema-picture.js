/** A picture of classes and the links between them, which can be saved as SVG. */

import { h, replace, svg } from "../core/dom.js";
import { typeName } from "../core/schema.js";

const width = 230;
const row = 18;
const gap = { x: 90, y: 28 };
const mostRows = 14;

export class SchemaPicture extends HTMLElement {
    /**
     * @param {object[]} schema
     * @param {string} name What a saved picture is called.
     * @param {Set<string>} changed Classes and properties, as `Dog` and `Dog.name`, that are marked.
     */
    constructor(schema, name, changed = new Set()) {
        super();
        Object.assign(this, { schema, name, changed });
    }

    connectedCallback() {
        const picture = this.draw();
        const text = new XMLSerializer().serializeToString(picture);
        const saved = URL.createObjectURL(new Blob([text], { type: "image/svg+xml" }));
        replace(this, h("div", { class: "scrolls", tabindex: 0, role: "region", "aria-label": "Picture of the schema" }, picture),
            h("p", null, h("a", { href: saved, download: `${this.name}.svg` }, "Save as SVG")));
        this.saved = saved;
    }

    disconnectedCallback() {
        URL.revokeObjectURL(this.saved);
    }

    draw() {
        const boxes = this.place();
        const size = [...boxes.values()].reduce((most, box) => ({
            x: Math.max(most.x, box.x + width), y: Math.max(most.y, box.y + box.height),
        }), { x: width, y: 0 });
        const picture = svg("svg", {
            xmlns: "http://www.w3.org/2000/svg", width: size.x + 40, height: size.y + 20, viewBox: `-20 -10 ${size.x + 40} ${size.y + 20}`,
            "font-family": "sans-serif", "font-size": 12, fill: "currentColor", role: "img",
        }, svg("title", null, `Classes: ${[...boxes.keys()].join(", ")}`));
        for (const box of boxes.values()) for (const link of this.links(box)) if (boxes.has(link.to)) picture.append(this.line(box, link, boxes.get(link.to)));
        for (const box of boxes.values()) picture.append(this.box(box));
        return picture;
    }

    /** Places a class right of those that link to it, as far as that goes. */
    place() {
        const byName = new Map(this.schema.map((item) => [item.name, item]));
        const depth = new Map();
        const visit = (name, level, way) => {
            if (!byName.has(name) || way.has(name) || (depth.get(name) ?? -1) >= level || level > 12) return;
            depth.set(name, level);
            for (const { to } of this.links({ item: byName.get(name) })) visit(to, level + 1, new Set(way).add(name));
        };
        const targets = new Set(this.schema.flatMap((item) => this.links({ item }).map((link) => link.to).filter((to) => to !== item.name)));
        // Many classes that link in many ways would take for ever to follow: then all stand in order.
        const isLarge = this.schema.length > 60;
        if (!isLarge) for (const item of this.schema) if (!targets.has(item.name)) visit(item.name, 0, new Set());
        const heights = [];
        return new Map(this.schema.map((item, index) => {
            const column = isLarge ? index % 5 : depth.get(item.name) ?? 0;
            const shown = Math.min(Object.keys(item.properties).length, mostRows + 1);
            const height = (shown + 1) * row + 12;
            const y = heights[column] ?? 0;
            heights[column] = y + height + gap.y;
            return [item.name, { item, x: column * (width + gap.x), y, height }];
        }));
    }

    links({ item }) {
        const names = Object.entries(item.properties);
        return names.map(([name, property], index) => ({ name, to: property.objectType, type: property.type, index }))
            .filter((link) => link.to && link.type !== "linkingObjects");
    }

    line(from, link, to) {
        const y = from.y + row * (Math.min(link.index, mostRows) + 1.5) + 8;
        const isForward = to.x > from.x;
        const start = { x: isForward ? from.x + width : from.x, y };
        const end = { x: isForward ? to.x : to.x + (to.x === from.x ? 0 : width), y: to.y + row * 0.8 };
        const bend = isForward ? 45 : -45;
        return svg("path", {
            d: `M${start.x} ${start.y} C${start.x + bend} ${start.y} ${end.x - (to.x === from.x ? -bend : bend)} ${end.y} ${end.x} ${end.y}`,
            fill: "none", stroke: "currentColor", "stroke-opacity": 0.55,
        }, svg("title", null, `${from.item.name}.${link.name} → ${link.to}`));
    }

    box({ item, x, y, height }) {
        const properties = Object.entries(item.properties);
        const text = (index, words, weight, isChanged = false) => svg("text", {
            x: x + 8, y: y + row * (index + 1), "font-weight": weight, "text-decoration": isChanged ? "underline" : "none",
        }, isChanged ? "● " : "", words.length > 32 ? `${words.slice(0, 31)}…` : words);
        return svg("g", null,
            svg("rect", { x, y, width, height, rx: 5, fill: "none", stroke: "currentColor", "stroke-dasharray": item.embedded ? "5 3" : "none" }),
            text(0, item.name, 700, this.changed.has(item.name)),
            properties.slice(0, mostRows).map(([name, property], index) =>
                text(index + 1, `${name}: ${typeName(property)}`, name === item.primaryKey ? 700 : 400, this.changed.has(`${item.name}.${name}`))),
            properties.length > mostRows && text(mostRows + 1, `and ${properties.length - mostRows} more`, 400));
    }
}

customElements.define("schema-picture", SchemaPicture);
