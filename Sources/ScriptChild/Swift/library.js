// The functions that lowered Swift calls at run time: a program of its own, run in the worlds of Swift scripts alone.
//
// Whole numbers are numbers of JavaScript where these are exact, BigInts beyond; floating numbers are numbers. The
// source knows the type of a number; in a value of the type `Any` it stands beside it (`Box`).

const $ = {}, T = {};
$.T = T;

// MARK: Failing

class Trap extends Error {}
function trap(message) { throw new Trap("Fatal error: " + message); }
class Thrown { constructor(value) { this.value = value; } }
$.thrown = value => new Thrown(value);
$.isThrown = error => error instanceof Thrown;
$.unreachable = () => trap("A place was reached that can't be.");
$.refuse = () => trap("This call is not understood.");
$.fail = (kind, message) => { throw new Trap(kind + (message === undefined || message === "" ? "" : ": " + message)); };
$.mustHold = (kind, holds, message) => { if (!holds) $.fail(kind, message()); };
$.unwrap = value => value === null || value === undefined ? trap("Unexpectedly found nil while unwrapping an Optional value") : value;
$.tryMaybe = body => { try { return body() ?? null; } catch (error) { if (error instanceof Thrown) return null; throw error; } };
// An initializer that calls another one that fails, fails.
const failedInitializer = {};
// Whether an error goes through functions, whose deferred statements are done, and is no fatal one.
$.isUnwinding = error => error instanceof Thrown || error === failedInitializer;
$.orFail = value => { if (value === null || value === undefined) throw failedInitializer; return value; };
$.mayFail = body => { try { return body(); } catch (error) { if (error === failedInitializer) return null; throw error; } };
// The library's own errors, of which a message has no value of an object unless the script puts it there: by what is told of them.
const toldErrors = new WeakMap();
function toldError(value) { return toldErrors.get(value) ?? T.Any.debug(value); }
$.tryForced = body => {
  try { return body(); } catch (error) {
    if (error instanceof Thrown) trap("'try!' expression unexpectedly raised an error: " + toldError(error.value));
    throw error;
  }
};
$.run = (block, migration, version) => {
  try {
    block(migration, version === -1 ? 18446744073709551615n : version);
    if (unfinished !== "") $.log(unfinished);
  } catch (error) {
    if (error instanceof Thrown) trap("Error raised at top level: " + toldError(error.value));
    throw error;
  }
};
$.lazy = make => {
  let value, state = 0;
  return {
    get v() {
      if (state === 0) { state = 1; value = make(); state = 2; }
      return value;
    },
    set v(next) { state = 2; value = next; },
  };
};

// MARK: Whole numbers

const MOST = Number.MAX_SAFE_INTEGER;
const LONG_MIN = -(2n ** 63n), LONG_MAX = 2n ** 63n - 1n;
function plain(big) { return big >= -9007199254740991n && big <= 9007199254740991n ? Number(big) : big; }
function fits(big, type) {
  if (type === undefined ? big < LONG_MIN || big > LONG_MAX : big < type.min || big > type.max) trap("arithmetic overflow");
  return plain(big);
}
function within(number, type) { return type === undefined || (number >= type.low && number <= type.high) ? number + 0 : trap("arithmetic overflow"); }
$.add = (a, b, type) => {
  if (typeof a === "number" && typeof b === "number") {
    const sum = a + b;
    if (sum <= MOST && sum >= -MOST) return type === undefined ? sum : within(sum, type);
  }
  return fits(BigInt(a) + BigInt(b), type);
};
$.sub = (a, b, type) => {
  if (typeof a === "number" && typeof b === "number") {
    const difference = a - b;
    if (difference <= MOST && difference >= -MOST) return type === undefined ? difference : within(difference, type);
  }
  return fits(BigInt(a) - BigInt(b), type);
};
$.mul = (a, b, type) => {
  if (typeof a === "number" && typeof b === "number") {
    const product = a * b;
    if (product <= MOST && product >= -MOST) return type === undefined ? product + 0 : within(product, type);
  }
  return fits(BigInt(a) * BigInt(b), type);
};
// Whether a division by -1 gives what is no number of the type.
function overflows(a, b, type) { return b === -1 && a === (type === undefined ? LONG_MIN : plain(type.min)); }
$.div = (a, b, type) => {
  if (b === 0) trap("Division by zero");
  if (overflows(a, b, type)) trap("Division results in an overflow");
  if (typeof a === "number" && typeof b === "number") return within(Math.trunc(a / b), type);
  return fits(BigInt(a) / BigInt(b), type);
};
$.rem = (a, b, type) => {
  if (b === 0) trap("Division by zero in remainder operation");
  if (overflows(a, b, type)) trap("Division results in an overflow in remainder operation");
  if (typeof a === "number" && typeof b === "number") return a % b + 0;
  return plain(BigInt(a) % BigInt(b));
};
$.next = a => typeof a === "number" && a < MOST ? a + 1 : $.add(a, 1);
function wrapped(big, type) { return plain(type.signed ? BigInt.asIntN(type.bits, big) : BigInt.asUintN(type.bits, big)); }
$.bits = (symbol, a, b, type) => {
  const left = BigInt(a), right = BigInt(b);
  switch (symbol) {
    case "&+": return wrapped(left + right, type);
    case "&-": return wrapped(left - right, type);
    case "&*": return wrapped(left * right, type);
    case "&<<": return wrapped(left << (right & BigInt(type.bits - 1)), type);
    case "&>>": return wrapped(left >> (right & BigInt(type.bits - 1)), type);
    case "&": return wrapped(left & right, type);
    case "|": return wrapped(left | right, type);
    case "^": return wrapped(left ^ right, type);
    default: {
      // A shift by more than there are bits leaves none.
      const by = (symbol === "<<") === right >= 0n ? 1 : -1, count = right < 0n ? -right : right;
      const bounded = count > BigInt(type.bits) ? BigInt(type.bits) : count;
      return wrapped(by > 0 ? left << bounded : left >> bounded, type);
    }
  }
};
$.not = (a, type) => wrapped(~BigInt(a), type);
$.most = type => plain(type.max);
$.least = type => plain(type.min);
$.absolute = (a, type) => a < 0 ? $.sub(0, a, type) : a;
$.magnitude = a => a < 0 ? plain(-BigInt(a)) : a;
$.signum = a => a > 0 ? 1 : a < 0 ? -1 : 0;
$.bitCount = (a, type) => BigInt.asUintN(type.bits, BigInt(a)).toString(2).replace(/0/g, "").length;
$.leadingZeros = (a, type) => { const bits = BigInt.asUintN(type.bits, BigInt(a)); return bits === 0n ? type.bits : type.bits - bits.toString(2).length; };
$.trailingZeros = (a, type) => { const bits = BigInt.asUintN(type.bits, BigInt(a)); return bits === 0n ? type.bits : /0*$/.exec(bits.toString(2))[0].length; };
$.byteSwapped = (a, type) => {
  let rest = BigInt.asUintN(type.bits, BigInt(a)), swapped = 0n;
  for (let i = 0; i < type.bits; i += 8) { swapped = swapped << 8n | rest & 255n; rest >>= 8n; }
  return wrapped(swapped, type);
};
$.reporting = (symbol, a, b, type) => {
  const exact = symbol === "&+" ? BigInt(a) + BigInt(b) : symbol === "&-" ? BigInt(a) - BigInt(b) : BigInt(a) * BigInt(b);
  return [wrapped(exact, type), exact < type.min || exact > type.max];
};
$.isMultiple = (a, b) => b === 0 ? a === 0 : BigInt(a) % BigInt(b) === 0n;
$.integerOf = (number, type, from = T.Double) => {
  const refused = `${from.name} value cannot be converted to ${type.name} because `;
  if (!Number.isFinite(number)) trap(refused + "it is either infinite or NaN");
  const whole = Math.trunc(number);
  const big = BigInt(whole);
  if (big > type.max) trap(`${refused}the result would be greater than ${type.name}.max`);
  if (big < type.min) trap(`${refused}the result would be less than ${type.name}.min`);
  return plain(big);
};
$.converted = (number, type) => {
  const big = BigInt(number);
  if (big > type.max) trap("Not enough bits to represent the passed value");
  if (big < type.min) trap(type.signed ? "Not enough bits to represent a signed value" : "Negative value is not representable");
  return plain(big);
};
$.exactly = (number, type) => {
  if (typeof number === "number" && !Number.isInteger(number)) return null;
  const big = BigInt(number);
  return big > type.max || big < type.min ? null : plain(big);
};
$.clamped = (number, type) => {
  if (Number.isNaN(number)) trap("Double value cannot be converted");
  const big = typeof number === "bigint" ? number : BigInt(Math.trunc(number));
  return plain(big > type.max ? type.max : big < type.min ? type.min : big);
};
$.truncated = (number, type) => wrapped(BigInt(typeof number === "number" ? Math.trunc(number) : number), type);
$.parseInteger = (text, radix, type) => {
  mustBeRadix(radix, "Radix not in range 2...36");
  if (!/^[+-]?[0-9a-zA-Z]+$/.test(text)) return null;
  const sign = text[0] === "-" ? -1n : 1n, digits = text.replace(/^[+-]/, "").toLowerCase();
  let value = 0n;
  for (const digit of digits) {
    const number = digit <= "9" ? digit.charCodeAt(0) - 48 : digit.charCodeAt(0) - 87;
    if (number >= radix) return null;
    value = value * BigInt(radix) + BigInt(number);
    if (value > 2n ** 65n) return null;
  }
  value *= sign;
  return value > type.max || value < type.min ? null : plain(value);
};
function mustBeRadix(radix, words) { if (radix < 2 || radix > 36) trap(words); }
$.radixText = (value, radix, upper) => { mustBeRadix(radix, "Radix must be between 2 and 36"); const text = value.toString(radix); return upper ? text.toUpperCase() : text; };

// MARK: Floating numbers

const doubleView = new DataView(new ArrayBuffer(8));
$.doubleBits = number => { if (number !== number) trap("The bits of a number that is none are not known here"); doubleView.setFloat64(0, number); return plain(doubleView.getBigUint64(0)); };
$.doubleOfBits = bits => { doubleView.setBigUint64(0, BigInt(bits)); return doubleView.getFloat64(0); };
$.floatBits = number => { if (number !== number) trap("The bits of a number that is none are not known here"); doubleView.setFloat32(0, number); return doubleView.getUint32(0); };
$.floatOfBits = bits => { doubleView.setUint32(0, Number(bits)); return doubleView.getFloat32(0); };

$.fround = Math.fround;
// The result of a function of floating numbers, as a number of their type.
$.rounded = (number, type) => type === T.Float ? Math.fround(number) : number;
$.isInfinite = number => number === Infinity || number === -Infinity;
// Half away from zero.
$.round = number => { const whole = Math.trunc(number); return Math.abs(number - whole) >= 0.5 ? whole + Math.sign(number) : whole; };
// Whether the square root, as it is rounded, is far enough from the middle of two numbers.
function rootIsSure(square, root) {
  const [above, below] = exactParts(square), [whole, scale] = exactParts(root);
  const rest = Number((above * scale * scale - whole * whole * below << 300n) / (below * scale * scale)) / 2 ** 300;
  return Math.abs(Math.abs(rest / (2 * root) / 2 ** (Math.floor(Math.log2(root)) - 52)) - 0.5) > 0.006;
}
const rounding = {
  up: Math.ceil, down: Math.floor, towardZero: Math.trunc, toNearestOrAwayFromZero: $.round,
  awayFromZero: number => number < 0 ? Math.floor(number) : Math.ceil(number),
  toNearestOrEven: number => Math.abs(number % 2) === 0.5 ? Math.trunc(number) : $.round(number),
};
$.roundedBy = (number, rule) => rounding[rule](number);
$.remainder = (a, b) => a % b;
$.parseDouble = text => {
  if (/^[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?$/.test(text)) return Number(text);
  if (/^([+-]nan|[+-]?nan\(.*\))$/i.test(text)) trap("A number that is none, and that has a sign or a value, is not known here");
  const special = /^([+-]?)(inf|infinity|nan)$/i.exec(text);
  if (special !== null) return special[2].toLowerCase() === "nan" ? $.namedNaN() : special[1] === "-" ? -Infinity : Infinity;
  const hexadecimal = /^([+-]?)0x([0-9a-f]+)?(?:\.([0-9a-f]*))?(?:p([+-]?\d+))?$/i.exec(text);
  if (hexadecimal === null || (hexadecimal[2] ?? "") + (hexadecimal[3] ?? "") === "") return null;
  const [, sign, whole = "", part = "", power = "0"] = hexadecimal, value = Number(BigInt("0x" + whole + part)) * 2 ** (Number(power) - 4 * part.length);
  return sign === "-" ? -value : value;
};
// C's power. JavaScript's has a rounding of its own where the exponent is whole, or a half: the exact value is rounded then, and those
// near the middle of two numbers, where C's may be either, are not known.
$.power = (base, exponent) => {
  if (base === 1 || base === -1 && Math.abs(exponent) === Infinity) return 1;
  const near = Math.pow(base, exponent);
  if (exponent === 0.5 && near > 0 && Number.isFinite(near)) return rootIsSure(base, near) ? near : trap("This power is not known exactly here: use squareRoot()");
  if (exponent === -0.5) trap("This power is not known exactly here: use squareRoot()");
  if (!Number.isInteger(exponent) || !Number.isFinite(near) || near === 0 || Number.isInteger(near) && Math.abs(near) <= MOST && exponent > 0 && Number.isInteger(base)) return near;
  if (exponent === 1) return base;
  if (Math.abs(exponent) > 1100 || Math.abs(near) < 1e-300) return trap("This power is not known exactly here: multiply");
  const [whole, scale] = exactParts(Math.abs(base)), count = BigInt(Math.abs(exponent));
  let above = whole ** count, below = scale ** count;
  if (exponent < 0) [above, below] = [below, above];
  const shift = BigInt(72 - (above.toString(2).length - below.toString(2).length)), quotient = shift >= 0n ? (above << shift) / below : above / (below << -shift);
  // Some twenty bits behind those of a number.
  const extra = BigInt(quotient.toString(2).length - 53), tail = Number(quotient & (1n << extra) - 1n) / 2 ** Number(extra);
  if (Math.abs(tail - 0.5) < 0.006) trap("This power is not known exactly here: multiply");
  const value = Number((quotient >> extra) + (tail > 0.5 ? 1n : 0n)) * 2 ** (Number(extra) - Number(shift));
  return base < 0 && Number(count) % 2 === 1 ? -value : value;
};
$.parseFloat = text => {
  const value = $.parseDouble(text);
  return value === null ? null : Math.fround(isBetweenFloats(value) ? besides(value, text) : value);
};
// Whether a number is in the middle of two floats: one that it was rounded to may have been on either side.
function isBetweenFloats(number) {
  const near = Math.fround(number);
  if (near === number || !Number.isFinite(near) || number !== number) return false;
  return 2 * number === near + (near < number ? $.nextUp(near, T.Float) : $.nextDown(near, T.Float));
}
// A number that a text was rounded to, or the next one on the side where what the text says is.
function besides(number, text) {
  const [, sign, digits, part = "", power = "0"] = /^([+-]?)(\d*)\.?(\d*)(?:[eE]([+-]?\d+))?$/.exec(text) ?? [];
  if (digits === undefined) return number;
  const places = Number(power) - part.length, [whole, scale] = exactParts(Math.abs(number));
  const said = BigInt(digits + part) * scale * 10n ** BigInt(Math.max(places, 0)), had = whole * 10n ** BigInt(Math.max(-places, 0));
  const size = said > had ? $.nextUp(Math.abs(number), T.Double) : said < had ? $.nextDown(Math.abs(number), T.Double) : Math.abs(number);
  return sign === "-" ? -size : size;
}
// A whole number is rounded once.
$.floatOf = number => {
  if (typeof number !== "bigint") return Math.fround(number);
  const [bits, extra] = firstBits(number < 0n ? -number : number, 53), size = Math.fround(Number(bits) * 2 ** extra);
  return number < 0n ? -size : size;
};
// The first bits of a whole number, and how many there are behind them: the last bit says whether one of these is set.
function firstBits(number, count) {
  const extra = BigInt(Math.max(number.toString(2).length - count, 0)), bits = number >> extra;
  return [bits << extra === number ? bits : bits | 1n, Number(extra)];
}
$.parseBool = text => text === "true" ? true : text === "false" ? false : null;

// The NaN of an operation without a result is shown with a sign, or without one, as the processor has it: only what the script itself
// names so is known.
let isNamed = false;
$.namedNaN = () => { isNamed = true; return NaN; };
$.folded = number => number !== number ? $.namedNaN() : number;
function shownNaN() { return isNamed ? "nan" : trap("Whether this number, which is none, is shown as ‘nan’ or as ‘-nan’ is not known here"); }

// The shortest digits that give the number back, as Swift writes them.
function floatingText(number, exponential, limit) {
  if (number !== number) return shownNaN();
  if (number === Infinity) return "inf";
  if (number === -Infinity) return "-inf";
  if (number === 0) return Object.is(number, -0) ? "-0.0" : "0.0";
  const [mantissa, power] = exponential.split("e");
  const exponent = Number(power), negative = mantissa[0] === "-";
  const digits = mantissa.replace("-", "").replace(".", "");
  let text;
  if (exponent < -4 || Math.abs(number) > limit) {
    const shown = Math.abs(exponent);
    text = digits[0] + (digits.length > 1 ? "." + digits.substring(1) : "") + "e" + (exponent < 0 ? "-" : "+") + (shown < 10 ? "0" : "") + shown;
  } else if (exponent < 0) {
    text = "0." + "0".repeat(-exponent - 1) + digits;
  } else if (digits.length <= exponent + 1) {
    text = digits + "0".repeat(exponent + 1 - digits.length) + ".0";
  } else {
    text = digits.substring(0, exponent + 1) + "." + digits.substring(exponent + 1);
  }
  return negative ? "-" + text : text;
}
function doubleText(number) { return floatingText(number, number.toExponential(), 2 ** 53); }
// Where two texts are equally near, the even one, where JavaScript takes the larger.
function evenly(number, digits) {
  const text = number.toExponential(digits), mantissa = number.toExponential(40).split("e")[0].replace(/[-.]/g, "");
  if (!/^50*$/.test(mantissa.substring(digits + 1)) || Number(mantissa[digits]) % 2 === 1) return text;
  return (number < 0 ? "-" : "") + mantissa[0] + (digits > 0 ? "." + mantissa.substring(1, digits + 1) : "") + "e" + number.toExponential(40).split("e")[1];
}
function floatText(number) {
  for (let digits = 0; digits < 9; digits++) {
    const text = evenly(number, digits);
    if (Math.fround(Number(text)) === number) return floatingText(number, text.replace(/\.?0+e/, "e"), 2 ** 24);
  }
  return floatingText(number, number.toExponential(8), 2 ** 24);
}

// MARK: Types at run time

// A value of the type `Any` whose own type does not show.
class Box { constructor(value, type) { this.value = value; this.type = type; } }
// A number of an AnyRealmValue, which is no number of another type.
class MixedNumber extends Box {}
$.mixed = (value, type) => new MixedNumber(value, type);
// A value of the library as one of a protocol of the app, which knows its functions.
class Witness extends Box { get $t() { return $.witnessType(this.type); } }
$.witness = (value, type) => new Witness(value, type);
$.witnessType = type => type.witness ??= { methods: {}, show: value => type.show(value.value), debug: value => type.debug(value.value) };
$.box = (value, type) => type === T.Any ? value : new Box(value, type);

// A part of a text, whose indices are those of the whole.
class Part {
  constructor(whole, from, to) { this.whole = whole; this.from = from; this.to = to; }
  get text() { return this.whole.substring(this.from, this.to); }
}
$.part = text => text instanceof Part ? text : new Part(text, 0, text.length);

let typesMade = 0;
class Type {
  // Types of one name may be different ones: of two functions, or ranges. Those that are made of them are known by their numbers.
  constructor(name, members) { this.name = name; this.id = typesMade++; this.methods = {}; Object.assign(this, members); }
  debug(value) { return this.show(value); }
  // A value of the type `Any` as one of this type, also where it is in an optional; undefined if it is none.
  cast(value) {
    if (!(value instanceof Box) || !value.type.optional) return this.castValue(value);
    return value.value === null ? undefined : this.cast(value.type.inner.boxed(value.value));
  }
  castValue(value) { return value instanceof Box && value.type === this ? value.value : undefined; }
}
const types = new Map();
function interned(name, make) {
  let type = types.get(name);
  if (type === undefined) types.set(name, type = make());
  return type;
}

// A text in quotes, in which nothing joins the quote or an escape before it, nor the quote behind it.
function quote(text) {
  let quoted = "\"", isAfterEscape = true;
  const scalars = Array.from(text);
  for (let i = 0; i < scalars.length; i++) {
    const scalar = scalars[i];
    let escape = escapes[scalar] ?? (scalar < " " || scalar === "\x7f" ? escaped(scalar) : undefined);
    if (scalar > "\x7f" && (isAfterEscape && $.count("a" + scalar) === 1 || i === scalars.length - 1 && $.count(scalar + "a") === 1)) escape = escaped(scalar);
    quoted += escape ?? scalar;
    isAfterEscape = escape !== undefined;
  }
  return quoted + "\"";
}
const escapes = { "\"": "\\\"", "'": "\\'", "\\": "\\\\", "\n": "\\n", "\t": "\\t", "\r": "\\r", "\0": "\\0" };
function escaped(scalar) {
  const digits = scalar.length > 1 ? 8 : scalar > "\x7f" ? 4 : 2;
  return `\\u{${scalar.codePointAt(0).toString(16).toUpperCase().padStart(digits, "0")}}`;
}
function quoteScalar(scalar) { return `"${escapes[scalar] ?? (scalar < " " || scalar > "~" ? escaped(scalar) : scalar)}"`; }
function unshown(name) { return trap(`How a value of the type ‘${name}’ is shown is not known here`); }

// Numbers of a realm: an object of Foundation that is any number that it is exactly.
const nsTypes = {};
for (const name of ["Int", "Double", "Float", "Bool"]) {
  nsTypes[name] = new Type("NSNumber", {
    ns: name, show: value => typeof value === "boolean" ? (value ? "1" : "0") : typeof value === "number" && name === "Float" ? floatText(value).replace(/\.0$/, "") : String(value),
  });
}
const integers = [["Int", 64, true], ["Int8", 8, true], ["Int16", 16, true], ["Int32", 32, true], ["Int64", 64, true],
  ["UInt", 64, false], ["UInt8", 8, false], ["UInt16", 16, false], ["UInt32", 32, false], ["UInt64", 64, false]];
for (const [name, bits, signed] of integers) {
  const min = signed ? -(2n ** BigInt(bits - 1)) : 0n, max = 2n ** BigInt(signed ? bits - 1 : bits) - 1n;
  T[name] = new Type(name, {
    bits, signed, min, max, low: Number(min), high: Number(max), show: String, integer: true,
    castValue(value) {
      if (!(value instanceof Box)) return undefined;
      if (value.type === this) return value.value;
      if (value.type.ns === undefined) return undefined;
      return $.exactly(typeof value.value === "boolean" ? (value.value ? 1 : 0) : value.value, this) ?? undefined;
    },
  });
}
function floatingCast(exact) {
  return function (value) {
    if (!(value instanceof Box)) return undefined;
    if (value.type === this) return value.value;
    if (value.type.ns === undefined) return undefined;
    const number = typeof value.value === "boolean" ? (value.value ? 1 : 0) : value.value;
    return exact(number);
  };
}
T.Double = new Type("Double", {
  show: doubleText, castValue: floatingCast(number => {
    const near = Number(number);
    return typeof number === "bigint" && BigInt(near) !== number ? undefined : near;
  }),
});
T.Float = new Type("Float", {
  show: floatText, castValue: floatingCast(number => {
    const near = Math.fround(Number(number));
    if (typeof number === "bigint") return BigInt(near) === number ? near : undefined;
    return near === number || number !== number ? near : undefined;
  }),
});
T.Bool = new Type("Bool", {
  show: String, castValue(value) {
    if (typeof value === "boolean") return value;
    if (!(value instanceof Box)) return undefined;
    if (value.type === this) return value.value;
    if (value.type.ns === undefined) return undefined;
    return value.value === true || value.value === 1 ? true : value.value === false || value.value === 0 ? false : undefined;
  },
});
// For values that state their type.
function plainCast(test) {
  return function (value) {
    if (test(value)) return value;
    if (value instanceof Witness && value.type === this) return value.value;
    return undefined;
  };
}
T.String = new Type("String", { show: value => value, debug: quote, castValue: plainCast(value => typeof value === "string") });
T.Character = new Type("Character", { show: value => value, debug: quote });
T.Void = new Type("()", { show: () => "()" });
T.Function = new Type("(Function)", { show: () => "(Function)" });
T.Metatype = new Type("(Type)", { show: type => type.swiftName ?? last(type.name), debug: type => type.swiftName ?? type.name });
for (const type of Object.values(T)) type.boxed = value => new Box(value, type);
T.String.boxed = T.Bool.boxed = value => value;

T.Any = new Type("Any", {
  cast: value => value, boxed: value => value,
  show: value => value instanceof Box ? value.type.show(value.value) : typeof value === "string" ? value : shown(value),
  debug: value => value instanceof Box ? value.type.debug(value.value) : typeof value === "string" ? quote(value) : shown(value),
});
function shown(value) {
  if (value === null || value === undefined) return "nil";
  if (typeof value === "boolean") return String(value);
  if (typeof value !== "object") return "(Function)";
  if (value.$t !== undefined) return value.$t.show(value);
  if (value instanceof SDate) return dateText(value);
  if (value instanceof Uint8Array) return value.length + " bytes";
  if (realm.isUUID(value)) return value.toString().toUpperCase();
  if (value instanceof SURL || value instanceof SDecimal) return value.text;
  if (realm.infoOrNull(value) !== null) return unshown(realm.infoOrNull(value).name);
  return realm.isObjectId(value) || realm.isDecimal(value) ? value.toString() : trap("How this value is shown is not known here");
}
T.Any.show = (show => value => show(value))(T.Any.show);

function plainType(name, test) {
  return new Type(name, { show: shown, boxed: value => value, castValue: plainCast(test) });
}
function mixedValue(value) {
  if (!(value instanceof Box) || value instanceof MixedNumber) return value;
  const kind = value.type.ns ?? value.type.name;
  if (kind === "Bool") return Boolean(value.value);
  return ["Int", "Double", "Float"].includes(kind) ? $.mixed(value.value, T[kind]) : value;
}
const named = {
  Date: plainType("Date", value => value instanceof SDate), UUID: plainType("UUID", value => realm.isUUID(value)),
  ObjectId: plainType("ObjectId", value => realm.isObjectId(value)), Decimal128: plainType("Decimal128", value => realm.isDecimal(value)),
  Decimal: plainType("Decimal", value => value instanceof SDecimal), NSDecimalNumber: plainType("NSDecimalNumber", value => value instanceof SDecimal),
  AnyRealmValue: new Type("AnyRealmValue", { show: shown, boxed: value => value, castValue: mixedValue }),
  Data: plainType("Data", value => value instanceof Uint8Array), URL: plainType("URL", value => value instanceof SURL),
  MigrationObject: plainType("MigrationObject", value => realm.infoOrNull(value) !== null),
  Error: plainType("Error", value => typeof value === "object" && value !== null && value.$t !== undefined && value.$t.isError),
  Substring: new Type("Substring", { show: value => value.text, debug: value => quote(value.text), boxed: value => new Box(value, named.Substring) }),
  LocalizedError: plainType("LocalizedError", value => typeof value === "object" && value !== null && value.$t !== undefined && value.$t.isLocalized === true),
  UnicodeScalar: new Type("Unicode.Scalar", { show: value => value, debug: quoteScalar, boxed: value => new Box(value, named.UnicodeScalar) }),
  NSNumber: new Type("NSNumber", {
    show: value => value.type.show(value.value), boxed: value => value,
    castValue(value) {
      if (typeof value === "boolean") return new Box(value, nsTypes.Bool);
      if (value instanceof SDecimal) trap("A Decimal as an NSNumber is not understood here");
      return value instanceof Box && (value.type.ns !== undefined || value.type.integer || value.type === T.Double || value.type === T.Float) ? value : undefined;
    },
  }),
};
$.type = name => named[name] ??= new Type(name, { show: () => unshown(name), boxed: value => new Box(value, named[name]) });

$.optionalType = inner => interned(inner.id + "?", () => new Type(inner.name + "?", {
  optional: true, inner, show: value => value === null || value === undefined ? "nil" : `Optional(${inner.debug(value)})`,
  boxed(value) { return new Box(value, this); },
  cast: value => value === null ? null : inner.cast(value),
}));
function collectionCast(convert) {
  return function (value) {
    if (!(value instanceof Box)) return convert(value, null);
    if (value.type === this) return $.copy(value.value);
    return convert(value.value, value.type);
  };
}
function castAll(items, from, to) {
  const all = [];
  for (let i = 0; i < items.length; i++) {
    const item = to.cast(from.boxed(items[i]));
    if (item === undefined) return undefined;
    all[i] = item;
  }
  return all;
}
$.arrayType = element => interned(`[${element.id}]`, () => new Type(`[${element.name}]`, {
  element, show: value => "[" + value.map(item => element.debug(item)).join(", ") + "]",
  boxed(value) { return new Box(value, this); },
  castValue: collectionCast((value, type) => {
    return type !== null && type.element !== undefined && Array.isArray(value) ? castAll(value, type.element, element) : undefined;
  }),
}));
$.sliceType = element => interned(`ArraySlice<${element.id}>`, () => new Type(`ArraySlice<${element.name}>`, {
  show: value => $.arrayType(element).show(value), debug: value => `ArraySlice(${$.arrayType(element).show(value)})`,
  boxed(value) { return new Box(value, this); }, castValue: collectionCast(() => undefined),
}));
$.setType = element => interned(`Set<${element.id}>`, () => new Type(`Set<${element.name}>`, {
  member: element, show: value => "[" + $.elements(value).map(item => element.debug(item)).join(", ") + "]",
  debug(value) { return `Set(${this.show(value)})`; },
  boxed(value) { return new Box(value, this); }, castValue: collectionCast(() => undefined),
}));
$.dictionaryType = (key, element) => interned(`[${key.id} : ${element.id}]`, () => new Type(`[${key.name} : ${element.name}]`, {
  keyType: key, valueType: element,
  show: value => value.count === 0 ? "[:]" : "[" + $.entries(value).map(entry => key.debug(entry[0]) + ": " + element.debug(entry[1])).join(", ") + "]",
  boxed(value) { return new Box(value, this); },
  castValue: collectionCast((value, type) => {
    if (type === null || type.keyType === undefined) return undefined;
    const keys = castAll(value.keys(), type.keyType, key), values = castAll(value.values(), type.valueType, element);
    return keys === undefined || values === undefined ? undefined : $.dictionaryOf(keys.map((item, index) => [item, values[index]]));
  }),
}));
$.listType = element => interned(`List<${element.id}>`, () => new Type(`List<${element.name}>`, {
  show: () => unshown(`List<${element.name}>`), boxed: value => value,
  castValue: plainCast(value => value instanceof UnmanagedList ? value.element === element : isCollection(value, "list", element)),
}));
$.realmSetType = element => interned(`MutableSet<${element.id}>`, () => new Type(`MutableSet<${element.name}>`, {
  show: () => unshown(`MutableSet<${element.name}>`), boxed: value => value, castValue: plainCast(value => isCollection(value, "set", element)),
}));
$.realmMapType = element => interned(`Map<String, ${element.id}>`, () => new Type(`Map<String, ${element.name}>`, {
  show: () => unshown(`Map<String, ${element.name}>`), boxed: value => value, castValue: plainCast(value => isCollection(value, "dictionary", element)),
}));
// A list that belongs to no object: its elements are as a realm has them.
class UnmanagedList extends Array {}
$.newList = element => { const list = new UnmanagedList(); Object.defineProperty(list, "element", { value: element }); return list; };
const elementNames = {
  int: "Int", bool: "Bool", float: "Float", double: "Double", string: "String", data: "Data", date: "Date", objectId: "ObjectId", uuid: "UUID",
  decimal128: "Decimal128", mixed: "AnyRealmValue",
};
// Whether a value is the collection of an object, of elements of a type: Swift's are of no other.
function isCollection(value, kind, element) {
  const property = realm.propertyOfCollection(value);
  if (property === undefined && realm.isInMixed(value)) trap("A collection inside of a mixed value is not understood here");
  if (property === undefined || property.collection !== kind) return false;
  const name = elementNames[property.type];
  if (name === undefined) return element.name === (kind === "dictionary" ? "MigrationObject?" : "MigrationObject");
  return element.name === (property.optional && name !== "AnyRealmValue" ? name + "?" : name);
}
// A model class of the app. No object of a realm is of it in a migration; what is made of it belongs to none.
// Once it is assigned to a property, an app's object is the realm's, which it is not here.
class UnmanagedObject {
  constructor(type, value) { this.$t = type; this.value = value; this.isGiven = false; }
  give() {
    if (this.isGiven) trap(`An object of ‘${this.$t.name}’ is assigned a second time, and would be another one here: make it by ‘migration.create’`);
    this.isGiven = true;
    return this.value;
  }
}
$.modelType = (name, swiftName, isDeclared) => interned("model " + name + isDeclared, () => new Type(name, {
  isDeclared, swiftName, show: () => unshown(swiftName), boxed: value => value, castValue: nominalCast,
}));
$.classNameOf = type => type.isDeclared ? type.name : $.className(type.name);
$.madeObject = (type, value) => new UnmanagedObject(type, value === undefined ? new Box($.dictionaryOf([]), $.dictionaryType(T.String, T.Any)) : value);
$.unreadable = (object, name) => trap(`‘${name}’ of an object that belongs to no realm can't be read here: keep the value in a variable.`);
$.setMember = (object, name, value) => {
  if (object instanceof UnmanagedObject && object.isGiven) trap(`‘${name}’ of an object is set behind its assignment to a property, which has no effect here: set it before`);
  if (!(object.value instanceof Box) || object.value.type.keyType === undefined) trap("Properties of an object that was made of an array can't be set here.");
  if (object.value.type.valueType !== T.Any) {
    const { keyType, valueType } = object.value.type;
    object.value = new Box($.mapValues(object.value.value, item => valueType.boxed(item)), $.dictionaryType(keyType, T.Any));
  }
  object.value.value.set(name, value);
};
$.rangeType = (element, symbol) => interned(symbol + element.id, () => new Type(symbol === "..." ? "ClosedRange" : "Range", {
  show: value => element.show(value[0]) + symbol + element.show(value[1]),
  debug: value => `${symbol === "..." ? "ClosedRange" : "Range"}(${element.debug(value[0])}${symbol}${element.debug(value[1])})`, boxed(value) { return new Box(value, this); },
}));
$.tupleType = (labels, parts) => {
  const name = "(" + parts.map((part, i) => (labels[i] === null ? "" : labels[i] + ": ") + part.name).join(", ") + ")";
  return interned("(" + parts.map((part, i) => `${labels[i]}: ${part.id}`).join(", ") + ")", () => new Type(name, {
    isTuple: true, show: value => "(" + parts.map((part, i) => (labels[i] === null ? "" : labels[i] + ": ") + part.debug(value[i])).join(", ") + ")",
    boxed(value) { return new Box(value, this); },
  }));
};
// The name of a type without those that it stands in, as are those of the types that it was made of.
function last(path) { return path.replace(/[^<>(), ]+\./g, ""); }
function nominalCast(value) {
  if (typeof value === "object" && value !== null) for (let type = value.$t; type; type = type.parent) if (type === this) return value;
  return undefined;
}
// A type's own description, where it has one.
function described(plain) {
  return function (value) {
    const type = value.$t;
    if (type.describe !== undefined) return type.describe(value);
    return type.describeForDebugging !== undefined ? type.describeForDebugging(value) : plain.call(type, value);
  };
}
function describedForDebugging(value) {
  const type = value.$t;
  return type.describeForDebugging !== undefined ? type.describeForDebugging(value) : type.show(value);
}
function ownDescription(error) { return error.$t !== undefined && error.$t.describeError !== undefined ? error.$t.describeError(error) : null; }
$.localized = error => ownDescription(error) ?? T.Any.show(error);
$.localizedText = error => ownDescription(error) ?? trap("The description of an error that has none of its own names the app's module, which is not known here");
$.described = (error, name) => error.$t[name] === undefined ? null : error.$t[name](error) ?? null;
$.structType = (path, fields, isError) => new Type(path, {
  isStruct: true, isError, fields, boxed: value => value, castValue: nominalCast,
  show: described(value => last(path) + shownFields(value, fields)),
  debug(value) {
    if (this.describeForDebugging !== undefined) return this.describeForDebugging(value);
    return this.describe !== undefined ? this.describe(value) : path + shownFields(value, fields);
  },
});
function shownFields(value, fields) { return "(" + fields.map(([name, type]) => name + ": " + type().debug(value[$.fieldName(name)])).join(", ") + ")"; }
$.classType = (path, fields, isError, parent) => new Type(path, {
  isClass: true, isError, fields, parent, boxed: value => value, castValue: nominalCast,
  show: described(function () { return this.name; }), debug: describedForDebugging,
});
$.protocolType = path => new Type(path, {
  conforming: new Set(), boxed: value => value, show: shown, debug: value => value.$t.debug(value),
  castValue(value) {
    if (typeof value === "object" && value !== null && this.conforming.has(value.$t)) return value;
    return undefined;
  },
});
// A method that the value's own type tells.
$.called = (value, name, values) => {
  for (let type = value.$t; type; type = type.parent) if (type.methods[name] !== undefined) return type.methods[name](value, ...values);
  return trap(`No file declares ‘${name}’ of ‘${typeName(value)}’.`);
};
$.fieldName = name => "_" + Array.from(name, scalar => scalar < "\x80" ? scalar : "$" + scalar.codePointAt(0)).join("");
$.enumType = (path, cases, raw, isError, isOrdered) => {
  const type = new Type(path, {
    isEnum: true, isError, isOrdered, rawType: raw, boxed: value => value, castValue: nominalCast, cases: {}, raws: new Map(),
    tags: new Map(cases.map(([name], index) => [name, index])),
    show: described(value => {
      if (value.values === null) return value.tag;
      const [, , labels, types] = cases.find(found => found[0] === value.tag);
      const all = types === null ? [] : types();
      const parts = all.map((part, i) => (labels[i] === null ? "" : labels[i] + ": ") + part.debug(value.values[i]));
      // A single tuple without a label is shown as the values themselves are.
      return value.tag + (all.length === 1 && labels[0] === null && (all[0].isTuple || all[0] === T.Void) ? parts[0] : `(${parts.join(", ")})`);
    }),
    debug(value) {
      if (type.describeForDebugging !== undefined) return type.describeForDebugging(value);
      return type.describe !== undefined ? type.describe(value) : path + "." + type.show(value);
    },
    all: () => cases.map(([name]) => type.cases[$.fieldName(name)]),
  });
  for (const [name, rawValue, labels] of cases) {
    if (labels !== null) continue;
    const value = { $t: type, tag: name, raw: rawValue, values: null };
    type.cases[$.fieldName(name)] = value;
    if (rawValue !== undefined) type.raws.set(key(rawValue), value);
  }
  return type;
};
$.ofRaw = (type, raw) => type.raws.get(key(raw)) ?? null;
$.made = (type, tag, values) => ({ $t: type, tag, raw: undefined, values });
$.show = (value, type) => type.show(value);
$.debug = (value, type) => type.debug(value);
// A nil is of no type but an optional's, also where `Any` has it with its own.
function isNil(value) { return value === null || value === undefined || value instanceof Box && value.type.optional === true && value.value === null; }
$.cast = (value, type) => isNil(value) ? (type.optional ? null : undefined) : type.cast(value);
$.is = (value, type) => $.cast(value, type) !== undefined;
$.maybe = (value, type) => $.cast(value, type) ?? null;
function typeName(value) {
  if (value instanceof Box) return value.type.name;
  if (typeof value === "string") return "String";
  if (typeof value === "boolean") return "Bool";
  if (value instanceof SDate) return "Date";
  if (value instanceof SDecimal) return "Decimal";
  if (value instanceof Uint8Array) return "Data";
  if (typeof value === "object" && value !== null && value.$t !== undefined) return value.$t.name;
  return realm.infoOrNull(value) === null ? "Any" : realm.infoOrNull(value).name;
}
function castFailed(value, name) { throw new Trap(`Could not cast value of type '${typeName(value)}' to '${name}'.`); }
$.force = (value, type) => {
  if (value === null || value === undefined) trap("Unexpectedly found nil while unwrapping an Optional value");
  const found = type.cast(value);
  return found === undefined ? castFailed(value, type.name) : found;
};
$.forceOptional = (value, type) => value === null || value === undefined ? null : $.force(value, type);

// MARK: Equality, order, copies

const nonASCII = /[^\x00-\x7f]/;
// Texts are the same where their scalars are after composition.
$.sameText = (a, b) => a === b || ((nonASCII.test(a) || nonASCII.test(b)) && a.normalize() === b.normalize());
$.equal = (a, b) => {
  if (a === b && (typeof a !== "object" || a === null || a.$t === undefined || a.$t.equal === undefined)) return true;
  if (a === null || b === null || a === undefined || b === undefined) return (a ?? null) === (b ?? null);
  if (typeof a === "string") return typeof b === "string" && $.sameText(a, b);
  if (typeof a !== "object" || typeof b !== "object") return false;
  if (a instanceof Type) return false;
  if (a instanceof Part) return b instanceof Part && $.sameText(a.text, b.text);
  if (Array.isArray(a) || a instanceof Uint8Array) {
    if (a.length !== b.length) return false;
    for (let i = 0; i < a.length; i++) if (!$.equal(a[i], b[i])) return false;
    return true;
  }
  if (a.$t !== undefined) {
    const type = a.$t;
    if (type.equal !== undefined) return type.equal(a, b);
    if (b.$t !== type) return false;
    if (type.isEnum) return a.tag === b.tag && (a.values === b.values || a.values !== null && b.values !== null && $.equal(a.values, b.values));
    if (type.isStruct) return type.fields.every(([name]) => $.equal(a[$.fieldName(name)], b[$.fieldName(name)]));
    return false;
  }
  if (a instanceof SDate) return b instanceof SDate && a.time === b.time;
  if (a instanceof Dictionary) {
    if (a.count !== b.count) return false;
    for (const entry of a.map.values()) {
      const other = b.map.get(key(entry[0]));
      if (other === undefined || !$.equal(entry[1], other[1])) return false;
    }
    return true;
  }
  if (a instanceof Members) return a.count === b.count && $.elements(a).every(item => b.has(item));
  if (a instanceof SURL) return a.text === b.text;
  if (a instanceof SDecimal) return b instanceof SDecimal && sdecimalOrder(a, b) === 0;
  if (realm.isDecimal(a)) return realm.isDecimal(b) && !$.isNoDecimal(a) && !$.isNoDecimal(b) && decimalOrder(a, b) === 0;
  if (realm.infoOrNull(a) !== null) return realm.isSame(a, b);
  if (a instanceof MixedNumber && b instanceof MixedNumber) return a.type === b.type && $.equal(a.value, b.value);
  if (a instanceof Box) return b instanceof Box && $.equal(comparable(a), comparable(b));
  return key(a) === key(b);
};
// A truth as a number of Foundation is the same as 1 or 0.
function comparable(box) { return box.type.ns === undefined ? box.value : $.numberOf(box); }
$.same = (a, b) => a === b || (realm.infoOrNull(a) !== null && realm.isSame(a, b));
$.order = (a, b) => {
  if (a instanceof Part) a = a.text;
  if (b instanceof Part) b = b.text;
  if (typeof a === "string") return textOrder(a, b);
  if (a instanceof SDate) return a.time < b.time ? -1 : a.time > b.time ? 1 : 0;
  if (Array.isArray(a)) {
    for (let i = 0; i < a.length; i++) { const order = $.order(a[i], b[i]); if (order !== 0) return order; }
    return 0;
  }
  if (typeof a === "object" && a !== null && a.$t !== undefined) return ownOrder(a, b);
  if (a instanceof SDecimal) return sdecimalOrder(a, b);
  if (realm.isDecimal(a)) return decimalOrder(a, b);
  // NaN comes neither before another number nor behind it.
  return a < b ? -1 : a > b ? 1 : a == b ? 0 : NaN;
};
// By the scalars of the composed texts; surrogates stand for higher scalars than any unit that is none.
function textOrder(a, b) {
  if (a === b) return 0;
  if (nonASCII.test(a) || nonASCII.test(b)) {
    return scalarOrder(a.normalize(), b.normalize());
  }
  return a < b ? -1 : 1;
}
// By the type's own `<`; cases of an enumeration without one by their places.
function ownOrder(a, b) {
  const type = a.$t;
  if (type.less !== undefined) return type.less(a, b) ? -1 : type.less(b, a) ? 1 : 0;
  if (type.isOrdered !== true) return trap(`Values of ‘${type.name}’ can't be put in order here`);
  const order = type.tags.get(a.tag) - type.tags.get(b.tag);
  return order !== 0 || a.values === null ? Math.sign(order) : $.order(a.values, b.values);
}
function scalarOrder(a, b) {
  const count = Math.min(a.length, b.length);
  for (let i = 0; i < count; i++) {
    const left = a.charCodeAt(i), right = b.charCodeAt(i);
    if (left === right) continue;
    const isLeft = left >= 0xd800 && left < 0xe000, isRight = right >= 0xd800 && right < 0xe000;
    return isLeft !== isRight ? (isLeft ? 1 : -1) : left < right ? -1 : 1;
  }
  return a.length === b.length ? 0 : a.length < b.length ? -1 : 1;
}
$.least2 = (a, b) => $.order(b, a) < 0 ? b : a;
$.most2 = (a, b) => isAtMost(a, b) ? b : a;
$.leastOf = (a, b, more) => more.reduce($.least2, $.least2(a, b));
$.mostOf = (a, b, more) => more.reduce($.most2, $.most2(a, b));
// Nothing is in order beside NaN.
function isAtMost(a, b) { return typeof a === "number" || typeof a === "bigint" ? a <= b : $.order(a, b) <= 0; }
// A key of a map: the same for equal values, and different for others of one type.
function key(value) {
  switch (typeof value) {
    case "string": return nonASCII.test(value) ? value.normalize() : value;
    case "object": break;
    // NaN is equal to nothing.
    case "number": return value !== value ? {} : value === 0 ? 0 : value;
    default: return value;
  }
  if (value === null) return null;
  if (value instanceof Part) return key(value.text);
  if (value instanceof MixedNumber) return "\0b" + value.type.name + String(key(value.value));
  if (value instanceof Box) return "\0b" + String(key(comparable(value)));
  if (Array.isArray(value)) return "\0a" + value.map(partKey).join("");
  if (value instanceof SDate) return "\0d" + value.time;
  if (value instanceof SURL) return "\0l" + value.text;
  if (value instanceof SDecimal) return "\0z" + value.text;
  if (value instanceof Uint8Array) return "\0x" + Array.from(value).join(",");
  if (value.$t !== undefined) {
    const type = value.$t;
    if (type.hash !== undefined) return hashedKey(value, type);
    if (type.equal !== undefined) trap("A value with an equality of its own, and no hash of its own, can't be a key here");
    if (type.isEnum) return "\0e" + value.tag + (value.values === null ? "" : key(value.values));
    if (type.isStruct) return "\0s" + key(type.fields.map(([name]) => value[$.fieldName(name)]));
    return value;
  }
  const info = realm.infoOrNull(value);
  if (info !== null) return "\0o" + info.side + "/" + info.name + "/" + String(value._key);
  if (value instanceof Members) return "\0m" + Array.from(value.map.keys(), partKey).sort().join("");
  if (value instanceof Components) return "\0c" + componentNames.map(name => String(value[name])).join(",");
  if (value instanceof Dictionary) return "\0k" + Array.from(value.map, ([id, entry]) => partKey(id) + partKey(entry[1])).sort().join("");
  if (realm.isDecimal(value)) { const { digits, power } = decimalParts(value); return `\0n${digits}e${power}`; }
  if (value.toString === Object.prototype.toString) trap("Values of this type can't be keys, or be compared, here");
  return "\0v" + String(value);
}
// A part of a key: nil is no text, and an object is known by a number of its own.
const objectNumbers = new WeakMap();
function partKey(value) {
  if (value === null || value === undefined) return "-";
  const id = key(value);
  if (typeof id === "object") {
    if (!objectNumbers.has(id)) objectNumbers.set(id, String(objectsNumbered++));
    return "#" + objectNumbers.get(id) + ";";
  }
  if (typeof id !== "string") return String(id) + ";";
  return id.length + ":" + id;
}
let objectsNumbered = 0;
// The values that a type's own hash combines; keys with the same ones are compared.
class Hasher {
  constructor() { this.parts = []; }
  combine(value) { this.parts.push(value); }
}
const hashed = new Map();
function hashedKey(value, type) {
  const hasher = new Hasher();
  type.hash(value, { v: hasher });
  // Values of types with another hash are never the same.
  if (!objectNumbers.has(type.hash)) objectNumbers.set(type.hash, String(objectsNumbered++));
  const id = `\0h${objectNumbers.get(type.hash)};${key(hasher.parts)}`, same = hashed.get(id);
  if (same === undefined) { hashed.set(id, [$.copy(value)]); return id; }
  let index = same.findIndex(other => $.equal(other, value));
  if (index < 0) index = same.push($.copy(value)) - 1;
  return index === 0 ? id : id + "\0" + index;
}
$.copy = value => {
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) {
    // Lists are not values.
    if (value instanceof UnmanagedList || realm.propertyOfCollection(value) !== undefined) return value;
    const copy = value.slice();
    if (value.start !== undefined) copy.start = value.start;
    if (copy.length > 0 && copy.some(item => typeof item === "object" && item !== null)) for (let i = 0; i < copy.length; i++) copy[i] = $.copy(copy[i]);
    return copy;
  }
  if (value.$t !== undefined && value.$t.isStruct) {
    const copy = {};
    for (const name in value) copy[name] = name === "$t" ? value[name] : $.copy(value[name]);
    return copy;
  }
  if (value instanceof Dictionary || value instanceof Members || value instanceof Steps) return value.copy();
  if (value instanceof Uint8Array) return value.slice();
  if (value instanceof Components) return Object.assign(new Components(), value);
  if (value.isCalendar === true) return Object.assign({}, value);
  return value;
};
// Gives an array, a set, a dictionary or a structure another value in its place.
$.assignSelf = (self, value) => {
  if (self === value) return;
  if (Array.isArray(self)) { const items = value.slice(); self.length = 0; $.appendAll(self, items); self.start = value.start; }
  else for (const name in value) self[name] = value[name];
};
$.copyItems = (items, copy) => { const all = new Array(items.length); for (let i = 0; i < items.length; i++) all[i] = copy(items[i]); return all; };
$.copySlice = (items, copy) => { const all = copy === undefined ? items.slice() : $.copyItems(items, copy); all.start = items.start; return all; };
// Does something behind a call, also where that throws an error of the script.
$.finishing = (body, finish, fail) => {
  let value;
  try { value = body(); } catch (error) { if (error instanceof Thrown) fail(); throw error; }
  finish();
  return value;
};

// MARK: Collections

class Dictionary {
  constructor() { this.map = new Map(); }
  get count() { return this.map.size; }
  get(name) { const entry = this.map.get(key(name)); return entry === undefined ? null : entry[1]; }
  // A key is a copy of its own, as a program may change what it gave.
  set(name, value) {
    const id = key(name), found = this.map.get(id);
    if (found === undefined) this.map.set(id, [$.copy(name), value]); else found[1] = value;
  }
  put(name, value) { if (value === null) this.map.delete(key(name)); else this.set(name, value); }
  take(name) { const value = this.get(name); this.map.delete(key(name)); return value; }
  exchange(name, value) { const before = this.get(name); this.set(name, value); return before; }
  defaulted(name, make) {
    const found = this.map.get(key(name));
    if (found !== undefined) return found[1];
    const value = make();
    this.set(name, value);
    return value;
  }
  keys() { return Array.from(this.map.values(), entry => entry[0]); }
  values() { return Array.from(this.map.values(), entry => entry[1]); }
  clear() { this.map.clear(); }
  copy(change = $.copy) { const copy = new Dictionary(); for (const [id, entry] of this.map) copy.map.set(id, [entry[0], change(entry[1])]); return copy; }
}
class Members {
  constructor() { this.map = new Map(); }
  get count() { return this.map.size; }
  has(item) { return this.map.has(key(item)); }
  // A member is a copy of its own, as a dictionary's key is.
  insert(item) {
    const id = key(item), found = this.map.get(id);
    if (found !== undefined) return [false, found];
    const own = $.copy(item);
    this.map.set(id, own);
    return [true, own];
  }
  update(item) { const id = key(item), found = this.map.get(id); this.map.set(id, $.copy(item)); return found ?? null; }
  take(item) { const id = key(item), found = this.map.get(id); this.map.delete(id); return found ?? null; }
  addAll(items) { for (let i = 0; i < items.length; i++) this.insert(items[i]); }
  removeAll(items) { for (let i = 0; i < items.length; i++) this.map.delete(key(items[i])); }
  clear() { this.map.clear(); }
  // The members of a set are never changed in part.
  copy() { const copy = new Members(); copy.map = new Map(this.map); return copy; }
}
$.dictionaryOf = (pairs, combine = () => trap("Dictionary literal contains duplicate keys")) => {
  const dictionary = new Dictionary();
  for (let i = 0; i < pairs.length; i++) {
    const found = dictionary.map.get(key(pairs[i][0]));
    if (found === undefined) dictionary.set(pairs[i][0], pairs[i][1]);
    else found[1] = combine(found[1], pairs[i][1]);
  }
  return dictionary;
};
$.uniqueDictionary = (pairs, type) => {
  const dictionary = new Dictionary();
  for (let i = 0; i < pairs.length; i++) {
    const [name, value] = pairs[i];
    if (dictionary.map.has(key(name))) trap(`Duplicate values for a key of the type '${type.name}'`);
    dictionary.set(name, value);
  }
  return dictionary;
};
$.setOf = items => { const set = new Members(); set.addAll(items); return set; };
$.elements = set => Array.from(set.map.values());
$.entries = dictionary => Array.from(dictionary.map.values(), entry => [entry[0], entry[1]]);
$.mapValues = (dictionary, change) => $.dictionaryOf($.entries(dictionary).map(entry => [entry[0], change(entry[1])]));
$.compactMapValues = (dictionary, change) =>
  $.dictionaryOf($.entries(dictionary).map(entry => [entry[0], change(entry[1])]).filter(entry => entry[1] !== null));
$.filterEntries = (dictionary, test) => $.dictionaryOf($.entries(dictionary).filter(entry => test(entry)));
$.merged = (dictionary, other, combine) => {
  for (const [name, value] of $.entries(other)) {
    const found = dictionary.map.get(key(name));
    if (found === undefined) dictionary.set(name, value); else found[1] = combine(found[1], value);
  }
  return dictionary;
};
$.mergedPairs = (dictionary, pairs, combine) => {
  for (let i = 0; i < pairs.length; i++) {
    const found = dictionary.map.get(key(pairs[i][0]));
    if (found === undefined) dictionary.set(pairs[i][0], pairs[i][1]); else found[1] = combine(found[1], pairs[i][1]);
  }
  return dictionary;
};
$.grouped = (items, by) => {
  const groups = new Dictionary();
  for (let i = 0; i < items.length; i++) groups.defaulted(by(items[i]), () => []).push(items[i]);
  return groups;
};
$.union = (set, items) => { const all = set.copy(); all.addAll(items); return all; };
$.intersection = (set, other) => $.setOf($.elements(set).filter(item => other.has(item)));
$.subtracting = (set, other) => $.setOf($.elements(set).filter(item => !other.has(item)));
$.symmetricDifference = (set, other) => $.union($.subtracting(set, other), $.elements($.subtracting(other, set)));
$.formIntersection = (set, other) => { set.removeAll($.elements(set).filter(item => !other.has(item))); };
$.formSymmetricDifference = (set, other) => { set.map = $.symmetricDifference(set, other).map; };
$.isSubset = (set, other) => $.elements(set).every(item => other.has(item));

// Sets of options of the app.
$.options = (type, parts, bits) => ({ $t: type, _rawValue: parts.reduce((sum, part) => $.bits("|", sum, part._rawValue, bits), 0) });
$.optionCall = (name, set, other, bits) => {
  const a = set._rawValue, b = other._rawValue, and = $.bits("&", a, b, bits), or = $.bits("|", a, b, bits);
  const made = raw => ({ $t: set.$t, _rawValue: raw }), without = $.bits("&", a, $.not(b, bits), bits);
  switch (name) {
    case "contains": case "isSuperset": return and === b;
    case "isSubset": return and === a;
    case "isStrictSuperset": return and === b && a !== b;
    case "isStrictSubset": return and === a && a !== b;
    case "isDisjoint": return and === 0;
    case "union": return made(or);
    case "intersection": return made(and);
    case "subtracting": return made(without);
    case "symmetricDifference": return made($.bits("^", a, b, bits));
    case "insert": case "formUnion": set._rawValue = or; return;
    case "formIntersection": set._rawValue = and; return;
    case "formSymmetricDifference": set._rawValue = $.bits("^", a, b, bits); return;
    default: set._rawValue = without;
  }
};

function place(items, index) { if (index < 0 || index >= items.length) trap("Index out of range"); return index; }
$.at = (items, index) => { if (index < 0 || index >= items.length) trap("Index out of range"); return items[index]; };
$.setAt = (items, index, value) => { items[place(items, index)] = value; };
$.first = items => items.length === 0 ? null : items[0];
$.last = items => items.length === 0 ? null : items[items.length - 1];
$.map = (items, change) => { const all = []; for (let i = 0; i < items.length; i++) all[i] = change(items[i]); return all; };
$.compactMap = (items, change) => {
  const all = [];
  for (let i = 0; i < items.length; i++) { const value = change(items[i]); if (value !== null && value !== undefined) all.push(value); }
  return all;
};
$.flatMap = (items, change) => { const all = []; for (let i = 0; i < items.length; i++) $.appendAll(all, change(items[i])); return all; };
$.forEach = (items, body) => { for (let i = 0; i < items.length; i++) body(items[i]); };
$.reduce = (items, start, combine) => { let value = start; for (let i = 0; i < items.length; i++) value = combine(value, items[i]); return value; };
$.reduceInto = (items, start, change) => { const value = { v: $.copy(start) }; for (let i = 0; i < items.length; i++) change(value, items[i]); return value.v; };
$.sorted = items => items.slice().sort($.order);
$.sortedBy = (items, before) => items.slice().sort((a, b) => before(a, b) ? -1 : before(b, a) ? 1 : 0);
$.sort = items => { items.sort($.order); };
$.sortBy = (items, before) => { items.sort((a, b) => before(a, b) ? -1 : before(b, a) ? 1 : 0); };
$.reverse = items => { items.reverse(); };
$.containsElement = (items, item) => items.some(other => $.equal(other, item));
$.firstWhere = (items, test) => { for (let i = 0; i < items.length; i++) if (test(items[i])) return items[i]; return null; };
$.indexWhere = (items, test) => { for (let i = 0; i < items.length; i++) if (test(items[i])) return i; return null; };
$.firstIndex = (items, item) => $.indexWhere(items, other => $.equal(other, item));
$.lastIndex = (items, item) => { for (let i = items.length - 1; i >= 0; i--) if ($.equal(items[i], item)) return i; return null; };
$.extreme = (items, sign) => {
  if (items.length === 0) return null;
  let best = items[0];
  for (let i = 1; i < items.length; i++) { if ($.order(items[i], best) * sign > 0) best = items[i]; }
  return best;
};
$.extremeBy = (items, before, sign) => {
  if (items.length === 0) return null;
  let best = items[0];
  for (let i = 1; i < items.length; i++) if (sign < 0 ? before(items[i], best) : before(best, items[i])) best = items[i];
  return best;
};
$.enumerated = items => items.map((item, index) => [index, item]);
const counted = { prefix: "take a prefix of negative length", suffix: "take a suffix of negative length", drop: "drop a negative number of elements" };
function countOf(count, what, of = "collection") { if (count < 0) trap(`Can't ${counted[what]} from a ${of}`); return Number(count); }
// A part of an array, which has the indices of the whole.
function part(items, from, to = items.length) { const found = items.slice(from, to); found.start = (items.start ?? 0) + Math.min(from, items.length); return found; }
$.startOf = items => items.start ?? 0;
$.slicePlus = (items, more) => { const joined = items.concat(more); joined.start = items.start; return joined; };
$.endOf = items => $.startOf(items) + items.length;
$.indexIn = (items, index) => index === null ? null : $.startOf(items) + index;
function placeInSlice(items, index) {
  const found = Number(index) - $.startOf(items);
  if (found < 0 || found >= items.length) trap("Index out of bounds");
  return found;
}
$.sliceAt = (items, index) => items[placeInSlice(items, index)];
$.setSliceAt = (items, index, value) => { items[placeInSlice(items, index)] = value; };
$.removeSliceAt = (items, index) => items.splice(placeInSlice(items, index), 1)[0];
// Whether elements may stand at an index, or end there.
function mustBeWithin(items, index) {
  const kind = items.start === undefined ? "Array" : "ArraySlice";
  if (index > items.length) trap(`${kind} index is out of range`);
  if (index < 0) trap(kind === "Array" ? "Negative Array index is out of range" : "ArraySlice index is out of range (before startIndex)");
}
$.replaceSlice = (items, from, to, more) => {
  if (from < 0) trap("Array replace: subrange start is negative");
  if (to > items.length) trap("Array replace: subrange extends past the end");
  items.splice(from, to - from, ...more);
};
$.setSlice = (items, from, to, more) => {
  mustBeWithin(items, from);
  mustBeWithin(items, to);
  $.replaceSlice(items, from, to, more);
};
$.opened = range => [range[0], $.add(range[1], 1)];
$.removeFirstOf = items => { if (items.length === 0) trap("Can't remove items from an empty collection"); items.start = $.startOf(items) + 1; return items.shift(); };
$.removeFirstSome = (items, count) => { const some = removedCount(count, items.length, "contains"); items.splice(0, some); items.start = $.startOf(items) + some; };
$.popFirstOf = items => items.length === 0 ? null : $.removeFirstOf(items);
$.arrayPrefix = (items, count) => part(items, 0, countOf(count, "prefix"));
$.arraySuffix = (items, count) => part(items, Math.max(items.length - countOf(count, "suffix"), 0));
$.arrayDropFirst = (items, count = 1) => part(items, countOf(count, "drop"));
$.arrayDropLast = (items, count = 1) => part(items, 0, Math.max(items.length - countOf(count, "drop"), 0));
$.prefixWhile = (items, test) => { let i = 0; while (i < items.length && test(items[i])) i++; return part(items, 0, i); };
$.dropWhile = (items, test) => { let i = 0; while (i < items.length && test(items[i])) i++; return part(items, i); };
$.joined = (items, separator = "") => items.join(separator);
$.startsWith = (items, start) => start.length <= items.length && start.every((item, i) => $.equal(item, items[i]));
$.appendAll = (items, more) => { const count = more.length; for (let i = 0; i < count; i++) items.push(more[i]); };
$.insertAt = (items, item, index) => { mustBeWithin(items, index); items.splice(Number(index), 0, item); };
$.removeAt = (items, index) => items.splice(place(items, index), 1)[0];
$.removeFirst = items => { if (items.length === 0) trap("Can't remove first element from an empty collection"); return items.shift(); };
$.removeLast = items => { if (items.length === 0) trap("Can't remove last element from an empty collection"); return items.pop(); };
$.popLast = items => items.length === 0 ? null : items.pop();
function removedCount(count, all, verb) {
  if (count < 0) trap("Number of elements to remove should be non-negative");
  if (count > all) trap(`Can't remove more items from a collection than it ${verb}`);
  return Number(count);
}
$.removeSome = (items, count) => { const some = removedCount(count, items.length, "has"); items.splice(0, some); };
$.removeLastSome = (items, count) => { items.length -= removedCount(count, items.length, "contains"); };
$.clear = items => { items.length = 0; };
$.clearSlice = (items, keeps) => { items.length = 0; if (!keeps) items.start = 0; };
$.removeWhere = (items, test) => { const kept = items.filter(item => !test(item)); items.length = 0; $.appendAll(items, kept); };
$.swap = (a, b) => { const value = a.v; a.v = b.v; b.v = value; };
$.swapAt = (items, a, b) => { const left = $.at(items, a), right = $.at(items, b); items[a] = right; items[b] = left; };
$.repeatedItems = (item, count) => { if (count < 0) trap("Can't construct Array with count < 0"); return Array.from({ length: count }, () => $.copy(item)); };
$.insertAll = (items, more, index) => $.replaceSlice(items, Number(index), Number(index), more.slice());
// A range with one bound, in the whole.
$.boundRange = (range, items) => [range[0] ?? 0, range[1] === null ? items.length : range[2] ? $.add(range[1], 1) : range[1]];
$.removeRange = (items, range, closed) => $.replaceRange(items, range, closed, []);
$.lastIndexWhere = (items, test) => { for (let i = items.length - 1; i >= 0; i--) if (test(items[i])) return i; return null; };
$.replaceRange = (items, range, closed, more) => $.replaceSlice(items, Number(range[0]), Number(range[1]) + (closed ? 1 : 0), more);
$.splitItems = (items, test, most = Infinity, omits = true) => {
  const parts = [];
  let start = 0, splits = 0;
  for (let i = 0; i < items.length && splits < most; i++) {
    if (!test(items[i])) continue;
    if (i > start || !omits) { parts.push(part(items, start, i)); splits += 1; }
    start = i + 1;
  }
  if (start < items.length || !omits) parts.push(part(items, start));
  return parts;
};
$.joinedItems = (items, separator) => {
  const all = [];
  for (let i = 0; i < items.length; i++) { if (i > 0) $.appendAll(all, separator); $.appendAll(all, items[i]); }
  return all;
};
$.precedes = (a, b) => {
  for (let i = 0; i < a.length && i < b.length; i++) { if ($.order(a[i], b[i]) < 0) return true; if ($.order(b[i], a[i]) < 0) return false; }
  return a.length < b.length;
};
// From both ends: each that belongs behind changes places with one that does not.
$.partition = (items, test) => {
  let low = 0, high = items.length;
  while (true) {
    for (; ; low++) { if (low >= high) return low; if (test(items[low])) break; }
    for (high -= 1; ; high--) { if (low >= high) return low; if (!test(items[high])) break; }
    [items[low], items[high]] = [items[high], items[low]];
    low += 1;
  }
};
$.zip = (a, b) => a.slice(0, Math.min(a.length, b.length)).map((item, i) => [item, b[i]]);
// A product and a sum that are rounded once.
function fused(a, b, c) {
  if (!Number.isFinite(a * b + c)) return a * b + c;
  const [first, firstScale] = exactParts(a), [second, secondScale] = exactParts(b), [third, thirdScale] = exactParts(c);
  const scale = firstScale * secondScale, common = scale > thirdScale ? scale : thirdScale;
  const whole = first * second * (common / scale) + third * (common / thirdScale);
  if (whole === 0n) return a * b + c;
  const [bits, extra] = firstBits(whole < 0n ? -whole : whole, 60), power = extra - common.toString(2).length + 1, half = power >> 1;
  const size = Number(bits) * 2 ** half * 2 ** (power - half);
  return whole < 0n ? -size : size;
}
$.stride = (from, to, by, through) => {
  if (by === 0) trap("Stride size must not be zero");
  const items = [];
  if (typeof from === "bigint" || typeof to === "bigint" || typeof by === "bigint") {
    for (let value = BigInt(from); by > 0 ? (through ? value <= BigInt(to) : value < BigInt(to)) : (through ? value >= BigInt(to) : value > BigInt(to)); value += BigInt(by)) items.push(plain(value));
    return items;
  }
  const isExact = Number.isInteger(from) && Number.isInteger(by);
  for (let i = 0; ; i++) {
    const value = isExact ? from + i * by : fused(i, by, from);
    if (by > 0 ? (through ? value > to : value >= to) : (through ? value < to : value <= to)) return items;
    items.push(value);
  }
};
$.range = (from, to) => { if ($.order(from, to) > 0) trap("Range requires lowerBound <= upperBound"); return [from, to]; };
$.closedRange = $.range;
$.contains = (range, value, closed) => {
  const low = range[0] === null || isAtMost(range[0], value);
  if (range[1] === null || !low) return low;
  return isAtMost(value, range[1]) && (closed || range[2] === true || $.order(value, range[1]) !== 0);
};
$.rangeItems = (range, open) => { const items = []; for (let i = range[0]; open ? i < range[1] : i <= range[1]; i = $.add(i, 1)) items.push(i); return items; };
$.rangeCount = (range, closed) => $.add($.sub(range[1], range[0]), closed ? 1 : 0);
$.isEmptyRange = range => $.order(range[0], range[1]) === 0;
$.overlaps = (a, b, isClosed, isOtherClosed) => {
  const isBefore = (x, y, isWithin) => { const order = $.order(x[1], y[0]); return order < 0 || order === 0 && !isWithin; };
  if (!isClosed && $.isEmptyRange(a) || !isOtherClosed && $.isEmptyRange(b)) return false;
  return !isBefore(a, b, isClosed) && !isBefore(b, a, isOtherClosed);
};
$.clampedRange = (range, limits) => range.map(bound => $.order(bound, limits[0]) < 0 ? limits[0] : $.order(bound, limits[1]) > 0 ? limits[1] : bound);
$.optionalMap = (value, change) => value === null || value === undefined ? null : change(value);
$.sliceRange = (items, range, closed) => $.slice(items, range[0], range[1], closed);
function slicedText(text, from, to, closed) {
  const part = $.part(text), start = from === null ? part.from : Number(from);
  const end = to === null ? part.to : closed ? $.partOffset(part, to, 1) : Number(to);
  if (start > end) trap("Range requires lowerBound <= upperBound");
  if (start < part.from || end > part.to) trap("String index range is out of bounds");
  return new Part(part.whole, start, end);
}
$.slice = (items, from, to, closed) => {
  const start = from === null ? 0 : Number(from);
  if (typeof items === "string" || items instanceof Part) return slicedText(items, from, to, closed);
  const first = $.startOf(items), begin = from === null ? first : start;
  const end = to === null ? first + items.length : Number(to) + (closed ? 1 : 0);
  if (begin > end) trap("Range requires lowerBound <= upperBound");
  mustBeWithin(items, begin - first);
  mustBeWithin(items, end - first);
  return part(items, begin - first, end - first);
};

// MARK: Lazy views

// A view has its elements when they are asked for, and each time anew: `items` goes through them, as an iterator does; by indices (`start`,
// `after`, `at`) the first one is found, and they are counted, which asks for other elements, as the library does it.
class LazyItems {
  constructor(all) { this.all = all; }
  *items() { yield* this.all; }
  start() { return this.all.length > 0 ? 0 : null; }
  after(index) { return index + 1 < this.all.length ? index + 1 : null; }
  at(index) { return this.all[index]; }
  count() { return this.all.length; }
  // Whether an element is there, where that shows without going through them; else null.
  has() { return null; }
}
class LazyView {
  constructor(base, call) { this.base = base; this.call = call; }
  start() { return this.base.start(); }
  after(index) { return this.base.after(index); }
  at(index) { return this.base.at(index); }
  count() { let count = 0; for (let index = this.start(); index !== null; index = this.after(index)) count++; return count; }
  has() { return null; }
}
class LazyMap extends LazyView {
  *items() { for (const item of this.base.items()) yield this.call(item); }
  at(index) { return this.call(this.base.at(index)); }
  count() { return this.base.count(); }
}
class LazyFilter extends LazyView {
  *items() { for (const item of this.base.items()) if (this.call(item)) yield item; }
  next(index) { while (index !== null && !this.call(this.base.at(index))) index = this.base.after(index); return index; }
  start() { return this.next(this.base.start()); }
  after(index) { return this.next(this.base.after(index)); }
  has(item) { return this.call(item) ? this.base.has(item) : false; }
}
class LazyPrefix extends LazyView {
  *items() { for (const item of this.base.items()) { if (!this.call(item)) return; yield item; } }
  next(index) { return index === null || !this.call(this.base.at(index)) ? null : index; }
  start() { return this.next(this.base.start()); }
  after(index) { return this.next(this.base.after(index)); }
}
class LazyDrop extends LazyView {
  *items() {
    let drops = true;
    for (const item of this.base.items()) { if (drops && this.call(item)) continue; drops = false; yield item; }
  }
  start() { let index = this.base.start(); while (index !== null && this.call(this.base.at(index))) index = this.base.after(index); return index; }
}
// The first elements of a view whose indices are those of its base.
class LazyPart extends LazyView {
  constructor(base, count) { super(base); this.length = Math.min(count, base.count()); }
  *items() { for (let index = this.start(); index !== null; index = this.after(index)) yield this.at(index); }
  start() { return this.length > 0 ? 0 : null; }
  after(index) { return index + 1 < this.length ? index + 1 : null; }
  count() { return this.length; }
}
$.lazyItems = items => new LazyItems($.copy(items));
$.lazyMap = (view, call) => new LazyMap(view, call);
$.lazyFilter = (view, call) => new LazyFilter(view, call);
$.lazyCompactMap = (view, call) => new LazyMap(new LazyFilter(new LazyMap(view, call), item => item !== null && item !== undefined), item => item);
$.lazyPrefix = (view, call) => new LazyPrefix(view, call);
$.lazyDrop = (view, call) => new LazyDrop(view, call);
$.lazyPart = (view, count) => new LazyPart(view, countOf(count, "prefix"));
$.lazyAll = view => Array.from(view.items());
$.lazyFirst = view => { const index = view.start(); return index === null ? null : view.at(index); };
$.lazyFind = (view, test) => { for (const item of view.items()) if (test(item)) return item; return null; };
$.lazySome = (view, test) => { for (const item of view.items()) if (test(item)) return true; return false; };
$.lazyContains = (view, item) => view.has(item) ?? $.lazySome(view, other => $.equal(other, item));
$.lazyEach = (view, body) => { for (const item of view.items()) body(item); };
$.lazyReduce = (view, start, combine) => { let value = start; for (const item of view.items()) value = combine(value, item); return value; };
$.lazyReduceInto = (view, start, change) => { const value = { v: $.copy(start) }; for (const item of view.items()) change(value, item); return value.v; };
$.lazyCount = (view, test) => { let count = 0; for (const item of view.items()) if (test(item)) count++; return count; };

// An iterator, and a sequence that is its own: `items` goes through a copy of it.
class Steps {
  constructor(state, step) { this.state = state; this.step = step; }
  next() { return this.step(this.state) ?? null; }
  copy() { return new Steps($.copy(this.state), this.step); }
  *items() { const own = this.copy(); for (let item = own.next(); item !== null; item = own.next()) yield item; }
}
$.iterator = items => new Steps({ $t: stateType, items: $.copy(items), index: 0 }, state => state.index < state.items.length ? state.items[state.index++] : null);
$.sequenceOf = (first, next) => new Steps({ $t: stateType, value: first, isFirst: true }, state => {
  if (state.value === null) return null;
  state.value = state.isFirst ? state.value : next(state.value) ?? null;
  state.isFirst = false;
  return state.value;
});
$.sequenceOfState = (state, next) => new Steps({ $t: stateType, v: $.copy(state), isOver: false }, cell => {
  const item = cell.isOver ? null : next(cell) ?? null;
  cell.isOver = item === null;
  return item;
});
$.iteratorPrefix = (steps, count) => new Steps({ $t: stateType, steps: steps.copy(), left: countOf(count, "prefix", "sequence") }, state => state.left-- > 0 ? state.steps.next() : null);
const stateType = { isStruct: true };
// A sequence of the app, by the function that gives its iterator's next element.
$.stepsOf = (iterator, next) => new Steps(iterator, next);
$.zipFrom = (range, items, isSecond = false) => items.map((item, index) => { const number = $.add(range[0], index); return isSecond ? [item, number] : [number, item]; });

// MARK: Data

function utf8(text) {
  const bytes = [];
  for (const scalar of text) {
    const code = scalar.codePointAt(0);
    if (code < 0x80) bytes.push(code);
    else if (code < 0x800) bytes.push(0xc0 | code >> 6, 0x80 | code & 63);
    else if (code < 0x10000) bytes.push(0xe0 | code >> 12, 0x80 | code >> 6 & 63, 0x80 | code & 63);
    else bytes.push(0xf0 | code >> 18, 0x80 | code >> 12 & 63, 0x80 | code >> 6 & 63, 0x80 | code & 63);
  }
  return new Uint8Array(bytes);
}
$.dataOfText = utf8;
// UTF-8, in which each part that is none becomes the replacement character; null for those that take no such text.
$.decodedText = (bytes, isStrict = false) => {
  const units = [];
  let hasFault = false;
  for (let i = 0; i < bytes.length;) {
    const first = bytes[i++];
    if (first < 0x80) { units.push(first); continue; }
    const count = first >= 0xc2 && first < 0xe0 ? 1 : first >= 0xe0 && first < 0xf0 ? 2 : first >= 0xf0 && first < 0xf5 ? 3 : 0;
    let code = first & 0x3f >> count, taken = 0;
    for (; taken < count; taken++) {
      const low = taken === 0 && first === 0xe0 ? 0xa0 : taken === 0 && first === 0xf0 ? 0x90 : 0x80;
      const high = taken === 0 && first === 0xed ? 0x9f : taken === 0 && first === 0xf4 ? 0x8f : 0xbf;
      if (!(bytes[i] >= low && bytes[i] <= high)) break;
      code = code << 6 | bytes[i++] & 0x3f;
    }
    if (count === 0 || taken < count) { hasFault = true; code = 0xfffd; }
    if (code > 0xffff) units.push(0xd7c0 + (code >> 10), 0xdc00 | code & 0x3ff); else units.push(code);
  }
  if (isStrict && hasFault) return null;
  let text = "";
  for (let i = 0; i < units.length; i += 8192) text += String.fromCharCode(...units.slice(i, i + 8192));
  return text;
};
$.textOf = bytes => { const text = $.decodedText(bytes, true); return text !== null && text.startsWith("\ufeff") ? text.substring(1) : text; };
// By the number of the encoding: ASCII, UTF-8 or Latin-1.
$.textIn = (bytes, encoding) => {
  if (encoding === 4) return $.textOf(bytes);
  if (encoding === 1 && bytes.some(byte => byte > 127)) return null;
  return Array.from(bytes, byte => String.fromCharCode(byte)).join("");
};
$.dataIn = (text, encoding) => {
  if (encoding === 4) return utf8(text);
  const most = encoding === 1 ? 127 : 255, units = $.utf16(text);
  return units.some(unit => unit > most) ? null : new Uint8Array(units);
};
$.dataPlus = (data, more) => { const all = new Uint8Array(data.length + more.length); all.set(data); all.set(more, data.length); return all; };
$.dataIndices = data => [0, data.length];
$.data = items => new Uint8Array(items);
$.bytes = data => Array.from(data);
const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
$.toBase64 = realm.base64;
$.fromBase64 = text => {
  if (text.length % 4 !== 0 || !/^[A-Za-z0-9+/]*={0,2}$/.test(text)) return null;
  const bytes = [];
  for (let i = 0; i < text.length; i += 4) {
    const part = Array.from(text.substring(i, i + 4), letter => letter === "=" ? 0 : alphabet.indexOf(letter));
    const bits = part[0] << 18 | part[1] << 12 | part[2] << 6 | part[3];
    bytes.push(bits >> 16 & 255, bits >> 8 & 255, bits & 255);
  }
  const pad = text.endsWith("==") ? 2 : text.endsWith("=") ? 1 : 0;
  return new Uint8Array(bytes.slice(0, bytes.length - pad));
};

// MARK: Log

$.log = (text, level = "log") => { realm.log(text, level); };
// The text that waits for the end of its line.
let unfinished = "";
function print(text) {
  const lines = (unfinished + text).split("\n");
  unfinished = lines.pop();
  for (const line of lines) $.log(line);
}
$.print = (values, separator = " ", terminator = "\n") => { print(values.map(value => T.Any.show(value)).join(separator) + terminator); };
$.debugPrint = values => { print(values.map(value => T.Any.debug(value)).join(" ") + "\n"); };

// MARK: Chance

$.randomBelow = count => { if (count === 0) return 0; return Math.floor(realm.random() * Number(count)); };
$.randomInteger = (range, closed) => {
  const count = BigInt(range[1]) - BigInt(range[0]) + (closed ? 1n : 0n);
  if (count <= 0n) trap("Can't get random value with an empty range");
  const chance = BigInt(Math.floor(realm.random() * 4294967296)) << 64n | BigInt(Math.floor(realm.random() * 4294967296)) << 32n | BigInt(Math.floor(realm.random() * 4294967296));
  return plain(BigInt(range[0]) + chance % count);
};
$.randomDouble = range => range[0] + realm.random() * (range[1] - range[0]);
$.randomBool = () => realm.random() < 0.5;
$.randomElement = items => items.length === 0 ? null : items[$.randomBelow(items.length)];
$.shuffled = items => {
  const all = items.slice();
  for (let i = all.length - 1; i > 0; i--) { const j = $.randomBelow(i + 1); [all[i], all[j]] = [all[j], all[i]]; }
  return all;
};

// MARK: Dates

const REFERENCE = 978307200;
// Seconds since 2001, and what the realm had, where the date is still that.
class SDate { constructor(time, stored = null) { this.time = time; this.stored = stored; } }
$.date = time => new SDate(time);
$.dateSince1970 = time => new SDate(time - REFERENCE);
$.now = () => new SDate(realm.now() / 1000 - REFERENCE);
$.dateByAdding = (date, seconds) => new SDate(date.time + seconds);
$.sinceReference = date => date.time;
$.since1970 = date => date.time + REFERENCE;
$.since = (date, other) => date.time - other.time;
function ofStored(date) {
  const parts = realm.dateParts(date);
  return new SDate(Number(parts[1]) - REFERENCE + parts[2] / 1e9, date);
}
function toStored(date) {
  if (date.stored !== null) return date.stored;
  const time = date.time + REFERENCE;
  if (time !== time) return realm.makeDate(0, 0);
  let seconds = Math.trunc(time), nanoseconds = Math.trunc((time - seconds) * 1e9);
  return realm.makeDate(seconds + 0, nanoseconds + 0);
}
function days(year, month, day) {
  // Days since 1970 of a day of the proleptic Gregorian calendar (Howard Hinnant, chrono-Compatible Low-Level Date Algorithms).
  const y = month <= 2 ? year - 1 : year, era = Math.floor(y / 400), yearOfEra = y - era * 400;
  const dayOfYear = Math.floor((153 * (month + (month > 2 ? -3 : 9)) + 2) / 5) + day - 1;
  return era * 146097 + yearOfEra * 365 + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100) + dayOfYear - 719468;
}
function civil(count) {
  const z = count + 719468, era = Math.floor(z / 146097), dayOfEra = z - era * 146097;
  const yearOfEra = Math.floor((dayOfEra - Math.floor(dayOfEra / 1460) + Math.floor(dayOfEra / 36524) - Math.floor(dayOfEra / 146096)) / 365);
  const dayOfYear = dayOfEra - (365 * yearOfEra + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100));
  const shifted = Math.floor((5 * dayOfYear + 2) / 153), month = shifted < 10 ? shifted + 3 : shifted - 9;
  return [yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, dayOfYear - Math.floor((153 * shifted + 2) / 5) + 1];
}
function parts(date, offset = 0, calendar = historic) {
  const time = date.time + REFERENCE + offset, whole = Math.floor(time), day = Math.floor(whole / 86400), rest = whole - day * 86400;
  const [year, month, dayOfMonth] = calendar(day);
  return {
    year, month, day: dayOfMonth, hour: Math.floor(rest / 3600), minute: Math.floor(rest / 60) % 60, second: rest % 60,
    weekday: ((day + 4) % 7 + 7) % 7 + 1, fraction: time - whole, dayNumber: day,
  };
}
function dated(year, month, day, hour, minute, second, offset) {
  // Months beyond a year's are those of the next.
  const y = year + Math.floor((month - 1) / 12), m = ((month - 1) % 12 + 12) % 12 + 1;
  return new SDate(historicDays(y, m, day) * 86400 + hour * 3600 + minute * 60 + second - offset - REFERENCE);
}
const two = number => String(number).padStart(2, "0");
// To the second before, towards zero, within the years that Foundation shows.
function dateText(date) {
  const time = Math.trunc(date.time + REFERENCE);
  if (!(time >= -62135769600 && time <= 64092211200)) return "<description unavailable>";
  const p = parts(new SDate(time - REFERENCE), 0, civil);
  return `${String(p.year).padStart(4, "0")}-${two(p.month)}-${two(p.day)} ${two(p.hour)}:${two(p.minute)}:${two(p.second)} +0000`;
}
class Zone { constructor(offset) { this.offset = offset; } }
$.timeZoneOf = offset => new Zone(offset);
$.timeZone = name => {
  if (["UTC", "GMT", "Etc/UTC", "Etc/GMT"].includes(name)) return new Zone(0);
  const found = /^(?:GMT|UTC)([+-])(\d{1,2}):?(\d{2})?$/.exec(name);
  if (found !== null) return new Zone((found[1] === "-" ? -1 : 1) * (Number(found[2]) * 3600 + Number(found[3] ?? 0) * 60));
  return trap("Time zones other than UTC and fixed ones are not known here");
};
$.locale = identifier => ({ identifier });
$.calendar = () => ({ timeZone: new Zone(0), isCalendar: true });
$.component = (calendar, name, date) => {
  const found = parts(date, calendar.timeZone.offset);
  return name === "week" ? trap("Weeks of the year are not known here") : found[name];
};
$.startOfDay = (calendar, date) => {
  const p = parts(date, calendar.timeZone.offset);
  return new SDate(p.dayNumber * 86400 - calendar.timeZone.offset - REFERENCE);
};
$.addComponent = (calendar, name, value, date) => {
  const number = Number(value), seconds = { second: 1, minute: 60, hour: 3600, day: 86400, week: 604800 }[name];
  if (seconds !== undefined) return new SDate(date.time + number * seconds);
  if (name === "weekday") return new SDate(date.time + number * 86400);
  const p = parts(date, calendar.timeZone.offset), month = p.month + (name === "month" ? number : 0), year = p.year + (name === "year" ? number : 0);
  const y = year + Math.floor((month - 1) / 12), m = ((month - 1) % 12 + 12) % 12 + 1;
  // A day that the month has not is its last.
  const moved = dated(y, m, Math.min(p.day, monthLength(y, m)), p.hour, p.minute, p.second, calendar.timeZone.offset);
  return new SDate(moved.time + p.fraction);
};
class Components {}
const componentNames = ["year", "month", "weekOfYear", "day", "hour", "minute", "second", "weekday"];
$.components0 = (year = null, month = null, day = null, hour = null, minute = null, second = null) =>
  Object.assign(new Components(), { year, month, day, hour, minute, second, weekday: null, weekOfYear: null });
// One component after the other, the largest first.
$.addComponents = (calendar, c, date) => {
  if (c.weekday !== null) trap("A day of the week can't be added here");
  return componentNames.reduce((sum, name) => c[name] === null ? sum : $.addComponent(calendar, name === "weekOfYear" ? "week" : name, c[name], sum), date);
};
$.dateAtTime = (calendar, hour, minute, second, date) => {
  if (hour < 0 || hour > 23 || minute < 0 || minute > 59 || second < 0 || second > 59) return null;
  return new SDate($.startOfDay(calendar, date).time + Number(hour) * 3600 + Number(minute) * 60 + Number(second));
};
// One component behind the other, the largest first: as many as lead not beyond the end.
$.difference = (calendar, names, from, to) => {
  const wanted = new Set($.elements(names)), found = $.components0();
  if (wanted.has("weekday")) trap("Days of the week between dates are not known here");
  const sign = to.time < from.time ? -1 : 1, isWithin = date => sign > 0 ? date.time <= to.time : date.time >= to.time;
  let start = from;
  if (sign < 0 && wanted.has("month") && parts(from, calendar.timeZone.offset).day > 28) trap("The months back from the end of a month are not known here");
  for (const name of ["year", "month", "week", "day", "hour", "minute", "second"]) {
    if (!wanted.has(name)) continue;
    let count = Math.trunc((to.time - start.time) / { year: 31556952, month: 2629746, week: 604800, day: 86400, hour: 3600, minute: 60, second: 1 }[name]);
    while (!isWithin($.addComponent(calendar, name, count, start))) count -= sign;
    while (isWithin($.addComponent(calendar, name, count + sign, start))) count += sign;
    start = $.addComponent(calendar, name, count, start);
    found[name === "week" ? "weekOfYear" : name] = count + 0;
  }
  return found;
};
$.dateComponents = (calendar, names, date) => {
  const p = parts(date, calendar.timeZone.offset), found = $.components0();
  for (const name of $.elements(names)) found[name] = $.component(calendar, name, date) ?? p[name];
  return found;
};
$.dateOfComponents = (calendar, c) =>
  c.weekOfYear !== null ? trap("Weeks of the year are not known here") : dated(c.year ?? 1, c.month ?? 1, c.day ?? 1, c.hour ?? 0, c.minute ?? 0, c.second ?? 0, calendar.timeZone.offset);
// MARK: Identifiers and places

$.newUUID = () => realm.makeUUID();
$.parseUUID = text => /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text) ? realm.makeUUID(text) : null;
$.uuidText = value => value.toString().toUpperCase();
$.newObjectId = () => realm.makeObjectId();
const invalidId = new Type("Error", { isError: true, isClass: true, fields: [], boxed: value => value, show: () => "Object ID must be a hexadecimal representation of a 12-byte value." });
$.objectId = text => { if (!/^[0-9a-f]{24}$/i.test(text)) throw new Thrown({ $t: invalidId }); return realm.makeObjectId(text); };
$.decimal = text => realm.makeDecimal(text);
// The digits and the power of ten of a decimal number, without zeros at its end.
function decimalParts(value) {
  const found = /^(-?)(\d+)(?:\.(\d+))?(?:E([+-]?\d+))?$/i.exec(value.toString());
  if (found === null) trap("A decimal number that is none, or infinite, is not known here");
  let digits = BigInt(found[1] + found[2] + (found[3] ?? "")), power = Number(found[4] ?? 0) - (found[3] ?? "").length;
  const plainPower = power;
  if (digits === 0n) return { digits, power: 0, plainPower, plainDigits: digits };
  const plainDigits = digits;
  while (digits % 10n === 0n) { digits /= 10n; power += 1; }
  return { digits, power, plainPower, plainDigits };
}
$.isNoDecimal = value => /nan/i.test(value.toString());
function scaledDecimals(a, b) {
  const left = decimalParts(a), right = decimalParts(b), power = Math.min(left.plainPower, right.plainPower);
  if (Math.abs(left.plainPower - right.plainPower) > 100) trap("Decimal numbers of so different a size are not understood here");
  return [left.plainDigits * 10n ** BigInt(left.plainPower - power), right.plainDigits * 10n ** BigInt(right.plainPower - power), power];
}
function decimalOrder(a, b) { const [left, right] = scaledDecimals(a, b); return left < right ? -1 : left > right ? 1 : 0; }
// Exact, within the digits that a decimal number has; a zero has a sign, too.
function madeDecimal(digits, power, isNegative) {
  if ((digits < 0n ? -digits : digits).toString().length > 34 || Math.abs(power) > 6000) trap("The result has more digits than a decimal number");
  return realm.makeDecimal(`${digits === 0n && isNegative ? "-" : ""}${digits}E${power}`);
}
$.decimalOf = (symbol, a, b) => {
  const [isFirst, isSecond] = [a, b].map(value => value.toString().startsWith("-"));
  if (symbol === "*") {
    const left = decimalParts(a), right = decimalParts(b);
    return madeDecimal(left.plainDigits * right.plainDigits, left.plainPower + right.plainPower, isFirst !== isSecond);
  }
  const [left, right, power] = scaledDecimals(a, b);
  return madeDecimal(symbol === "+" ? left + right : left - right, power, isFirst && isSecond === (symbol === "+"));
};
// Numbers that Foundation makes here show themselves as Swift's do.
const madeDouble = new Type("NSNumber", { ns: "Double", show: doubleText }), madeFloat = new Type("NSNumber", { ns: "Float", show: floatText });
$.nsNumber = (value, type) => new Box(value, type === T.Bool ? nsTypes.Bool : type === T.Double ? madeDouble : type === T.Float ? madeFloat : nsTypes.Int);
$.numberOf = box => typeof box.value === "boolean" ? (box.value ? 1 : 0) : box.value;

// MARK: Objects

function unknownProperty(object, name) { throw new Error(`Invalid property name '${name}' for class '${realm.infoOf(object).name}'.`); }
function propertyOf(object, name) { return realm.property(object, name) ?? unknownProperty(object, name); }
$.rawProperty = (object, name) => { propertyOf(object, name); return realm.get(object, name); };
$.property = (object, name) => $.read($.rawProperty(object, name), object, name);
$.propertiesOf = (object, names) => $.dictionaryOf(names.map(name => [name, $.property(object, name) ?? nsNull]));
// A value of a realm as one of the type `Any`.
$.read = (raw, object, name) => {
  if (raw === null || typeof raw === "string") return raw;
  if (raw === undefined) return object === null || object === undefined ? null : unknownProperty(object, name);
  return fromRealm(raw, object === null ? null : realm.property(object, name));
};
function fromRealm(raw, property) {
  switch (typeof raw) {
    case "number": {
      const type = property === null || property === undefined ? "mixed" : property.type;
      return new Box(raw, type === "double" ? nsTypes.Double : type === "float" ? nsTypes.Float : type === "int" || Number.isInteger(raw) ? nsTypes.Int : nsTypes.Double);
    }
    case "bigint": return new Box(raw, nsTypes.Int);
    case "boolean": return new Box(raw, nsTypes.Bool);
    case "object": return raw instanceof Date ? ofStored(raw) : typedNumber(raw) ?? raw;
    default: return raw;
  }
}
// A number of a mixed value that says its type; null of any other value.
function typedNumber(raw) {
  const number = realm.typedNumber(raw);
  return number === null ? null : new Box(number, realm.isFloat(raw) ? nsTypes.Float : nsTypes.Double);
}
function missed(raw, object, name, wanted) {
  if (raw === null || raw === undefined && (object === null || object === undefined)) trap("Unexpectedly found nil while unwrapping an Optional value");
  return castFailed($.read(raw, object, name), wanted);
}
$.forceString = (raw, object, name) => typeof raw === "string" ? raw : missed(raw, object, name, "String");
$.maybeString = (raw, object, name) => typeof raw === "string" ? raw : raw === undefined ? $.read(raw, object, name) : null;
function numberCast(type) {
  const maybe = (raw, object, name) => {
    if (raw === null) return null;
    if (raw === undefined) return $.read(raw, object, name);
    if (typeof raw === "string") return null;
    const number = typeof raw === "object" ? typedNumber(raw) : new Box(raw, nsTypes.Int);
    return number === null ? null : type.cast(number) ?? null;
  };
  return [(raw, object, name) => maybe(raw, object, name) ?? missed(raw, object, name, type.name), maybe];
}
const intCasts = numberCast(T.Int);
$.forceInt = (raw, object, name) => typeof raw === "number" && raw <= MOST && raw >= -MOST && raw === Math.trunc(raw) ? raw + 0 : intCasts[0](raw, object, name);
$.maybeInt = (raw, object, name) => typeof raw === "number" && raw <= MOST && raw >= -MOST && raw === Math.trunc(raw) ? raw + 0 : intCasts[1](raw, object, name);
const doubleCasts = numberCast(T.Double);
$.forceDouble = (raw, object, name) => typeof raw === "number" ? raw : doubleCasts[0](raw, object, name);
$.maybeDouble = (raw, object, name) => typeof raw === "number" ? raw : doubleCasts[1](raw, object, name);
const boolCasts = numberCast(T.Bool);
$.forceBool = (raw, object, name) => typeof raw === "boolean" ? raw : boolCasts[0](raw, object, name);
$.maybeBool = (raw, object, name) => typeof raw === "boolean" ? raw : boolCasts[1](raw, object, name);

function refused(value, property, info) {
  throw new Error(`Invalid value of type '${typeName(value)}' for '${property === null ? "any" : property.type}' property${property === null || info === null ? "" : ` '${info.name}.${property.name}'`}.`);
}
// The property that an element of a collection of objects or mixed values is. Null for other collections.
function elementIn(property) {
  const isKnown = property !== null && property !== undefined && (property.type === "mixed" || property.type === "object" && property.collection !== "none");
  return isKnown ? { __proto__: null, name: property.name, type: property.type, collection: "none", target: property.target } : null;
}
const mixedElement = { __proto__: null, name: "", type: "mixed", collection: "none", target: null };
// An element of a type as a collection takes it.
function toElement(collection, value, type) {
  const isAny = type === named.AnyRealmValue || type === T.Any;
  const property = !isAny ? null : collection instanceof UnmanagedList ? mixedElement : elementIn(realm.propertyOfCollection(collection));
  return toRealm(type.boxed(value), property, null);
}
// A number as a mixed value that keeps its type, where JavaScript's own would not.
function mixedNumber(number, isFloat) { return isFloat || Number.isInteger(number) ? realm.makeNumber(number, isFloat) : number; }

// A value of the type `Any` as a realm takes it; nothing of a type that its property has not.
function toRealm(value, property, info) {
  if (value === null || value === undefined || typeof value === "string") return value ?? null;
  if (value === nsNull) return null;
  const single = property !== null && property !== undefined && property.collection === "none" ? property.type : "any";
  if (typeof value === "boolean") return single === "int" ? Number(value) : single === "any" || single === "bool" || single === "mixed" ? value : refused(value, property, info);
  if (value instanceof Box) {
    const type = value.type, inner = value.value;
    if (type.optional) return inner === null ? null : toRealm(type.inner.boxed(inner), property, info);
    if (type.integer || type.ns === "Int") {
      if (single === "bool" && inner !== 0 && inner !== 1) refused(value, property, info);
      if (typeof inner === "bigint" && (inner > LONG_MAX || inner < LONG_MIN)) refused(value, property, info);
      return single === "bool" ? inner === 1 : inner;
    }
    if (type === T.Double || type === T.Float || type.ns === "Double" || type.ns === "Float") {
      if (single === "int" || single === "bool") refused(value, property, info);
      return single === "mixed" ? mixedNumber(inner, type === T.Float || type.ns === "Float") : inner;
    }
    if (type.ns === "Bool" && single === "int") return Number(inner);
    if (type.ns === "Bool") return single === "any" || single === "bool" || single === "mixed" ? inner : refused(value, property, info);
    if (type.element !== undefined && single === "object" && property.target !== null) {
      // The values of an object in the order of its properties.
      const members = new Map(), names = property.target.properties.filter(found => found.type !== "linkingObjects");
      if (inner.length > names.length) refused(value, property, info);
      inner.forEach((item, index) => members.set(names[index].name, toRealm(type.element.boxed(item), names[index], property.target)));
      return withDefaults(members, property.target);
    }
    if (type.element !== undefined) return inner.map(item => toRealm(type.element.boxed(item), elementIn(property), info));
    if (type.member !== undefined) return $.elements(inner).map(item => toRealm(type.member.boxed(item), elementIn(property), info));
    if (type.keyType !== undefined) {
      const members = new Map(), target = single === "object" ? property.target : null, element = elementIn(property);
      for (const [name, item] of $.entries(inner)) {
        members.set(name, toRealm(type.valueType.boxed(item), element ?? (target === null ? null : realm.propertyOf(target, name) ?? null), target ?? info));
      }
      return target === null ? members : withDefaults(members, target);
    }
    return refused(value, property ?? null, info);
  }
  if (value instanceof SDate) return toStored(value);
  // A number of Foundation, which is a Double to a realm but where it keeps decimals.
  if (value instanceof SDecimal) {
    if (single === "decimal128") return realm.makeDecimal(value.text);
    if (single === "mixed") return mixedNumber($.decimalDouble(value), false);
    return single === "double" || single === "float" ? $.decimalDouble(value) : refused(value, property ?? null, info);
  }
  if (value instanceof UnmanagedObject) {
    if (property === null || property === undefined || property.type !== "object") throw new Error(`An object of '${value.$t.name}' that belongs to no realm can be assigned to a property of its class alone: make it by create.`);
    if (property.target !== undefined && property.target !== null && property.target.name !== value.$t.name) refused(value, property, info);
    return toRealm(value.give(), property, info);
  }
  if (value.$t !== undefined || value instanceof SURL) return refused(value, property ?? null, info);
  return value;
}
$.setProperty = (object, name, value) => {
  const property = propertyOf(object, name);
  realm.set(object, name, toRealm(value, property, realm.infoOf(object)));
};
// By a path of keys through objects, as key-value coding has it: where an object is missing there is nothing, and nothing is done.
function objectAtPath(object, names) {
  let found = object;
  for (const name of names) {
    const value = $.rawProperty(found, name);
    if (value === null) return null;
    if (realm.infoOrNull(value) === null) trap(`The key path leads through ‘${name}’, which is no object: this is not understood here`);
    found = value;
  }
  return found;
}
$.valueAtPath = (object, path) => {
  const names = path.split("."), last = names.pop(), found = objectAtPath(object, names);
  return found === null ? null : $.property(found, last);
};
$.setValueAtPath = (object, path, value) => {
  const names = path.split("."), last = names.pop(), found = objectAtPath(object, names);
  if (found !== null) $.setProperty(found, last, value);
};
$.setProperties = (object, values) => { for (const [name, value] of values.map.values()) $.setProperty(object, name, value); };
// A value of the type `Any` as an object: never an optional.
$.asObject = value => {
  if (value === null || value === undefined) return nsNull;
  return value instanceof Box && value.type.optional ? $.asObject(value.value === null ? null : value.type.inner.boxed(value.value)) : value;
};
// From one object to another without a look at the value, where both properties are of one type.
$.copyProperty = (object, name, raw, from, fromName) => {
  if (raw === undefined && from !== null && from !== undefined) unknownProperty(from, fromName);
  const value = raw ?? null;
  if (typeof value === "number" || typeof value === "boolean" || realm.typedNumber(value) !== null) return $.setProperty(object, name, fromRealm(value, realm.property(from, fromName)));
  propertyOf(object, name);
  realm.set(object, name, value);
};
$.isInvalidated = object => !realm.isValid(object);
$.className = name => {
  if (!realm.hasClass(name)) throw new Error(`No file declares the class ${name}, and the realm has none of this name before or after: add the file that declares it.`);
  return name;
};
$.enumerate = (migration, name, body) => { migration.enumerateObjects(name, (oldObject, newObject) => { body(oldObject, newObject); }); };
// The initial values that no schema says, by class and property: whether it is of each object's own; else it is not known.
const initialValues = new Map();
$.initialValue = (name, property, isOwn) => {
  if (!initialValues.has(name)) initialValues.set(name, new Map());
  initialValues.get(name).set(property, isOwn);
};
function withDefaults(members, info) {
  const initial = initialValues.get(info.name);
  for (const property of info.properties) {
    if (property.hasDefault || members.has(property.name)) continue;
    const isOwn = initial?.get(property.name);
    if (isOwn === false) throw new Error(`The initial value of ‘${info.name}.${property.name}’ is none that is known here: give a value where the object is made.`);
    const isKey = property.primary && property.type !== "uuid" && property.type !== "objectId";
    if (isKey || property.collection !== "none" || property.optional && isOwn === undefined) continue;
    switch (property.type) {
      case "date": members.set(property.name, toStored($.now())); break;
      case "uuid": members.set(property.name, realm.makeUUID()); break;
      case "objectId": members.set(property.name, realm.makeObjectId()); break;
      case "decimal128": members.set(property.name, realm.makeDecimal("0")); break;
    }
  }
  return members;
}
$.create = (migration, name, given) => {
  const info = realm.newClass(name), value = given instanceof UnmanagedObject ? given.value : given;
  if (value === undefined) return migration.create(name, info === null ? value : withDefaults(new Map(), info));
  if (realm.infoOrNull(value) !== null) return migration.create(name, value);
  if (value instanceof Box && value.type.keyType !== undefined) {
    const members = new Map();
    for (const [key, item] of $.entries(value.value)) {
      const property = info === null ? null : realm.propertyOf(info, key) ?? null;
      if (info !== null && property === null) throw new Error(`Invalid property name '${key}' for class '${info.name}'.`);
      members.set(key, toRealm(value.type.valueType.boxed(item), property, info));
    }
    return migration.create(name, info === null ? members : withDefaults(members, info));
  }
  if (info !== null && value instanceof Box && value.type.element !== undefined) {
    // The values in the order of the properties.
    const properties = info.properties.filter(found => found.type !== "linkingObjects"), { element } = value.type;
    return migration.create(name, value.value.map((item, index) => toRealm(element.boxed(item), properties[index] ?? null, info)));
  }
  return migration.create(name, toRealm(value, null, info));
};
$.deleteData = (migration, name) => migration.deleteData(name) === true;

// MARK: Lists

function listRead(list) { const items = []; for (let i = 0; i < list.length; i++) items.push(fromRealm(list[i], null)); return items; }
$.listItems = (list, type) => {
  const items = listRead(list);
  return type === named.MigrationObject || type === T.Any ? items : castAll(items, T.Any, type) ?? trap("The elements of the list are of another type");
};
$.listAt = (list, index, type) => {
  if (index < 0 || index >= list.length) throw new Error(`Index ${index} is out of bounds (must be less than ${list.length}).`);
  const value = fromRealm(list[index], null);
  return value === null && type === named.AnyRealmValue ? null : $.force(value, type);
};
$.setListAt = (list, index, value, type) => { if (index < 0 || index >= list.length) throw new Error(`Index ${index} is out of bounds (must be less than ${list.length}).`); list[index] = toElement(list, value, type); };
$.listAppend = (list, value, type) => { list.push(toElement(list, value, type)); };
$.listAppendAll = (list, items, type) => { for (let i = 0; i < items.length; i++) $.listAppend(list, items[i], type); };
// A list is a class: what is added to it is in it, and not in a new one.
$.listPlus = (list, items, type) => { $.listAppendAll(list, items, type); return list; };
$.listInsert = (list, value, index, type) => { if (index < 0 || index > list.length) throw new Error(`Index ${index} is out of bounds.`); list.splice(index, 0, toElement(list, value, type)); };
$.listRemove = (list, index) => { if (index < 0 || index >= list.length) throw new Error(`Index ${index} is out of bounds (must be less than ${list.length}).`); list.splice(index, 1); };
$.listInsertAll = (list, items, index, type) => {
  if (index < 0 || index > list.length) throw new Error(`Index ${index} is out of bounds.`);
  list.splice(index, 0, ...items.map(item => toElement(list, item, type)));
};
function mustBeInList(list, ...indices) { for (const index of indices) if (index < 0 || index >= list.length) throw new Error(`Index ${index} is out of bounds (must be less than ${list.length}).`); }
function removeFrom(list, index, count) {
  if (count < 0) throw new Error("Cannot pass negative index.");
  if (count > list.length) throw new Error(`It is not possible to remove more objects (${count}) from a list containing only (${list.length}) objects.`);
  list.splice(index, count);
}
$.listRemoveFirst = (list, count) => removeFrom(list, 0, count);
$.listRemoveLast = (list, count) => removeFrom(list, list.length - count, count);
$.listMove = (list, from, to) => {
  mustBeInList(list, from, to);
  const value = list[from];
  list.splice(from, 1);
  list.splice(to, 0, value);
};
$.listSwap = (list, a, b) => {
  mustBeInList(list, a, b);
  const value = list[a];
  list[a] = list[b];
  list[b] = value;
};
function isOfNumber(value, name) { return value instanceof Box && (value.type.ns === name || value.type.name === name); }
$.mixedInt = value => isOfNumber(value, "Int") ? value.value : null;
$.mixedBool = value => typeof value === "boolean" ? value : isOfNumber(value, "Bool") ? value.value === true || value.value === 1 : null;
$.mixedDouble = value => isOfNumber(value, "Double") ? value.value : null;
$.mixedFloat = value => isOfNumber(value, "Float") ? value.value : null;
$.listClear = list => { list.splice(0, list.length); };
$.dynamicList = (object, name) => {
  const property = propertyOf(object, name);
  if (property.collection !== "list") throw new Error(`The property '${name}' of '${realm.infoOf(object).name}' is no list.`);
  return realm.get(object, name);
};

// MARK: Sets and dictionaries of objects

function collectionNamed(object, name, kind, what) {
  const property = propertyOf(object, name);
  if (property.collection !== kind) throw new Error(`The property '${name}' of '${realm.infoOf(object).name}' is no ${what}.`);
  return realm.get(object, name);
}
$.dynamicSet = (object, name) => collectionNamed(object, name, "set", "set");
$.dynamicMap = (object, name) => collectionNamed(object, name, "dictionary", "dictionary");
$.realmSetCount = set => set.size;
$.realmSetItems = (set, type) => castAll(Array.from(set.values(), item => fromRealm(item, null)), T.Any, type) ?? trap("The elements of the set are of another type");
$.realmSetHas = (set, value, type) => set.has(toElement(set, value, type));
$.realmSetInsert = (set, items, type) => { for (const item of items) set.add(toElement(set, item, type)); };
$.realmSetRemove = (set, value, type) => { set.delete(toElement(set, value, type)); };
$.realmSetSubtract = (set, others, type) => { for (const item of $.realmSetItems(others, type)) $.realmSetRemove(set, item, type); };
$.realmSetIntersect = (set, others, type) => { for (const item of $.realmSetItems(set, type)) if (!$.realmSetHas(others, item, type)) $.realmSetRemove(set, item, type); };
$.realmSetIsWithin = (set, others, type) => $.realmSetItems(set, type).every(item => $.realmSetHas(others, item, type));
$.realmSetMeets = (set, others, type) => $.realmSetItems(set, type).some(item => $.realmSetHas(others, item, type));
$.realmSetClear = set => { set.clear(); };
$.realmMapKeys = map => Object.keys(map);
$.realmMapCount = map => Object.keys(map).length;
$.realmMapAt = (map, key, type) => {
  if (!Object.keys(map).includes(key)) return null;
  const value = fromRealm(map[key], null);
  return value === null ? null : $.force(value, type);
};
$.realmMapValues = (map, type) => Object.keys(map).map(key => $.cast(fromRealm(map[key], null), type));
$.realmMapEntries = (map, type) => Object.keys(map).map(key => [key, $.cast(fromRealm(map[key], null), type)]);
$.setRealmMapAt = (map, key, type, value) => { if (value === null) delete map[key]; else map[key] = toElement(map, value, type); };
$.realmMapRemove = (map, key) => { delete map[key]; };
$.realmMapClear = map => { for (const key of Object.keys(map)) delete map[key]; };

// MARK: Schemas

$.schemaClasses = schema => { const all = []; for (let i = 0; i < schema.length; i++) all.push(schema[i]); return all; };
$.schemaClass = (schema, name) => $.schemaClasses(schema).find(found => found.name === name) ?? null;
const kinds = { list: "isArray", set: "isSet", dictionary: "isMap" };
$.schemaProperties = found => Object.keys(found.properties).map(name => {
  const described = found.properties[name], kind = kinds[described.type];
  return {
    name, type: kind === undefined ? described.type : (realm.isClassName(described.objectType) ? "object" : described.objectType),
    isOptional: described.optional === true, isIndexed: described.indexed !== false && described.indexed !== undefined || found.primaryKey === name,
    isArray: kind === "isArray", objectClassName: realm.isClassName(described.objectType) ? described.objectType : null,
  };
});
$.schemaProperty = (found, name) => $.schemaProperties(found).find(property => property.name === name) ?? null;
$.schemaPrimaryKey = found => found.primaryKey === undefined ? null : $.schemaProperty(found, found.primaryKey);
