/** The command that does the same as a button or a page, to be unfolded and copied. */

import { h, replace } from "../core/dom.js";
import { curl } from "../core/api.js";

export class CurlHint extends HTMLElement {
    /**
     * @param {() => object[]} requests The requests at the moment that it is unfolded.
     * @param {string} summary
     */
    constructor(requests, summary = "curl") {
        super();
        this.requests = requests;
        this.summary = summary;
    }

    connectedCallback() {
        const body = h("div");
        replace(this, h("details", { ontoggle: (event) => event.target.open && this.fill(body) },
            h("summary", null, this.summary), body));
    }

    fill(body) {
        let text;
        try {
            text = this.requests().map(curl).join("\n\n");
        } catch (error) {
            text = `# ${error.message}`;
        }
        const copy = h("button", { type: "button", onclick: async () => {
            await navigator.clipboard.writeText(text);
            copy.textContent = "Copied";
        } }, "Copy");
        replace(body, h("pre", { tabindex: 0 }, text), navigator.clipboard ? copy : null);
    }
}

customElements.define("curl-hint", CurlHint);
