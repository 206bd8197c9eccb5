/** Small charts over time, drawn by ourselves: bars of what ended in each step, and layers of what there was. */

import { h, svg } from "../core/dom.js";
import { count } from "../core/format.js";

const size = { x: 640, y: 150, left: 44, bottom: 18 };
const inner = { x: size.x - size.left - 4, y: size.y - size.bottom - 6 };
const stepLength = { hour: 3_600_000, day: 86_400_000 };

/** The steps from one time to another, each with its beginning. */
function stepsOf({ since, until, step }) {
    const length = stepLength[step];
    const first = Math.floor(new Date(since) / length) * length;
    return Array.from({ length: Math.max(1, Math.ceil((new Date(until) - first) / length)) }, (_, index) => first + index * length);
}

function frame(label, most, times, marks) {
    const at = (index) => size.left + ((index + 0.5) * inner.x) / times.length;
    const day = new Intl.DateTimeFormat("en", times.length <= 48 ? { hour: "numeric", weekday: "short" } : { month: "short", day: "numeric" });
    const named = [0, 0.25, 0.5, 0.75].map((part) => Math.floor(part * times.length));
    return svg("svg", { viewBox: `0 0 ${size.x} ${size.y}`, class: "chart", role: "img", "aria-label": label },
        [0, 1].map((part) => svg("line", { x1: size.left, x2: size.x, y1: 6 + inner.y * part, y2: 6 + inner.y * part, class: "axis" })),
        svg("text", { x: size.left - 6, y: 12, "text-anchor": "end" }, count(most)),
        svg("text", { x: size.left - 6, y: 8 + inner.y, "text-anchor": "end" }, "0"),
        [...new Set(named)].map((index) => svg("text", { x: at(index), y: size.y - 4 }, day.format(times[index]))), marks);
}

/** How high a stack may become, as a round number. */
function roundUp(number) {
    const digit = 10 ** Math.floor(Math.log10(Math.max(1, number)));
    return [1, 2, 5, 10].map((part) => part * digit).find((one) => one >= number);
}

/**
 * Bars of numbers that add up, a bar a step.
 *
 * @param {{since: string, until: string, step: string}} span
 * @param {{at: string, parts: Object<string, number>}[]} found Some steps; the parts are the classes of their colours.
 * @param {string[]} names The parts from the ground up.
 * @param {string} title
 */
export function barChart(span, found, names, title) {
    const times = stepsOf(span);
    const sums = times.map(() => Object.fromEntries(names.map((name) => [name, 0])));
    const totals = Object.fromEntries(names.map((name) => [name, 0]));
    for (const { at, parts } of found) {
        const index = times.findLastIndex((time) => time <= new Date(at));
        for (const name of names) {
            if (index >= 0) sums[index][name] += parts[name] ?? 0;
            totals[name] += parts[name] ?? 0;
        }
    }
    const all = (parts) => names.reduce((sum, name) => sum + parts[name], 0);
    const most = roundUp(Math.max(...sums.map(all)));
    const width = inner.x / times.length;
    const marks = sums.flatMap((parts, index) => {
        if (all(parts) === 0) return [];
        let ground = 0;
        const said = names.filter((name) => parts[name] > 0).map((name) => `${count(parts[name])} ${name}`).join(", ");
        return svg("g", null, svg("title", null, `${new Date(times[index]).toLocaleString("en")}: ${said}`), names.map((name) => {
            const height = (parts[name] / most) * inner.y;
            ground += height;
            return height > 0 && svg("rect", {
                class: name, x: size.left + index * width + width * 0.1, y: 6 + inner.y - ground, width: width * 0.8, height: Math.max(1, height),
            });
        }));
    });
    const label = `${title}: ${names.map((name) => `${count(totals[name])} ${name}`).join(", ")}`;
    return h("figure", null, h("figcaption", null, title), frame(label, most, times, marks),
        h("ul", { class: "legend" }, names.map((name) => h("li", null, h("i", { class: name }), name, " ", h("b", null, count(totals[name]))))));
}

/**
 * Layers of numbers that are so until they are told to be others.
 *
 * @param {{since: string, until: string, step: string}} span
 * @param {{at: string, values: Map<string, number>}[]} found
 * @param {[string, Node|string][]} layers The names of the layers from the ground up, each with its text.
 * @param {string} title
 */
export function layerChart(span, found, layers, title) {
    const times = stepsOf(span);
    const states = times.map((time) => found.findLast(({ at }) => new Date(at) < time + stepLength[span.step])?.values ?? new Map());
    const sum = (values) => layers.reduce((all, [name]) => all + (values.get(name) ?? 0), 0);
    const most = roundUp(Math.max(...states.map(sum)));
    const width = inner.x / times.length;
    const grounds = times.map(() => 0);
    const marks = layers.map(([name], number) => {
        const lower = [...grounds];
        states.forEach((values, index) => { grounds[index] += values.get(name) ?? 0; });
        const height = (value) => 6 + inner.y - (value / most) * inner.y;
        const edge = (heights) => heights.flatMap((value, index) => [[index, value], [index + 1, value]])
            .map(([index, value]) => `${(size.left + index * width).toFixed(1)} ${height(value).toFixed(1)}`);
        return svg("path", { class: `layer-${number % 6}`, d: `M${[...edge(grounds), ...edge(lower).reverse()].join("L")}Z` }, svg("title", null, name));
    });
    const last = found.at(-1)?.values ?? new Map();
    return h("figure", null, h("figcaption", null, title), frame(`${title}: ${layers.map(([name]) => `${count(last.get(name) ?? 0)} ${name}`).join(", ")}`, most, times, marks),
        h("ul", { class: "legend" }, layers.map(([name, text], number) => h("li", null, h("i", { class: `layer-${number % 6}` }), text, " ",
            h("b", null, count(last.get(name) ?? 0))))));
}
