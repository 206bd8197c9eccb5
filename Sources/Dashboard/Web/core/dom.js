/** Elements, made of text and other elements: no data ever becomes markup. */

/**
 * Makes an element.
 *
 * @param {string} tag
 * @param {object|null} attributes Attributes; `on…` functions listen; null and false leave an attribute out, true has no value.
 * @param children Elements, texts, numbers and arrays of them; null and false are left out.
 */
export function h(tag, attributes, ...children) {
    const element = document.createElement(tag);
    for (const [name, value] of Object.entries(attributes ?? {})) {
        if (value === null || value === undefined || value === false) continue;
        if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
        else element.setAttribute(name, value === true ? "" : String(value));
    }
    append(element, children);
    return element;
}

/** Appends what `h` takes as children. */
export function append(element, ...children) {
    for (const child of children.flat(Infinity)) {
        if (child === null || child === undefined || child === false) continue;
        element.append(child instanceof Node ? child : document.createTextNode(String(child)));
    }
    return element;
}

/** Puts children in the place of all that an element has. */
export function replace(element, ...children) {
    element.replaceChildren();
    return append(element, children);
}

/** A shape of SVG. */
export function svg(tag, attributes, ...children) {
    const element = document.createElementNS("http://www.w3.org/2000/svg", tag);
    for (const [name, value] of Object.entries(attributes ?? {})) element.setAttribute(name, String(value));
    return append(element, children);
}

let lastID = 0;

/** An id for a label and its control. */
export function newID() {
    lastID += 1;
    return `id-${lastID}`;
}

/** A labelled control of a form. */
export function field(label, control, hint) {
    control.id ||= newID();
    const hintID = hint ? newID() : null;
    if (hintID) control.setAttribute("aria-describedby", hintID);
    return h("p", { class: "field" }, h("label", { for: control.id }, label), control,
        hint && h("small", { id: hintID }, hint));
}

/** A choice of some values, each a text or a pair of value and text. */
export function select(name, values, chosen) {
    const options = values.map((value) => {
        const [key, text] = Array.isArray(value) ? value : [value, value];
        return h("option", { value: key, selected: key === chosen }, text);
    });
    return h("select", { name }, options);
}
