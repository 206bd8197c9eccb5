// JSON: what JSONSerialization, JSONDecoder and JSONEncoder read and write.
//
// A text is a tree in between: null, true and false, texts, arrays, Maps for objects, and numbers as they are written.

class JSONNumber { constructor(text) { this.text = text; } }
class NotJSON extends Error {}

// As RFC 8259 has it, with the comma behind the last element that Foundation lets pass; `Thrown` where it is none.
// Of the members of one name the last counts, or the first where it is kept.
function parseJSON(bytes, allowsFragments, keepsFirst) {
  const text = $.textOf(bytes);
  let at = 0;
  if (text === null) throw new NotJSON();
  const space = /[ \t\r\n]*/y, number = /-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?/y, plain = /[^"\\\x00-\x1f]*/y;
  const escapes = { "\"": "\"", "\\": "\\", "/": "/", b: "\b", f: "\f", n: "\n", r: "\r", t: "\t" };
  function take(pattern) { pattern.lastIndex = at; const found = pattern.exec(text)[0]; at += found.length; return found; }
  function skip() { take(space); return text[at]; }
  function string() {
    let made = "";
    for (at += 1; ;) {
      made += take(plain);
      if (text[at] === "\"") { at += 1; break; }
      if (text[at] !== "\\") throw new NotJSON();
      const letter = text[at + 1];
      at += 2;
      if (letter === "u") {
        const digits = text.substring(at, at + 4);
        if (!/^[0-9a-fA-F]{4}$/.test(digits)) throw new NotJSON();
        made += String.fromCharCode(parseInt(digits, 16));
        at += 4;
      } else if (letter !== undefined && Object.hasOwn(escapes, letter)) made += escapes[letter];
      else throw new NotJSON();
    }
    // Half a surrogate is no text.
    if (/[\ud800-\udfff]/u.test(made)) throw new NotJSON();
    return made;
  }
  function value(depth) {
    if (depth > 512) throw new NotJSON();
    const first = skip();
    if (first === "\"") return string();
    if (first === "{") {
      const members = new Map();
      at += 1;
      while (skip() !== "}") {
        if (text[at] !== "\"") throw new NotJSON();
        const name = string();
        if (skip() !== ":") throw new NotJSON();
        at += 1;
        const member = value(depth + 1);
        if (!keepsFirst || !members.has(name)) members.set(name, member);
        if (skip() === ",") at += 1; else if (text[at] !== "}") throw new NotJSON();
      }
      at += 1;
      return members;
    }
    if (first === "[") {
      const items = [];
      at += 1;
      while (skip() !== "]") {
        items.push(value(depth + 1));
        if (skip() === ",") at += 1; else if (text[at] !== "]") throw new NotJSON();
      }
      at += 1;
      return items;
    }
    for (const [word, meaning] of [["true", true], ["false", false], ["null", null]]) {
      if (text.startsWith(word, at)) { at += word.length; return meaning; }
    }
    if (first === undefined || !/[-0-9]/.test(first)) throw new NotJSON();
    number.lastIndex = at;
    const found = number.exec(text);
    if (found === null || !Number.isFinite(Number(found[0]))) throw new NotJSON();
    at += found[0].length;
    return new JSONNumber(found[0]);
  }
  if (text.startsWith("\ufeff")) at = 1;
  const whole = value(0);
  if (skip() !== undefined || !allowsFragments && !Array.isArray(whole) && !(whole instanceof Map)) throw new NotJSON();
  return whole;
}

// A number as it is written: an integer where it is one, a floating number otherwise; undefined where no type holds it exactly.
function integerOf(number) {
  if (/^-?[0-9]+$/.test(number.text)) {
    const big = BigInt(number.text);
    return big >= LONG_MIN && big < 2n ** 64n ? plain(big) : undefined;
  }
  const near = Number(number.text);
  return Number.isSafeInteger(near) ? near : undefined;
}

const JSON_FRAGMENTS = 4, JSON_PRETTY = 1, JSON_SORTED = 2, JSON_SLASHES = 8;

function jsonText(tree, options, order) {
  const isPretty = (options & JSON_PRETTY) !== 0, slashes = (options & JSON_SLASHES) !== 0;
  const colon = isPretty ? " : " : ":", comma = isPretty ? ",\n" : ",";
  function quoted(text) {
    const made = JSON.stringify(text);
    return slashes ? made : made.replace(/\//g, "\\/");
  }
  function framed(open, close, parts, indent) {
    return isPretty ? `${open}\n${parts.join(comma)}\n${indent}${close}` : open + parts.join(comma) + close;
  }
  function written(value, indent) {
    const inner = isPretty ? indent + "  " : "";
    if (value === null || typeof value === "boolean") return String(value);
    if (typeof value === "string") return quoted(value);
    if (value instanceof JSONNumber) return value.text;
    if (Array.isArray(value)) return framed("[", "]", value.map(item => inner + written(item, inner)), indent);
    const names = Array.from(value.keys());
    if ((options & JSON_SORTED) !== 0) names.sort(order);
    return framed("{", "}", names.map(name => inner + quoted(name) + colon + written(value.get(name), inner)), indent);
  }
  return written(tree, "");
}
function floatingNumber(value) { return new JSONNumber(doubleText(value).replace(/\.0$/, "")); }

// MARK: JSONSerialization

const cocoaError = new Type("NSError", {
  isError: true, isClass: true, fields: [], boxed: value => value, castValue: nominalCast, show: value => value.text, describeError: value => value.localized ?? value.text,
});
function notJSON(error) {
  if (!(error instanceof NotJSON)) throw error;
  return new Thrown({ $t: cocoaError, text: "The data couldn’t be read because it isn’t in the correct format.", localized: "The operation could not be completed. The data is not in the correct format." });
}
const nullType = named.NSNull = new Type("NSNull", { isClass: true, fields: [], boxed: value => value, castValue: nominalCast, show: () => "<null>" });
const nsNull = { $t: nullType };
$.nsNull = () => nsNull;
$.jsonObject = (bytes, options = 0) => {
  try { return anyOf(parseJSON(bytes, (options & JSON_FRAGMENTS) !== 0, false)); } catch (error) { throw notJSON(error); }
};
function anyOf(tree) {
  if (tree === null) return nsNull;
  if (typeof tree === "string") return tree;
  if (typeof tree === "boolean") return new Box(tree, nsTypes.Bool);
  if (Array.isArray(tree)) return new Box(tree.map(anyOf), $.arrayType(T.Any));
  if (tree instanceof Map) return new Box($.dictionaryOf(Array.from(tree, entry => [entry[0], anyOf(entry[1])])), $.dictionaryType(T.String, T.Any));
  if (!/^-?[0-9]+$/.test(tree.text)) return new Box(Number(tree.text), nsTypes.Double);
  const whole = integerOf(tree);
  if (whole === undefined) trap("A number of JSON with more digits than UInt64 has is not understood");
  return new Box(whole, nsTypes.Int);
}
class NotWritable extends Error {}
// A value of the type Any as JSON; `NotWritable` if there is none.
function treeOf(value) {
  if (typeof value === "string" || typeof value === "boolean") return value;
  if (value === nsNull) return null;
  if (!(value instanceof Box)) throw new NotWritable(typeName(value));
  const { value: content, type } = value;
  if (type.optional) { if (content === null) throw new NotWritable(type.name); return treeOf(type.inner.boxed(content)); }
  if (type.ns === "Bool") return content;
  if (type.integer || type.ns === "Int") return new JSONNumber(String(content));
  if (type === T.Double || type === T.Float || type.ns !== undefined) {
    if (!Number.isFinite(content)) throw new NotWritable(type.name);
    return type === T.Float || type.ns === "Float" ? new JSONNumber(floatText(content).replace(/\.0$/, "")) : floatingNumber(content);
  }
  if (type.keyType === T.String) return new Map($.entries(content).map(entry => [entry[0], treeOf(type.valueType.boxed(entry[1]))]));
  if (type.element !== undefined && Array.isArray(content)) return content.map(item => treeOf(type.element.boxed(item)));
  throw new NotWritable(type.name);
}
function isContainer(tree) { return Array.isArray(tree) || tree instanceof Map; }
$.isJSON = value => {
  try { return isContainer(treeOf(value)); } catch (error) { if (error instanceof NotWritable) return false; throw error; }
};
$.jsonData = (value, options = 0) => {
  let tree;
  try { tree = treeOf(value); } catch (error) {
    if (error instanceof NotWritable) trap(`Invalid type in JSON write (${error.message})`);
    throw error;
  }
  if (!isContainer(tree) && (options & JSON_FRAGMENTS) === 0) trap("Invalid top-level type in JSON write");
  return utf8(jsonText(tree, options, naturalOrder));
};
// Digits by what they are worth, letters without their case first; known of ASCII alone.
function naturalOrder(a, b) {
  if (nonASCII.test(a) || nonASCII.test(b)) trap("The order of keys that are not ASCII is not known here");
  const parts = text => text.toLowerCase().match(/[0-9]+|[^0-9]/g) ?? [];
  const left = parts(a), right = parts(b);
  for (let i = 0; i < Math.min(left.length, right.length); i++) {
    const isNumber = /[0-9]/.test(left[i]) && /[0-9]/.test(right[i]);
    const x = isNumber ? BigInt(left[i]) : left[i], y = isNumber ? BigInt(right[i]) : right[i];
    if (x !== y) return x < y ? -1 : 1;
  }
  return left.length - right.length || (a === b ? 0 : a > b ? -1 : 1);
}

// MARK: JSONDecoder and JSONEncoder

// Errors of reading, as Foundation words them; the script's own `DecodingError` where it names that type.
const decodingError = new Type("DecodingError", {
  isError: true, isEnum: true, boxed: value => value, castValue: nominalCast, show: value => value.text, describeError: value => value.localized,
});
let ownErrors = null;
$.decodingErrors = (type, context, key) => { ownErrors = { type, context, key }; };
const errorWords = {
  keyNotFound: key => `Key '${key}' not found in keyed decoding container.`, typeMismatch: name => `expected value of type ${name}.`,
  valueNotFound: name => `Expected value of type ${name} but found null instead.`, dataCorrupted: () => "Data was corrupted.",
};
// A key of a dictionary, which is a value of the text that is read; other keys are names of the script.
class GivenKey {
  constructor(name) { this.name = name; }
  toString() { return this.name; }
}
function shownPath(path) {
  const text = path.map((part, index) => typeof part === "number" ? `[${part}]` : (index === 0 ? "" : ".") + part).join("");
  return text === "" ? "" : ` Path: ${text}.`;
}
// An error of a kind, with the key or the type that it is about, the keys that lead to it, its text, and that text without values.
function undecodable(kind, about, path, text, told = text) {
  const words = `DecodingError.${kind}: ${errorWords[kind](about)}`, shown = `${words}${shownPath(path)} Debug description: ${text}`;
  const error = undecodableValue(kind, about, path, text, shown);
  toldErrors.set(error, `${words}${shownPath(path.map(part => part instanceof GivenKey ? "(key)" : part))} Debug description: ${told}`);
  return new Thrown(error);
}
function undecodableValue(kind, about, path, text, shown) {
  const localized = `The operation could not be completed. The data ${kind === "keyNotFound" || kind === "valueNotFound" ? "is missing" : "isn’t in the correct format"}.`;
  if (ownErrors === null) return { $t: decodingError, text: shown, localized };
  const keyOf = part => ({ $t: ownErrors.key, _stringValue: typeof part === "number" ? "Index " + part : String(part), _intValue: typeof part === "number" ? part : null });
  const context = { $t: ownErrors.context, _codingPath: path.map(keyOf), _debugDescription: text, _shown: shown };
  const values = kind === "dataCorrupted" ? [context] : [kind === "keyNotFound" ? keyOf(about) : about, context];
  return $.made(ownErrors.type, kind, values);
}
function noJSON() { return undecodable("dataCorrupted", "", [], "The given data was not valid JSON."); }
function readsContainer(type) { return type.isEnum !== true && (type.element !== undefined || type.member !== undefined || type.keyType !== undefined || type.coding !== undefined); }
// The type that a value of another one is read as.
function readName(type, ways) {
  if (type.element !== undefined || type.member !== undefined) return "Array<Any>";
  if (type.keyType !== undefined || type.coding !== undefined) return "Dictionary<String, Any>";
  if (type === named.Date) return ways.dates === 3 || typeof ways.dates === "object" ? "String" : "Double";
  return [named.Data, named.URL, named.UUID].includes(type) ? "String" : type.name;
}
function wordOf(tree) {
  return typeof tree === "string" ? "a string" : Array.isArray(tree) ? "an array" : tree instanceof Map ? "a dictionary" : typeof tree === "boolean" ? "bool" : "number";
}
const invalidWords = new Map([
  [named.UUID, "Attempted to decode UUID from invalid UUID string."], [named.Data, "Encountered Data is not valid Base64."],
  [named.URL, "Invalid URL string."],
]);
$.jsonDecoder = () => ({ dateDecodingStrategy: 0, keyDecodingStrategy: 0 });
$.jsonEncoder = () => ({ dateEncodingStrategy: 0, keyEncodingStrategy: 0, outputFormatting: 0 });
$.decodeJSON = (decoder, type, bytes) => {
  let tree;
  try { tree = parseJSON(bytes, true, true); } catch (error) {
    if (error instanceof NotJSON) throw noJSON();
    throw error;
  }
  return decoded(tree, type, { dates: decoder.dateDecodingStrategy, keys: decoder.keyDecodingStrategy }, []);
};
function decoded(tree, type, ways, path) {
  function mismatch() { const name = readName(type, ways); throw undecodable("typeMismatch", name, path, `Expected to decode ${name} but found ${wordOf(tree)} instead.`); }
  function invalid() {
    if (type.integer) throw noJSON();
    if (type === named.Date && ways.dates === 3) throw undecodable("dataCorrupted", "", [], "Expected date string to be ISO8601-formatted.");
    if (type === named.Date) throw undecodable("dataCorrupted", "", path, "Date string does not match format expected by formatter.");
    throw undecodable("dataCorrupted", "", path, invalidWords.get(type));
  }
  if (type.optional) return tree === null ? null : decoded(tree, type.inner, ways, path);
  if (type.isEnum) return rawDecoded(tree, type, ways, path);
  if (tree === null) {
    const name = readName(type, ways), container = name === "Array<Any>" ? "unkeyed" : "keyed";
    throw undecodable("valueNotFound", name, path, readsContainer(type) ? `Cannot get ${container} decoding container -- found null value instead` : `Cannot get value of type ${name} -- found null value instead`);
  }
  if (type === T.String) return typeof tree === "string" ? tree : mismatch();
  if (type === T.Bool) return typeof tree === "boolean" ? tree : mismatch();
  if (type.integer) {
    const number = tree instanceof JSONNumber ? integerOf(tree) : mismatch();
    return number === undefined || number < type.min || number > type.max ? invalid() : number;
  }
  if (type === T.Double || type === T.Float) {
    const near = tree instanceof JSONNumber ? Number(tree.text) : mismatch(), number = type === T.Float ? Math.fround(near) : near;
    const isTooSmall = number === 0 && /^[^eE]*[1-9]/.test(tree.text);
    if (!Number.isFinite(number) || isTooSmall) throw noJSON();
    return number;
  }
  if (type === named.Date) {
    if (ways.dates === 3) return (typeof tree === "string" ? $.isoDateInJSON(tree) : mismatch()) ?? invalid();
    if (typeof ways.dates === "object") return (typeof tree === "string" ? $.parseDate(ways.dates, tree) : mismatch()) ?? invalid();
    const number = tree instanceof JSONNumber ? Number(tree.text) : mismatch();
    return ways.dates === 0 ? $.date(number) : $.dateSince1970(ways.dates === 2 ? number / 1000 : number);
  }
  if (type === named.Data) return (typeof tree === "string" ? $.fromBase64(tree) : mismatch()) ?? invalid();
  if (type === named.URL) return (typeof tree === "string" ? $.url(tree) : mismatch()) ?? invalid();
  if (type === named.UUID) return (typeof tree === "string" ? $.parseUUID(tree) : mismatch()) ?? invalid();
  if (type.keyType !== undefined) {
    if (!(tree instanceof Map)) mismatch();
    return $.dictionaryOf(Array.from(tree, ([name, item]) => [name, decoded(item, type.valueType, ways, path.concat(new GivenKey(name)))]));
  }
  if (type.element !== undefined || type.member !== undefined) {
    if (!Array.isArray(tree)) mismatch();
    const items = tree.map((item, index) => decoded(item, type.element ?? type.member, ways, path.concat(index)));
    return type.element === undefined ? $.setOf(items) : items;
  }
  if (!(tree instanceof Map)) mismatch();
  const made = { $t: type }, members = ways.keys === 1 ? camelMembers(tree) : tree;
  for (const [name, itsType, written] of type.coding()) {
    if (!members.has(written) && !itsType.optional) throw undecodable("keyNotFound", written, path, `No value associated with key CodingKeys(stringValue: "${written}", intValue: nil) ("${written}").`);
    made[$.fieldName(name)] = members.has(written) ? decoded(members.get(written), itsType, ways, path.concat(written)) : null;
  }
  return made;
}
function rawDecoded(tree, type, ways, path) {
  const raw = decoded(tree, type.rawType, ways, path), found = type.raws.get(key(raw));
  if (found === undefined) {
    const told = `Cannot initialize ${last(type.name)} from invalid ${type.rawType.name} value`;
    throw undecodable("dataCorrupted", "", path, `${told} ${type.rawType.show(raw)}`, told);
  }
  return found;
}
// `an_example_url` is `anExampleUrl`, between the underscores around it; a name without any is what it is.
function camel(name) {
  const [, before, words, behind] = /^(_*)(.*?)(_*)$/s.exec(name), parts = words.split("_").filter(part => part !== "");
  return parts.length < 2 ? name : before + $.lowercased(parts[0]) + parts.slice(1).map($.capitalized).join("") + behind;
}
// The members by these names, of which the first of each counts.
function camelMembers(tree) {
  const members = new Map();
  for (const [name, member] of tree) if (!members.has(camel(name))) members.set(camel(name), member);
  return members;
}
// `anExampleURL` is `an_example_url`: a word begins at a capital, and several capitals are a word up to the last one before a small letter.
function snake(name) {
  const words = [];
  const next = (letter, from) => { const at = name.substring(from).search(letter); return at < 0 ? -1 : from + at; };
  let start = 0;
  for (let capital = next(/[\p{Lu}\p{Lt}]/u, 1); capital >= 0;) {
    words.push(name.substring(start, capital));
    const small = next(/\p{Ll}/u, capital);
    start = small < 0 ? capital : small - 1;
    if (start > capital) words.push(name.substring(capital, start));
    capital = small < 0 ? -1 : next(/[\p{Lu}\p{Lt}]/u, small + 1);
  }
  return words.concat(name.substring(start)).map($.lowercased).join("_");
}
$.encodeJSON = (encoder, value, type) => {
  const tree = encoded(value, type, { dates: encoder.dateEncodingStrategy, keys: encoder.keyEncodingStrategy });
  return utf8(jsonText(tree, encoder.outputFormatting, (a, b) => a < b ? -1 : a > b ? 1 : 0));
};
function encoded(value, type, ways) {
  if (type.optional) return value === null || value === undefined ? null : encoded(value, type.inner, ways);
  if (type === T.String || type === T.Bool) return value;
  if (type.integer) return new JSONNumber(String(value));
  if (type === T.Double || type === T.Float) {
    if (!Number.isFinite(value)) throw new Thrown({ $t: cocoaError, text: `Unable to encode ${type.show(value)} directly in JSON.` });
    return type === T.Float ? new JSONNumber(floatText(value).replace(/\.0$/, "")) : floatingNumber(value);
  }
  if (type === named.Date) {
    if (ways.dates === 3) return $.isoText($.isoFormatter(), value);
    if (typeof ways.dates === "object") return $.formatDate(ways.dates, value);
    return floatingNumber(ways.dates === 0 ? $.sinceReference(value) : ways.dates === 2 ? $.since1970(value) * 1000 : $.since1970(value));
  }
  if (type === named.Data) return $.toBase64(value);
  if (type === named.URL) return value.text;
  if (type === named.UUID) return $.uuidText(value);
  if (type.keyType !== undefined) return new Map($.entries(value).map(entry => [entry[0], encoded(entry[1], type.valueType, ways)]));
  if (type.element !== undefined) return value.map(item => encoded(item, type.element, ways));
  if (type.member !== undefined) return $.elements(value).map(item => encoded(item, type.member, ways));
  if (type.isEnum) return encoded(value.raw, type.rawType, ways);
  const members = new Map();
  for (const [name, itsType, written] of type.coding()) {
    const content = value[$.fieldName(name)];
    if (itsType.optional && (content === null || content === undefined)) continue;
    members.set(ways.keys === 1 ? snake(written) : written, encoded(content, itsType, ways));
  }
  return members;
}
