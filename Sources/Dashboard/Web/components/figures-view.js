/** Figures of an app or of all: jobs that ended over time, and the versions that realms had. */

import { h } from "../core/dom.js";
import { bytes, count, counted, duration } from "../core/format.js";
import { address } from "../core/router.js";
import { facts } from "./parts.js";
import { barChart, layerChart } from "./time-chart.js";

const spans = { day: ["24 hours", 24, "hour"], week: ["7 days", 168, "hour"], month: ["31 days", 744, "day"] };
const mostLayers = 6;

/** The query of a request for figures, by the page's address. */
export function figuresQuery({ span = "week" }) {
    const [, hours, step] = spans[span] ?? spans.week;
    // By whole hours: one who looks again asks the same.
    const since = new Date(Math.floor(Date.now() / 3_600_000) * 3_600_000 - (hours - 1) * 3_600_000);
    return { since: since.toISOString(), step };
}

/**
 * The charts.
 *
 * @param {object} figures
 * @param {{segments: string[], query: object, app?: string}} page
 */
export function figuresView(figures, { segments, query, app }) {
    const chosen = query.span in spans ? query.span : "week";
    const ended = figures.jobs.map(({ at, succeeded, failed, cancelled }) => ({ at, parts: { succeeded, failed, cancelled } }));
    const now = figures.realms.at(-1);
    return h("section", null,
        h("nav", { class: "spans", "aria-label": "Span" }, Object.entries(spans).map(([name, [text]]) =>
            h("a", { href: address(segments, { ...query, span: name }), "aria-current": name === chosen ? "true" : null }, text))),
        h("div", { class: "charts" }, barChart(figures, ended, ["succeeded", "failed", "cancelled"], "Jobs that ended"), versions(figures, app)),
        facts([["Realms", now && count(now.count)], ["Stored", now && bytes(now.storedBytes)], ["A migration took", lasted(figures.jobs)]]));
}

/** The slowest step's times would be nobody's: those of all steps are weighed by their jobs. */
function lasted(jobs) {
    const some = jobs.filter((item) => item.kind === "migration" && item.meanSeconds !== null && item.meanSeconds !== undefined);
    const number = some.reduce((sum, item) => sum + item.succeeded + item.failed, 0);
    if (number === 0) return null;
    const mean = some.reduce((sum, item) => sum + item.meanSeconds * (item.succeeded + item.failed), 0) / number;
    return `${duration(mean)} in the mean of ${counted(number, "job")}`;
}

/** The versions that most realms have now, the highest first; all others in one layer. */
function versions(figures, app) {
    const name = (version) => (version === null ? "no version" : `version ${version}`);
    const latest = figures.realms.at(-1)?.versions ?? [];
    const kept = latest.toSorted((one, other) => other.count - one.count).slice(0, mostLayers - 1).map((item) => item.version)
        .toSorted((one, other) => Number(other ?? -1) - Number(one ?? -1));
    const found = figures.realms.map(({ at, versions: items }) => {
        const values = new Map();
        for (const item of items) {
            const layer = kept.includes(item.version) ? name(item.version) : "others";
            values.set(layer, (values.get(layer) ?? 0) + item.count);
        }
        return { at, values };
    });
    const hasOthers = found.some(({ values }) => values.has("others"));
    const link = (version) => (app && version !== null ? h("a", { href: address(["apps", app, "realms"], { version }) }, name(version)) : name(version));
    const layers = [...kept.map((version) => [name(version), link(version)]), ...(hasOthers ? [["others", "others"]] : [])];
    return layers.length === 0 ? null : layerChart(figures, found, layers, "Versions in the field");
}
