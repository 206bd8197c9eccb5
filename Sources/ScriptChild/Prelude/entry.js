// Where Swift comes in: the beginning, the run, and errors on their way out.

// Errors of Swift, by their number there, under the errors that scripts caught of them.
const raised = new SafeWeakMap();
let migration = null, oldRealm = null, newRealm = null;

api.begin = function (functions, oldSchema, newSchema, oldVersion, newVersion, byColumns, spreads, reflects, matches, callsExec) {
  native = functions;
  slots = functions.slots;
  bigSlots = new SafeBigInt64Array(slots.buffer);
  usesColumns = byColumns;
  spreadsObjects = spreads;
  processorClock = functions.clock;
  if (reflects) tellOwnProperties();
  if (matches) expressionsMade().watchExpressions();
  if (callsExec) expressionsMade().watchExec();
  cacheLimit = functions.cacheBytes;
  waitingLimit = functions.waitingBytes;
  runShift = functions.runShift;
  isIndependent = functions.isIndependent;
  deletionsBefore = deletionsSeen = slots[SLOT_DELETION_COUNT];
  versions[OLD] = oldVersion;
  versions[NEW] = newVersion;
  describeSide(OLD, oldSchema);
  describeSide(NEW, newSchema);
  oldRealm = makeRealm(OLD);
  newRealm = makeRealm(NEW);
  migration = makeMigration(oldRealm, newRealm);
};

// Runs the function that the script declares; null, or what `describe` makes of its failure.
api.run = function (functions) {
  try {
    let result;
    if (typeof functions[0] === "function") result = functions[0](migration, versions[OLD]);
    else if (typeof functions[1] === "function") result = functions[1](oldRealm, newRealm);
    else return undeclared();
    if (result !== undefined) mustBeSynchronous(result);
    mergeDuplicates(functions[2]);
    closeWindows();
    // A recursion that ran out of stack, and was caught, may have left row groups open.
    flushAll();
    return endings.length > 0 ? describe(endings[0]) : null;
  } catch (error) {
    return describe(endings.length > 0 ? endings[0] : error);
  } finally {
    native = ended;
  }
};

// The functions whose names begin with "check", each with its name: those that the text names in their order there, each with its
// value, then other members of the global object.
api.findChecks = function (global, named) {
  const checks = new Items(), names = getOwnPropertyNames(global), known = new SafeMap();
  for (let i = 0; i < named.length; i++) {
    known.set(named[i][0], true);
    if (typeof named[i][1] === "function") checks[checks.length] = named[i];
  }
  for (let i = 0; i < names.length; i++) {
    const descriptor = getOwnPropertyDescriptor(global, names[i]);
    if (indexOf(names[i], "check") !== 0 || typeof descriptor.value !== "function" || known.has(names[i])) continue;
    checks[checks.length] = [names[i], descriptor.value];
  }
  return checks;
};

api.endChecks = function () { native = ended; };

// Calls a check: its name, 1 where it holds, what it says where it does not or null, and what `describe` makes of its error or null.
api.runCheck = function (name, check) {
  try {
    const result = check(oldRealm, newRealm);
    mustBeSynchronous(result);
    closeWindows();
    // Writes of a check are refused here, at the latest.
    flushAll();
    if (result === undefined || result === true) return [name, 1, null, null];
    if (typeof result === "string") return [name, 0, cut(result), null];
    return [name, 0, result === false ? null : "It answered neither true nor false, nor a text, nor nothing.", null];
  } catch (error) {
    return [name, 0, null, describe(error)];
  }
};

// Whether a script declares a function to run: null, or a failure as `describe` makes them.
api.check = function (functions) {
  return typeof functions[0] === "function" || typeof functions[1] === "function" ? null : undeclared();
};

function undeclared() {
  return ["The script declares no function migrate(migration, oldSchemaVersion), and no function " +
    "onMigration(oldRealm, newRealm).", 0, 0, -1, "script_syntax_error", none, none];
}

// `isEnding`: whether it is the end of the run, whatever the script makes of it.
api.makeError = function (message, code, index, isEnding) {
  const error = new SafeError(message);
  if (code !== null) defineProperty(error, "realmCode", { __proto__: null, value: code, enumerable: true });
  weakSet(raised, error, index);
  if (isEnding) endWith(error);
  return error;
};

function isOutOfStack(error) {
  return error instanceof SafeRangeError && error.message === "Maximum call stack size exceeded.";
}

function isOutOfMemory(error) { return error instanceof SafeRangeError && error.message === "Out of memory"; }

const none = freeze([]), nowhere = freeze([0, 0]);

// Message, line, column (0 where unknown), the number of the error in Swift (or −1), the kind of failure, the frames
// of the script in the stack, and of each enumeration that the error was thrown through the class, the key and the
// primary key of the object in hand, and the objects that were done.
function describe(thrown) {
  let message = "The script threw a value that can't be shown.", index = -1, kind = "";
  let place = nowhere, frames = none, objects = none;
  try {
    if (typeof thrown === "object" && thrown !== null) index = weakGet(raised, thrown) ?? -1;
    if (thrown instanceof SafeError) {
      const text = SafeString(thrown.message);
      message = cut(index < 0 ? withoutValues(text) : text) || cut(SafeString(thrown.name));
      if (isOutOfMemory(thrown)) kind = "script_memory_exceeded";
      place = placeOf(thrown);
      // Where there is no memory left, the less is made the better.
      if (kind === "") frames = framesOf(thrown);
    } else {
      message = cut(SafeString(thrown));
      if (message === "[object Object]") {
        const text = thrown.message;
        message = "The script threw an object that is no Error" + (typeof text === "string" && text !== "" ? ": " + cut(text) : ".");
      }
    }
    if (kind === "") objects = objectsInHand(thrown);
    if (kind === "" && refusal !== null && is(thrown, refusal)) kind = "script_not_independent";
  } catch (error) {
    // Nothing can be said where there is no memory left.
    if (isOutOfMemory(error)) kind = "script_memory_exceeded";
  }
  return [message, place[0], place[1], index, kind, frames, objects];
}
api.describe = describe;

// Beginnings of what the engine says of a text that it can't read, which ends with the text or a part of it.
const unreadable = ["JSON Parse error: Unexpected identifier", "JSON Parse error: Unrecognized token", "JSON Parse error: Invalid escape character",
  "invalid language tag", "invalid time zone"];
const notCalled = [" is not a function", " is not a constructor"];

// The engine's message without the value of an object, which it has of what is called and is no function (ExceptionHelpers.cpp in JavaScriptCore
// makes these messages), and of texts that can't be read: a message goes into logs and reports. A script's own errors say what they were given.
function withoutValues(text) {
  for (let i = 0; i < unreadable.length; i++) if (indexOf(text, unreadable[i]) === 0) return unreadable[i];
  const first = valueAt(text, 0);
  for (let i = 0; i < notCalled.length; i++) {
    if (first !== null) {
      const end = lastIndexOf(text, notCalled[i] + " (");
      if (end > 0) return first + text.substring(end);
    }
    const place = indexOf(text, notCalled[i] + ". (In '");
    const start = place < 0 ? -1 : indexOf(text, "' is ", place);
    const value = start < 0 ? null : valueAt(text, start + 5);
    if (value !== null) return text.substring(0, start + 5) + value + ")";
  }
  return text;
}

// A word for the text or number that begins at a place of a message; null where none does.
function valueAt(text, place) {
  const unit = charCodeAt(text, place);
  return unit === 0x22 ? "a text" : unit === 0x2d || unit >= 0x30 && unit <= 0x39 ? "a number" : null;
}

// A text that leaves the host is cut before anything copies it.
function cut(text) { return text.length > TEXT_LIMIT ? text.substring(0, TEXT_LIMIT) : text; }

function objectsInHand(thrown) {
  const objects = new Items();
  if (!is(thrown, failed)) return objects;
  for (let i = 0; i < inHand.length; i++) {
    const info = inHand[i][0], key = inHand[i][1];
    let primaryKey = undefined;
    try {
      if (info.primary !== null) primaryKey = encode(wrap(info, key)[info.primary.name]);
    } catch {
      // An object that was deleted meanwhile has its object key alone.
    }
    objects[i] = [info.side, info.index, key, primaryKey, inHand[i][2]];
  }
  return objects;
}

const framePattern = /^(?:(.*)@)?migration\.js:(\d+):(\d+)$/;

// The column of the script's text where the engine names one.
function columnIn(line, column) { return line === 1 && column > textColumn ? column - textColumn : column; }

// The innermost place of the script in the stack of an error.
function placeOf(error) {
  if (error.sourceURL === "migration.js" && error.line > 0) return [error.line | 0, columnIn(error.line | 0, error.column | 0)];
  const lines = stackLines(error);
  for (let i = 0; i < lines.length; i++) {
    const found = match(framePattern, lines[i]);
    if (found !== null) return [+found[2], columnIn(+found[2], +found[3])];
  }
  return [0, 0];
}

function stackLines(error) { return split(cut(SafeString(error.stack)), "\n"); }

// The script's own frames, innermost first: the name of the function, line and column.
function framesOf(error) {
  const lines = stackLines(error), frames = new Items();
  for (let i = 0; i < lines.length && frames.length < MOST_FRAMES; i++) {
    const found = match(framePattern, lines[i]);
    if (found === null) continue;
    frames[frames.length] = `${shownFunction(found[1])} (${found[2]}:${columnIn(+found[2], +found[3])})`;
  }
  return frames;
}

function shownFunction(name) {
  if (name === undefined || name === "") return "(anonymous)";
  if (name === "global code" || textColumn > 0 && name === SHARED_SCRIPT) return "(script)";
  return name.length > 200 ? name.substring(0, 200) : name;
}
