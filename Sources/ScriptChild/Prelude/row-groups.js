// Row groups that an enumeration is in: columns read once, writes collected and handed over as columns.
//
// The one place where a value can be newer than in Swift is `pending` of an open group, and every access to a row
// of an open group comes here, whichever way the script got hold of the object.

// Strings longer than this go to Swift by themselves.
const LONG_TEXT = 1 << 20;
// More characters than this do not wait in a row group: they are handed over.
let waitingLimit = 0;

// Objects of the new side that were deleted before the script began.
let deletionsBefore = 0;

const UNKNOWN = 0, SEARCHED = 1, CONSECUTIVE = 2, BLOCKS = 3;

// A number that may have been a BigInt for its neighbours' sake.
function plainKey(key) {
  return typeof key === "bigint" && key >= -9007199254740991n && key <= 9007199254740991n ? SafeNumber(key) : key;
}

// Where a key stands among ascending keys, or −1.
function placeOfKey(keys, key) {
  let low = 0, high = keys.length - 1;
  while (low <= high) {
    const middle = (low + high) >> 1;
    if (keys[middle] < key) low = middle + 1;
    else if (keys[middle] > key) high = middle - 1;
    else return middle;
  }
  return -1;
}

// The how-manieth object of its class a key was given to, where the class has no primary key: Realm leaves the
// second byte of such keys at zero.
function sequenceOf(key) { return floor(key / 65536) * 256 + (key & 255); }

// Ascending keys; those that were given away one after the other need no search.
class KeyPlaces {
  constructor(keys) {
    this.keys = keys;
    this.first = keys[0];
    this.last = keys[keys.length - 1];
    this.layout = UNKNOWN;
    this.base = 0;
  }

  // The place of a key, or −1.
  place(key) {
    if (key < this.first || key > this.last) return -1;
    if (this.layout === UNKNOWN) this.layout = this.recognise();
    if (this.layout === BLOCKS) return (key & 0xff00) === 0 ? sequenceOf(key) - this.base : -1;
    return this.layout === CONSECUTIVE ? key - this.first : placeOfKey(this.keys, key);
  }

  recognise() {
    const { keys, first, last } = this;
    // Keys beyond what numbers hold are all BigInts.
    if (typeof first !== "number") return SEARCHED;
    if (last - first === keys.length - 1) return CONSECUTIVE;
    const base = this.base = sequenceOf(first);
    for (let i = 0; i < keys.length; i++) {
      const key = keys[i];
      if ((key & 0xff00) !== 0 || sequenceOf(key) - base !== i) return SEARCHED;
    }
    return BLOCKS;
  }

  // Gives the keys back where they can be done without; answers the bytes that are left.
  trim() {
    this.layout = this.recognise();
    if (this.layout === SEARCHED) return this.keys.length * 8;
    this.keys = null;
    return 0;
  }
}
inheritNothing(KeyPlaces);

class RowGroup {
  // `rows`: the row of each key, or null where the keys are those of all rows.
  constructor(info, id, keys, rows) {
    this.info = info;
    this.id = id;
    this.keyCount = keys.length;
    this.places = new KeyPlaces(keys);
    this.rows = rows;
    this.rowCount = rows === null ? keys.length : rows[rows.length - 1] + 1;
    this.open = true;
    // Whether an enumeration is in it; else it is one that links lead to (`row-group-cache.js`), and `pending` has what was written
    // since the columns were read.
    this.collects = true;
    // By property, the keys of rows that wait in a row group that links lead to; null where none do.
    this.scattered = null;
    this.uses = 0;
    this.waiting = 0;
    this.bytes = 0;
    this.lastUse = 0;
    this.columns = new Items();
    this.pending = new Items();
    this.joined = new Items();
    for (let i = 0; i < info.properties.length; i++) this.columns[i] = this.pending[i] = this.joined[i] = null;
    // By property, what `mayCopy` answered.
    this.copied = null;
    // By row, the count of deletions at which the object was last seen to exist.
    this.seen = null;
  }

  column(property) {
    const info = this.info;
    const deletions = property.target === null ? 0 : property.target.deletions;
    if (property.target !== null) makeType(property.target);
    const parts = native.column(info.side, info.index, this.id, property.index);
    const column = property.collection !== "none"
      ? new Column([null, parts[0], new Column(parts[1], 0), parts[2]], deletions)
      : property.isMixed ? new Column([parts[0], parts[1], new MixedCells(parts)], 0) : new Column(parts, deletions);
    this.columns[property.index] = column;
    if (!this.collects) noteCached(this, property.index, memoryOf(column));
    return column;
  }

  // Where the rows of a property that a script writes wait.
  startPending(property) {
    const pending = arrayFill(new Items(this.rowCount), undefined);
    this.pending[property.index] = pending;
    if (!this.collects) noteCached(this, property.index, this.rowCount * 8);
    return pending;
  }

  // Whether collections of a property may be copied as they are, which Swift has looked at: some keys no dictionary takes.
  mayCopy(property) {
    const known = this.copied ??= new Items(this.info.properties.length);
    return known[property.index] ??= native.mayCopy(this.info.side, this.info.index, this.id, property.index);
  }

  // The row of a key, or −1.
  rowOf(key) {
    const place = this.places.place(key);
    return place < 0 || this.rows === null ? place : this.rows[place];
  }

  // The key of a row of an open group.
  keyOf(row) { return plainKey(this.places.keys[this.rows === null ? row : placeOfKey(this.rows, row)]); }

  // Joins the texts that wait in a run of rows which is done with.
  joinText(run) {
    const properties = this.info.properties;
    for (let i = 0; i < properties.length; i++) {
      const pending = this.pending[i];
      if (pending === null || properties[i].type !== "string" || !properties[i].columnar) continue;
      if (this.joined[i] === null) this.joined[i] = new JoinedText(this.rowCount);
      this.joined[i].join(run, pending);
    }
  }

  flush() {
    for (let i = 0; i < this.pending.length; i++) if (this.pending[i] !== null) this.flushProperty(i);
    this.waiting = 0;
  }

  flushProperty(index) {
    const pending = this.pending[index];
    if (pending === null) return;
    this.forget(index);
    const property = this.info.properties[index];
    const type = property.type;
    if (property.isListed) flushLists(this, index, pending);
    else if (property.isMarked) flushMarked(this, property, pending);
    else if (type === "string") flushText(this, index, pending);
    else flushCells(this, index, type === "date" ? packDates(pending) : packNumbers(pending));
  }

  // Lets go of what was read and written of a property, which Swift has.
  forget(index) {
    this.pending[index] = null;
    this.columns[index] = null;
    if (!this.collects) noteForgotten(this, index);
  }

  // Leaves a value with others that are written to objects of a row group that links lead to; false where it has to go to Swift.
  scatter(property, key, row, value) {
    if (!property.isScattered) return false;
    const index = property.index;
    const size = property.isData && value !== null ? 16 + value.length : sizeOf(value);
    if (this.scattered === null) startScattered(this);
    const pending = this.pending[index] ?? this.startPending(property);
    const keys = this.scattered[index] ??= new Items(), few = this.fewRows;
    // Together, without a call that may run out of stack.
    if (keys.length <= few) keys[keys.length] = key;
    pending[row] = value;
    noteCached(this, index, size);
    if ((this.waiting += size) > waitingLimit) this.flushScattered();
    return true;
  }

  get isScattered() { return this.scattered !== null; }

  // So few rows go to Swift one by one.
  get fewRows() { return this.rowCount >> MISSES_SHIFT; }

  flushScattered() {
    if (this.scattered === null) return;
    for (let i = 0; i < this.pending.length; i++) this.flushScatteredProperty(i);
    this.waiting = 0;
    endScattered(this);
  }

  flushScatteredProperty(index) {
    const keys = this.scattered === null ? null : this.scattered[index];
    if (keys === null) return;
    this.scattered[index] = null;
    try {
      if (keys.length > this.fewRows) this.flushProperty(index);
      else for (let i = 0; i < keys.length; i++) this.giveScattered(this.info.properties[index], keys[i]);
    } catch (error) {
      // What was written is lost, whatever the script makes of it, which is about something else.
      endWith(error);
      dropScattered();
      throw error;
    }
  }

  // Hands over a value that waits by itself, and keeps it for the next look.
  giveScattered(property, key) {
    const value = this.pending[property.index][this.rowOf(key)];
    if (value === NATIVE || value === undefined) return;
    const info = this.info;
    if (info.deletions !== 0 && !isThere(info, key)) return;
    let coded = value;
    if (value === null) coded = null;
    else if (!property.isLink) coded = property.type === "date" ? value : encode(value);
    else coded = isThere(property.target, value) ? [OBJECT_TAG, NEW, property.target.index, value] : null;
    RealmObject.give("set", wrap(info, key), property, coded);
  }

  // Whether a value of a row waits.
  isWaiting(row) {
    for (let i = 0; i < this.pending.length; i++) {
      if (this.pending[i] !== null && this.pending[i][row] !== undefined) return true;
    }
    return false;
  }

  discard() {
    for (let i = 0; i < this.pending.length; i++) this.pending[i] = this.columns[i] = this.joined[i] = null;
    this.waiting = 0;
  }
}
inheritNothing(RowGroup);

// Whether an object of the new side exists.
function isThere(info, key) {
  point(info, key, 0);
  return native.isValid();
}

// Enumerations may be nested: the same row group is opened once and closed with its last use.
function openGroup(info, id, keys, rows) {
  for (let i = 0; i < info.groups.length; i++) {
    const group = info.groups[i];
    if (group.id === id && group.keyCount === keys.length) {
      group.uses += 1;
      return group;
    }
  }
  // A group of the same rows without those deleted meanwhile must not stand beside the first.
  if (openGroupOf(info, id) !== null) return null;
  const columns = takeCached(info, id);
  const group = new RowGroup(info, id, keys, rows);
  if (columns !== null) group.columns = columns;
  group.uses = 1;
  info.groups[info.groups.length] = group;
  return group;
}

function openGroupOf(info, id) {
  for (let i = 0; i < info.groups.length; i++) if (info.groups[i].id === id) return info.groups[i];
  return null;
}

function closeGroup(group) {
  group.uses -= 1;
  if (group.uses > 0) return;
  const groups = group.info.groups;
  for (let i = 0; i < groups.length; i++) if (groups[i] === group) { arraySplice(groups, i, 1); break; }
  group.open = false;
  group.flush();
  group.columns = group.pending = null;
}

function flushAll() {
  for (let i = 0; i < sides[NEW].length; i++) {
    const groups = sides[NEW][i].groups;
    for (let j = 0; j < groups.length; j++) groups[j].flush();
    flushScatteredOf(sides[NEW][i]);
  }
}

function discardColumns(info) {
  for (let i = 0; i < info.groups.length; i++) info.groups[i].discard();
  discardCache(info);
}

// One row group of a class may stay open between enumerations, for a script that walks through all objects.
function openWindow(info, id, keys, rows) {
  if (!usesColumns || keys.length === 0) return;
  const last = info.window;
  info.window = openGroup(info, id, keys, rows);
  if (last !== null) closeGroup(last);
}

function closeWindows() {
  for (let side = OLD; side <= NEW; side++) {
    for (let i = 0; i < sides[side].length; i++) {
      const info = sides[side][i];
      const window = info.window;
      info.window = null;
      if (window !== null) closeGroup(window);
    }
  }
}
