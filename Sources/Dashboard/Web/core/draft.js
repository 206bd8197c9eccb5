/** Text that was typed and not sent yet: it outlives its page, until the tab is closed, or whoever typed it signs out. */

import { session } from "./session.js";

/** Another key in the same tab sees none of it. */
const prefix = () => `draft ${session()?.key.id} `;

/** The draft of a name, `{value, base, at}`; null where there is none. */
export function readDraft(name) {
    const text = sessionStorage.getItem(prefix() + name);
    return text === null ? null : JSON.parse(text);
}

/**
 * Keeps a draft; answers whether the browser had the space for it.
 *
 * @param {string} name
 * @param {object} value
 * @param {any} base The revision that the edit began with.
 */
export function keepDraft(name, value, base) {
    try {
        sessionStorage.setItem(prefix() + name, JSON.stringify({ value, base, at: new Date().toISOString() }));
    } catch {
        return false;
    }
    watch();
    return true;
}

/** Forgets a draft: it was sent, or is no longer wanted. */
export function dropDraft(name) {
    sessionStorage.removeItem(prefix() + name);
    watch();
}

/** Forgets all drafts of whoever signs out. */
export function dropDrafts() {
    for (const name of kept()) sessionStorage.removeItem(name);
    watch();
}

function kept() {
    return Object.keys(sessionStorage).filter((name) => name.startsWith("draft "));
}

/** The browser asks before it closes a tab with drafts, and only then. */
function watch() {
    if (kept().length > 0) window.addEventListener("beforeunload", ask);
    else window.removeEventListener("beforeunload", ask);
}

function ask(event) {
    event.preventDefault();
}

watch();
