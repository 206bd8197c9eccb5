/** One partner: how far it is, what stands against the cut-over, and the old versions that were seen. */

import { h } from "../core/dom.js";
import { ask, path, stringified } from "../core/api.js";
import { count } from "../core/format.js";
import { keepThere } from "../core/live.js";
import { address } from "../core/router.js";
import { action } from "../components/action-button.js";
import { CodeEditor } from "../components/code-editor.js";
import { JobProgress } from "../components/job-progress.js";
import { badge, empty, facts, pager, table, when } from "../components/parts.js";
import { ProblemView } from "../components/problem-view.js";

export async function show({ params: { app, realm, partner: id }, query, segments, signal, again }) {
    const place = path`v1/apps/${app}/realms/${realm}/partners/${id}`;
    const [partner, violations] = await Promise.all([
        ask({ path: place, signal }), ask({ path: `${place}/violations`, query: { cursor: query.cursor, limit: 100 }, signal }),
    ]);
    keepThere(app, realm, place, signal);
    const boxes = violations.items.filter((item) => !item.accepted).map((item) => [
        item.key, h("input", { type: "checkbox", "aria-label": `Accept ${stringified(item.key)}` }),
    ]);
    const isOpen = partner.state === "preparing" || partner.state === "dual";
    const accept = () => boxes.filter(([, box]) => box.checked).map(([key]) => key);
    return [
        h("h1", null, `${partner.class} → ${partner.partner.name} `, badge(partner.state)),
        facts([
            ["Realm", h("a", { href: address(["apps", app, "realms", realm, "synced"]) }, realm)],
            ["Prepared", `${count(partner.backfill.done)} of ${count(partner.backfill.total)}`],
            ["Prepared by", partner.job && h("a", { href: address(["jobs", partner.job]) }, "a job")],
            ["Against the cut-over", count(partner.unacceptedCount)], ["Different on the new side", count(partner.divergent.count)],
            ["Made", when(partner.createdAt)],
        ]),
        partner.error && new ProblemView(partner.error),
        partner.state === "preparing" && partner.job && !partner.error && preparing(partner.job, again),
        found(violations.items, new Map(boxes)),
        pager(segments, query, violations.next),
        h("section", null, h("h2", null, "Old versions seen"), partner.oldVersionsSeen.length === 0 ? empty("None since the partner was made.")
            : table(["Version", "Last"], partner.oldVersionsSeen.map((item) => [item.version, when(item.at)]), "Old versions seen")),
        isOpen && h("div", { class: "actions" },
            action({
                label: "Cut over", sure: "Take the old class from the schema? Old apps have to start over.", scope: "migrate",
                request: () => ({ method: "POST", path: `${place}/cut-over`, body: { accept: accept() } }), done: again,
            }),
            action({ label: "Abort", sure: "Remove the partner?", scope: "migrate", request: { method: "POST", path: `${place}/abort` }, done: again })),
        h("section", null, h("h2", null, "Functions"),
            new CodeEditor({ label: "forward", text: partner.forward, rows: 3, readonly: true }),
            new CodeEditor({ label: "backward", text: partner.backward, rows: 3, readonly: true })),
    ];
}

/** The job that gives partners to the objects that are there. */
function preparing(id, again) {
    return new JobProgress({ id, state: "running", progress: null }, (job) => { if (job.state === "succeeded") again(); });
}

/** The objects whose values do not come back, each to be accepted. */
function found(items, boxes) {
    return h("section", null, h("h2", null, "Violations"), items.length === 0 ? empty("Every value comes back as it was.")
        : table(["Key", "Before", "After", "Accepted"], items.map((item) => [
            stringified(item.key), h("code", null, stringified(item.before)), h("code", null, item.reason ?? stringified(item.after)),
            item.accepted ? "yes" : boxes.get(item.key),
        ]), "Violations"));
}
