/** One job: live while it goes on; afterwards what came of it, with the line and the object that failed. */

import { h } from "../core/dom.js";
import { ask, path } from "../core/api.js";
import { counted, jobKind, ran, short } from "../core/format.js";
import { keepThere } from "../core/live.js";
import { address, go } from "../core/router.js";
import { action } from "../components/action-button.js";
import { CodeEditor } from "../components/code-editor.js";
import { JobProgress } from "../components/job-progress.js";
import { badge, facts, pager, when } from "../components/parts.js";
import { ProblemView } from "../components/problem-view.js";
import { report } from "../components/report-view.js";

export async function show({ params: { job: id }, query, segments, signal, again, within }) {
    const job = await ask({ path: path`v1/jobs/${id}`, signal });
    within(job.app);
    const isActive = job.state === "queued" || job.state === "running";
    const isOther = (now) => now.state !== job.state || now.finishedAt !== job.finishedAt;
    // One that goes on tells of itself; one that has ended may be tried again by somebody else.
    if (!isActive) {
        keepThere(job.app, job.realm, path`v1/jobs/${id}`, signal, { kind: "job", id: job.id, found: (now) => { if (isOther(now)) again(); } });
    }
    return [
        h("h1", null, `${jobKind(job)} `, badge(job.state)),
        summary(job),
        isActive ? new JobProgress(job, again) : await outcome(job, { query, segments, signal }),
        actions(job, isActive, again),
    ];
}

function summary(job) {
    const snapshot = (key) => job[key] && h("a", { href: address(["snapshots", job[key]]) }, short(job[key]));
    return facts([
        ["App", h("a", { href: address(["apps", job.app]) }, job.app)],
        ["Fleet", job.fleet && h("a", { href: address(["apps", job.app, "fleets", job.fleet]) }, short(job.fleet))],
        ["Realm", job.realm && h("a", { href: address(["apps", job.app, "realms", job.realm]) }, job.realm)],
        ["From", job.fromVersion === undefined ? null : job.fromVersion === null ? "no version" : `version ${job.fromVersion}`],
        ["To", job.toVersion === undefined ? null : h("a", { href: address(["apps", job.app, "versions", job.toVersion]) }, `version ${job.toVersion}`)],
        ["Source", snapshot("sourceSnapshot")], ["Result", snapshot("resultSnapshot")],
        ["Attempts", job.attempt], ["In quarantine", job.quarantinedCount ? counted(job.quarantinedCount, "object") : null],
        ["Created", when(job.createdAt)], ["Took", ran(job)], ["Id", h("code", null, job.id)],
    ]);
}

async function outcome(job, { query, segments, signal }) {
    const wants = (isWanted, request) => (isWanted ? ask({ ...request, signal }).catch((problem) => {
        // A rehearsal that was cancelled, or whose script failed, has no report.
        if (problem.document?.status === 404 || problem.code === "job_not_rehearsed") return null;
        throw problem;
    }) : null);
    const [log, found, quarantine, script] = await Promise.all([
        ask({ path: path`v1/jobs/${job.id}/log`, query: { cursor: query.cursor, limit: 500 }, signal }),
        wants(job.dryRun || job.kind === "rehearsal", { path: path`v1/jobs/${job.id}/report`, query: { values: "true" }, keepsFractions: true }),
        wants(job.quarantinedCount > 0, { path: path`v1/jobs/${job.id}/quarantine`, query: { limit: 50 } }),
        job.error ? failedScript(job, signal) : null,
    ]);
    return [
        job.error && h("section", null, h("h2", null, "Why it failed"),
            new ProblemView(job.error, { snapshot: job.sourceSnapshot }), script && scriptView(job, script)),
        found && report(job, found),
        quarantine && h("section", null, h("h2", null, "Quarantine"), quarantine.items.map((item) =>
            new ProblemView({ detail: item.error.message, errors: [item.error] }, { snapshot: job.sourceSnapshot }))),
        log.items.length > 0 && h("section", null, h("h2", null, "Log"),
            h("ol", { class: "log", tabindex: 0, "aria-label": "Log" }, log.items.map((line) => h("li", { class: `level-${line.level}` }, line.text))),
            pager(segments, query, log.next)),
    ];
}

/** The script whose line an error names; null where the error names none or the script is gone. */
async function failedScript(job, signal) {
    const item = (job.error.errors ?? []).find((one) => one.line);
    const step = item && (job.steps ?? []).find((one) => String(one.version) === String(item.step ?? job.toVersion));
    if (!step?.migration) return null;
    let { migration } = step;
    if (migration.revision) {
        const { app, version, revision } = migration;
        const declared = await ask({ path: path`v1/apps/${app}/schemas/${version}`, query: { revision }, signal }).catch(() => null);
        migration = declared?.migration;
    }
    const text = migration?.source ?? migration?.sources?.[0]?.text;
    return text ? { text, item, version: step.version } : null;
}

function scriptView(job, { text, item, version }) {
    const editor = new CodeEditor({ label: `The script of version ${version}`, text, rows: Math.min(24, text.split("\n").length + 1), readonly: true });
    editor.mark([item], false);
    return [editor, h("p", null, h("a", { href: address(["apps", job.app, "versions", version]) }, "Mend it"))];
}

function actions(job, isActive, again) {
    const post = (verb) => ({ method: "POST", path: path`v1/jobs/${job.id}/${verb}` });
    const canRetry = !isActive && job.state !== "succeeded" && !job.fleet;
    return h("div", { class: "actions" },
        isActive && action({ label: "Cancel", scope: "migrate", request: post("cancel"), done: again }),
        canRetry && action({ label: "Try again", scope: "migrate", main: true, request: post("retry"), done: again }),
        !isActive && action({
            label: "Remove the job", sure: "Remove it with its log?", scope: "migrate",
            request: { method: "DELETE", path: path`v1/jobs/${job.id}` }, done: () => go(["jobs"]),
        }));
}
