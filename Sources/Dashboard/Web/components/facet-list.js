/** The values of one property with how many objects have each, to narrow what is shown. */

import { h } from "../core/dom.js";
import { count } from "../core/format.js";
import { address } from "../core/router.js";
import { isName, literal, withCondition } from "../core/query-text.js";
import { empty } from "./parts.js";

/** The condition by which a query finds a value; null where the language can't say it. */
function condition(name, value) {
    const text = literal(value);
    return isName(name) && text !== null ? `${name} == ${text}` : null;
}

/**
 * The facets of a property.
 *
 * @param {{found: object, property: object, segments: string[], query: object, view: object}} options
 */
export function facetList({ found, property, segments, query, view }) {
    const name = found.property;
    const most = Math.max(1, found.nullCount, ...found.values.map((item) => item.count));
    const line = (value, number) => {
        const narrowed = condition(name, value);
        const href = narrowed && address(segments, { ...query, cursor: null, where: withCondition(query.where, narrowed) });
        const shown = value === null ? "null" : view.value(value, property);
        return h("li", null, href ? h("a", { href }, shown) : h("span", null, shown),
            h("meter", { min: 0, max: most, value: number, "aria-hidden": "true" }), h("b", null, count(number)));
    };
    return [
        h("p", null, `${count(found.distinctCount)}${found.isCutOff || !found.isExact ? " or more" : ""} values of ${count(found.objectCount)} objects`),
        found.values.length === 0 && found.nullCount === 0 ? empty("No object has a value.")
            : h("ul", { class: "facets" }, found.values.map((item) => line(item.value, item.count)), found.nullCount > 0 && line(null, found.nullCount)),
        found.otherCount > 0 && empty(`${count(found.otherCount)} objects have other values.`),
    ];
}
