/** A part of a page that is made anew where its data are others, and else stays with all that one has chosen in it. */

import { h, replace } from "../core/dom.js";
import { stringified } from "../core/api.js";

/**
 * Makes such a part.
 *
 * @param {(...data: any[]) => any} make The children of `h` for the data.
 * @returns {{element: Element, show: (...data: any[]) => void}}
 */
export function livePart(make) {
    const element = h("div");
    let shown = null;
    const show = (...data) => {
        const text = stringified(data);
        if (text === shown) return;
        shown = text;
        const focused = element.contains(document.activeElement) ? document.activeElement.getAttribute("href") : null;
        replace(element, make(...data));
        // The keyboard stays at the link where it was.
        if (focused) element.querySelector(`a[href="${CSS.escape(focused)}"]`)?.focus({ preventScroll: true });
    };
    return { element, show };
}
