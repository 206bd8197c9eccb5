// Time and chance, as a script sees them.

const dateText = uncurry(SafeDate.prototype.toString);

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

// Has the script find the time of its source.
function tellTime() {
  defineProperty(globalThis, "Date", { value: ScriptDate });
  defineProperty(SafeDate.prototype, "constructor", { value: ScriptDate });
  // A script that shares a world can't name it (`admits`).
  if (typeof Intl === "object" && textColumn === 0) tellTimeToFormats();
}
if (beginning !== null) tellTime();

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
