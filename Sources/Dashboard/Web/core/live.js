/** Keeps a part of a page as the service has it, by the events of apps. */

import { ask, parsed, path, Problem } from "./api.js";
import { follow, tellGone } from "./events.js";

/** Many things change at once: they are shown together. */
const restMilliseconds = 700;

/** However much changes, it is asked for no more often than this. */
const intervalMilliseconds = 3000;

/** Between two attempts where an answer fails: longer and longer. */
const firstPause = 1000;
const longestPause = 30_000;

/** A page without events is better than none: longer than this it does not wait for them. */
const patienceMilliseconds = 1000;

/** A browser has six connections to the service for all its tabs, and each app that is followed takes one. */
const mostApps = 2;

/** Is told by events `change` whether the page that is shown is up to date: `detail` is the sentence that says why not, or null. */
export const freshness = new EventTarget();

/** The sentence for it: what was asked for has no answer just now. */
export const isLost = "The connection to the service is interrupted: this shows what was so before. It goes on by itself once the service is there.";

/**
 * Asks once, and anew whenever something of the named kinds changes.
 *
 * The events begin before the first question, so that nothing changes unseen between the two. Where a later question fails, it is asked
 * again, and `freshness` is told meanwhile.
 *
 * @param {string|string[]} apps
 * @param {string[]} kinds Of `job`, `realm`, `version`, `fleet`, `figures`.
 * @param {() => Promise<any>} refresh
 * @param {AbortSignal} signal Ends with the page.
 * @param {(kind: string, data: object) => boolean} concerns Whether an event is about what is shown.
 * @returns {Promise<any>} That of the first `refresh`.
 */
export async function keepFresh(apps, kinds, refresh, signal, concerns = () => true) {
    const places = [apps].flat().map((app) => path`v1/apps/${app}/events`);
    const broken = new Set();
    const questions = new Questions(refresh, signal, () => tell());
    const tell = () => {
        if (signal.aborted) return;
        freshness.dispatchEvent(new CustomEvent("change", { detail: questions.fault ?? (broken.size > 0 ? isLost : null) }));
    };
    const heard = ({ type, data }) => { if (type === "reset" || concerns(type, parsed(data) ?? {})) questions.askSoon(); };
    const listeners = Object.fromEntries([...kinds, "reset"].map((kind) => [kind, heard]));
    const all = places.map((place) => {
        let events;
        const listening = new Promise((resolve) => {
            const opened = () => {
                // While the page was hidden, or the service away, nobody listened.
                questions.askSoon();
                resolve();
            };
            const interrupted = (is) => {
                if (is) broken.add(place);
                else broken.delete(place);
                if (!is) questions.goOn();
                tell();
                resolve();
            };
            events = follow(place, { opened, interrupted }, listeners);
            if (document.hidden) resolve();
        });
        return { events, listening };
    });
    const close = () => all.forEach(({ events }) => events.close());
    const aborted = new Promise((resolve) => signal.addEventListener("abort", () => {
        close();
        resolve();
    }));
    const patience = new Promise((resolve) => setTimeout(resolve, patienceMilliseconds));
    await Promise.race([Promise.all(all.map(({ listening }) => listening)), aborted, patience]);
    return questions.begin().catch((problem) => {
        close();
        // The page shows the problem, and nothing that could be old.
        broken.clear();
        tell();
        throw problem;
    });
}

/**
 * Follows a page whose figures stay as they are, until what it shows is gone with its realm or its app, or goes on.
 *
 * @param {string|null} realm Null where it goes with its app alone.
 * @param {string} place The path by which the service has what is shown.
 * @param {{kind?: string, id?: string, found?: (now: object) => void}} goingOn Where somebody may have it go on: the kind of the events
 *     that tell of it, its id in these, and who is told how it is now.
 */
export function keepThere(app, realm, place, signal, { kind = null, id = null, found = () => {} } = {}) {
    if (signal.aborted) return;
    const questions = new Questions(async () => found(await ask({ path: place, signal })), signal, () => {}, false);
    const look = () => questions.askSoon();
    const heard = ({ data }) => { if (realm !== null && [realm, null].includes(parsed(data)?.name)) look(); };
    const heardOn = kind && { [kind]: ({ data }) => { if (parsed(data)?.id === id) look(); } };
    // It may have gone, or gone on, before the events began, or while the page was hidden.
    const events = follow(path`v1/apps/${app}/events`, { opened: look }, { realm: heard, reset: look, ...heardOn }, false);
    signal.addEventListener("abort", () => events.close());
}

/** One question that is asked again and again, one at a time and with a pause between two. */
class Questions {
    /** The sentence that says why the last answer is not there; null where it is. */
    fault = null;
    #waiting = null;
    #isAsking;
    #isDue = false;
    #failures = 0;
    #askedAt = 0;

    /** @param {boolean} begins Whether nothing is to be asked before `begin`. */
    constructor(refresh, signal, told, begins = true) {
        Object.assign(this, { refresh, signal, told });
        this.#isAsking = begins;
        signal.addEventListener("abort", () => clearTimeout(this.#waiting));
    }

    /** Asks for the first time; what has changed until now is in the answer. */
    async begin() {
        this.#isDue = false;
        this.#askedAt = performance.now();
        const first = await this.refresh();
        this.#isAsking = false;
        if (this.#isDue) this.askSoon();
        return first;
    }

    /** Something has changed. */
    askSoon() {
        if (this.#isAsking) this.#isDue = true;
        // While answers fail, the next attempt shows this change, too.
        else if (this.#waiting === null) this.#wait(Math.max(restMilliseconds, this.#askedAt + intervalMilliseconds - performance.now()));
    }

    /** The service is there again: an attempt that waits need not wait for long. */
    goOn() {
        if (this.#failures === 0 || this.#waiting === null) return;
        clearTimeout(this.#waiting);
        this.#wait(restMilliseconds);
    }

    #wait(milliseconds) {
        if (this.signal.aborted) return;
        this.#waiting = setTimeout(() => this.#ask(), milliseconds);
    }

    async #ask() {
        [this.#waiting, this.#isAsking, this.#isDue] = [null, true, false];
        this.#askedAt = performance.now();
        let pause = null;
        try {
            await this.refresh();
            [this.fault, this.#failures] = [null, 0];
        } catch (problem) {
            if (this.signal.aborted) return;
            if (isGone(problem)) return tellGone();
            this.fault = isTemporary(problem) ? isLost : problem.message;
            this.#failures += 1;
            // What the service refuses, it refuses again.
            if (isTemporary(problem)) pause = Math.min(longestPause, firstPause * 2 ** (this.#failures - 1));
        }
        this.#isAsking = false;
        this.told();
        if (pause !== null) this.#wait(pause);
        else if (this.#isDue) this.askSoon();
    }
}

/** Whether there is nothing to ask for any more, as where a realm was deleted. */
function isGone(problem) {
    return problem instanceof Problem && [404, 410].includes(problem.document.status);
}

/** Whether the same question may have an answer in a while. */
function isTemporary(problem) {
    if (!(problem instanceof Problem)) return false;
    const { status } = problem.document;
    return !(status >= 400 && status < 500) || status === 429;
}

/**
 * The apps that a page of all apps follows: all where they are few, else those of the jobs that it begins with.
 *
 * @param {() => Promise<object[]>} jobs
 * @returns {Promise<{apps: string[], rest: string|null}>} `rest` is the sentence for what the page does not follow.
 */
export async function appsToFollow(jobs, signal) {
    const { items, next } = await ask({ path: "/v1/apps", query: { limit: mostApps }, signal });
    if (next === null) return { apps: items.map((app) => app.name), rest: null };
    const found = await jobs();
    const names = [...found.filter((job) => !job.finishedAt), ...found].map((job) => job.app);
    const apps = [...new Set(names)].slice(0, mostApps);
    const followed = apps.length === 0 ? "This page does not follow changes" : `This page follows what changes in ${apps.join(" and ")}`;
    return { apps, rest: `${followed}: all else is as it was when the page was opened. The pages of an app follow it.` };
}
