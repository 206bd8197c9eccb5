/** Keys: who may do what where; another is made, and one is removed. */

import { field, h, replace } from "../core/dom.js";
import { ask, path } from "../core/api.js";
import { can, session } from "../core/session.js";
import { action } from "../components/action-button.js";
import { moment, pager, table, when } from "../components/parts.js";

const scopes = ["read", "write", "migrate", "admin", "device"];

export async function show({ query, segments, signal, again }) {
    const list = h("div");
    const show = async () => {
        const page = await ask({ path: "/v1/keys", query: { cursor: query.cursor, limit: 100 }, signal });
        replace(list, keyTable(page.items, again), pager(segments, query, page.next));
    };
    await show();
    return [h("h1", null, "Keys"), list, make(show)];
}

function keyTable(keys, again) {
    return table(["Name", "Scopes", "Apps", "Made", "Expires", "Remove"], keys.map((key) => [
        key.name, key.scopes.join(", "), key.apps === null ? "all" : key.apps.join(", "), when(key.createdAt),
        key.expiresAt ? moment(key.expiresAt) : "never",
        key.id === session().key.id ? "your own" : action({
            label: "Remove", sure: "Remove it, with its tokens and sessions?", scope: "admin",
            request: { method: "DELETE", path: path`v1/keys/${key.id}` }, done: again,
        }),
    ]), "Keys");
}

/** A form for another key; `listAgain` shows the list anew, beside the key that is shown once. */
function make(listAgain) {
    const name = h("input", { name: "name", maxlength: 200, placeholder: "the phone app's backend" });
    const apps = h("input", { name: "apps", placeholder: "all of yours" });
    const until = h("input", { name: "expiresAt", type: "date" });
    const boxes = scopes.filter(can).map((scope) => [scope, h("input", { type: "checkbox", name: scope, checked: scope === "read" })]);
    const made = h("div", { "aria-live": "polite" });
    const request = () => ({
        method: "POST", path: "/v1/keys", body: {
            name: name.value.trim(), scopes: boxes.filter(([, box]) => box.checked).map(([scope]) => scope),
            ...(apps.value.trim() ? { apps: apps.value.split(/[\s,]+/).filter(Boolean) } : {}),
            // The day is the reader's, and the key is good until its end.
            ...(until.value ? { expiresAt: new Date(`${until.value}T23:59:59`).toISOString() } : {}),
        },
    });
    const done = (key) => {
        replace(made, h("p", null, "The key of “", key.name, "”, which is shown this once:"), h("pre", { tabindex: 0 }, key.key));
        return listAgain();
    };
    return h("section", null, h("h2", null, "New key"),
        h("div", { class: "filters" }, field("Name", name), field("Apps", apps, "names; all of yours where empty"), field("Expires", until, "at the end of this day")),
        h("p", null, boxes.map(([scope, box]) => h("label", { class: "choice" }, box, ` ${scope} `))),
        action({ label: "Make the key", scope: "admin", main: true, request, done }), made);
}
