/** Asks for a key, and gives it for a session. */

import { field, h, replace } from "../core/dom.js";
import { signIn } from "../core/session.js";
import { ProblemView } from "../components/problem-view.js";

export function show({ signedIn }) {
    const key = h("input", { type: "password", name: "key", autocomplete: "current-password", required: true, spellcheck: "false" });
    const button = h("button", { class: "main" }, "Sign in");
    const result = h("div");
    const submit = async (event) => {
        event.preventDefault();
        button.disabled = true;
        try {
            await signIn(key.value.trim());
            await signedIn();
        } catch (problem) {
            replace(result, new ProblemView(problem));
            key.focus();
        } finally {
            button.disabled = false;
        }
    };
    return h("form", { class: "sign-in", onsubmit: submit },
        h("h1", null, "Sign in"),
        field("Key", key, "The administrator's first key is in the file admin.key of the service's data directory."),
        h("p", null, button), result);
}
