/** The command that does the same as a button or a page, as its fields are now, to be unfolded and copied. */

import { append, h, replace } from "../core/dom.js";
import { curl } from "../core/api.js";

/** The events by which fields, and what buttons do to them, come to be others. */
const changes = ["input", "change", "click"];

export class CurlHint extends HTMLElement {
    /**
     * @param {() => object[]} requests The requests of the moment.
     * @param {string} summary
     */
    constructor(requests, summary = "curl") {
        super();
        this.requests = requests;
        this.summary = summary;
        this.update = () => {
            // Others hear of the same event, too, and may change more fields.
            if (this.details.open) queueMicrotask(() => this.show());
        };
    }

    connectedCallback() {
        this.text = h("pre", { tabindex: 0 });
        this.copy = h("button", { type: "button", onclick: async () => {
            await navigator.clipboard.writeText(this.command());
            this.copy.textContent = "Copied";
        } }, "Copy");
        this.details = h("details", { ontoggle: this.update }, h("summary", null, this.summary));
        replace(this, this.details);
        for (const name of changes) document.addEventListener(name, this.update);
    }

    disconnectedCallback() {
        for (const name of changes) document.removeEventListener(name, this.update);
    }

    show() {
        this.text.textContent = this.command();
        if (!this.text.isConnected) append(this.details, this.text, navigator.clipboard ? this.copy : null);
    }

    command() {
        try {
            return this.requests().map(curl).join("\n\n");
        } catch (error) {
            return `# ${error.message}`;
        }
    }
}

customElements.define("curl-hint", CurlHint);
