// Functions of one object, called for many: columns of their properties in, columns of what they answer out.

const { RealmDate, Decimal128, ObjectId, UUID, encodeDate, fixedCells } = valuesMade();

// How a property is read of a row; `parts` is a column as Swift made it.
function readerOf(type, parts) {
  const valid = parts[0], cells = parts[1], more = parts[2];
  const text = row => cells.substring(more[row], more[row + 1]);
  const read = readerOfCells(type, cells, more, text);
  return valid === null ? read : row => valid[row] === 0 ? null : read(row);
}

function readerOfCells(type, cells, more, text) {
  switch (type) {
    case "string": return text;
    case "bool": return row => cells[row] !== 0;
    case "int": return typeof cells[0] === "bigint" ? row => plainKey(cells[row]) : row => cells[row];
    case "float": case "double": return row => cells[row];
    case "date": return row => new RealmDate(plainKey(cells[row]), more[row]);
    case "decimal128": case "objectId": case "uuid": {
      const { shown } = fixedCells(type);
      return row => shown(cells, row);
    }
    // Everything else comes value by value.
    default: return row => decode(cells[row]);
  }
}

// Packs values for a column that Swift makes; undefined if a value is not plainly of the type: then all go value by value, and Swift
// says what is wrong.
function packPlain(type, pending) {
  switch (type) {
    case "string":
      return isPlain(pending, value => typeof value === "string" && value.length <= LONG_TEXT)
        ? packText(pending, null) : undefined;
    case "bool": return isPlain(pending, value => typeof value === "boolean") ? packNumbers(pending) : undefined;
    case "int": return isPlain(pending, isSafeInteger) ? packNumbers(pending) : undefined;
    case "float": case "double":
      return isPlain(pending, value => typeof value === "number") ? packNumbers(pending) : undefined;
    case "date": return isPlain(pending, isValidDate) ? packDates(mapGiven(pending, encodeDate)) : undefined;
    case "decimal128": return packTexts(pending, Decimal128);
    case "objectId": return packTexts(pending, ObjectId);
    case "uuid": return packTexts(pending, UUID);
    default: return undefined;
  }
}

function isPlain(pending, isOfType) {
  for (let row = 0; row < pending.length; row++) {
    const value = pending[row];
    if (value !== undefined && value !== null && !isOfType(value)) return false;
  }
  return true;
}

function isValidDate(value) {
  if (!isDate(value)) return false;
  try {
    encodeDate(value);
    return true;
  } catch {
    // Its fault is reported where it is encoded by itself.
    return false;
  }
}

function mapGiven(pending, change) {
  const changed = new Items(pending.length);
  for (let row = 0; row < pending.length; row++) {
    const value = pending[row];
    changed[row] = value === undefined || value === null ? value : change(value);
  }
  return changed;
}

function packTexts(pending, type) {
  const isOfType = value => typeof value === "object" && type.text(value) !== null;
  return isPlain(pending, isOfType) ? packText(mapGiven(pending, type.text), null) : undefined;
}

// A property of the answers: the rows that have it (null where all do), and its column; or its values one by one.
function packAnswer(type, isNullable, pending) {
  const given = new SafeUint8Array(pending.length);
  let missing = 0, hasNulls = false;
  for (let row = 0; row < pending.length; row++) {
    if (pending[row] === undefined) missing += 1;
    else given[row] = 1;
    if (pending[row] === null) hasNulls = true;
  }
  const packed = hasNulls && !isNullable ? undefined : packPlain(type, pending);
  if (packed !== undefined) return [missing === 0 ? null : given, packed, null];
  const coded = new Items();
  for (let row = 0; row < pending.length; row++) {
    try {
      coded[row] = encode(pending[row]);
    } catch (error) {
      coded[row] = undefined;
      noteFailure(row, error);
    }
  }
  return [missing === 0 ? null : given, null, coded];
}

// Row and description of each object that failed.
let failures = new Items();

// Notes that the function failed for a row; where memory ran out, nothing else can be done.
function noteFailure(row, error) {
  const description = describe(error);
  if (description[4] !== "") throw error;
  failures[failures.length] = [row, description];
}

function mustBePlain(result) {
  if (typeof result !== "object" || result === null || isArray(result)) {
    throw new SafeTypeError("The function must return an object.");
  }
  const prototype = getPrototypeOf(result);
  if (prototype === objectPrototype || prototype === null) return;
  mustBeSynchronous(result);
  throw new SafeTypeError("The function must return a plain object.");
}

// Takes the members of answers apart. Most answers have the same members in the same order.
class MemberReader {
  constructor(className, names, take) {
    this.className = className;
    this.places = new SafeMap();
    for (let i = 0; i < names.length; i++) mapSet(this.places, names[i], i);
    this.take = take;
    this.keys = [];
    this.has = new SafeUint8Array(names.length);
  }

  read(result, row) {
    mustBePlain(result);
    const keys = objectKeys(result), known = this.keys;
    let isKnown = keys.length === known.length;
    for (let i = 0; isKnown && i < keys.length; i++) isKnown = keys[i] === known[i];
    if (!isKnown) this.learn(keys);
    this.take(result, row, this.has);
  }

  learn(keys) {
    this.keys = [];
    arrayFill(this.has, 0);
    for (let i = 0; i < keys.length; i++) {
      const place = mapGet(this.places, keys[i]);
      if (place === undefined) throw new SafeTypeError(`Property '${this.className}.${cut(keys[i])}' does not exist.`);
      this.has[place] = 1;
    }
    this.keys = keys;
  }
}
inheritNothing(MemberReader);

// Calls a function for each row; answers the failures and the packed answers, or what `describe` makes of a failure that
// is the whole call's.
//
// `make` makes the maker of objects of their readers, `take` the taker of answers of the arrays where they wait: both are
// programs that name each property, which Swift wrote. `watched` tells Swift the row that is its turn.
function callEach(body, make, take, inputs, outputs, answer, count, stops, watched) {
  try {
    if (typeof body !== "function") throw new SafeTypeError("The text is no function of one object.");
    const readers = new Items(), pending = new Items(), names = new Items();
    for (let i = 0; i < inputs.length; i++) readers[i] = readerOf(inputs[i][0], inputs[i][1]);
    for (let i = 0; i < outputs.length; i++) {
      names[i] = outputs[i][0];
      pending[i] = arrayFill(new Items(count), undefined);
    }
    const object = reflectApply(make, undefined, readers);
    const members = answer.isValue ? null : new MemberReader(answer.className, names, reflectApply(take, undefined, pending));
    failures = new Items();
    for (let row = 0; row < count; row++) {
      watched[0] = row + 1;
      try {
        const result = body(object(row));
        if (members === null) pending[0][row] = settled(result);
        else members.read(result, row);
      } catch (error) {
        for (let i = 0; i < pending.length; i++) pending[i][row] = undefined;
        noteFailure(row, error);
        if (stops) break;
      }
    }
    watched[0] = 0;
    const packed = new Items();
    for (let i = 0; i < outputs.length; i++) packed[i] = packAnswer(outputs[i][1], outputs[i][2], pending[i]);
    return [failures, packed];
  } catch (error) {
    return describe(error);
  } finally {
    watched[0] = 0;
  }
}

function settled(result) {
  mustBeSynchronous(result);
  return result;
}
