/** What a rehearsal found: what would be lost, and whether it may become real. */

import { h } from "../core/dom.js";
import { path } from "../core/api.js";
import { count } from "../core/format.js";
import { go } from "../core/router.js";
import { action } from "./action-button.js";
import { badge, empty, facts, table } from "./parts.js";

const forms = [["html", "page"], ["junit", "JUnit"], ["sarif", "SARIF"], ["json", "JSON"]];

/** The report of a rehearsal. */
export function report(job, found) {
    const losses = found.losses ?? [];
    return h("section", null, h("h2", null, "Report"),
        found.passed !== undefined && facts([["Passed", badge(found.passed ? "passed" : "failed")]]),
        found.hops ? hops(found.hops) : [lossTable(losses), untold(found.untold)],
        (found.findings ?? []).length > 0 && h("ul", { class: "findings" }, found.findings.map((finding) =>
            h("li", null, badge(finding.level), " ", finding.message))),
        h("p", null, "As ", forms.flatMap(([form, text], index) => [index > 0 && ", ",
            h("a", { href: `${path`v1/jobs/${job.id}/report`}?format=${form}` }, text)])),
        job.resultSnapshot && action({
            label: "Make it the realm's current snapshot", scope: "migrate", main: true,
            request: { method: "POST", path: path`v1/jobs/${job.id}/promote` },
            done: () => go(["apps", job.app, "realms", job.realm]),
        }));
}

function lossTable(losses) {
    if (losses.length === 0) return empty("No data is gone that nothing else holds.");
    return table(["Loss", "Of", ["Values", "number"], ["Share", "number"]], losses.map((loss) => [
        loss.kind, [loss.class, loss.property].filter(Boolean).join("."), count(loss.count),
        loss.share === null || loss.share === undefined ? "–" : `${Math.round(loss.share * 100)} %`,
    ]), "Losses");
}

/** Differences of which nobody can tell whether something is lost. */
function untold(numbers) {
    return numbers && facts([["Values replaced", count(numbers.replaced)], ["Too few to be a loss", count(numbers.few)],
        ["Objects gone", count(numbers.gone)]]);
}

function hops(items) {
    return table(["From version", "Data", "Outcome"], items.map((hop) => [hop.fromVersion ?? "–", hop.data, badge(hop.outcome)]), "Versions tried");
}
