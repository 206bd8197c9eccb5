/** The events of an app for all windows of a browser: one of them has the connection, of which a browser has six, and tells the others. */

/** The names of an app's events. */
const names = ["job", "realm", "version", "fleet", "figures", "reset", "gone"];

/** Whether the events of an address are told to all who listen, whenever they come: those of a job or a fleet begin with what was before. */
export function canShare(place) {
    return "locks" in navigator && /\/apps\/[^/]+\/events$/.test(place);
}

/** The window that has the connection gives a sign of life so often, also where nothing happens. */
const signMilliseconds = 2000;

/** After so long without one another window takes the connection; not all at once. */
const patience = () => 6000 + 2000 * Math.random();

/**
 * Is as an `EventSource`. The window that gets the lock connects; when it is closed or hidden, the lock goes to the next, and when it does not
 * run, the next takes it.
 */
export class SharedEvents extends EventTarget {
    readyState = EventSource.CONNECTING;
    #place;
    #source = null;
    #hasOpened = false;
    #isClosed = false;
    #waiting = new AbortController();
    #release = null;
    #signs = null;
    #silence = null;

    constructor(place) {
        super();
        this.#place = place;
        this.channel = new BroadcastChannel(`events of ${place}`);
        this.channel.addEventListener("message", ({ data }) => {
            if (data.type === "hello") {
                if (this.#source?.readyState === EventSource.OPEN) this.channel.postMessage({ type: "open" });
                return;
            }
            this.#expectSign();
            if (data.type !== "sign") this.#hear(data);
        });
        this.channel.postMessage({ type: "hello" });
        this.#ask();
        this.#expectSign();
    }

    close() {
        this.#isClosed = true;
        clearTimeout(this.#silence);
        this.#waiting.abort();
        this.#disconnect();
        this.channel.close();
    }

    /** Waits for the lock, or takes it. */
    #ask(isPatient = true) {
        this.#waiting.abort();
        const waiting = this.#waiting = new AbortController();
        const options = isPatient ? { signal: waiting.signal } : { steal: true };
        navigator.locks.request(this.channel.name, options, () => this.#connect()).catch(() => {
            // Who has given up waiting is closed or has asked anew; who had the lock, and did not run, waits for it again.
            if (this.#isClosed || waiting !== this.#waiting) return;
            this.#disconnect();
            this.#ask();
        });
    }

    #expectSign() {
        clearTimeout(this.#silence);
        this.#silence = setTimeout(() => {
            if (this.#source) return;
            this.#fail(EventSource.CONNECTING);
            this.#ask(false);
            this.#expectSign();
        }, patience());
    }

    /** Has the connection until this is closed, or it is taken. */
    #connect() {
        if (this.#isClosed) return undefined;
        const source = this.#source = new EventSource(this.#place);
        this.#signs = setInterval(() => this.channel.postMessage({ type: "sign" }), signMilliseconds);
        let isFirst = true;
        source.addEventListener("open", () => {
            this.#tell({ type: "open", isFirst });
            isFirst = false;
        });
        source.addEventListener("error", () => {
            // After a refusal each window asks by itself why.
            if (source.readyState === EventSource.CLOSED) this.#fail(EventSource.CLOSED);
            else this.#tell({ type: "error" });
        });
        for (const name of names) source.addEventListener(name, ({ data }) => this.#tell({ type: name, data }));
        return new Promise((resolve) => { this.#release = resolve; });
    }

    #disconnect() {
        clearInterval(this.#signs);
        this.#source?.close();
        this.#source = null;
        this.#release?.();
    }

    #tell(news) {
        this.channel.postMessage(news);
        this.#hear(news);
    }

    #hear({ type, data, isFirst }) {
        if (type === "error") return this.#fail(EventSource.CONNECTING);
        if (type !== "open") return this.dispatchEvent(new MessageEvent(type, { data }));
        this.readyState = EventSource.OPEN;
        this.dispatchEvent(new Event("open"));
        // Between two connections something may have happened unheard.
        if (isFirst && this.#hasOpened) this.dispatchEvent(new MessageEvent("reset", { data: "{}" }));
        this.#hasOpened = true;
    }

    #fail(state) {
        this.readyState = state;
        this.dispatchEvent(new Event("error"));
    }
}
