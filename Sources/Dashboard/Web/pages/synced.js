/** A synced realm: whether clients may use it, the objects that they lack, and its partners. */

import { field, h, replace, select } from "../core/dom.js";
import { ask, path, stringified } from "../core/api.js";
import { dropDraft, keepDraft, readDraft } from "../core/draft.js";
import { count, counted } from "../core/format.js";
import { keepThere } from "../core/live.js";
import { address, go } from "../core/router.js";
import { schemaText } from "../core/schema.js";
import { can } from "../core/session.js";
import { action } from "../components/action-button.js";
import { CodeEditor } from "../components/code-editor.js";
import { badge, empty, facts, pager, table, when } from "../components/parts.js";
import { ProblemView } from "../components/problem-view.js";

export async function show({ params: { app, realm: name }, query, segments, signal, again }) {
    const place = path`v1/apps/${app}/realms/${name}`;
    const realm = await ask({ path: place, signal });
    if (!realm.sync) return [h("h1", null, name), empty("The realm is local: no clients share it.")];
    const [partners, unsynced, schema] = await Promise.all([
        ask({ path: `${place}/partners`, query: { limit: 100 }, signal }),
        realm.currentSnapshot ? ask({ path: `${place}/unsynced`, query: { cursor: query.cursor, limit: 50 }, signal }) : null,
        realm.currentSnapshot ? ask({ path: path`v1/snapshots/${realm.currentSnapshot}/schema`, signal }) : null,
    ]);
    keepThere(app, name, place, signal);
    return [
        h("h1", null, h("a", { href: address(["apps", app, "realms", name]) }, name), ", synced"),
        facts([["Clients", badge(realm.sync.state)], ["Development mode", realm.sync.developmentMode ? "on" : "off"],
            ["Unsynced objects", `${count(realm.sync.unsyncedCount)} of at most ${count(realm.sync.unsyncedLimit)}`]]),
        h("section", null, h("h2", null, "Partners"), partnerTable(app, name, partners.items), schema && newPartner(place, app, name, schema.schema)),
        unsynced && h("section", null, h("h2", null, "Objects that clients lack"),
            unsynced.items.length === 0 ? empty("None: each has all values that its class requires.")
                : table(["Class", "Key", "Why"], unsynced.items.map((item) => [item.class, stringified(item.key), item.reason]), "Unsynced objects"),
            pager(segments, query, unsynced.next)),
        sync(place, realm, schema, again),
    ];
}

function partnerTable(app, realm, items) {
    if (items.length === 0) return empty("There is none: a partner lets a class change its types while old apps are in use.");
    return table(["Class", "Partner", "State", ["Prepared", "number"], "Made"], items.map((item) => [
        h("a", { href: address(["apps", app, "realms", realm, "partners", item.id]) }, item.property ? `${item.class}.${item.property}` : item.class),
        item.partner.name, badge(item.state), `${count(item.backfill.done)} of ${count(item.backfill.total)}`, when(item.createdAt),
    ]), "Partners");
}

const same = "o => ({ ...o })";

function newPartner(place, app, realm, schema) {
    if (!can("migrate")) return null;
    const classes = schema.filter((item) => item.primaryKey && !item.embedded);
    if (classes.length === 0) return null;
    const chosen = select("class", classes.map((item) => item.name), classes[0].name);
    const partner = new CodeEditor({ label: "The new class", rows: 10 });
    const forward = new CodeEditor({ label: "forward: from the old object to the new one", text: same, rows: 3 });
    const backward = new CodeEditor({ label: "backward: from the new object to the old one", text: same, rows: 3 });
    const begin = () => {
        const item = classes.find((one) => one.name === chosen.value);
        partner.text = stringified({ ...item, name: `${item.name}V2` }, 2);
    };
    const name = `${place}/partners`;
    const kept = readDraft(name)?.value;
    if (kept && classes.some((item) => item.name === kept.class)) {
        chosen.value = kept.class;
        [partner.text, forward.text, backward.text] = [kept.partner, kept.forward, kept.backward];
    } else begin();
    const keep = () => keepDraft(name, { class: chosen.value, partner: partner.text, forward: forward.text, backward: backward.text }, null);
    chosen.addEventListener("change", begin);
    for (const editor of [partner, forward, backward]) editor.addEventListener("input", keep);
    const result = h("div");
    const refused = (problem) => {
        const editors = [["/partner", partner], ["/forward", forward], ["/backward", backward]];
        for (const [start, editor] of editors) editor.mark((problem.items ?? []).filter((item) => (item.pointer ?? "").startsWith(start)));
        replace(result, new ProblemView(problem));
        return true;
    };
    const discard = () => {
        dropDraft(name);
        begin();
        [forward.text, backward.text] = [same, same];
        notice.remove();
    };
    const notice = kept && h("p", { class: "notice" }, "A draft of yours, kept in this tab. ", h("button", { type: "button", onclick: discard }, "Discard it"));
    return h("details", { open: Boolean(kept) }, h("summary", null, "New partner"), notice, field("Class", chosen), partner, forward, backward, action({
        label: "Make the partner", scope: "migrate", main: true, refused,
        request: () => ({ method: "POST", path: `${place}/partners`, body: {
            class: chosen.value, partner: JSON.parse(partner.text), forward: forward.text, backward: backward.text,
        } }),
        done: (made) => {
            dropDraft(name);
            go(["apps", app, "realms", realm, "partners", made.id]);
        },
    }), result);
}

/** Ends the clients' use of the realm, or gives it back to them with a schema. */
function sync(place, realm, schema, again) {
    const isTerminated = realm.sync.state === "terminated";
    const editor = isTerminated && new CodeEditor({ label: "The schema that clients get", text: schemaText(schema?.schema ?? []), rows: 12 });
    const button = isTerminated ? action({
        label: "Enable sync", scope: "migrate", main: true, done: again,
        request: () => ({ method: "POST", path: `${place}/sync/enable`, body: { schema: JSON.parse(editor.text) } }),
    }) : action({
        label: "Terminate sync", sure: "Keep all clients out until it is enabled again?", scope: "migrate", done: again,
        request: { method: "POST", path: `${place}/sync/terminate` },
    });
    return button && h("section", null, h("h2", null, "Sync"), editor, button,
        !isTerminated && realm.sync.unsyncedCount > 0 && h("p", null, `${counted(realm.sync.unsyncedCount, "object")} await a backfill.`));
}
