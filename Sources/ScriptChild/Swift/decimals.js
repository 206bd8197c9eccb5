// Foundation's `Decimal`: a whole number of 128 bits with a sign, and a power of ten.

const DECIMAL_MOST = 2n ** 128n - 1n;
class SDecimal {
  constructor(digits, power) { this.digits = digits; this.power = power; }
  get text() {
    const size = (this.digits < 0n ? -this.digits : this.digits).toString(), sign = this.digits < 0n ? "-" : "";
    if (this.power >= 0) return sign + size + "0".repeat(this.power);
    const padded = size.padStart(1 - this.power, "0"), point = padded.length + this.power;
    return sign + padded.substring(0, point) + "." + padded.substring(point);
  }
}
// The number without zeros at its end, which has to fit.
function madeSDecimal(digits, power) {
  if (digits === 0n) return new SDecimal(0n, 0);
  while (digits % 10n === 0n) { digits /= 10n; power += 1; }
  while (power > 127) { digits *= 10n; power -= 1; }
  if ((digits < 0n ? -digits : digits) > DECIMAL_MOST || power < -128) trap("The result has more digits than a Decimal");
  return new SDecimal(digits, power);
}
$.decimalOfInteger = number => madeSDecimal(BigInt(number), 0);
// As near as a whole number of 64 bits comes to it, scaled step by step.
$.decimalOfDouble = number => {
  if (!Number.isFinite(number)) trap("A Decimal that is none is not known here");
  let size = Math.abs(number), power = 0;
  if (size === 0) return new SDecimal(0n, 0);
  while (size < 18446744073709551614) { size *= 10; power -= 1; if (power < -128) trap("This number is too small for a Decimal here"); }
  while (size >= 18446744073709551615) { size /= 10; power += 1; }
  const digits = BigInt(Math.trunc(size));
  return madeSDecimal(number < 0 ? -digits : digits, power);
};
$.decimalOfText = text => {
  const found = /^[ \t-\r]*([+-]?)(\d*)(?:\.(\d*))?(?:[eE]([+-]?\d+))?/.exec(text), part = found[3] ?? "";
  if (found[2] + part === "") return found[1] === "" ? null : new SDecimal(0n, 0);
  return madeSDecimal(BigInt(found[1] + found[2] + part), Number(found[4] ?? 0) - part.length);
};
$.decimalNumberOfText = text =>
  (text === null ? null : $.decimalOfText(text)) ?? trap("NSDecimalNumber(string:) of what is no number gives .notANumber, which is not known here: take Decimal(string:)");
function evenDecimals(a, b) {
  const power = Math.min(a.power, b.power);
  return [a.digits * 10n ** BigInt(a.power - power), b.digits * 10n ** BigInt(b.power - power), power];
}
$.decimalSum = (a, b) => { const [left, right, power] = evenDecimals(a, b); return madeSDecimal(left + right, power); };
$.decimalMinus = (a, b) => { const [left, right, power] = evenDecimals(a, b); return madeSDecimal(left - right, power); };
$.decimalProduct = (a, b) => madeSDecimal(a.digits * b.digits, a.power + b.power);
// With 38 places more than the first one has, cut to what fits.
$.decimalQuotient = (a, b) => {
  if (b.digits === 0n) trap("Division of a Decimal by zero");
  let digits = a.digits * 10n ** 38n / b.digits, power = a.power - b.power - 38;
  while ((digits < 0n ? -digits : digits) > DECIMAL_MOST) { digits /= 10n; power += 1; }
  return madeSDecimal(digits, power);
};
$.decimalPower = (number, count) => {
  if (count < 0) trap("A negative power of a Decimal is not known here");
  return madeSDecimal(number.digits ** BigInt(count), number.power * Number(count));
};
$.decimalMagnitude = number => number.digits < 0n ? new SDecimal(-number.digits, number.power) : number;
function sdecimalOrder(a, b) { const [left, right] = evenDecimals(a, b); return left < right ? -1 : left > right ? 1 : 0; }
// Digit by digit, 16 bits each, and a step for each power of ten, as Foundation comes to it.
$.decimalDouble = number => {
  let size = number.digits < 0n ? -number.digits : number.digits, value = 0;
  const words = [];
  while (size > 0n) { words.push(Number(size & 0xffffn)); size >>= 16n; }
  for (const word of words.reverse()) value = value * 65536 + word;
  for (let power = number.power; power < 0; power++) value /= 10;
  for (let power = number.power; power > 0; power--) value *= 10;
  return number.digits < 0n ? -value : value;
};
$.decimalInteger = (number, type) => $.truncated(number.power >= 0 ? number.digits * 10n ** BigInt(number.power) : number.digits / 10n ** BigInt(-number.power), type);
$.decimalRounded = (number, scale, mode) => {
  const places = -number.power - Number(scale);
  if (places <= 0) return number;
  const unit = 10n ** BigInt(places), isNegative = number.digits < 0n, rest = number.digits % unit < 0n ? -(number.digits % unit) : number.digits % unit;
  let digits = number.digits / unit;
  const isUp = mode === "up" ? !isNegative && rest > 0n : mode === "down" ? isNegative && rest > 0n
    : mode === "plain" ? 2n * rest >= unit : 2n * rest > unit || 2n * rest === unit && digits % 2n !== 0n;
  if (isUp) digits += isNegative ? -1n : 1n;
  return madeSDecimal(digits, -Number(scale));
};
$.roundDecimal = (result, number, scale, mode) => { result.v = $.decimalRounded(number.v, scale, mode); };
