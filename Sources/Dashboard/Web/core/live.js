/** Keeps a part of a page as the service has it, by the events of an app. */

import { path } from "./api.js";
import { follow } from "./events.js";

/** Many things change at once: they are shown together. */
const restMilliseconds = 700;

/** A page without events is better than none: longer than this it does not wait for them. */
const patienceMilliseconds = 1000;

/**
 * Asks once, and anew whenever something of the named kinds changes.
 *
 * The events begin before the first question, so that nothing changes unseen between the two.
 *
 * @param {string} app
 * @param {string[]} kinds Of `job`, `realm`, `version`, `fleet`, `figures`.
 * @param {() => Promise<any>} refresh
 * @param {AbortSignal} signal Ends with the page.
 * @returns {Promise<any>} That of the first `refresh`.
 */
export async function keepFresh(app, kinds, refresh, signal) {
    let resting = null;
    let hasAsked = false;
    const changed = () => {
        clearTimeout(resting);
        resting = setTimeout(() => { if (!signal.aborted) refresh().catch(() => {}); }, restMilliseconds);
    };
    const listeners = Object.fromEntries([...kinds, "reset"].map((kind) => [kind, changed]));
    let events;
    await new Promise((listening) => {
        const opened = () => {
            // While the page was hidden, or the service away, nobody listened.
            if (hasAsked) changed();
            listening();
        };
        events = follow(path`v1/apps/${app}/events`, { opened, interrupted: listening }, listeners);
        signal.addEventListener("abort", () => {
            clearTimeout(resting);
            events.close();
            listening();
        });
        if (document.hidden) listening();
        setTimeout(listening, patienceMilliseconds);
    });
    hasAsked = true;
    return refresh().catch((problem) => {
        events.close();
        throw problem;
    });
}
