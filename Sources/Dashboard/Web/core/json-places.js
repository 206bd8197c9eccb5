/** Where a JSON pointer (RFC 6901) leads in a text. */

/** The line and the column, from 1, of the value or the name that a pointer leads to; null where the text is no JSON up to there. */
export function placeOf(pointer, text) {
    const wanted = pointer.split("/").slice(1).map((part) => part.replaceAll("~1", "/").replaceAll("~0", "~"));
    let at = 0;
    const skip = () => { while (/\s/.test(text[at] ?? "")) at += 1; };
    const string = () => {
        const start = at;
        at += 1;
        while (at < text.length && text[at] !== '"') at += text[at] === "\\" ? 2 : 1;
        at += 1;
        return JSON.parse(text.slice(start, at));
    };
    /** Goes through a value; `rest` is what is left of the pointer where the value lies on its way, else null. */
    const value = (rest) => {
        skip();
        if (rest?.length === 0) return at;
        if (text[at] === '"') string();
        else if (text[at] === "{" || text[at] === "[") {
            const isObject = text[at] === "{";
            at += 1;
            for (let index = 0; ; index += 1) {
                skip();
                if (at >= text.length || text[at] === "}" || text[at] === "]") break;
                const nameAt = at;
                const name = isObject ? string() : String(index);
                const isWanted = rest !== null && name === rest[0];
                if (isWanted && isObject && rest.length === 1) return nameAt;
                skip();
                if (isObject) at += 1;
                const found = value(isWanted ? rest.slice(1) : null);
                if (found !== null) return found;
                skip();
                if (text[at] === ",") at += 1;
            }
            at += 1;
        } else while (at < text.length && !/[\s,\]}]/.test(text[at])) at += 1;
        return null;
    };
    try {
        const found = value(wanted);
        if (found === null) return null;
        const lines = text.slice(0, found).split("\n");
        return { line: lines.length, column: lines.at(-1).length + 1 };
    } catch {
        return null;
    }
}
