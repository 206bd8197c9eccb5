/** A place for files: they are dropped on it, or chosen. */

import { h, replace } from "../core/dom.js";

export class FileDrop extends HTMLElement {
    /** @param {{label: string, multiple?: boolean, accept?: string, taken: (files: File[]) => void}} options */
    constructor({ label, multiple = false, accept = "", taken }) {
        super();
        this.label = label;
        this.taken = taken;
        this.input = h("input", {
            type: "file", multiple, accept, class: "visually-hidden", onchange: () => this.take(this.input.files),
        });
    }

    connectedCallback() {
        replace(this, h("label", null, this.input, h("span", null, this.label)));
        this.addEventListener("dragover", (event) => {
            event.preventDefault();
            this.classList.add("over");
        });
        this.addEventListener("dragleave", () => this.classList.remove("over"));
        this.addEventListener("drop", (event) => {
            event.preventDefault();
            this.classList.remove("over");
            this.take(event.dataTransfer.files);
        });
    }

    take(files) {
        if (files.length > 0) this.taken([...files]);
        this.input.value = "";
    }
}

customElements.define("file-drop", FileDrop);
