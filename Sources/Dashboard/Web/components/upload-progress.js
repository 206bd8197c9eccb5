/** One file on its way to the service, and what became of it. */

import { h, replace } from "../core/dom.js";
import { stringified } from "../core/api.js";
import { bytes } from "../core/format.js";
import { address } from "../core/router.js";
import { upload } from "../core/upload.js";
import { ProblemView } from "./problem-view.js";

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
        const { file } = this.request;
        replace(this, h("strong", null, this.realm), file.startsWith(`${this.realm}.`) ? " " : ` (${file}) `, this.bar, " ", this.text);
    }

    /** Sends the file; answers the snapshot, or null where it was refused. */
    async send() {
        try {
            const snapshot = await upload(this.request, (sent, total) => this.show(sent, total));
            this.bar.remove();
            replace(this.text, "uploaded: ", h("a", { href: address(["apps", this.app, "realms", this.realm]) }, "open"),
                snapshot.rescue && rescued(snapshot.rescue));
            return snapshot;
        } catch (problem) {
            this.bar.remove();
            replace(this.text, "was refused");
            this.append(new ProblemView(problem));
            return null;
        }
    }

    show(sent, total) {
        this.bar.value = sent / Math.max(1, total);
        this.text.textContent = sent < total ? `${bytes(sent)} of ${bytes(total)}` : "is being read";
    }
}

/** The outcome of a damaged file's upload: the answer alone tells it, and no page later. */
function rescued(report) {
    const read = ` (rescued ${report.objectsRead} objects: ${report.whole ? "all that it has" : "not all that it had"}) `;
    return [read, h("details", { open: !report.whole }, h("summary", null, "Report"), h("pre", { tabindex: 0 }, stringified(report, 2)))];
}

customElements.define("upload-progress", UploadProgress);
