/** The fleets of an app, and a form for another. */

import { field, h, replace, select } from "../core/dom.js";
import { ask, integer, path } from "../core/api.js";
import { count } from "../core/format.js";
import { keepFresh } from "../core/live.js";
import { address, go } from "../core/router.js";
import { action } from "../components/action-button.js";
import { badge, empty, pager, table, when } from "../components/parts.js";

export async function show({ params: { app }, query, segments, signal }) {
    const found = h("div");
    const refresh = async () => {
        const fleets = await ask({ path: path`v1/apps/${app}/fleets`, query: { cursor: query.cursor, limit: 50 }, signal });
        replace(found, list(app, fleets.items), pager(segments, query, fleets.next));
    };
    const [declared] = await Promise.all([
        ask({ path: path`v1/apps/${app}/schemas`, query: { limit: 1000 }, signal }), keepFresh(app, ["fleet"], refresh, signal),
    ]);
    return [h("h1", null, "Fleets"), found, declared.items.length > 0 && make(app, declared.items)];
}

function list(app, fleets) {
    if (fleets.length === 0) return empty("There is no fleet: one migrates many realms, a few of them first.");
    return table(["To", "State", ["Succeeded", "number"], ["Failed", "number"], ["Pending", "number"], "Began"], fleets.map((fleet) => [
        h("a", { href: address(["apps", app, "fleets", fleet.id]) }, `version ${fleet.targetVersion}`, fleet.dryRun && " (dry run)"),
        badge(fleet.state), count(fleet.counts.succeeded), count(fleet.counts.failed), count(fleet.counts.pending), when(fleet.createdAt),
    ]), "Fleets");
}

function make(app, declared) {
    const target = select("targetVersion", declared.map((item) => [String(item.version), `version ${item.version}`]), String(declared.at(-1).version));
    const version = h("input", { name: "version", placeholder: "<3", size: 6 });
    const names = h("input", { name: "names", placeholder: "tenant-*, ada", size: 24 });
    const labels = h("input", { name: "labels", placeholder: "ring:0", size: 14 });
    const canary = h("input", { name: "canary", type: "number", min: 0, max: 100, step: "any", value: 5 });
    const failures = h("input", { name: "failures", type: "number", min: 1, placeholder: "any" });
    const trial = h("input", { name: "dryRun", type: "checkbox" });
    const words = (text) => text.split(/[\s,]+/).filter(Boolean);
    const request = () => {
        const label = Object.fromEntries(words(labels.value).map((text) => [text.split(":")[0], text.split(":").slice(1).join(":")]));
        const picked = { version: version.value.trim() || undefined, names: words(names.value).length ? words(names.value) : undefined,
            labels: labels.value.trim() ? label : undefined };
        return { method: "POST", path: path`v1/apps/${app}/fleets`, body: {
            targetVersion: integer(target.value), select: picked,
            ...(Number(canary.value) > 0 ? { canary: { percent: Number(canary.value) } } : {}),
            ...(failures.value ? { stopAfter: { failures: Number(failures.value) } } : {}), ...(trial.checked ? { dryRun: true } : {}),
        } };
    };
    const start = action({
        label: "Begin the fleet", scope: "migrate", main: true, request, done: (fleet) => go(["apps", app, "fleets", fleet.id]),
    });
    return start && h("section", null, h("h2", null, "New fleet"),
        h("div", { class: "filters" }, field("To", target), field("Realms at version", version, "as <3; all where empty"),
            field("Names", names, "* stands for anything"), field("Labels", labels)),
        h("div", { class: "filters" }, field("Canary, percent", canary, "these realms go first"),
            field("Pause after failures", failures, "the canary's first one where empty"),
            h("p", { class: "field" }, h("label", null, trial, " Commit nothing"))),
        start);
}
