// The values that JavaScript has not: Decimal128, ObjectId, UUID, and dates with nanoseconds.

// A date leads to what makes dates, by names that are put together, too.
timeMade();

const getTime = uncurry(SafeDate.prototype.getTime);
const toLowerCase = uncurry(StringProto.toLowerCase);
const padStart = uncurry(StringProto.padStart);
const numberToString = uncurry(SafeNumber.prototype.toString);

// Has the constructor of a value take what a column or Swift has; no script knows it.
const STORED = freeze({});

// The state of a Decimal128, an ObjectId or a UUID: its text, or words of a column's cell; either is made of the other when it is
// asked for.
class FixedValue extends StandIn {
  #kind;
  #text;
  #words;
  #at;
  constructor(object, kind, text, words, at) {
    super(object);
    this.#kind = kind;
    this.#text = text;
    this.#words = words;
    this.#at = at;
  }
  // The kind of a value, or null.
  static kind(value) { return typeof value === "object" && value !== null && #kind in value ? value.#kind : null; }
  static text(value) { return value.#text ??= value.#kind.show(value.#words, value.#at); }
  static put(value, words, at) {
    const own = value.#words, from = value.#at, kind = value.#kind;
    if (own === null) kind.parse(value.#text, words, at);
    else for (let i = 0; i < kind.wordCount; i++) words[at + i] = own[from + i];
  }
  // Another one: a script may give an object of its own members.
  static again(value) { return new value.#kind.Type(STORED, value.#text, value.#words, value.#at); }
}

// The kinds, each with its words of 32 bits as they lie in memory, and its class.
const decimal128Kind = {
  __proto__: null, tag: DECIMAL128_TAG, wordCount: 4, Type: null,
  show: (words, at) => api.decimalText(words[at], words[at + 1], words[at + 2], words[at + 3]),
  parse(text, words, at) {
    const parsed = api.decimalWords(text);
    for (let i = 0; i < 4; i++) words[at + i] = parsed[i];
  },
};
const objectIdKind = {
  __proto__: null, tag: OBJECT_ID_TAG, wordCount: 3, Type: null,
  show: (words, at) => hexOfWord(words[at]) + hexOfWord(words[at + 1]) + hexOfWord(words[at + 2]), parse: parseHex,
};
const uuidKind = {
  __proto__: null, tag: UUID_TAG, wordCount: 4, Type: null,
  show(words, at) {
    const second = words[at + 1], third = words[at + 2];
    return hexOfWord(words[at]) + "-" + hexOfHalf(second) + "-" + hexOfHalf(second >>> 16) + "-" + hexOfHalf(third) + "-" +
      hexOfHalf(third >>> 16) + hexOfWord(words[at + 3]);
  },
  parse: parseHex,
};
// Gives the functions by which columns of a type read and write its values.
function fixedCells(type) {
  const kind = fixedKindOf(type);
  return {
    __proto__: null, wordCount: kind.wordCount,
    shown: (words, row) => new kind.Type(STORED, null, words, row * kind.wordCount),
    fits: value => FixedValue.kind(value) === kind ? value : undefined,
    again: FixedValue.again,
    put: (value, words, row) => { FixedValue.put(value, words, row * kind.wordCount); },
  };
}

function fixedKindOf(type) { return type === "uuid" ? uuidKind : type === "objectId" ? objectIdKind : decimal128Kind; }

// The two digits of each byte, once they were asked for.
let digitsOfByte = null;
function makeDigits() {
  digitsOfByte = new Items();
  for (let i = 0; i < 256; i++) digitsOfByte[i] = padStart(numberToString(i, 16), 2, "0");
  return digitsOfByte;
}
function hexOfHalf(word) {
  const digits = digitsOfByte ?? makeDigits();
  return digits[word & 255] + digits[word >>> 8 & 255];
}
function hexOfWord(word) { return hexOfHalf(word) + hexOfHalf(word >>> 16); }

// Writes lowercase digits, with dashes or without, as words.
function parseHex(text, words, at) {
  let digits = 0, word = 0, place = at;
  for (let i = 0; i < text.length; i++) {
    const code = charCodeAt(text, i);
    if (code === 45) continue;
    // The first digit of a byte is its upper half.
    word |= (code < 58 ? code - 48 : code - 87) << ((digits >> 1) * 8 + (digits & 1 ? 0 : 4));
    digits += 1;
    if (digits < 8) continue;
    words[place++] = word;
    digits = word = 0;
  }
}

class Decimal128 {
  constructor(value, text, words, at) {
    const isStored = value === STORED, shown = isStored ? text : api.decimal(SafeString(value));
    if (shown === null && !isStored) throw new SafeTypeError("The value is no Decimal128.");
    new FixedValue(this, decimal128Kind, shown, isStored ? words : null, at);
  }
  static fromString(text) { return new Decimal128(text); }
  static text(value) { return textOfKind(value, decimal128Kind); }
  toString() { return ownText(this, decimal128Kind); }
  toJSON() { return { $numberDecimal: ownText(this, decimal128Kind) }; }
  equals(other) { return typeof other === "object" && other !== null && Decimal128.text(other) === ownText(this, decimal128Kind); }
}

// The text of a value of a kind, or null.
function textOfKind(value, kind) { return FixedValue.kind(value) === kind ? FixedValue.text(value) : null; }

// The text of a method's receiver.
function ownText(value, kind) {
  if (FixedValue.kind(value) !== kind) throw new SafeTypeError("The receiver is no value of this type.");
  return FixedValue.text(value);
}

// A number of a mixed value that says its type, for scripts of Swift: one of JavaScript's own would be an Int, or a Double.
class TypedNumber {
  #number;
  #tag;
  constructor(number, tag) {
    this.#number = number;
    this.#tag = tag;
    freeze(this);
  }
  // The number, or null where a value is none of these.
  static number(value) { return typeof value === "object" && value !== null && #tag in value ? value.#number : null; }
  static isFloat(value) { return value.#tag === FLOAT_TAG; }
  static coded(value) { return #tag in value ? [value.#tag, value.#number] : null; }
}

const hexadecimal = /^[0-9a-f]*$/;
const dashed = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

function randomHex(digits) {
  let text = "";
  for (let i = 0; i < digits; i++) text += numberToString(floor(random() * 16), 16);
  return text;
}

function hexOf(bytes) {
  let text = "";
  for (let i = 0; i < bytes.length; i++) text += padStart(numberToString(bytes[i], 16), 2, "0");
  return text;
}

class ObjectId {
  constructor(value, stored, words, at) {
    if (value === STORED) {
      new FixedValue(this, objectIdKind, stored, words, at);
      return;
    }
    let text;
    // Seconds of 32 bits, which come round (BSON).
    if (value === undefined) text = padStart(numberToString(floor(now() / 1000) >>> 0, 16), 8, "0") + randomHex(16);
    else if (isView(value)) text = hexOf(bytesOfView(value));
    else text = toLowerCase(SafeString(value));
    if (text.length !== 24 || match(hexadecimal, text) === null) throw new SafeTypeError("The value is no ObjectId.");
    new FixedValue(this, objectIdKind, text, null, 0);
  }
  static createFromHexString(text) { return new ObjectId(text); }
  static text(value) { return textOfKind(value, objectIdKind); }
  toString() { return ownText(this, objectIdKind); }
  toHexString() { return ownText(this, objectIdKind); }
  toJSON() { return ownText(this, objectIdKind); }
  getTimestamp() { return new SafeDate(SafeNumber("0x" + ownText(this, objectIdKind).substring(0, 8)) * 1000); }
  equals(other) {
    return other !== null && other !== undefined && toLowerCase(SafeString(other)) === ownText(this, objectIdKind);
  }
}

function dash(hex) {
  return hex.substring(0, 8) + "-" + hex.substring(8, 12) + "-" + hex.substring(12, 16) + "-" +
    hex.substring(16, 20) + "-" + hex.substring(20, 32);
}

class UUID {
  constructor(value, stored, words, at) {
    if (value === STORED) {
      new FixedValue(this, uuidKind, stored, words, at);
      return;
    }
    let text;
    if (value === undefined) text = dash(randomHex(12) + "4" + randomHex(3) + "8" + randomHex(15));
    else if (isView(value)) text = dash(hexOf(bytesOfView(value)));
    else text = toLowerCase(SafeString(value));
    if (text.length === 32) text = dash(text);
    if (match(dashed, text) === null) throw new SafeTypeError("The value is no UUID.");
    new FixedValue(this, uuidKind, text, null, 0);
  }
  static text(value) { return textOfKind(value, uuidKind); }
  toString() { return ownText(this, uuidKind); }
  toHexString() { return ownText(this, uuidKind); }
  toJSON() { return ownText(this, uuidKind); }
  equals(other) {
    return other !== null && other !== undefined && toLowerCase(SafeString(other)) === ownText(this, uuidKind);
  }
}

// A Date that knows what a realm stores: seconds and nanoseconds of the same sign, and all of 64 bits.
class RealmDate extends SafeDate {
  #seconds;
  #nanoseconds;
  #time;
  #assigned = undefined;
  constructor(seconds, nanoseconds) {
    super(SafeNumber(seconds) * 1000 + trunc(nanoseconds / 1000000));
    this.#seconds = seconds;
    this.#nanoseconds = nanoseconds;
    this.#time = getTime(this);
  }
  get nanoseconds() {
    if (this.#assigned !== undefined) return this.#assigned;
    if (is(getTime(this), this.#time)) return this.#nanoseconds;
    return (getTime(this) % 1000) * 1000000 + this.#nanoseconds % 1000000;
  }
  set nanoseconds(value) { this.#assigned = value; }
  static is(date) { return #nanoseconds in date; }
  // The stored parts, where the date is still what was read.
  static unchanged(date) {
    if (!(#time in date) || date.#assigned !== undefined || !is(getTime(date), date.#time)) return null;
    return [DATE_TAG, date.#seconds, date.#nanoseconds];
  }
}
delete RealmDate.prototype.constructor;

function makeDate(seconds, nanoseconds) { return new RealmDate(seconds, nanoseconds); }

function timeOf(date) {
  try {
    return getTime(date);
  } catch {
    throw new SafeTypeError("The value is no Date, but stands for one, as a Proxy does: give the Date itself.");
  }
}

function encodeDate(date) {
  const unchanged = RealmDate.unchanged(date);
  if (unchanged !== null) return unchanged;
  const time = timeOf(date);
  if (time !== time) throw new SafeTypeError("The date is invalid.");
  let seconds = trunc(time / 1000);
  let nanoseconds = date.nanoseconds;
  // What a script gave to all objects is no date's own.
  if (nanoseconds === undefined || !RealmDate.is(date) && getOwnPropertyDescriptor(date, "nanoseconds") === undefined) {
    nanoseconds = (time % 1000) * 1000000;
  }
  if (!isInteger(nanoseconds) || nanoseconds <= -1000000000 || nanoseconds >= 1000000000) {
    throw new SafeTypeError("The nanoseconds of a date are out of range.");
  }
  if (seconds > 0 && nanoseconds < 0) { seconds -= 1; nanoseconds += 1000000000; }
  if (seconds < 0 && nanoseconds > 0) { seconds += 1; nanoseconds -= 1000000000; }
  return [DATE_TAG, seconds + 0, nanoseconds + 0];
}

const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

function base64(bytes) {
  let text = "";
  for (let i = 0; i < bytes.length; i += 3) {
    const bits = bytes[i] << 16 | (bytes[i + 1] || 0) << 8 | (bytes[i + 2] || 0);
    text += alphabet[bits >> 18] + alphabet[bits >> 12 & 63];
    text += i + 1 < bytes.length ? alphabet[bits >> 6 & 63] : "=";
    text += i + 2 < bytes.length ? alphabet[bits & 63] : "=";
  }
  return text;
}

decimal128Kind.Type = Decimal128;
objectIdKind.Type = ObjectId;
uuidKind.Type = UUID;
for (const frozen of [Decimal128, ObjectId, UUID]) {
  freeze(frozen.prototype);
  freeze(frozen);
}

// Has the script find them.
function addValues() {
  const bson = freeze({ Decimal128, ObjectId, ObjectID: ObjectId, UUID });
  for (const name of ["Decimal128", "ObjectId", "UUID"]) {
    defineProperty(globalThis, name, { value: bson[name], writable: true, configurable: true });
  }
  defineProperty(globalThis, "BSON", { value: bson, writable: true, configurable: true });
  defineProperty(globalThis, "Realm", { value: freeze({ BSON: bson }), writable: true, configurable: true });
}
