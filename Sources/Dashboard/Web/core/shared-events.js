/** The events of an app for all windows of a browser: one of them has the connection, of which a browser has six, and tells the others. */

/** The names of an app's events. */
const names = ["job", "realm", "version", "fleet", "figures", "reset", "gone"];

/** Whether the events of an address are told to all who listen, whenever they come: those of a job or a fleet begin with what was before. */
export function canShare(place) {
    return "locks" in navigator && /\/apps\/[^/]+\/events$/.test(place);
}

/** Is as an `EventSource`. The window that gets the lock connects; when it is closed or hidden, the lock goes to the next. */
export class SharedEvents extends EventTarget {
    readyState = EventSource.CONNECTING;
    #source = null;
    #hasOpened = false;
    #closing = new AbortController();

    constructor(place) {
        super();
        const { signal } = this.#closing;
        this.channel = new BroadcastChannel(`events of ${place}`);
        this.channel.addEventListener("message", ({ data }) => {
            if (data.type !== "hello") this.#hear(data);
            else if (this.#source?.readyState === EventSource.OPEN) this.channel.postMessage({ type: "open" });
        });
        this.channel.postMessage({ type: "hello" });
        // Who closes before it has the lock is refused it.
        navigator.locks.request(this.channel.name, { signal }, () => this.#connect(place)).catch(() => {});
    }

    close() {
        this.#closing.abort();
        this.channel.close();
    }

    /** Has the connection until this is closed. */
    #connect(place) {
        const source = new EventSource(place);
        this.#source = source;
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
        return new Promise((resolve) => this.#closing.signal.addEventListener("abort", () => {
            source.close();
            resolve();
        }));
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
