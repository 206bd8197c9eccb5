/** Addresses: `#/apps/notes/realms?version=<3` names a page with all of its state. */

/** A path of decoded segments and the parameters behind it. */
export function readAddress(hash = location.hash) {
    const text = hash.replace(/^#/, "") || "/";
    const mark = text.indexOf("?");
    const path = mark < 0 ? text : text.slice(0, mark);
    return {
        segments: path.split("/").filter((part) => part !== "").map(decode),
        query: Object.fromEntries(new URLSearchParams(mark < 0 ? "" : text.slice(mark + 1))),
    };
}

/** What a segment stands for; one that nobody could have written by `address` stands for itself. */
function decode(segment) {
    try {
        return decodeURIComponent(segment);
    } catch {
        return segment;
    }
}

/** The address of a page. */
export function address(segments, query = {}) {
    const given = Object.entries(query).filter(([, value]) => value !== null && value !== undefined && value !== "");
    const parameters = new URLSearchParams(given.map(([name, value]) => [name, String(value)])).toString();
    return "#/" + segments.map((segment) => encodeURIComponent(segment)).join("/") + (parameters && "?" + parameters);
}

/** Shows another page. */
export function go(segments, query) {
    location.hash = address(segments, query);
}

/** The page of a path: the first whose pattern fits, and what its `:names` stand for. */
export function match(pages, segments) {
    for (const page of pages) {
        const parts = page.path.split("/").filter((part) => part !== "");
        if (parts.length !== segments.length) continue;
        if (parts.every((part, index) => part.startsWith(":") || part === segments[index])) {
            const names = parts.map((part, index) => [part, segments[index]]).filter(([part]) => part.startsWith(":"));
            return { page, params: Object.fromEntries(names.map(([part, value]) => [part.slice(1), value])) };
        }
    }
    return null;
}
