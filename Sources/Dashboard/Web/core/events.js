/** What the service tells of something by events, while the page is seen: a browser has six connections for all its tabs. */

import { ask, path, requests } from "./api.js";

/**
 * Listens until `close` is called.
 *
 * @param {string} place The path of the events.
 * @param {() => void} opened Is told each time that the events begin anew.
 * @param {Object<string, (event: MessageEvent) => void>} listeners By the name of the event.
 */
export function follow(place, opened, listeners) {
    requests.dispatchEvent(new CustomEvent("request", { detail: { path: place } }));
    let source = null;
    const open = () => {
        opened();
        // The browser asks again by itself where the connection breaks, from the last event on.
        source = new EventSource(place);
        for (const [name, listener] of Object.entries(listeners)) source.addEventListener(name, listener);
        source.addEventListener("error", (event) => {
            // Refused for good: whoever is signed out hears of it by the next request.
            if (event.target.readyState === EventSource.CLOSED) ask({ path: path`v1/sessions/current` }).catch(() => {});
        });
    };
    const close = () => {
        source?.close();
        source = null;
    };
    const turn = () => {
        if (document.hidden) close();
        else if (!source) open();
    };
    document.addEventListener("visibilitychange", turn);
    turn();
    return {
        close() {
            document.removeEventListener("visibilitychange", turn);
            close();
        },
    };
}
