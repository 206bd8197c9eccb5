// The values that JavaScript has not: Decimal128, ObjectId, UUID, and dates with nanoseconds.

// A date leads to what makes dates, by names that are put together, too.
timeMade();

const getTime = uncurry(SafeDate.prototype.getTime);
const toLowerCase = uncurry(StringProto.toLowerCase);
const padStart = uncurry(StringProto.padStart);
const numberToString = uncurry(SafeNumber.prototype.toString);

class Decimal128 {
  #text;
  constructor(value) {
    const text = api.decimal(SafeString(value));
    if (text === null) throw new SafeTypeError("The value is no Decimal128.");
    this.#text = text;
  }
  static fromString(text) { return new Decimal128(text); }
  static text(value) { return #text in value ? value.#text : null; }
  toString() { return this.#text; }
  toJSON() { return { $numberDecimal: this.#text }; }
  equals(other) { return typeof other === "object" && other !== null && Decimal128.text(other) === this.#text; }
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
  #text;
  constructor(value) {
    let text;
    // Seconds of 32 bits, which come round (BSON).
    if (value === undefined) text = padStart(numberToString(floor(now() / 1000) >>> 0, 16), 8, "0") + randomHex(16);
    else if (isView(value)) text = hexOf(value);
    else text = toLowerCase(SafeString(value));
    if (text.length !== 24 || match(hexadecimal, text) === null) throw new SafeTypeError("The value is no ObjectId.");
    this.#text = text;
  }
  static createFromHexString(text) { return new ObjectId(text); }
  static text(value) { return #text in value ? value.#text : null; }
  toString() { return this.#text; }
  toHexString() { return this.#text; }
  toJSON() { return this.#text; }
  getTimestamp() { return new SafeDate(SafeNumber("0x" + this.#text.substring(0, 8)) * 1000); }
  equals(other) {
    return other !== null && other !== undefined && toLowerCase(SafeString(other)) === this.#text;
  }
}

function dash(hex) {
  return hex.substring(0, 8) + "-" + hex.substring(8, 12) + "-" + hex.substring(12, 16) + "-" +
    hex.substring(16, 20) + "-" + hex.substring(20, 32);
}

class UUID {
  #text;
  constructor(value) {
    let text;
    if (value === undefined) text = dash(randomHex(12) + "4" + randomHex(3) + "8" + randomHex(15));
    else if (isView(value)) text = dash(hexOf(value));
    else text = toLowerCase(SafeString(value));
    if (text.length === 32) text = dash(text);
    if (match(dashed, text) === null) throw new SafeTypeError("The value is no UUID.");
    this.#text = text;
  }
  static text(value) { return #text in value ? value.#text : null; }
  toString() { return this.#text; }
  toHexString() { return this.#text; }
  toJSON() { return this.#text; }
  equals(other) {
    return other !== null && other !== undefined && toLowerCase(SafeString(other)) === this.#text;
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
  // The stored parts, where the date is still what was read.
  static unchanged(date) {
    if (!(#time in date) || date.#assigned !== undefined || !is(getTime(date), date.#time)) return null;
    return [DATE_TAG, date.#seconds, date.#nanoseconds];
  }
}
delete RealmDate.prototype.constructor;

function makeDate(seconds, nanoseconds) { return new RealmDate(seconds, nanoseconds); }

function encodeDate(date) {
  const unchanged = RealmDate.unchanged(date);
  if (unchanged !== null) return unchanged;
  const time = getTime(date);
  if (time !== time) throw new SafeTypeError("The date is invalid.");
  let seconds = trunc(time / 1000);
  let nanoseconds = date.nanoseconds;
  if (nanoseconds === undefined) nanoseconds = (time % 1000) * 1000000;
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

for (const type of [Decimal128, ObjectId, UUID]) {
  freeze(type.prototype);
  freeze(type);
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
