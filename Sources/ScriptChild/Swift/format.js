// `String(format:)` as Foundation on Linux has it: its own reading of the places, and C's digits.

const formatPlace = /%(?:(\d+)\$)?([-+ #0]*)(\*(?:(\d+)\$)?|\d+)?(?:\.(\*(?:(\d+)\$)?|-?\d*))?(hh|h|ll|l|q|z|t|j)?([^])?/g;
const formatSizes = { hh: 8, h: 16, l: 64, ll: 64, q: 64, z: 64, t: 64, j: 64 };

$.format = (text, values) => {
  let next = 0;
  function value(position) {
    const index = position === undefined ? next++ : Number(position) - 1;
    return index < values.length ? values[index] : trap("The format has more places than values");
  }
  function star(found, position) {
    if (found === undefined || found === "") return found === undefined ? undefined : 0;
    return found[0] === "*" ? Number(BigInt.asIntN(32, formatInteger(value(position)))) : Number(found);
  }
  return text.replace(formatPlace, (whole, position, flags, width, widthPosition, precision, precisionPosition, size, kind) => {
    if (whole === "%%") return "%";
    const place = { flags, kind, size, width: star(width, widthPosition) ?? 0, precision: star(precision, precisionPosition) };
    if (place.width < 0) { place.flags += "-"; place.width = -place.width; }
    if (place.precision < 0) place.precision = undefined;
    switch (kind) {
      // Foundation pads no text, and cuts none.
      case "@": return flags.includes("#") ? unknownPlace(whole) : formatText(value(position));
      case "c": return size === undefined ? characterPlace(place, value(position)) : unknownPlace(whole);
      case "d": case "i": case "u": case "x": case "X": case "o": return integerPlace(place, value(position));
      case "f": case "F": case "e": case "E": case "g": case "G": case "a": case "A": return floatingPlace(place, value(position));
      default: return unknownPlace(whole);
    }
  });
};
// A format of a log, without who sees a value: a migration's log is the team's own.
$.logFormat = (text, values) => $.format(text.replace(/%\{(?:public|private|sensitive)\}/g, "%"), values);
function unknownPlace(whole) { return trap(`‘${whole}’ in a format is not understood`); }
function formatText(value) {
  if (value === null || value === undefined) return "(null)";
  // Numbers and truth are objects of Foundation there.
  if (value === true) return "1";
  if (value === false) return "0";
  if (value instanceof Box && (value.type === T.Double || value.type === T.Float)) return T.Any.show(value).replace(/\.0$/, "");
  return T.Any.show(value);
}
// A byte of Latin-1; zero ends the text, as it does in C.
function characterPlace(place, value) {
  return padded(place, "", String.fromCharCode(Number(BigInt.asUintN(8, formatInteger(value)))), true).split("\0")[0];
}
function isFloatingValue(value) { return value instanceof Box && (value.type === T.Double || value.type === T.Float || value.type.ns === "Double" || value.type.ns === "Float"); }
function formatInteger(value) {
  if (typeof value === "boolean") return value ? 1n : 0n;
  if (!(value instanceof Box) || isFloatingValue(value)) trap("The value does not fit its place in the format");
  // A word of the call: what is shorter fills its lower half.
  return value.type.bits <= 32 ? BigInt.asUintN(32, BigInt(value.value)) : BigInt(value.value);
}
function padded(place, sign, digits, canZero) {
  const count = place.width - sign.length;
  if (place.flags.includes("-")) return (sign + digits).padEnd(place.width);
  return canZero && place.flags.includes("0") ? sign + digits.padStart(count, "0") : (sign + digits).padStart(place.width);
}
function signOf(place, isNegative) { return isNegative ? "-" : place.flags.includes("+") ? "+" : place.flags.includes(" ") ? " " : ""; }
function integerPlace(place, value) {
  const bits = formatSizes[place.size] ?? 32, whole = formatInteger(value), isAlternate = place.flags.includes("#");
  const isSigned = place.kind === "d" || place.kind === "i";
  const number = isSigned ? BigInt.asIntN(bits, whole) : BigInt.asUintN(bits, whole), isNegative = number < 0n;
  let digits = (isNegative ? -number : number).toString(place.kind === "o" ? 8 : place.kind === "x" || place.kind === "X" ? 16 : 10);
  if (place.kind === "X") digits = digits.toUpperCase();
  if (place.precision === 0 && number === 0n) digits = "";
  digits = digits.padStart(place.precision ?? 0, "0");
  if (place.kind === "o" && isAlternate && digits[0] !== "0") digits = "0" + digits;
  const sign = isSigned ? signOf(place, isNegative) : isAlternate && number !== 0n && place.kind.toLowerCase() === "x" ? "0" + place.kind : "";
  return padded(place, sign, digits, place.precision === undefined);
}
function floatingPlace(place, value) {
  if (!isFloatingValue(value) || place.size !== undefined && !"hhl".includes(place.size)) trap("The value does not fit its place in the format");
  const number = value.value, lower = place.kind.toLowerCase(), isFinite = Number.isFinite(number), magnitude = Math.abs(number);
  const isNegative = number < 0 || Object.is(number, -0);
  let sign = signOf(place, isNegative), digits;
  if (!isFinite) digits = number !== number ? shownNaN() : "inf";
  else if (lower === "f") digits = fixed(magnitude, place.precision ?? 6, place.flags.includes("#"));
  else if (lower === "e") digits = exponential(magnitude, place.precision ?? 6, place.flags.includes("#"));
  else if (lower === "g") digits = general(magnitude, place.precision ?? 6, place.flags.includes("#"));
  else { sign += "0x"; digits = hexadecimal(magnitude, place.precision, place.flags.includes("#")); }
  const text = padded(place, sign, digits, isFinite);
  return place.kind === lower ? text : text.toUpperCase();
}
// A number times a power of ten, rounded half to even from its exact value, as C has it.
function scaled(number, power) {
  const [whole, scale] = exactParts(number);
  const above = power >= 0 ? whole * 10n ** BigInt(power) : whole, below = power >= 0 ? scale : scale * 10n ** BigInt(-power);
  const quotient = above / below, twice = above % below * 2n;
  return twice > below || twice === below && quotient % 2n === 1n ? quotient + 1n : quotient;
}
function exactParts(number) {
  let scale = 1n;
  while (!Number.isInteger(number)) { number *= 2; scale *= 2n; }
  return [BigInt(number), scale];
}
function fixed(number, digits, hasPoint) {
  const text = scaled(number, digits).toString().padStart(digits + 1, "0");
  return digits === 0 ? text + (hasPoint ? "." : "") : text.slice(0, -digits) + "." + text.slice(-digits);
}
// The digits, one before the point and some behind, and the power of ten.
function significant(number, digits) {
  if (number === 0) return ["0".repeat(digits + 1), 0];
  const power = Number(number.toExponential(40).split("e")[1]), text = scaled(number, digits - power).toString();
  return text.length > digits + 1 ? [text.slice(0, -1), power + 1] : [text, power];
}
function exponentText(power) { return (power < 0 ? "e-" : "e+") + String(Math.abs(power)).padStart(2, "0"); }
function exponential(number, digits, hasPoint) {
  const [text, power] = significant(number, digits);
  return text[0] + (digits > 0 || hasPoint ? "." : "") + text.substring(1) + exponentText(power);
}
function general(number, precision, keepsZeros) {
  const digits = Math.max(precision, 1), [, power] = significant(number, digits - 1);
  const text = power < -4 || power >= digits ? exponential(number, digits - 1, keepsZeros) : fixed(number, digits - 1 - power, keepsZeros);
  return keepsZeros || !text.includes(".") ? text : text.replace(/\.?0*(?=e|$)/, "");
}
function hexadecimal(number, precision, hasPoint) {
  const view = new DataView(new ArrayBuffer(8));
  view.setFloat64(0, number);
  const bits = view.getBigUint64(0), exponent = Number(bits >> 52n);
  let mantissa = bits & (1n << 52n) - 1n | (exponent === 0 ? 0n : 1n << 52n), digits = 13;
  if (precision !== undefined && precision < 13) {
    const drop = BigInt(4 * (13 - precision)), half = 1n << drop - 1n, rest = mantissa & (1n << drop) - 1n;
    mantissa >>= drop;
    if (rest > half || rest === half && mantissa % 2n === 1n) mantissa += 1n;
    digits = precision;
  }
  let text = (mantissa & (1n << BigInt(4 * digits)) - 1n).toString(16).padStart(digits, "0");
  if (digits === 0) text = "";
  text = precision === undefined ? text.replace(/0+$/, "") : text.padEnd(precision, "0");
  const power = number === 0 ? 0 : exponent === 0 ? -1022 : exponent - 1023;
  return `${mantissa >> BigInt(4 * digits)}${text !== "" || hasPoint ? "." : ""}${text}p${power < 0 ? "-" : "+"}${Math.abs(power)}`;
}
