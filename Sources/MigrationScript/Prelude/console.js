// The console, whose lines go to the job's log.

function shown(value) {
  if (typeof value === "string") return value;
  if (typeof value === "bigint") return SafeString(value) + "n";
  if (typeof value !== "object" || value === null) return SafeString(value);
  if (value instanceof SafeError) return SafeString(value);
  if (isDate(value)) return getTime(value) === getTime(value) ? value.toISOString() : "Invalid Date";
  const text = Decimal128.text(value) ?? ObjectId.text(value) ?? UUID.text(value);
  if (text !== null) return text;
  try {
    const json = stringify(value, (_, part) => typeof part === "bigint" ? SafeString(part) : part);
    return json === undefined ? SafeString(value) : json;
  } catch {
    return "[object]";
  }
}

function logLine(...values) {
  let line = "";
  for (let i = 0; i < values.length; i++) line += (i === 0 ? "" : " ") + shown(values[i]);
  api.log(line);
}

const silent = () => {};
defineProperty(globalThis, "console", {
  value: freeze({
    log: logLine, info: logLine, warn: logLine, error: logLine, debug: logLine, trace: logLine, dir: logLine,
    table: logLine,
    assert(condition, ...values) {
      if (condition) return;
      arraySplice(values, 0, 0, "Assertion failed:");
      reflectApply(logLine, undefined, values);
    },
    group: silent, groupCollapsed: silent, groupEnd: silent, time: silent, timeEnd: silent, timeLog: silent,
    count: silent, countReset: silent, clear: silent,
  }),
  writable: true, configurable: true,
});
