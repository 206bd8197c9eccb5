/** One file on its way to the service, and what became of it. */

import { h, replace } from "../core/dom.js";
import { answer, path, requests } from "../core/api.js";
import { bytes } from "../core/format.js";
import { address } from "../core/router.js";
import { ProblemView } from "./problem-view.js";

const types = { json: "application/json", ndjson: "application/x-ndjson" };

/** The request that uploads a file into a realm. */
export function uploadRequest(app, realm, file, { encryptionKey, rescue } = {}) {
    const ending = file.name.toLowerCase().split(".").pop();
    const fields = encryptionKey ? { "Realm-Encryption-Key": encryptionKey } : {};
    return {
        method: "POST", path: path`v1/apps/${app}/realms/${realm}/snapshots`, query: { rescue: rescue ? "true" : null },
        type: types[ending] ?? "application/x-realm", body: file, file: file.name, fields,
    };
}

export class UploadProgress extends HTMLElement {
    /** @param {object} request Of `uploadRequest`. */
    constructor(request, realm, app) {
        super();
        this.request = request;
        this.realm = realm;
        this.app = app;
    }

    connectedCallback() {
        this.bar = h("progress", { max: 1, value: 0, "aria-label": `Upload of ${this.request.file}` });
        this.text = h("span", { "aria-live": "polite" }, "waits");
        replace(this, h("strong", null, this.realm), " ", this.bar, " ", this.text);
    }

    /** Sends the file; answers the snapshot, or null where it was refused. */
    async send() {
        try {
            const snapshot = await this.post();
            this.bar.remove();
            replace(this.text, "uploaded: ", h("a", { href: address(["apps", this.app, "realms", this.realm]) }, "open"),
                snapshot.rescue && ` (rescued ${snapshot.rescue.objectsRead} objects)`);
            return snapshot;
        } catch (problem) {
            this.bar.remove();
            replace(this.text, "was refused");
            this.append(new ProblemView(problem));
            return null;
        }
    }

    post() {
        requests.dispatchEvent(new CustomEvent("request", { detail: this.request }));
        return new Promise((resolve, reject) => {
            // `fetch` does not tell how much has been sent.
            const sending = new XMLHttpRequest();
            const parameters = this.request.query.rescue ? "?rescue=true" : "";
            sending.open("POST", this.request.path + parameters);
            sending.setRequestHeader("Content-Type", this.request.type);
            for (const [name, value] of Object.entries(this.request.fields)) sending.setRequestHeader(name, value);
            sending.upload.onprogress = (event) => {
                this.bar.value = event.loaded / Math.max(1, event.total);
                this.text.textContent = event.loaded < event.total
                    ? `${bytes(event.loaded)} of ${bytes(event.total)}` : "is being read";
            };
            sending.onload = () => {
                try {
                    resolve(answer(sending.status, sending.responseText, this.request));
                } catch (problem) {
                    reject(problem);
                }
            };
            sending.onerror = () => reject(new Error("The connection broke off: nothing was uploaded."));
            sending.send(this.request.body);
        });
    }
}

customElements.define("upload-progress", UploadProgress);
