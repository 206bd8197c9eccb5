/** What a rehearsal found: what would be lost, with examples before and after, and whether it may become real. */

import { h } from "../core/dom.js";
import { path, stringified } from "../core/api.js";
import { count, counted } from "../core/format.js";
import { address, go } from "../core/router.js";
import { action } from "./action-button.js";
import { badge, empty, facts, table } from "./parts.js";
import { ProblemView } from "./problem-view.js";

const longest = 80;
const forms = [["html", "page"], ["junit", "JUnit"], ["sarif", "SARIF"], ["json", "JSON"]];
const outcomes = { fails: "fails", loses: "loses data", carriesOver: "carries values over", clean: "no error" };

/** The report of a rehearsal. */
export function report(job, found) {
    return h("section", null, h("h2", null, "Report"),
        found.passed !== undefined && facts([["Outcome", badge(found.passed ? "passed" : "failed")],
            ["Objects", found.objects && `${count(found.objects.touched)} touched, ${count(found.objects.created)} created, ${count(found.objects.deleted)} deleted`]]),
        found.hops ? hops(job, found) : one(found, job.sourceSnapshot, !job.error),
        h("p", null, "As ", forms.flatMap(([form, text], index) => [index > 0 && ", ",
            h("a", { href: `${path`v1/jobs/${job.id}/report`}?format=${form}` }, text)])),
        job.resultSnapshot && action({
            label: "Make it the realm's current snapshot", scope: "migrate", main: true,
            request: { method: "POST", path: path`v1/jobs/${job.id}/promote` },
            done: () => go(["apps", job.app, "realms", job.realm]),
        }));
}

/** The report of one realm's rehearsal. */
function one(found, snapshot, hasError) {
    const findings = found.findings ?? [];
    return [
        hasError && found.error && new ProblemView(found.error, { snapshot }),
        findings.length > 0 && h("ul", { class: "findings" }, findings.map((finding) => h("li", null, badge(finding.level), " ", finding.message,
            finding.line && h("small", null, ` line ${finding.line}`)))),
        found.error ? null : [lossTable(found.losses ?? [], snapshot), untold(found.untold)],
    ];
}

function lossTable(losses, snapshot) {
    if (losses.length === 0) return empty("No data is gone that nothing else holds.");
    return table(["Loss", "Of", ["Values", "number"], ["Share", "number"], "For example"], losses.map((loss) => [
        loss.to ? `${loss.kind} (${loss.to})` : loss.kind, [loss.class, loss.property].filter(Boolean).join("."), count(loss.count),
        share(loss), examples(loss, snapshot),
    ]), "Losses");
}

/** The report was read with its fractions as they are written, for the examples' sake. */
function share({ share: part }) {
    return part === null || part === undefined ? "–" : `${Math.round(Number(part.$numberDouble ?? part) * 100)} %`;
}

/** The first objects that lost something, each with its value before and after; their links lead to what was before. */
function examples({ class: name, keys, examples: values }, snapshot) {
    const all = values ?? keys.slice(0, 3).map((key) => ({ key }));
    const value = (item) => {
        const text = item === undefined ? "–" : stringified(item);
        return h("code", null, text.length > longest ? `${text.slice(0, longest)}…` : text);
    };
    return h("ul", { class: "findings" }, all.map((example) => {
        const text = `object ${example.key}`;
        const link = snapshot ? h("a", { href: address(["snapshots", snapshot, "objects", name], { key: example.key }) }, text) : text;
        return h("li", null, link, "before" in example && [": ", value(example.before), " → ", value(example.after)]);
    }));
}

/** Differences of which nobody can tell whether something is lost. */
function untold(numbers) {
    return numbers && facts([["Values replaced", count(numbers.replaced)], ["Too few to be a loss", count(numbers.few)],
        ["Objects gone", count(numbers.gone)]]);
}

/** A line for each realm that was tried, with the reason of its outcome; the whole report unfolds. */
function hops(job, { hops: items, leftOut }) {
    return [
        table(["From", "Tried with", "Outcome", "Why"], items.map((hop) => [
            hop.fromVersion === null ? "no version" : `version ${hop.fromVersion}`, data(job, hop),
            h("span", { class: `badge ${hop.outcome}` }, outcomes[hop.outcome] ?? hop.outcome), why(hop),
        ]), "Versions tried"),
        leftOut > 0 && empty(`${counted(leftOut, "lower version")} were not tried.`),
    ];
}

function data(job, { data: kind, realm, report: { sample } }) {
    if (kind === "madeUp") return "objects made up: no realm has the version";
    return [h("a", { href: address(["apps", job.app, "realms", realm]) }, realm), sample && h("small", null, ` ${sample}`)];
}

function why({ report: found, snapshot }) {
    const reason = found.error?.detail ?? found.findings?.[0]?.message ?? "Nothing was found.";
    const more = (found.findings?.length ?? 0) - (found.error ? 0 : 1);
    return h("details", null, h("summary", null, reason, more > 0 && ` and ${more} more`), one(found, snapshot, true));
}
