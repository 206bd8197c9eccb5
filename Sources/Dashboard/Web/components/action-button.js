/** A button that sends a request, with the `curl` for it, and with what came of it. */

import { h, replace } from "../core/dom.js";
import { ask } from "../core/api.js";
import { can } from "../core/session.js";
import { CurlHint } from "./curl-hint.js";
import { ProblemView } from "./problem-view.js";

/**
 * A button for those who may press it; null for those whose key has not the scope.
 *
 * @param {{label: string, scope: string, request: object|(() => object), done: (value: any) => void, sure?: string, main?: boolean,
 *     refused?: (problem: Error) => boolean, send?: (request: object) => Promise<any>, field?: HTMLInputElement}} options `sure` is
 *     asked before; `refused` says whether it has shown the problem itself; `send` sends the request in another way; nothing is sent
 *     while `field` has what it does not take.
 */
export function action(options) {
    return can(options.scope) ? new ActionButton(options) : null;
}

export class ActionButton extends HTMLElement {
    constructor(options) {
        super();
        this.options = options;
        this.result = h("div", { "aria-live": "polite" });
    }

    connectedCallback() {
        const { label, main } = this.options;
        this.button = h("button", {
            type: "button", class: main ? "main" : null, onclick: () => this.press(),
            // A key that is held is no second press.
            onkeydown: (event) => event.repeat && event.preventDefault(),
        }, label);
        replace(this, this.button, new CurlHint(() => [this.request()]), this.result);
    }

    request() {
        const { request } = this.options;
        return typeof request === "function" ? request() : request;
    }

    /** Asks on the button itself; for some seconds, while it has the focus. */
    askWhetherSure() {
        this.isSure = true;
        // The second half of a double click has not read the question.
        this.button.ariaDisabled = "true";
        setTimeout(() => { this.button.ariaDisabled = null; }, 1000);
        this.button.classList.add("danger");
        this.button.textContent = this.options.sure;
        this.button.addEventListener("blur", () => this.calmDown(), { once: true });
        this.calming = setTimeout(() => this.calmDown(), 8000);
    }

    calmDown() {
        clearTimeout(this.calming);
        this.isSure = false;
        this.button.classList.remove("danger");
        this.button.textContent = this.options.label;
    }

    async press() {
        if (this.options.field?.reportValidity() === false) return;
        if (this.options.sure) {
            if (!this.isSure) return this.askWhetherSure();
            if (this.button.ariaDisabled) return;
            this.calmDown();
        }
        this.button.disabled = true;
        this.result.replaceChildren();
        try {
            const request = this.request();
            await this.options.done(await (this.options.send ?? ask)(request));
        } catch (problem) {
            if (!this.options.refused?.(problem)) replace(this.result, new ProblemView(problem));
        } finally {
            this.button.disabled = false;
        }
    }
}

customElements.define("action-button", ActionButton);
