/** Texts for a shell. */

/** A text as a shell takes it for one word, whatever it holds. */
export function quote(text) {
    return /^[A-Za-z0-9_./:=@%+,-]+$/.test(text) ? text : "'" + String(text).replaceAll("'", "'\\''") + "'";
}
