// Where Swift comes in: the beginning, the run, and errors on their way out.

// Errors of Swift, by their number there, under the errors that scripts caught of them.
const raised = new WeakMap();
let migration = null, oldRealm = null, newRealm = null;

api.begin = function (functions, oldSchema, newSchema, oldVersion, newVersion, byColumns, spreads, callsExec) {
  native = functions;
  slots = functions.slots;
  bigSlots = new SafeBigInt64Array(slots.buffer);
  usesColumns = byColumns;
  spreadsObjects = spreads;
  processorClock = functions.clock;
  if (callsExec) watchExec();
  cacheLimit = functions.cacheBytes;
  waitingLimit = functions.waitingBytes;
  runShift = functions.runShift;
  deletionsBefore = deletionsSeen = slots[SLOT_DELETION_COUNT];
  versions[OLD] = oldVersion;
  versions[NEW] = newVersion;
  schemas[OLD] = describeSide(OLD, oldSchema);
  schemas[NEW] = describeSide(NEW, newSchema);
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
    closeWindows();
    // A recursion that ran out of stack, and was caught, may have left row groups open.
    flushAll();
    return null;
  } catch (error) {
    return describe(error);
  } finally {
    native = ended;
  }
};

// Whether a script declares a function to run: null, or a failure as `describe` makes them.
api.check = function (functions) {
  return typeof functions[0] === "function" || typeof functions[1] === "function" ? null : undeclared();
};

function undeclared() {
  return ["The script declares no function migrate(migration, oldSchemaVersion), and no function " +
    "onMigration(oldRealm, newRealm).", 0, 0, -1, "script_syntax_error"];
}

api.makeError = function (message, code, index) {
  const error = new SafeError(message);
  if (code !== null) defineProperty(error, "realmCode", { value: code, enumerable: true });
  weakSet(raised, error, index);
  return error;
};

function isOutOfMemory(error) { return error instanceof SafeRangeError && error.message === "Out of memory"; }

// Message, line, column (0 where unknown), the number of the error in Swift (or −1), and the kind of failure.
function describe(thrown) {
  let message = "The script threw a value that can't be shown.", place = [0, 0], index = -1, kind = "";
  try {
    if (typeof thrown === "object" && thrown !== null) index = weakGet(raised, thrown) ?? -1;
    if (thrown instanceof SafeError) {
      message = SafeString(thrown.message) || SafeString(thrown.name);
      if (isOutOfMemory(thrown)) kind = "script_memory_exceeded";
      place = placeOf(thrown);
    } else {
      message = SafeString(thrown);
    }
  } catch (error) {
    // Nothing can be said where there is no memory left.
    if (isOutOfMemory(error)) kind = "script_memory_exceeded";
  }
  return [message, place[0], place[1], index, kind];
}
api.describe = describe;

const framePattern = /migration\.js:(\d+):(\d+)/;

// The innermost place of the script in the stack of an error.
function placeOf(error) {
  if (error.sourceURL === "migration.js" && error.line > 0) return [error.line | 0, error.column | 0];
  const found = match(framePattern, SafeString(error.stack));
  return found === null ? [0, 0] : [+found[1], +found[2]];
}
