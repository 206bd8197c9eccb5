/** The realms of an app: a list with filters, and a place to upload more. */

import { field, h, replace, select } from "../core/dom.js";
import { askList, path } from "../core/api.js";
import { bytes, count } from "../core/format.js";
import { keepFresh } from "../core/live.js";
import { address, go } from "../core/router.js";
import { can } from "../core/session.js";
import { uploadRequest } from "../core/upload.js";
import { CurlHint } from "../components/curl-hint.js";
import { FileDrop } from "../components/file-drop.js";
import { badge, listed, pager, table, totalOf, when } from "../components/parts.js";
import { UploadProgress } from "../components/upload-progress.js";

const kinds = [["", "all"], "local", "synced"];
const lastJobs = [["", "any"], ["failed", "failed"], ["running,queued", "not ended"], ["succeeded", "succeeded"],
    ["cancelled", "cancelled"],
    ["unchanged", "unchanged"], ["undone", "undone"], ["kept", "not put back"], ["none", "none"]];
const orders = [["", "name, up"], ["-name", "name, down"], ["-createdAt", "newest first"], ["createdAt", "oldest first"]];

export async function show({ params: { app }, query, segments, signal }) {
    const { q, kind, version, label, lastJob, sort, cursor } = query;
    const found = h("div");
    const isFiltered = [q, kind, version, label, lastJob].some(Boolean);
    const refresh = async () => {
        const page = await askList({
            path: path`v1/apps/${app}/realms`, query: { q, kind, version, label, lastJob, sort, cursor, limit: 100, total: "true" }, signal,
        });
        replace(found, totalOf(page, "realm"),
            listed(page, isFiltered ? page.next ? "None on this page: the next may have some." : "No realm is so." : "There is no realm yet.", (items) => list(app, items)),
            pager(segments, query, page.next));
    };
    await keepFresh(app, ["realm", "job"], refresh, signal);
    return [h("h1", null, "Realms"), filters(segments, query), found, can("write") && upload(app)];
}

function filters(segments, { q, kind, version, label, lastJob, sort }) {
    const submit = (event) => {
        event.preventDefault();
        go(segments, Object.fromEntries(new FormData(event.currentTarget)));
    };
    const order = select("sort", orders, sort ?? "");
    return h("form", { class: "filters", onsubmit: submit },
        field("Name", h("input", { name: "q", value: q ?? "", size: 16, placeholder: "ada" }), "or a part of it"),
        field("Kind", select("kind", kinds, kind ?? "")),
        field("Schema version", h("input", { name: "version", value: version ?? "", placeholder: "<3", size: 8 }), "as 2, <3, >=2 or !=4"),
        field("Label", h("input", { name: "label", value: label ?? "", placeholder: "ring:0", size: 12 }), "as name:value"),
        field("Last job", select("lastJob", lastJobs, lastJob ?? "")), field("Order", order),
        h("p", null, h("button", null, "Filter")));
}

function list(app, realms) {
    return table(["Realm", "Kind", "Version", ["Objects", "number"], ["Stored", "number"], "Labels", "Last job", "Created"],
        realms.map((realm) => [
            h("a", { href: address(["apps", app, "realms", realm.name]) }, realm.name),
            realm.kind, realm.schemaVersion ?? "–", count(realm.objectCount), bytes(realm.storedBytes),
            Object.entries(realm.labels).map(([name, value]) => `${name}:${value}`).join(" "),
            realm.lastJob ? h("a", { href: address(["jobs", realm.lastJob.id]) }, badge(realm.lastJob.state)) : "–",
            when(realm.createdAt),
        ]), "Realms");
}

/** The name that a file gives its realm: without its ending, and without what no name may have. */
function realmName(file) {
    return file.name.replace(/\.(realm|json|ndjson)$/i, "").replace(/[^A-Za-z0-9._@|:+=-]/g, "-").slice(0, 128) || "realm";
}

function upload(app) {
    const name = h("input", { name: "realm", placeholder: "the file's name" });
    const encryption = h("input", { name: "encryptionKey", type: "password", autocomplete: "off", pattern: "[0-9A-Fa-f]{128}" });
    const rescue = h("input", { type: "checkbox", name: "rescue" });
    const options = () => ({ encryptionKey: encryption.value.trim(), rescue: rescue.checked });
    const uploads = h("div", { class: "uploads" });
    const taken = async (files) => {
        const names = new Set();
        for (const file of files) {
            const realm = files.length === 1 && name.value.trim() ? name.value.trim() : realmName(file);
            if (names.has(realm)) {
                uploads.append(h("p", null, h("strong", null, file.name), ` was left out: another of these files is the realm ${realm}.`));
                continue;
            }
            names.add(realm);
            const progress = new UploadProgress(uploadRequest(app, realm, file, options()), realm, app);
            uploads.append(progress);
            await progress.send();
        }
    };
    const example = () => [uploadRequest(app, name.value.trim() || "ada", { name: "ada.realm" }, options())];
    return h("section", null, h("h2", null, "Upload"),
        new FileDrop({ label: "Drop .realm, .json or .ndjson files here, or choose them", multiple: true, taken }),
        uploads,
        h("details", null, h("summary", null, "Options"),
            field("Realm", name, "for one file; a realm of this name gets a new snapshot"),
            field("Encryption key", encryption, "128 hexadecimal digits, for an encrypted file; the service does not keep it"),
            h("p", { class: "field" }, h("label", null, rescue, " Read as much as possible of a damaged file"))),
        new CurlHint(example));
}
