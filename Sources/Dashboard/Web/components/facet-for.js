/** A choice of a property, and the facets of the chosen one, which are asked for by themselves: the objects do not wait for them. */

import { h, replace, select } from "../core/dom.js";
import { ask, path } from "../core/api.js";
import { go } from "../core/router.js";
import { facetList } from "./facet-list.js";
import { ProblemView } from "./problem-view.js";

export class FacetFor extends HTMLElement {
    /** @param {{id: string, name: string, schema: object[], declared: object, query: object, segments: string[], view: object}} shown */
    constructor(shown, signal) {
        super();
        Object.assign(this, { shown, signal });
    }

    connectedCallback() {
        const { declared, query, segments } = this.shown;
        const names = Object.entries(declared.properties)
            .filter(([, { type }]) => !["linkingObjects", "object", "list", "set", "dictionary"].includes(type)).map(([name]) => name);
        const chosen = select("facet", [["", "choose a property"], ...names], query.facet ?? "");
        chosen.setAttribute("aria-label", "Property");
        chosen.addEventListener("change", () => go(segments, { ...query, cursor: null, facet: chosen.value }));
        this.found = h("div", { "aria-live": "polite" });
        replace(this, h("h2", null, "Values"), chosen, this.found);
        if (names.includes(query.facet)) this.load(query.facet);
    }

    async load(name) {
        const { id, name: className, declared, query } = this.shown;
        replace(this.found, h("p", { class: "empty" }, "Counts…"));
        try {
            const found = await ask({
                path: path`v1/snapshots/${id}/facets/${className}`, query: { property: name, where: query.where, limit: 20 },
                signal: this.signal, keepsFractions: true,
            });
            replace(this.found, facetList({ found, property: declared.properties[name], ...this.shown }));
        } catch (problem) {
            if (!this.signal.aborted) replace(this.found, new ProblemView(problem));
        }
    }
}

customElements.define("facet-for", FacetFor);
