/** Tries a declared version from every version that realms have, and changes nothing. */

import { field, h, replace, select } from "../core/dom.js";
import { ask, integer, path } from "../core/api.js";
import { keepFresh } from "../core/live.js";
import { address, go } from "../core/router.js";
import { can } from "../core/session.js";
import { action } from "../components/action-button.js";
import { empty, jobTable } from "../components/parts.js";

export async function show({ params: { app }, signal }) {
    const found = h("section");
    const refresh = async () => {
        const jobs = await ask({ path: "/v1/jobs", query: { app, limit: 100 }, signal });
        const tried = jobs.items.filter((job) => job.kind === "rehearsal" || job.dryRun);
        replace(found, h("h2", null, "Tried last"), tried.length ? jobTable(tried, "Rehearsals") : empty("None among the last hundred jobs."));
    };
    // A realm's jobs go with it, and only the realm tells of that.
    const [declared] = await Promise.all([
        ask({ path: path`v1/apps/${app}/schemas`, query: { limit: 1000 }, signal }), keepFresh(app, ["job", "realm"], refresh, signal),
    ]);
    return [
        h("h1", null, "Rehearsal"),
        declared.items.length === 0
            ? empty("There is no version to try. ", h("a", { href: address(["apps", app, "versions"]) }, "Declare one"))
            : can("migrate") && start(app, declared.items),
        found,
    ];
}

function start(app, declared) {
    const target = select("targetVersion", declared.map((item) => [String(item.version), `version ${item.version}`]), String(declared.at(-1).version));
    const each = h("input", { name: "realmsPerVersion", type: "number", min: 1, max: 100, value: 1 });
    return h("section", null,
        h("p", null, "Migrates the newest snapshot of a realm of each version to the target, and tells what would fail and what would be lost."),
        h("div", { class: "filters" }, field("To", target), field("Realms of each version", each)),
        action({
            label: "Rehearse", scope: "migrate", main: true, done: (job) => go(["jobs", job.id]),
            request: () => ({ method: "POST", path: path`v1/apps/${app}/rehearsals`,
                body: { targetVersion: integer(target.value), realmsPerVersion: Number(each.value) } }),
        }));
}
