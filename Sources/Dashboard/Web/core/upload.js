/** Uploads: a small file at once, a large one in parts (tus 1.0), which goes on where it was after a break. */

import { answer, ask, path, Problem, requests } from "./api.js";

const types = { json: "application/json", ndjson: "application/x-ndjson" };
const partBytes = 8 << 20;
const mostBreaks = 5;

/** A schema is written by people: no file that is larger is read as one. */
const largestSchema = 8 << 20;
const targetMembers = ["schemaVersion", "schema"];

/** The request that uploads a file into a realm. */
export function uploadRequest(app, realm, file, { encryptionKey, rescue } = {}) {
    const ending = file.name.toLowerCase().split(".").pop();
    const fields = encryptionKey ? { "Realm-Encryption-Key": encryptionKey } : {};
    return {
        method: "POST", path: path`v1/apps/${app}/realms/${realm}/snapshots`, query: { rescue: rescue ? "true" : null },
        type: types[ending] ?? "application/x-realm", body: file, file: file.name, fields,
    };
}

/** Whether a file is a schema without objects, which is as a rule the target of a migration, and would be a realm without objects. */
async function isSchemaAlone({ body: file, type }) {
    if (type !== types.json || file.size > largestSchema) return false;
    try {
        const value = JSON.parse(await file.text());
        return Array.isArray(value?.schema) && Object.keys(value).every((name) => targetMembers.includes(name));
    } catch {
        // The service says what is wrong with it.
        return false;
    }
}

/**
 * Sends what `uploadRequest` says; answers the snapshot.
 *
 * @param {object} request
 * @param {(sent: number, total: number) => void} progress
 */
export async function upload(request, progress) {
    if (await isSchemaAlone(request)) {
        throw new Error('It has a schema and no objects: declare it as a version of the app, under Versions. A realm without objects says "objects": {}.');
    }
    requests.dispatchEvent(new CustomEvent("request", { detail: request }));
    return request.body.size > 2 * partBytes ? inParts(request, progress) : whole(request, progress);
}

function whole(request, progress) {
    const address = request.path + (request.query.rescue ? "?rescue=true" : "");
    return send("POST", address, { "Content-Type": request.type, ...request.fields }, request.body, request, progress);
}

async function inParts(request, progress) {
    const { body: file } = request;
    const kept = `upload ${request.path} ${file.name} ${file.size} ${file.lastModified} ${request.query.rescue ?? ""}`;
    let found = await begun(kept) ?? await begin(request, kept);
    for (let breaks = 0; ;) {
        try {
            const { offset } = found;
            const end = Math.min(file.size, offset + partBytes);
            const fields = {
                "Tus-Resumable": "1.0.0", "Upload-Offset": offset, "Content-Type": "application/offset+octet-stream", ...request.fields,
            };
            const snapshot = await send("PATCH", found.place, fields, file.slice(offset, end), request,
                (sent) => progress(offset + sent, file.size));
            if (end === file.size) {
                localStorage.removeItem(kept);
                return snapshot;
            }
            found.offset = end;
        } catch (problem) {
            breaks += 1;
            if (problem.code !== "unreachable" || breaks > mostBreaks) throw problem;
            await new Promise((resolve) => setTimeout(resolve, 300 * 2 ** breaks));
            found = await begun(kept) ?? found;
            if (found.snapshot) return ask({ path: path`v1/snapshots/${found.snapshot}` });
        }
    }
}

/** The upload of the same file that broke off, however long ago; null where there is none any more. */
async function begun(kept) {
    const place = localStorage.getItem(kept);
    if (!place) return null;
    try {
        return { ...await ask({ path: place }), place };
    } catch (problem) {
        if (problem.code === "unreachable") return null;
        localStorage.removeItem(kept);
        return null;
    }
}

async function begin(request, kept) {
    const list = request.path.replace(/snapshots$/, "uploads");
    const metadata = `filetype ${btoa(request.type)}` + (request.query.rescue ? `,rescue ${btoa("true")}` : "");
    const made = await ask({
        method: "POST", path: list,
        fields: { "Tus-Resumable": "1.0.0", "Upload-Length": String(request.body.size), "Upload-Metadata": metadata },
    });
    const place = `${list}/${made.id}`;
    localStorage.setItem(kept, place);
    return { ...made, place };
}

/** Sends bytes; `fetch` does not tell how many have been sent. */
function send(method, address, fields, bytes, request, progress) {
    return new Promise((resolve, reject) => {
        const sending = new XMLHttpRequest();
        sending.open(method, address);
        for (const [name, value] of Object.entries(fields)) sending.setRequestHeader(name, value);
        sending.upload.onprogress = (event) => progress(event.loaded, event.total);
        sending.onload = () => {
            try {
                resolve(answer(sending.status, sending.responseText, request));
            } catch (problem) {
                reject(problem);
            }
        };
        sending.onerror = () => reject(new Problem({ code: "unreachable", detail: "The connection broke off." }, request));
        sending.send(bytes);
    });
}
