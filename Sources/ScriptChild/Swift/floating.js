// Floating numbers: what their types have besides arithmetic, as IEEE 754 has it.

// The bits of a number as a whole number that is in their order, and back.
function orderedBits(number, type) {
  if (type === T.Float) { doubleView.setFloat32(0, number); return doubleView.getInt32(0); }
  doubleView.setFloat64(0, number);
  return doubleView.getBigInt64(0);
}
function ofOrderedBits(bits, type) {
  if (type === T.Float) { doubleView.setInt32(0, bits); return doubleView.getFloat32(0); }
  doubleView.setBigInt64(0, bits);
  return doubleView.getFloat64(0);
}
// The next number that is larger.
$.nextUp = (number, type) => {
  if (number !== number || number === Infinity) return number;
  if (number === 0) return type === T.Float ? 2 ** -149 : Number.MIN_VALUE;
  const one = type === T.Float ? 1 : 1n;
  return ofOrderedBits(number > 0 ? orderedBits(number, type) + one : orderedBits(number, type) - one, type);
};
$.nextDown = (number, type) => -$.nextUp(-number, type);
// The power of two that a number is one to two times of.
function exponentOf(number) {
  const size = Math.abs(number);
  let power = Math.max(Math.min(Math.floor(Math.log2(size)), 1023), -1074);
  while (2 ** power > size) power -= 1;
  while (power < 1023 && 2 ** (power + 1) <= size) power += 1;
  return power;
}
$.exponent = number => number === 0 ? plain(LONG_MIN) : number !== number || $.isInfinite(number) ? plain(LONG_MAX) : exponentOf(number);
$.significand = number => number === 0 || number !== number || $.isInfinite(number) ? Math.abs(number) : Math.abs(number) / 2 ** exponentOf(number);
$.ulp = (number, type) => {
  if (number !== number || $.isInfinite(number)) return NaN;
  const [bits, least] = type === T.Float ? [23, -149] : [52, -1074];
  return number === 0 ? 2 ** least : 2 ** Math.max(exponentOf(number) - bits, least);
};
// The rest beside the nearest multiple, of which an even one counts where two are equally near.
$.nearestRemainder = (a, b) => {
  if (a !== a || b !== b || b === 0 || $.isInfinite(a)) return NaN;
  if ($.isInfinite(b)) return a;
  const size = Math.abs(b), rest = Math.abs(a) % size, other = size - rest;
  // Exact: both are multiples of the smaller one's last place.
  const isOdd = Math.abs(a) % (2 * size) !== rest && 2 * size !== Infinity;
  const nearest = rest < other || rest === other && !isOdd ? rest : -other;
  const value = a < 0 || Object.is(a, -0) ? -nearest : nearest;
  return value === 0 ? (a < 0 || Object.is(a, -0) ? -0 : 0) : value;
};
// The smaller or the larger of two; nothing that is no number.
$.leastNumber = (a, b) => a !== a ? b : b !== b || a <= b ? a : b;
$.mostNumber = (a, b) => a !== a ? b : b !== b || a > b ? a : b;
$.exactFloating = (number, type) => {
  const near = type === T.Float ? Math.fround(Number(number)) : Number(number);
  return near !== near ? null : typeof number === "bigint" ? (BigInt(near) === number ? near : null) : near === number ? near : null;
};
// Both halves of a product.
$.wideProduct = (a, b, type, low) => {
  const product = BigInt(a) * BigInt(b);
  return [plain(product >> BigInt(type.bits)), wrapped(product, low)];
};
$.copySign = (number, other) => (Object.is(Math.sign(other), -0) || other < 0) ? -Math.abs(number) : Math.abs(number);
$.wholeAndPart = number => [Math.trunc(number), $.isInfinite(number) ? $.copySign(0, number) : number % 1];
