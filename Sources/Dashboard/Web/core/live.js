/** Keeps a part of a page as the service has it, by the events of an app. */

import { path } from "./api.js";
import { follow } from "./events.js";

/** Many things change at once: they are shown together. */
const restMilliseconds = 700;

/**
 * Asks anew whenever something of the named kinds changes.
 *
 * @param {string} app
 * @param {string[]} kinds Of `job`, `realm`, `version`, `fleet`, `figures`.
 * @param {() => Promise<any>} refresh
 * @param {AbortSignal} signal Ends with the page.
 */
export function keepFresh(app, kinds, refresh, signal) {
    let resting = null;
    let isHidden = false;
    const changed = () => {
        clearTimeout(resting);
        resting = setTimeout(() => { if (!signal.aborted) refresh().catch(() => {}); }, restMilliseconds);
    };
    const listeners = Object.fromEntries([...kinds, "reset"].map((kind) => [kind, changed]));
    // While the page was hidden nobody listened.
    const opened = () => { if (isHidden) changed(); isHidden = true; };
    const events = follow(path`v1/apps/${app}/events`, { opened }, listeners);
    signal.addEventListener("abort", () => {
        clearTimeout(resting);
        events.close();
    });
}
