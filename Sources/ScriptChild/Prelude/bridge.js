// The way to the transaction, and what comes back by it.

// The functions of the transaction that Swift offers; nothing before `begin` and after the end of the migration.
const ended = new SafeProxy({}, { __proto__: null, get() { throw new SafeError("The migration has ended."); } });
let native = ended;

// Memory shared with Swift (`CallSlots`), by the places that are named SLOT_….
let slots = null, bigSlots = null;

// Names the object and the property of the next call; nothing of a script may run in between.
function point(info, key, index) {
  slots[SLOT_SIDE] = info.side;
  slots[SLOT_CLASS_INDEX] = info.index;
  if (typeof key === "number") {
    slots[SLOT_KEY] = key;
    slots[SLOT_KEY_IS_LONG] = 0;
  } else {
    bigSlots[SLOT_KEY] = key;
    slots[SLOT_KEY_IS_LONG] = 1;
  }
  slots[SLOT_PROPERTY] = index;
  slots[SLOT_HAS_NUMBER] = 0;
}

// Swift's functions stand behind it: log, decimal. Filled below: begin, run, makeError, describe.
const api = {};
