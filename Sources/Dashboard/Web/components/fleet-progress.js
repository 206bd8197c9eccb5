/** A fleet as it goes on: its realms by state, its pace, by the service's events. */

import { h, replace } from "../core/dom.js";
import { parsed } from "../core/api.js";
import { follow } from "../core/events.js";
import { count, duration } from "../core/format.js";
import { address } from "../core/router.js";
import { interruption, shares } from "./parts.js";

/** Whether nothing happens to a fleet any more unless somebody asks for it. */
export function isOver({ state, counts }) {
    return ["succeeded", "failed", "cancelled", "undone"].includes(state) && counts.running === 0;
}

export class FleetProgress extends HTMLElement {
    /**
     * @param {object} fleet
     * @param {string} place The path of the fleet in the API.
     * @param {string[]} segments The address of its page.
     * @param {(fleet: object) => boolean} isOther Whether the page has to be another for what the fleet is now.
     * @param {() => void} changed Is told when that is so.
     */
    constructor(fleet, place, segments, isOther, changed) {
        super();
        Object.assign(this, { fleet, place, segments, isOther, changed });
    }

    connectedCallback() {
        this.interruption = interruption();
        this.show(this.fleet);
        if (isOver(this.fleet)) return;
        const heard = (event) => {
            const fleet = parsed(event.data);
            if (event.type !== "done" && !this.isOther(fleet)) return this.show(fleet);
            this.events.close();
            this.changed();
        };
        const told = { interrupted: (is) => { this.interruption.hidden = !is; } };
        this.events = follow(`${this.place}/events`, told, { fleet: heard, done: heard });
    }

    disconnectedCallback() {
        this.events?.close();
    }

    show({ counts, realmsPerSecond, etaSeconds }) {
        const all = Object.values(counts).reduce((sum, number) => sum + number, 0);
        const pace = [`${count(all)} realms`];
        if (realmsPerSecond) pace.push(`${realmsPerSecond.toFixed(1)} a second`);
        if (etaSeconds) pace.push(`${duration(etaSeconds)} to go`);
        replace(this, h("p", null, pace.join(" · ")), this.interruption,
            shares(Object.entries(counts).filter(([, number]) => number > 0).map(([name, number]) =>
                [name, number, h("a", { href: address(this.segments, { state: name }) }, name)])));
    }
}

customElements.define("fleet-progress", FleetProgress);
