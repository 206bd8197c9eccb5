// Time and chance: the machine's own, until `api.setOrigin` gives a script those of its source.

let beginning = null, looks = 0, chance = nativeRandom;
const random = () => chance();

// A clock that goes on by a microsecond whenever somebody looks: a run can be repeated, and who waits for a moment comes to it.
const now = () => beginning === null ? nativeNow() : beginning + floor(looks++ / 1000);

// The numbers are one sequence (sfc32, of PractRand), which a repeated run has again.
api.setOrigin = function (time, a, b, c, d) {
  beginning = time;
  let s0 = a | 0, s1 = b | 0, s2 = c | 0, s3 = d | 0;
  function next() {
    const sum = (s0 + s1 | 0) + s3 | 0;
    s3 = s3 + 1 | 0;
    s0 = s1 ^ s1 >>> 9;
    s1 = s2 + (s2 << 3) | 0;
    s2 = s2 << 21 | s2 >>> 11;
    s2 = s2 + sum | 0;
    return sum >>> 0;
  }
  // Until every bit of the state has had to do with every other.
  for (let i = 0; i < 16; i++) next();
  // 53 bits, as many as a number below 1 has.
  chance = () => (next() * 2097152 + (next() >>> 11)) / 9007199254740992;
  defineProperty(globalThis, "Date", { value: ScriptDate });
  for (const type of [SafeDate, RealmDate]) defineProperty(type.prototype, "constructor", { value: ScriptDate });
  if (typeof Intl === "object") tellTimeToFormats();
};

defineProperty(Math, "random", { value: random, writable: true, enumerable: false, configurable: true });

// `Date` as scripts see it, whose objects are the engine's own.
function ScriptDate(...parts) {
  if (new.target === undefined) return dateText(new SafeDate(now()));
  const given = parts.length === 0 ? [now()] : parts;
  return reflectConstruct(SafeDate, given, new.target === ScriptDate ? SafeDate : new.target);
}
defineProperty(ScriptDate, "name", { value: "Date", configurable: true });
defineProperty(ScriptDate, "length", { value: 7, configurable: true });
defineProperty(ScriptDate, "prototype", { value: SafeDate.prototype, writable: false });
for (const [name, value] of [["now", now], ["parse", SafeDate.parse], ["UTC", SafeDate.UTC]]) {
  defineProperty(ScriptDate, name, { value, writable: true, enumerable: false, configurable: true });
}

// A format that is asked about no date takes the time.
function tellTimeToFormats() {
  const prototype = Intl.DateTimeFormat.prototype;
  const format = uncurry(getOwnPropertyDescriptor(prototype, "format").get);
  const formatToParts = uncurry(prototype.formatToParts);
  defineProperty(prototype, "format", {
    get() {
      const bound = format(this);
      return date => bound(date === undefined ? now() : date);
    }, enumerable: false, configurable: true,
  });
  defineProperty(prototype, "formatToParts", {
    value(date) { return formatToParts(this, date === undefined ? now() : date); },
    writable: true, enumerable: false, configurable: true,
  });
}
