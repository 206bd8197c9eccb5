// Regular expressions as ICU reads them, in the part of its syntax that JavaScript has, too. Other syntax of a literal is refused before
// anything runs (`CheckedText`).

const expressionClasses = {
  d: "\\p{Nd}", w: "\\p{Alphabetic}\\p{Mn}\\p{Nd}\\p{Pc}\\u200c\\u200d", s: "\\t-\\r\\x85\\p{Z}",
};
function unknownExpression(pattern) { return trap(`The regular expression ‘${pattern}’ is not understood here`); }
// One escape behind a backslash, inside of a class or not; how long it is, and what it is here.
function translatedEscape(pattern, at, isInClass) {
  const letter = pattern[at];
  if (letter === undefined) return unknownExpression(pattern);
  const name = expressionClasses[letter.toLowerCase()];
  if (name !== undefined) {
    if (letter === letter.toLowerCase()) return [1, isInClass ? name : `[${name}]`];
    return isInClass ? unknownExpression(pattern) : [1, `[^${name}]`];
  }
  if (letter === "b" && !isInClass) {
    const word = `[${expressionClasses.w}]`;
    return [1, `(?:(?<=${word})(?!${word})|(?<!${word})(?=${word}))`];
  }
  if ("tnrf".includes(letter) || /[1-9]/.test(letter) && !isInClass && !/\d/.test(pattern[at + 1] ?? "")) return [1, "\\" + letter];
  if (/[\x21-\x2f\x3a-\x40\x5b-\x60\x7b-\x7e]/.test(letter)) return [1, "-^$\\.*+?()[]{}|/".includes(letter) ? "\\" + letter : letter];
  const code = /^u([0-9A-Fa-f]{4})/.exec(pattern.substring(at));
  return code === null ? unknownExpression(pattern) : [5, `\\u{${code[1]}}`];
}
function translatedClass(pattern, start) {
  const found = /^\[(\^?)((?:\\[^]|[^\]\\])+)\]/.exec(pattern.substring(start));
  if (found === null || /\[|&&|--|~~/.test(found[2].replace(/\\[^]/g, ""))) return unknownExpression(pattern);
  let made = "[" + found[1];
  for (let i = 0; i < found[2].length;) {
    if (found[2][i] !== "\\") { made += /[()|/{}&~^]/.test(found[2][i]) ? "\\" + found[2][i] : found[2][i]; i += 1; continue; }
    const [length, text] = translatedEscape(found[2], i + 1, true);
    made += text;
    i += 1 + length;
  }
  return [found[0].length, made + "]"];
}
function translatedExpression(pattern) {
  const end = "(?=(?:\\r\\n|[\\n-\\r\\x85\\u2028\\u2029])?$)";
  let made = "";
  for (let i = 0; i < pattern.length;) {
    const letter = pattern[i], rest = pattern.substring(i);
    if (letter === "\\") { const [length, text] = translatedEscape(pattern, i + 1, false); made += text; i += 1 + length; }
    else if (letter === "[") { const [length, text] = translatedClass(pattern, i); made += text; i += length; }
    else if (letter === ".") { made += "[^\\n-\\r\\x85\\u2028\\u2029]"; i += 1; }
    else if (letter === "$") { made += end; i += 1; }
    else if (letter === "(" && rest[1] === "?") {
      const group = /^\(\?(?::|=|!)/.exec(rest);
      if (group === null) return unknownExpression(pattern);
      made += group[0]; i += group[0].length;
    } else if (/^[*+?}]\+/.test(rest) || letter === "]" || letter === "}" || letter === "{" && !/^\{\d+(?:,\d*)?\}(?!\+)/.test(rest)) return unknownExpression(pattern);
    else if (letter === "{") { const count = /^\{[^}]*\}/.exec(rest)[0]; made += count; i += count.length; }
    else { made += letter === "/" ? "\\/" : letter; i += 1; }
  }
  return made;
}
const expressions = new Map();
// `(?i)` at the start is an option.
function regularExpression(written, given) {
  const isOption = written.startsWith("(?i)"), pattern = isOption ? written.slice(4) : written, options = isOption ? given | CASE_INSENSITIVE : given;
  if ((options & ~(REGULAR_EXPRESSION | CASE_INSENSITIVE)) !== 0) return trap("These options of a regular expression are not understood here");
  if ((options & CASE_INSENSITIVE) !== 0 && nonASCII.test(pattern)) return unknownExpression(pattern);
  const flags = (options & CASE_INSENSITIVE) === 0 ? "gu" : "giu", known = expressions.get(flags + pattern);
  if (known !== undefined) { known.lastIndex = 0; return known; }
  let made;
  const translated = translatedExpression(pattern);
  try { made = new RegExp(translated, flags); } catch { return unknownExpression(pattern); }
  expressions.set(flags + pattern, made);
  return made;
}
// `NSRegularExpression`: the units that all matches in a part of a text, and their groups, begin and end at; −1 of a group that has none.
$.expression = (pattern, options = 0) => ({ pattern, options: options | REGULAR_EXPRESSION });
$.expressionMatches = (expression, text, from, to) => {
  if (from < 0 || from > to || to > text.length) trap("Range or index out of bounds");
  const part = text.substring(Number(from), Number(to)), found = [];
  checkCase(part, expression.pattern, expression.options);
  const { source, flags } = regularExpression(expression.pattern, expression.options), search = new RegExp(source, flags + "d");
  for (let match = search.exec(part); match !== null; match = search.exec(part)) {
    found.push(match.indices.flatMap(place => place === undefined ? [-1, -1] : [place[0] + Number(from), place[1] + Number(from)]));
    if (match[0] === "") search.lastIndex += (part.codePointAt(search.lastIndex) ?? 0) > 0xffff ? 2 : 1;
  }
  return found;
};
// `$1` is a group, a backslash stands before what is itself.
// Letters that are several ones where no notice is taken of case are not known here.
function checkCase(text, pattern, options) {
  if (((options & CASE_INSENSITIVE) !== 0 || pattern.startsWith("(?i)")) && /[ßẞŉǰẖ-ẚﬀ-ﬆſK]/.test(text) && /[a-z]/i.test(pattern)) trap("A letter that is another one, or several, in another case is not known here");
}
function replacedExpression(text, pattern, by, options) {
  checkCase(text, pattern, options);
  return text.replace(regularExpression(pattern, options), (...found) => {
    const groups = found.slice(0, found.findIndex(item => typeof item === "number"));
    return by.replace(/\\([^])|\$(\d)|[\\$]/g, (whole, plain, digit) => {
      if (plain !== undefined) return plain;
      if (digit === undefined || Number(digit) >= groups.length) return trap("The template of a regular expression is not understood here");
      return groups[Number(digit)] ?? "";
    });
  });
}
