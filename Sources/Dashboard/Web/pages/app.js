/** One app: its realms by version, what runs and what failed. */

import { h } from "../core/dom.js";
import { ask, path } from "../core/api.js";
import { count, counted } from "../core/format.js";
import { address, go } from "../core/router.js";
import { action } from "../components/action-button.js";
import { empty, jobTable } from "../components/parts.js";

export async function show({ params: { app }, signal }) {
    const list = (state) => ask({ path: "/v1/jobs", query: { app, state, limit: 10 }, signal });
    const [versions, running, failed, declared] = await Promise.all([
        ask({ path: path`v1/apps/${app}/versions`, signal }), list("running"), list("failed"),
        ask({ path: path`v1/apps/${app}/schemas`, query: { limit: 1000 }, signal }),
    ]);
    const all = versions.items.reduce((sum, item) => sum + item.count, 0);
    return [
        h("h1", null, app),
        h("section", null, h("h2", null, "Versions in the field"),
            all === 0 ? empty("No realm has been uploaded. ", h("a", { href: address(["apps", app, "realms"]) }, "Upload one"))
                : chart(app, versions.items, all),
            h("p", null, h("a", { href: address(["apps", app, "versions"]) },
                counted(declared.items.length, "declared version") + (declared.next ? " and more" : "")))),
        h("section", null, h("h2", null, "Running"), running.items.length ? jobTable(running.items, "Running") : empty("Nothing runs.")),
        h("section", null, h("h2", null, "Failed last"),
            failed.items.length ? jobTable(failed.items, "Failed last") : empty("Nothing has failed.")),
        action({
            label: "Remove the app", sure: `Remove ${app} with all that it has?`, scope: "admin",
            request: { method: "DELETE", path: path`v1/apps/${app}` }, done: () => go([]),
        }),
    ];
}

/** A bar for each version, as long as its share. */
function chart(app, items, all) {
    return h("ul", { class: "bars" }, items.map(({ version, count: number }) => {
        const name = version === null ? "no version" : `version ${version}`;
        const href = version === null ? null : address(["apps", app, "realms"], { version });
        return h("li", null, href ? h("a", { href }, name) : name,
            h("meter", { min: 0, max: all, value: number, "aria-label": name }), h("span", null, count(number)));
    }));
}
