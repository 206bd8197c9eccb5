// Searching: Swift compares whole characters, Foundation scalars after decomposition.

// MARK: By characters

function composed(text) { return nonASCII.test(text) ? $.characters(text).map(item => item.normalize()) : $.characters(text); }
// Whether the start of one list of characters, from an index on, is the other list.
function continues(whole, part, from) {
  if (from + part.length > whole.length) return false;
  for (let i = 0; i < part.length; i++) if (whole[from + i] !== part[i]) return false;
  return true;
}
$.hasPrefix = (text, start) => {
  if (!notSingleUnits.test(text) && !nonASCII.test(start)) return text.startsWith(start);
  return continues(composed(text), composed(start), 0);
};
$.hasSuffix = (text, end) => {
  if (!notSingleUnits.test(text) && !nonASCII.test(end)) return text.endsWith(end);
  const whole = composed(text), part = composed(end);
  return part.length <= whole.length && continues(whole, part, whole.length - part.length);
};
$.containsCharacter = (text, character) => $.characters(text).some(item => $.sameText(item, character));
$.indexOfCharacter = (text, character) => $.indexOfCharacterWhere(text, part => $.sameText(part, character));
$.lastIndexOfCharacter = (text, character) => $.lastIndexOfCharacterWhere(text, part => $.sameText(part, character));
$.indexOfCharacterWhere = (text, test) => {
  let at = 0;
  for (const part of $.characters(text)) { if (test(part)) return at; at += part.length; }
  return null;
};
$.lastIndexOfCharacterWhere = (text, test) => {
  const parts = $.characters(text);
  let at = text.length;
  for (let i = parts.length - 1; i >= 0; i--) { at -= parts[i].length; if (test(parts[i])) return at; }
  return null;
};
// The parts of a text between the places where a separator of some characters stands.
function cut(text, separator, most, omits, pieces) {
  const characters = $.characters(text), whole = composed(text), part = composed(separator), parts = [];
  const piece = pieces ?? ((from, to) => characters.slice(from, to).join(""));
  let start = 0, splits = 0;
  for (let i = 0; i < whole.length + (part.length === 0 ? 1 : 0) && splits < most;) {
    if (!continues(whole, part, i)) { i += 1; continue; }
    if (i > start || !omits) { parts.push(piece(start, i)); splits += 1; }
    start = i + part.length;
    // Nothing stands between all characters.
    i += Math.max(part.length, 1);
  }
  if (start < characters.length || !omits) parts.push(piece(start, characters.length));
  return parts;
}
// Parts of a text between characters.
function pieces(text) {
  const part = $.part(text), ends = [part.from];
  for (const letter of $.characters(part.text)) ends.push(ends[ends.length - 1] + letter.length);
  return (from, to) => new Part(part.whole, ends[from], ends[to]);
}
$.components = (text, separator) => separator === "" ? [text] : cut(text, separator, Infinity, false);
$.split = (text, separator, most = Infinity, omits = true) => cut($.part(text).text, separator, Number(most), omits, pieces(text));
$.splitWhere = (text, test, most = Infinity, omits = true) => {
  const characters = $.characters($.part(text).text), parts = [], piece = pieces(text);
  let start = 0, splits = 0;
  for (let i = 0; i < characters.length && splits < most; i++) {
    if (!test(characters[i])) continue;
    if (i > start || !omits) { parts.push(piece(start, i)); splits += 1; }
    start = i + 1;
  }
  if (start < characters.length || !omits) parts.push(piece(start, characters.length));
  return parts;
};
$.replacing = (text, part, by) => part === "" ? by + $.characters(text).map(item => item + by).join("") : cut(text, part, Infinity, false).join(by);

// MARK: By scalars

const CASE_INSENSITIVE = 1, LITERAL = 2, BACKWARDS = 4, ANCHORED = 8, NUMERIC = 64, DIACRITIC_INSENSITIVE = 128, REGULAR_EXPRESSION = 1024;
// A text as it is compared: two scalars are the same where this is.
function folded(text, options) {
  if ((options & CASE_INSENSITIVE) !== 0) text = nonASCII.test(text) ? Array.from(text, scalar => scalar === "ı" ? scalar : $.lowercased($.uppercased(scalar))).join("") : text.toLowerCase();
  if (nonASCII.test(text)) text = text.normalize("NFD");
  return (options & DIACRITIC_INSENSITIVE) !== 0 ? text.replace(/(?<=[\u0000-\u050f])\p{Mn}+/gu, "") : text;
}
// `folding(options:)`: letters without their marks, up to the Cyrillic ones, and without notice of their case.
$.foldedText = (text, options) => {
  if ((options & ~(CASE_INSENSITIVE | DIACRITIC_INSENSITIVE)) !== 0) trap("These options of a folding are not understood here");
  if (!nonASCII.test(text)) return (options & CASE_INSENSITIVE) !== 0 ? text.toLowerCase() : text;
  if ((options & DIACRITIC_INSENSITIVE) !== 0) {
    text = withoutMarks(Array.from(text, scalar => { const parts = scalar.normalize("NFD"); return parts !== scalar && parts[0] < "\u0510" ? withoutMarks(parts) : scalar; }).join(""));
  }
  return (options & CASE_INSENSITIVE) !== 0 ? Array.from(text, unlike).join("") : text;
};
// A scalar without its case, as Foundation's tables have it.
function unlike(scalar) { return scalar === "ı" || scalar >= "\u1c80" && scalar <= "\u1c8a" ? scalar : scalar === "ẞ" ? "ss" : scalar.toUpperCase().toLowerCase(); }
function withoutMarks(text) { return text.replace(/(?<=[\u0000-\u050f])\p{Grapheme_Extend}+/gu, ""); }
// Whether what is found ends inside of what belongs together.
function isInside(text, end) {
  const next = String.fromCodePoint(text.codePointAt(end));
  if (next < "\x80") return false;
  if (/[\p{M}\p{EMod}]/u.test(next)) return true;
  return (/[\u200d\u034f\u094d\u09cd\u0a4d\u0acd\u0b4d\u0bcd\u0c4d\u0ccd\u0d4d\u0dca\u0e3a\u0f84\u1039\u17d2]/.test(text[end - 1]) || /[\u1160-\u11ff]/.test(next)) &&
    !characterEnds(text).has(end);
}
function characterEnds(text) {
  const ends = new Set();
  let end = 0;
  for (const part of $.characters(text)) ends.add(end += part.length);
  return ends;
}
// Where a match that begins at an index ends; −1 where there is none.
function matchEnd(text, wanted, start, options) {
  if (text.charCodeAt(start) >= 0xdc00 && text.charCodeAt(start) < 0xe000 && start > 0) return -1;
  let length = 0, end = start;
  while (end < text.length && length < wanted.length) {
    const scalar = String.fromCodePoint(text.codePointAt(end));
    length += folded(scalar, options).length;
    end += scalar.length;
  }
  if (length < wanted.length) return -1;
  if ((options & DIACRITIC_INSENSITIVE) !== 0) while (end < text.length && /^\p{Mn}/u.test(text.substring(end)) && text[end - 1] < "\u0510") end += 1;
  return folded(text.substring(start, end), options) === wanted && ((options & DIACRITIC_INSENSITIVE) !== 0 || end === text.length || !isInside(text, end)) ? end : -1;
}
function findLiteral(text, part, options, from) {
  let at;
  if ((options & ANCHORED) !== 0) {
    at = (options & BACKWARDS) !== 0 ? text.length - part.length : from;
    if (!text.startsWith(part, at) || at < from) return null;
  } else at = (options & BACKWARDS) !== 0 ? text.lastIndexOf(part) : text.indexOf(part, from);
  return at < from ? null : [at, at + part.length];
}
function find(text, part, options = 0, from = 0) {
  if (part === "") return null;
  if ((options & LITERAL) !== 0 && (options & ~(LITERAL | BACKWARDS | ANCHORED)) === 0) return findLiteral(text, part, options, from);
  if (!nonASCII.test(text) && !nonASCII.test(part)) {
    return (options & CASE_INSENSITIVE) !== 0 ? findLiteral(text.toLowerCase(), part.toLowerCase(), options, from) : findLiteral(text, part, options, from);
  }
  const wanted = folded(part, options), isBackwards = (options & BACKWARDS) !== 0, isAnchored = (options & ANCHORED) !== 0;
  for (let i = isBackwards ? text.length - 1 : from; i >= from && i < text.length; i += isBackwards ? -1 : 1) {
    const end = matchEnd(text, wanted, i, options);
    if (end >= 0 && !(isAnchored && isBackwards && end !== text.length)) return [i, end];
    if (isAnchored && !isBackwards) return null;
  }
  return null;
}
$.rangeOfText = (text, part, options = 0) => {
  if ((options & REGULAR_EXPRESSION) === 0) return find(text, part, options);
  checkCase(text, part, options);
  const found = regularExpression(part, options).exec(text);
  return found === null ? null : [found.index, found.index + found[0].length];
};
$.containsText = (text, part, options = 0) => $.rangeOfText(text, part, options) !== null;
$.replaced = (text, part, by, options = 0) => {
  if ((options & REGULAR_EXPRESSION) !== 0) return replacedExpression(text, part, by, options);
  const found = [];
  if ((options & BACKWARDS) !== 0) {
    for (let rest = text, range; (range = find(rest, part, options)) !== null; rest = rest.substring(0, range[0])) found.unshift(range);
  } else for (let start = 0, range; (range = find(text, part, options, start)) !== null; start = range[1]) found.push(range);
  let made = "", end = 0;
  for (const range of found) { made += text.substring(end, range[0]) + by; end = range[1]; }
  return made + text.substring(end);
};
const collators = {};
const UNORDERED_ZEROS = "The order of numbers with zeros before them is not known here";
// By the order of English dictionaries: `localizedCompare` and its like.
$.collated = (a, b, kind) => {
  const options = { plain: {}, insensitive: { sensitivity: "accent" }, standard: { numeric: true } }[kind];
  const order = Math.sign((collators[kind] ??= new Intl.Collator("en", options)).compare(a, b));
  if (order !== 0 || a === b) return order;
  if (kind === "standard") {
    if (/\d/.test(a) && a.normalize() !== b.normalize()) trap(UNORDERED_ZEROS);
    return scalarOrder(a, b);
  }
  return /(?![\t\n\r])[\p{Cc}\p{Cf}]/u.test(a + b) ? trap("The order of texts with invisible characters is not known here") : 0;
};
// Digits at the same place count as the number that they are.
function comparedByNumbers(left, right) {
  let i = 0, j = 0;
  while (i < left.length && j < right.length) {
    const a = /^\d+/.exec(left.substring(i))?.[0], b = /^\d+/.exec(right.substring(j))?.[0];
    if (a === undefined || b === undefined) {
      if (left[i] !== right[j]) return scalarOrder(left.substring(i), right.substring(j));
      i += 1; j += 1;
      continue;
    }
    if (BigInt(a) !== BigInt(b)) return BigInt(a) < BigInt(b) ? -1 : 1;
    if (a.length !== b.length) trap(UNORDERED_ZEROS);
    i += a.length; j += b.length;
  }
  return i < left.length ? 1 : j < right.length ? -1 : 0;
}
// By the scalars of the decomposed texts.
$.compareTexts = (a, b, options = 0) => {
  const left = folded(a, options), right = folded(b, options);
  if ((options & NUMERIC) !== 0 && /\d/.test(left) && /\d/.test(right)) return comparedByNumbers(left, right);
  return left === right ? 0 : scalarOrder(left, right);
};
