// The console, whose lines go to the job's log.

const { Decimal128, ObjectId, UUID, getTime } = valuesMade();
const stringify = JSON.stringify, toISOString = uncurry(SafeDate.prototype.toISOString);

function shown(value) {
  if (typeof value === "string") return value;
  if (typeof value === "bigint") return SafeString(value) + "n";
  if (typeof value !== "object" || value === null) return SafeString(value);
  if (value instanceof SafeError) return SafeString(value);
  if (isDate(value)) return getTime(value) === getTime(value) ? toISOString(value) : "Invalid Date";
  const text = Decimal128.text(value) ?? ObjectId.text(value) ?? UUID.text(value);
  if (text !== null) return text;
  try {
    const json = stringify(value, boundedPart());
    return json === undefined ? SafeString(value) : json;
  } catch (error) {
    // What a script does must not depend on how much stack and memory are left.
    if (isOutOfStack(error) || isOutOfMemory(error)) throw error;
    return error === tooLarge ? `[${isArray(value) ? "array" : "object"}, too large to show]` : "[object]";
  }
}

const tooLarge = freeze({});

// Chooses the shown parts of a value, for `JSON.stringify`: no more parts and no longer texts than a line has room for.
function boundedPart() {
  let parts = 0;
  return (_, part) => {
    parts += 1;
    if (parts > TEXT_LIMIT) throw tooLarge;
    if (typeof part === "string") return cut(part);
    return typeof part === "bigint" ? SafeString(part) : part;
  };
}

function logAt(level, values, title = "") {
  let line = title;
  for (let i = 0; i < values.length && line.length <= TEXT_LIMIT; i++) {
    line += (i === 0 && title === "" ? "" : " ") + cut(shown(values[i]));
  }
  api.log(cut(line), level);
}

function logLine(...values) { logAt("log", values); }
function warnLine(...values) { logAt("warn", values); }
function errorLine(...values) { logAt("error", values); }

const silent = () => {};
defineProperty(globalThis, "console", {
  value: freeze({
    log: logLine, info: logLine, warn: warnLine, error: errorLine, debug: logLine, trace: logLine, dir: logLine,
    table: logLine,
    assert(condition, ...values) {
      if (condition) return;
      logAt("error", values, "Assertion failed:");
    },
    group: silent, groupCollapsed: silent, groupEnd: silent, time: silent, timeEnd: silent, timeLog: silent,
    count: silent, countReset: silent, clear: silent,
  }),
  writable: true, configurable: true,
});
