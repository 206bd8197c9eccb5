// Texts: characters, their properties, searching and changing, as Swift and Foundation have them.

// MARK: Characters

const segmenter = typeof Intl === "object" && Intl.Segmenter !== undefined ? new Intl.Segmenter("en", { granularity: "grapheme" }) : null;
$.characters = text => {
  if (!nonASCII.test(text)) return text.includes("\r\n") ? text.match(/\r\n|[^]/g) ?? [] : text.split("");
  if (segmenter === null) trap("Characters beyond ASCII can't be told apart here");
  return Array.from(segmenter.segment(text), part => part.segment);
};
const notSingleUnits = /[^\x00-\x7f]|\r\n/;
$.count = text => notSingleUnits.test(text) ? $.characters(text).length : text.length;
$.firstCharacter = text => text === "" ? null : nonASCII.test(text) || text[0] === "\r" ? $.characters(text)[0] : text[0];
$.lastCharacter = text => text === "" ? null : $.last($.characters(text));
$.character = text => {
  if (text === "") trap("Can't form a Character from an empty String");
  return $.count(text) === 1 ? text : trap("Can't form a Character from a String containing more than one extended grapheme cluster");
};
$.characterAt = (text, index) => {
  if (index < 0 || index >= text.length) trap("String index is out of bounds");
  return $.firstCharacter(text.substring(index));
};
$.offsetIndex = (text, index, by) => {
  const start = Number(index), parts = $.characters(by >= 0 ? text.substring(start) : text.substring(0, start));
  if (Math.abs(by) > parts.length) trap("String index is out of bounds");
  return by >= 0 ? start + parts.slice(0, by).join("").length : parts.slice(0, parts.length + by).join("").length;
};
$.limitedIndex = (text, index, by, limit) => {
  const start = Number(index), step = by < 0 ? -1 : 1, parts = $.characters(by < 0 ? text.substring(0, start) : text.substring(start));
  let at = start;
  for (let i = 0; i < Math.abs(Number(by)); i++) {
    if (at === limit) return null;
    if (i >= parts.length) trap("String index is out of bounds");
    at += step * parts[by < 0 ? parts.length - 1 - i : i].length;
  }
  return at;
};
$.textIndices = text => { let at = 0; return $.characters(text).map(part => (at += part.length) - part.length); };
$.scalarOf = code => code < 0 || code > 0x10ffff || code >= 0xd800 && code < 0xe000 ? null : String.fromCodePoint(Number(code));
$.utf8 = text => Array.from(utf8(text));
$.utf16 = text => Array.from({ length: text.length }, (_, i) => text.charCodeAt(i));
// Characters with a numeric value that are no decimal digits: distances in base 36, with how many follow, and values. Those beyond the first
// plane are not known here, but for the Han characters, which JavaScript takes for letters.
let knownNumbers = null;
function wholeNumbers() {
  if (knownNumbers !== null) return knownNumbers;
  knownNumbers = new Map();
  let code = 0;
  for (const run of "4y+1:2 6:1 1ts:g dz:a 1:2s 1:rs 3q+3:0 1+2:1 6q:a 1:2s 1:rs 16f+9:1 1:k 1:u 1:14 1:1e 1:1o 1:1y 1:28 1:2i 1:2s 1:7ps oi+2:h 74+9:0 dd:1 1au:0 4+5:4 7+9:0 5y:1 1+b:1 1:1e 1:2s 1:dw 1:rs 1+b:1 1:1e 1:2s 1:dw 1:rs 1:rs 1:3uw 1:7ps 3:6 1:1e 1:12kw 1:255s 1:0 k7+j:1 1+j:1 1+j:1 27:0 1+9:b 1+9:1 1:0 hj+9:1 1+9:1 1+9:1 1o4:0 q+8:1 f:a 1:k 1:u 9k+3:1 3v+9:1 v:a 1:k 1:u 1:14 1:1e 1:1o 1:1y 1:28 2+e:l x+9:1 14+e:10 92:5 3i:2 pz:5 mb:7 3oz:1 3:7 4:7ps 2:3 r:2 1l:9 1b:2 8:5 2:4 m:2qgpckvng1s j:1njchs 1:a v:rs 9:3 11:5 2r:2s 3d:2 t:2 72:1njchs 1u:cre66i9s z:2 2:8 2:6 d0:a 2:rs 1:k 1:u 7:14 39:3 1:3 1:3 1:3 lz:4 eu:1 8:1 135:1 3o:9 1:k d+2:1 2:2 qo:7 1a:a 26:8 w6:7 11o:0 dk:7 wg:9 ko:2s n:5k ns:gjdgxs 1ax:4 py:7ps 1oi:2 5:2 3h:2 ym:9 ij:9 ag:rs 11:6 6:2s 18:6 3i:0 35c+8:1 1:0 gak:3 8:a 5:2 1m:0 v:6 2:6 16:a 7jv:1 1:1 1s:1 c2:2 68:1 2:3 3w:2 17jc:7 2r:4 3i:4 1r:5 1l5:1 2h:u 9:14 g:14 9a:6 j:3 s:3 4tz:2 16w:3 3gj:3 7rm:4 tnn:9".split(" ")) {
    const [distance, more, value] = /^(\w+)(?:\+(\w+))?:(\w+)$/.exec(run).slice(1).map(digits => parseInt(digits ?? "0", 36));
    code += distance;
    for (let i = 0; i <= more; i++) knownNumbers.set(code + i, value + i);
    code += more;
  }
  return knownNumbers;
}
$.isNumberCharacter = text => /^\p{N}/u.test(text) || wholeNumbers().has(text.codePointAt(0));
$.digitValue = text => {
  const code = text.codePointAt(0);
  if (text.length > (code > 0xffff ? 2 : 1)) return null;
  if (code < 128) return code >= 48 && code <= 57 ? code - 48 : null;
  if (/\p{Nd}/u.test(text)) {
    let zero = code;
    while (/\p{Nd}/u.test(String.fromCodePoint(zero - 1))) zero -= 1;
    return (code - zero) % 10;
  }
  return wholeNumbers().get(code) ?? (code > 0xffff && /\p{N}/u.test(text) ? trap("The value of this digit is not known here") : null);
};
$.hexDigitValue = text => {
  const digit = /^[\uff10-\uff19\uff21-\uff26\uff41-\uff46]$/.test(text) ? String.fromCharCode(text.charCodeAt(0) - 0xfee0) : text;
  return /^[0-9a-fA-F]$/.test(digit) ? parseInt(digit, 16) : null;
};
$.asciiValue = text => text === "\r\n" ? 10 : text.length === 1 && text < "\x80" ? text.charCodeAt(0) : null;
$.ascii = letter => $.asciiValue(letter) ?? trap("Code point value does not fit into ASCII");
$.isLetter = text => /^\p{Alphabetic}/u.test(text);
$.isWhitespace = text => /^\p{White_Space}/u.test(text);
$.isNewline = text => /^[\n\r\v\f\x85\u2028\u2029]/.test(text);
$.isPunctuation = text => /^\p{P}/u.test(text);
$.isSymbol = text => /^\p{S}/u.test(text);
$.isMathSymbol = text => /^\p{Math}/u.test(text);
$.isCurrencySymbol = text => /^\p{Sc}/u.test(text);
$.isCased = text => /^\p{Cased}$/u.test(text) || $.uppercased(text) !== text || $.lowercased(text) !== text;
$.isUppercase = text => /^\p{Uppercase}$/u.test(text) || $.uppercased(text) === text && $.isCased(text);
$.isLowercase = text => /^\p{Lowercase}$/u.test(text) || $.lowercased(text) === text && $.isCased(text);

// MARK: Capitals

// Letters with two cases that Swift knows and the engine does not: a lower one, its distance to the capital, and how many follow.
let knownCases = null;
function newCases() {
  if (knownCases !== null) return knownCases;
  knownCases = new Map();
  for (const [lower, distance, more] of [[0x19b, 0xa641, 0], [0x264, 0xa567, 0], [0x1c8a, -1, 0], [0xa7cd, -1, 0], [0xa7cf, -1, 0],
    [0xa7d3, -1, 0], [0xa7d5, -1, 0], [0xa7db, -1, 0], [0x10d70, -32, 21], [0x16ebb, -27, 24]]) {
    for (let code = lower; code <= lower + more; code++) {
      knownCases.set(String.fromCodePoint(code), String.fromCodePoint(code + distance));
      knownCases.set(String.fromCodePoint(code + distance), String.fromCodePoint(code));
    }
  }
  return knownCases;
}
const newLower = /[\u019b\u0264\u1c8a\ua7cd\ua7cf\ua7d3\ua7d5\ua7db\u{10d70}-\u{10d85}\u{16ebb}-\u{16ed3}]/gu;
const newUpper = /[\ua7dc\ua7cb\u1c89\ua7cc\ua7ce\ua7d2\ua7d4\ua7da\u{10d50}-\u{10d65}\u{16ea0}-\u{16eb8}]/gu;
$.uppercased = text => nonASCII.test(text) ? text.toUpperCase().replace(newLower, letter => newCases().get(letter)) : text.toUpperCase();
// Swift's sigma has one form, wherever it stands.
$.lowercased = text => nonASCII.test(text)
  ? text.split("Σ").map(part => part.toLowerCase()).join("σ").replace(newUpper, letter => newCases().get(letter)) : text.toLowerCase();
// Foundation's has another form at the end of a word.
$.localizedLowercased = text => nonASCII.test(text) ? text.toLowerCase().replace(newUpper, letter => newCases().get(letter)) : text.toLowerCase();
const titles = { "ǆ": "ǅ", "ǉ": "ǈ", "ǌ": "ǋ", "ǳ": "ǲ" };
function titled(letter) {
  if (letter < "\x80") return letter.toUpperCase();
  if (titles[letter] !== undefined) return titles[letter];
  if (!/\p{Ll}/u.test(letter) || /[\u10d0-\u10ff]/.test(letter)) return letter;
  const upper = $.uppercased(letter), scalars = Array.from(upper);
  if (scalars.length === 1 || letter === "ŉ") return upper;
  // An iota that was below the letter stays there.
  if (/[\u1f80-\u1fff]/.test(letter) && upper.endsWith("Ι")) {
    const below = upper.slice(0, -1) + "\u0345";
    return below.length === 2 ? below.normalize() : below;
  }
  return scalars[0] + $.lowercased(scalars.slice(1).join(""));
}
$.capitalized = text => {
  let made = "", isInside = false;
  for (const scalar of text) {
    if (/[\p{Lu}\p{Ll}\p{Lt}]/u.test(scalar)) { made += isInside ? $.lowercased(scalar) : titled(scalar); isInside = true; }
    else { made += scalar; isInside = isInside && /['’\p{Mn}\p{Me}\p{Cf}\p{Lm}\p{Sk}]/u.test(scalar); }
  }
  return made;
};

// MARK: Sets of characters

let knownSets = null;
function sets() {
  if (knownSets !== null) return knownSets;
  // Characters that Foundation's sets do not know yet.
  const unknownToFoundation = /[\u088f\u0897\u09ff\u0b53-\u0b54\u0c5c\u0cdc\u1acf-\u1add\u1ae0-\u1aeb\u1b4e-\u1b4f\u1b7f\u1c89-\u1c8a\u20c1\u2427-\u2429\u2b96\u2ffc-\u2fff\u31e4-\u31e5\u31ef\ua7cb-\ua7cf\ua7d2\ua7d4\ua7da-\ua7dc\ua7f1\ufbc3-\ufbd2\ufd90-\ufd91\ufdc8-\ufdce\u{105c0}-\u{105f3}\u{10940}-\u{10959}\u{10d40}-\u{10d65}\u{10d69}-\u{10d85}\u{10d8e}-\u{10d8f}\u{10ec2}-\u{10ec7}\u{10ed0}-\u{10ed8}\u{10efa}-\u{10efc}\u{11380}-\u{11389}\u{1138b}\u{1138e}\u{11390}-\u{113b5}\u{113b7}-\u{113c0}\u{113c2}\u{113c5}\u{113c7}-\u{113ca}\u{113cc}-\u{113d5}\u{113d7}-\u{113d8}\u{113e1}-\u{113e2}\u{116d0}-\u{116e3}\u{11b60}-\u{11b67}\u{11bc0}-\u{11be1}\u{11bf0}-\u{11bf9}\u{11db0}-\u{11ddb}\u{11de0}-\u{11de9}\u{11f5a}\u{13460}-\u{143fa}\u{16100}-\u{16139}\u{16d40}-\u{16d79}\u{16d80}-\u{16d9d}\u{16da0}-\u{16da9}\u{16ea0}-\u{16eb8}\u{16ebb}-\u{16ed3}\u{16ff2}-\u{16ff6}\u{17000}-\u{187ff}\u{18cff}-\u{18d1e}\u{18d80}-\u{18df2}\u{1cc00}-\u{1ccfc}\u{1cd00}-\u{1ceb3}\u{1ceba}-\u{1ced0}\u{1cee0}-\u{1cef0}\u{1e5d0}-\u{1e5fa}\u{1e5ff}\u{1e6c0}-\u{1e6de}\u{1e6e0}-\u{1e6f5}\u{1e6fe}-\u{1e6ff}\u{1f6d8}\u{1f777}-\u{1f77a}\u{1f8b2}-\u{1f8bb}\u{1f8c0}-\u{1f8c1}\u{1f8d0}-\u{1f8d8}\u{1fa54}-\u{1fa57}\u{1fa89}-\u{1fa8a}\u{1fa8e}-\u{1fa8f}\u{1fabe}\u{1fac6}\u{1fac8}\u{1facd}\u{1fadc}-\u{1fadd}\u{1fadf}\u{1fae9}-\u{1faea}\u{1faef}\u{1fbcb}-\u{1fbef}\u{1fbfa}\u{2b73a}-\u{2b73f}\u{2cea2}-\u{2cead}\u{2ebf0}-\u{2ee5d}\u{323b0}-\u{33479}]/u;
  function setOf(pattern) { return { test: scalar => pattern.test(scalar) && !unknownToFoundation.test(scalar) }; }
  knownSets = {
    whitespaces: /[\t\p{Zs}\u200b]/u, newlines: /[\n-\r\x85\u2028\u2029]/u, whitespacesAndNewlines: /[\t-\r\x85\u2028\u2029\p{Zs}\u200b]/u,
    decimalDigits: setOf(/\p{Nd}/u), letters: setOf(/[\p{L}\p{M}]/u), alphanumerics: setOf(/[\p{L}\p{M}\p{N}]/u),
    punctuationCharacters: setOf(/\p{P}/u), symbols: setOf(/\p{S}/u), uppercaseLetters: setOf(/[\p{Lu}\p{Lt}]/u),
    lowercaseLetters: setOf(/[\p{Ll}\u0295]/u), capitalizedLetters: /\p{Lt}/u, nonBaseCharacters: setOf(/\p{M}/u),
  };
  // The characters that the parts of a URL may have (RFC 3986).
  knownSets.urlQueryAllowed = /[!$&-;=?-Z_a-z~@]/; knownSets.urlFragmentAllowed = knownSets.urlQueryAllowed;
  knownSets.urlPathAllowed = /[!$&-:=@-Z_a-z~]/; knownSets.urlHostAllowed = /[!$&-.0-9:;=A-[\]_a-z~]/;
  // Those two have other ones when texts are encoded.
  knownSets.urlPathAllowed.encoding = /[!$&-:=@-Z_a-z~]/; knownSets.urlHostAllowed.encoding = /[!$&-.0-9;=A-Z_a-z~]/;
  knownSets.urlUserAllowed = knownSets.urlPasswordAllowed = /[!$&-.0-9;=A-Z_a-z~]/;
  return knownSets;
}
$.characterSet = name => sets()[name];
// Foundation's forgets scalars beyond the first plane beside others.
$.characterSetOf = text => { const all = new Set(text.match(/[\u0000-\ud7ff\ue000-\uffff]/gu) ?? text); return { test: scalar => all.has(scalar) }; };
$.invertedSet = set => ({ test: scalar => !set.test(scalar) });
$.setUnion = (set, other) => ({ test: scalar => set.test(scalar) || other.test(scalar) });
$.setSubtracting = (set, other) => ({ test: scalar => set.test(scalar) && !other.test(scalar) });
$.setContains = (set, scalar) => set.test(scalar);
$.setTexts = (set, text) => $.setUnion(set, $.characterSetOf(text));
$.trimmed = (text, set) => {
  // Foundation looks at units of UTF-16: half a surrogate is in no set.
  const isIn = unit => (unit < "\ud800" || unit > "\udfff") && set.test(unit);
  let start = 0, end = text.length;
  while (start < end && isIn(text[start])) start++;
  while (end > start && isIn(text[end - 1])) end--;
  return text.substring(start, end);
};
$.componentsByAny = (text, set) => {
  const parts = [""];
  for (const scalar of text) if (set.test(scalar)) parts.push(""); else parts[parts.length - 1] += scalar;
  return parts;
};
$.rangeOfSet = (text, set) => {
  let at = 0;
  for (const scalar of text) { if (set.test(scalar)) return [at, at + scalar.length]; at += scalar.length; }
  return null;
};
$.percentEncoded = (text, set) => {
  const allowed = set.encoding ?? set;
  // A colon in the first part of a path would end a scheme.
  const first = set === sets().urlPathAllowed ? /^[^/]*/.exec(text)[0].length : 0;
  let made = "", at = 0;
  for (const scalar of text) {
    at += scalar.length;
    if (scalar < "\x80" && allowed.test(scalar) && (scalar !== ":" || at > first)) made += scalar;
    else for (const byte of utf8(scalar)) made += "%" + byte.toString(16).toUpperCase().padStart(2, "0");
  }
  return made;
};
$.percentDecoded = text => { try { return decodeURIComponent(text).replace(/^\ufeff/, ""); } catch { return null; } };

// MARK: Parts of texts

// A part of a text or of a part of it, from one place to another of its own text.
$.partOf = (text, from, to) => {
  const part = $.part(text), own = part.text, start = typeof from === "function" ? from(own) : from, end = to === undefined ? own.length : to(own);
  return new Part(part.whole, part.from + start, part.from + end);
};
$.inPart = (part, find) => { const at = find(part.text); return at === null ? null : part.from + at; };
$.rangeInPart = (part, find) => { const range = find(part.text); return range === null ? null : [part.from + range[0], part.from + range[1]]; };
function insidePart(part, index) { if (index < part.from || index > part.to) trap("String index is out of bounds"); return Number(index) - part.from; }
$.partCharacterAt = (part, index) => { if (index >= part.to) trap("String index is out of bounds"); return $.firstCharacter(part.text.substring(insidePart(part, index))); };
$.partOffset = (part, index, by) => part.from + $.offsetIndex(part.text, insidePart(part, index), by);
$.partLimited = (part, index, by, limit) => { const at = $.limitedIndex(part.text, insidePart(part, index), by, Number(limit) - part.from); return at === null ? null : part.from + at; };
$.partIndices = part => $.textIndices(part.text).map(index => part.from + index);
$.textDistance = (text, from, to) => {
  const part = $.part(text), start = insidePart(part, from), end = insidePart(part, to);
  return start <= end ? $.count(part.text.substring(start, end)) : -$.count(part.text.substring(end, start)) + 0;
};
$.partWithoutFirst = (part, count) => $.partOf(part, text => text.length - $.withoutSome(text, count, 1, "contains").length);
$.partWithoutLast = (part, count) => $.partOf(part, 0, text => $.withoutSome(text, count, -1).length);
function takenFromPart(place, letter, rest, what) { if (letter === null) trap(`Can't remove ${what} from an empty collection`); place.v = rest(place.v, 1); return letter; }
$.partTakenFirst = place => takenFromPart(place, $.firstCharacter(place.v.text), $.partWithoutFirst, "items");
$.partTakenLast = place => takenFromPart(place, $.lastCharacter(place.v.text), $.partWithoutLast, "last element");
$.partPoppedFirst = place => place.v.from === place.v.to ? null : $.partTakenFirst(place);
$.partPoppedLast = place => place.v.from === place.v.to ? null : $.partTakenLast(place);

$.textPrefix = (text, count) => notSingleUnits.test(text) ? $.characters(text).slice(0, countOf(count, "prefix")).join("") : text.substring(0, countOf(count, "prefix"));
$.textSuffix = (text, count) => $.arraySuffix($.characters(text), count).join("");
$.textDropFirst = (text, count = 1) => $.arrayDropFirst($.characters(text), count).join("");
$.textDropLast = (text, count = 1) => $.arrayDropLast($.characters(text), count).join("");
$.replacedRange = (text, range, closed, by) => {
  $.sliceRange(text, range, closed);
  return text.substring(0, Number(range[0])) + by + text.substring(closed ? $.offsetIndex(text, range[1], 1) : Number(range[1]));
};
$.withoutSome = (text, count, side, all = side > 0 ? "has" : "contains") => {
  const parts = $.characters(text), some = removedCount(count, parts.length, all);
  return (side > 0 ? parts.slice(some) : parts.slice(0, parts.length - some)).join("");
};
// A character that is taken out of the text in a place.
$.takenAt = (place, index) => {
  const text = place.v, letter = $.characterAt(text, index);
  place.v = text.substring(0, Number(index)) + text.substring(Number(index) + letter.length);
  return letter;
};
$.takenFirst = place => place.v === "" ? trap("Can't remove first element from an empty collection") : $.takenAt(place, 0);
$.takenLast = place => place.v === "" ? trap("Can't remove last element from an empty collection") : $.takenAt(place, place.v.length - $.lastCharacter(place.v).length);
$.poppedLast = place => place.v === "" ? null : $.takenLast(place);
$.inserted = (text, part, at) => at > text.length ? trap("String index is out of bounds") : text.substring(0, Number(at)) + part + text.substring(Number(at));
$.repeated = (text, count) => { if (count < 0) trap("Negative count not allowed"); return text.repeat(count); };
// By units of UTF-16, of which half a surrogate is no text.
$.padded = (text, length, pad, start) => {
  if (length < 0) trap("Range or index out of bounds");
  if (length > text.length && (pad === "" || start < 0 || start >= pad.length)) trap("The pad has no character there");
  let made = text.substring(0, length);
  for (let i = Number(start); made.length < length; i = (i + 1) % pad.length) made += pad[i];
  return made.toWellFormed();
};
$.leadingInteger = (text, type) => { const found = /^\s*([+-]?)\s*(\d+)/.exec(text); return found === null ? 0 : $.clamped(BigInt(found[1] === "-" ? -BigInt(found[2]) : found[2]), type); };
$.leadingBool = text => /^\s*[+-]?0*[tTyY1-9]/.test(text);
$.leadingDouble = text => {
  const found = /^[\t\p{Zs}]*([+-]?(?:\d+\.?\d*|\.\d+))(?:[eE]([+-]?\d+)?)?/u.exec(text);
  // An exponent without digits makes it no number.
  if (found === null || found[2] === undefined && /[eE]$/.test(found[0])) return 0;
  return Number(found[2] === undefined ? found[1] : `${found[1]}e${found[2]}`);
};
$.lastPathComponent = path => { const parts = path.split("/").filter(part => part !== ""); return parts.length === 0 ? (path === "" ? "" : "/") : parts[parts.length - 1]; };
$.pathExtension = path => { const name = $.lastPathComponent(path), dot = name.lastIndexOf("."); return dot <= 0 || dot === name.length - 1 ? "" : name.substring(dot + 1); };
$.deletingPathExtension = path => { const extension = $.pathExtension(path), plain = plainPath(path); return extension === "" ? plain : plain.substring(0, plain.length - extension.length - 1); };
$.appendingPathComponent = (path, part) => path === "" ? part : part === "" ? path.replace(/(.)\/$/, "$1") : path.replace(/\/$/, "") + "/" + part.replace(/^\//, "");

// MARK: Parts by ranges, and by units

$.rangeWithin = (text, range, find) => {
  if (range === null || range === undefined) return find(text);
  const found = find($.sliceRange(text, range, false).text);
  return found === null ? null : [Number(range[0]) + found[0], Number(range[0]) + found[1]];
};
$.replacedWithin = (text, range, replace) =>
  range === null || range === undefined ? replace(text) : $.replacedRange(text, range, false, replace($.sliceRange(text, range, false).text));
$.moveIndex = (text, place, by) => { place.v = $.offsetIndex(text, place.v, by); };
// The text that is made of a part by a change is a whole of its own.
$.partPlus = (part, more) => new Part(part.whole.substring(0, part.to) + more, part.from, part.to + more.length);
$.unitsOf = (text, from, to = text.length) => from < 0 || to > text.length || from > to ? trap("Range or index out of bounds") : text.substring(Number(from), Number(to)).toWellFormed();
$.unitAt = (text, index) => index < 0 || index >= text.length ? trap("Index out of bounds") : text.charCodeAt(Number(index));
$.enumerateLines = (text, each) => {
  const lines = text.split(/\r\n|[\n\r\x85\u2028\u2029]/), stop = { v: false };
  if (lines[lines.length - 1] === "") lines.pop();
  for (let i = 0; i < lines.length && !stop.v; i++) each(lines[i], stop);
};
$.deletingLastPathComponent = path => {
  const plain = plainPath(path), slash = plain.lastIndexOf("/");
  return plain === "/" || slash === 0 ? "/" : plain.substring(0, Math.max(slash, 0));
};
// A path without the slashes that say nothing.
function plainPath(path) { return /^\/+$/.test(path) ? "/" : path.replace(/\/+/g, "/").replace(/\/$/, ""); }
$.pathComponents = path => {
  const parts = path.split("/").filter(part => part !== "");
  return (path[0] === "/" ? ["/"] : []).concat(parts, parts.length > 0 && path.endsWith("/") ? ["/"] : []);
};
$.appendingPathExtension = (path, extension) => path === "" || plainPath(path) === "/" || extension === "" || extension.includes("/") ? trap("The result for this path is not known here") : plainPath(path) + "." + extension;
