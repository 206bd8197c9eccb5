/** One fleet: where its realms stand, why some failed, and what can be done. */

import { h, select } from "../core/dom.js";
import { ask, path } from "../core/api.js";
import { counted, short } from "../core/format.js";
import { keepThere } from "../core/live.js";
import { address, go } from "../core/router.js";
import { action } from "../components/action-button.js";
import { FleetProgress, isOver } from "../components/fleet-progress.js";
import { badge, empty, facts, pager, table, when } from "../components/parts.js";
import { ProblemView } from "../components/problem-view.js";

/** The verbs that a state permits. */
const verbs = {
    canary: ["pause", "cancel"], running: ["pause", "cancel"], paused: ["resume", "retry-failed", "cancel", "undo"],
    succeeded: ["undo"], failed: ["retry-failed", "undo"], cancelled: ["undo"],
};
const labels = {
    pause: "Pause", resume: "Go on", cancel: "Cancel", "retry-failed": "Try the failed ones again", undo: "Undo what it did",
};

/** Those of them that have something to do. */
function offered({ state, counts, dryRun }) {
    const isIdle = { "retry-failed": counts.failed === 0, undo: dryRun || counts.succeeded + counts.running === 0 };
    return (verbs[state] ?? []).filter((verb) => !isIdle[verb]);
}

export async function show({ params: { app, fleet: id }, query, segments, signal, again }) {
    const { state, reason, cursor } = query;
    const place = path`v1/apps/${app}/fleets/${id}`;
    const [fleet, members] = await Promise.all([
        ask({ path: place, signal }), ask({ path: `${place}/realms`, query: { state, reason, cursor, limit: 50 }, signal }),
    ]);
    const isOther = (now) => now.state !== fleet.state || String(offered(now)) !== String(offered(fleet));
    // One that goes on tells of itself; one that has ended may be undone, or tried again, by somebody else.
    const found = (now) => { if (isOther(now) || now.finishedAt !== fleet.finishedAt) again(); };
    if (isOver(fleet)) keepThere(app, null, place, signal, { kind: "fleet", id: fleet.id, found });
    return [
        h("h1", null, `Fleet to version ${fleet.targetVersion} `, badge(fleet.state)),
        facts([
            ["Paused by", fleet.pauseReason], ["Commits", fleet.dryRun ? "nothing" : null],
            ["Began", when(fleet.createdAt)], ["Ended", fleet.finishedAt && when(fleet.finishedAt)],
        ]),
        new FleetProgress(fleet, place, segments, isOther, again),
        h("div", { class: "actions" }, offered(fleet).map((verb) => action({
            label: labels[verb], scope: "migrate", main: verb === "resume", sure: verb === "undo" || verb === "cancel" ? `${labels[verb]}?` : null,
            request: { method: "POST", path: `${place}/${verb}` }, done: again,
        }))),
        failures(app, fleet, segments),
        findings(fleet.findings ?? []),
        realms(app, members.items, segments, query),
        pager(segments, query, members.next),
    ];
}

function failures(app, fleet, segments) {
    if (fleet.failures.length === 0) return null;
    return h("section", null, h("h2", null, "Why realms failed"),
        h("ul", { class: "findings" }, fleet.failures.map((failure) => h("li", null,
            h("a", { href: address(segments, { reason: failure.reason }) }, counted(failure.count, "realm")), ": ", failure.reason,
            h("small", null, " as ", failure.sample.join(", "))))),
        offered(fleet).includes("retry-failed")
            && h("p", null, h("a", { href: address(["apps", app, "versions", fleet.targetVersion]) }, "Mend the script"),
                ", then try the failed ones again."));
}

function findings(items) {
    return items.length > 0 && h("section", null, h("h2", null, "What was found"),
        h("ul", { class: "findings" }, items.map((item) => h("li", null, badge(item.level), " ", item.message,
            h("small", null, ` in ${counted(item.realmCount, "realm")}, ${counted(item.objectCount, "object")}`)))));
}

function realms(app, items, segments, { state, reason }) {
    const states = [["", "all"], "pending", "running", "succeeded", "failed", "unchanged", "undone", "kept"];
    const chosen = select("state", states, state ?? "");
    chosen.setAttribute("aria-label", "State");
    chosen.addEventListener("change", () => go(segments, { state: chosen.value, reason }));
    return h("section", null, h("h2", null, "Realms"),
        h("p", null, chosen, reason && [" failed by: ", reason, " ", h("a", { href: address(segments, { state }) }, "all")]),
        items.length === 0 ? empty("No realm is so.") : table(["Realm", "State", "From", "Result", "Why"], items.map((item) => [
            h("a", { href: address(["apps", app, "realms", item.realm]) }, item.realm), badge(item.state), item.fromVersion ?? "–",
            item.resultSnapshot ? h("a", { href: address(["snapshots", item.resultSnapshot]) }, short(item.resultSnapshot)) : "–",
            item.error ? new ProblemView(item.error, { snapshot: item.sourceSnapshot }) : item.reason ?? "",
        ]), "Realms of the fleet"));
}
