/** What the service tells of something by events, while the page is seen: a browser has six connections for all its tabs. */

import { ask, requests } from "./api.js";
import { canShare, SharedEvents } from "./shared-events.js";

const longestPause = 30_000;

/** Tells the document that what its page shows is not there any more. */
export function tellGone() {
    document.dispatchEvent(new Event("gone"));
}

/**
 * Listens until `close` is called, or there is nothing to listen to any more: the document is told of that by `gone`.
 *
 * @param {string} place The path of the events.
 * @param {{opened?: () => void, interrupted?: (is: boolean) => void}} told `opened` is told when the events have begun, and each time
 *     that they begin anew;
 *     `interrupted` when the connection is gone, and when it is there again.
 * @param {Object<string, (event: MessageEvent) => void>} listeners By the name of the event.
 * @param {boolean} isCommand Whether it is one of the page's commands, the last of which never ends then.
 */
export function follow(place, told, listeners, isCommand = true) {
    if (isCommand) requests.dispatchEvent(new CustomEvent("request", { detail: { path: place } }));
    let source = null;
    let breaks = 0;
    let waiting = null;
    const open = () => {
        source = canShare(place) ? new SharedEvents(place) : new EventSource(place);
        // The browser, when it connects again by itself, goes on after the last event: only the first opening is a beginning.
        source.addEventListener("open", () => told.opened?.(), { once: true });
        for (const [name, listener] of Object.entries(listeners)) source.addEventListener(name, listener);
        source.addEventListener("open", () => {
            breaks = 0;
            told.interrupted?.(false);
        });
        source.addEventListener("gone", () => {
            close();
            tellGone();
        });
        source.addEventListener("error", ({ target }) => {
            if (target !== source) return;
            told.interrupted?.(true);
            // A connection that broke is made again by the browser, from the last event on; after a refusal it is for us.
            if (target.readyState === EventSource.CLOSED) again();
        });
    };
    const again = () => {
        close();
        breaks += 1;
        waiting = setTimeout(async () => {
            // A client that is signed out by now hears of it here, and one whose job, fleet or app is gone.
            const status = await ask({ path: place.replace(/\/events$/, "") }).then(() => 200, (problem) => problem.document?.status);
            if (waiting === null || status === 401) return;
            if (status === 404) tellGone();
            else open();
        }, Math.min(longestPause, 500 * 2 ** breaks));
    };
    const close = () => {
        clearTimeout(waiting);
        waiting = null;
        source?.close();
        source = null;
    };
    const turn = () => {
        if (document.hidden) close();
        else if (!source && waiting === null) open();
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
