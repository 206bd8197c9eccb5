/** A job as it goes on: its progress and its log, by the service's events. */

import { h, replace } from "../core/dom.js";
import { parsed, path } from "../core/api.js";
import { follow } from "../core/events.js";
import { count, duration } from "../core/format.js";
import { interruption, moment } from "./parts.js";

export class JobProgress extends HTMLElement {
    /**
     * @param {object} job
     * @param {(job: object) => void} ended Is told of the job when it has ended.
     */
    constructor(job, ended) {
        super();
        this.job = job;
        this.ended = ended;
        this.bar = h("progress", { max: 1, "aria-label": "Progress" });
        this.text = h("p", { "aria-live": "polite" });
        this.interruption = interruption();
        this.log = h("ol", { class: "log", tabindex: 0, "aria-label": "Log" });
    }

    connectedCallback() {
        replace(this, this.bar, this.text, this.interruption, h("h2", null, "Log"), this.log);
        this.show(this.job.progress);
        const told = { opened: () => this.log.replaceChildren(), interrupted: (is) => { this.interruption.hidden = !is; } };
        this.events = follow(path`v1/jobs/${this.job.id}/events`, told, {
            progress: (event) => this.show(parsed(event.data)),
            log: (event) => this.add(parsed(event.data)),
            done: (event) => {
                this.events.close();
                this.bar.remove();
                this.text.remove();
                this.ended(parsed(event.data));
            },
        });
    }

    disconnectedCallback() {
        this.events?.close();
    }

    show(progress) {
        if (!progress) {
            const { state, runAt } = this.job;
            const waiting = new Date(runAt) > new Date() ? ["Begins no earlier than ", moment(runAt), "."] : "Waits for a worker.";
            replace(this.text, state === "queued" && waiting);
            return;
        }
        const { phase, objectsDone, objectsTotal, objectsPerSecond, etaSeconds } = progress;
        if (objectsTotal > 0) this.bar.value = objectsDone / objectsTotal;
        const parts = [`${phase}${progress.class ? ` of ${progress.class}` : ""}`];
        if (objectsTotal > 0) parts.push(`${count(objectsDone)} of ${count(objectsTotal)} objects`);
        if (objectsPerSecond) parts.push(`${count(Math.round(objectsPerSecond))} objects a second`);
        if (etaSeconds) parts.push(`${duration(etaSeconds)} to go`);
        this.text.textContent = parts.join(" · ");
    }

    add(line) {
        const follows = this.log.scrollTop + this.log.clientHeight >= this.log.scrollHeight - 4;
        this.log.append(h("li", { class: `level-${line.level}` }, line.text));
        if (follows) this.log.scrollTop = this.log.scrollHeight;
    }
}

customElements.define("job-progress", JobProgress);
