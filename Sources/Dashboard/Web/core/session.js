/** Who is signed in, and what they may do. */

import { ask } from "./api.js";

let current = null;

/** The session, `{id, key}`; null where nobody is signed in. */
export function session() {
    return current;
}

/** Whether the key has a scope; three include that of devices. */
export function can(scope) {
    const scopes = current?.key.scopes ?? [];
    return scopes.includes(scope) || (scope === "device" && ["read", "write", "migrate"].every((each) => scopes.includes(each)));
}

/** Asks the service who is signed in. */
export async function loadSession() {
    try {
        current = await ask({ path: "/v1/sessions/current" });
    } catch (problem) {
        if (problem.document?.status !== 401) throw problem;
        current = null;
    }
    return current;
}

/** Gives a key for a session; the key itself is kept nowhere. */
export async function signIn(key) {
    await ask({ method: "POST", path: "/v1/sessions", fields: { Authorization: `Bearer ${key}` } });
    await loadSession();
    if (current === null) {
        throw new Error("The browser has not kept the session's cookie: open the dashboard by the address of --public-url, and permit cookies.");
    }
}

/** Ends the session. */
export async function signOut() {
    await ask({ method: "DELETE", path: "/v1/sessions/current" });
    current = null;
}
