// Columns of a row group: what is read of them, and what a script wrote, packed to be handed over.

class Column {
  constructor(parts, deletions) {
    this.valid = parts[0];
    this.cells = parts[1];
    this.more = parts[2];
    // The keys of dictionaries.
    this.keys = parts[3] === undefined ? null : new Column(parts[3], 0);
    // The count of deletions in the class that links lead to: those to objects that were deleted are left out.
    this.deletions = deletions;
  }
}
inheritNothing(Column);

// The numbers and texts of a column of mixed values, which stand beside their kinds.
class MixedCells {
  constructor(parts) {
    this.numbers = parts[2];
    this.text = parts[3];
    this.offsets = parts[4];
    this.byteLength = this.numbers.byteLength + this.text.length + this.offsets.byteLength;
  }
}
inheritNothing(MixedCells);

// Stands in `pending` for a value that Swift has and the column has not: it is asked for by itself.
const NATIVE = freeze({});

// Values of one type as a column, undefined for rows that were not written.
function packNumbers(pending) {
  const count = pending.length;
  const states = new SafeUint8Array(count);
  const cells = new SafeFloat64Array(count);
  for (let row = 0; row < count; row++) {
    const value = pending[row];
    if (value === undefined) continue;
    if (typeof value === "bigint") return packBigInts(pending);
    states[row] = value === null ? NULL_STATE : WRITTEN;
    cells[row] = value;
  }
  return [states, cells, null];
}

function packBigInts(pending) {
  const count = pending.length;
  const states = new SafeUint8Array(count);
  const cells = new SafeBigInt64Array(count);
  for (let row = 0; row < count; row++) {
    const value = pending[row];
    if (value === undefined) continue;
    states[row] = value === null ? NULL_STATE : WRITTEN;
    if (value !== null) cells[row] = SafeBigInt(value);
  }
  return [states, cells, null];
}

function packDates(pending) {
  const count = pending.length;
  const states = new SafeUint8Array(count);
  const seconds = new SafeBigInt64Array(count);
  const nanoseconds = new SafeInt32Array(count);
  for (let row = 0; row < count; row++) {
    const value = pending[row];
    if (value === undefined) continue;
    states[row] = value === null ? NULL_STATE : WRITTEN;
    if (value !== null) {
      seconds[row] = SafeBigInt(value[1]);
      nanoseconds[row] = value[2];
    }
  }
  return [states, seconds, nanoseconds];
}

function flushCells(group, index, packed) {
  native.replaceCells(NEW, group.info.index, group.id, index, packed[0], packed[1], packed[2]);
}

// Bytes that a column takes, near enough.
function memoryOf(column) {
  const { valid, cells, more } = column;
  const text = typeof cells === "string" ? cells.length : cells.byteLength;
  const rest = more === undefined ? 0 : more instanceof Column ? memoryOf(more) : more.byteLength;
  return (valid === null ? 0 : valid.length) + text + rest + (column.keys === null ? 0 : memoryOf(column.keys));
}

// Takes what Swift has already out of what waits; false where nothing is left.
function dropNative(pending) {
  let isLeft = false;
  for (let row = 0; row < pending.length; row++) {
    if (pending[row] === NATIVE) pending[row] = undefined;
    else if (pending[row] !== undefined) isLeft = true;
  }
  return isLeft;
}

function flushMarked(group, property, pending) {
  if (!dropNative(pending)) return;
  const index = property.index;
  if (property.isCopied) flushCopies(group, property, pending);
  else if (property.isLink) flushCells(group, index, packNumbers(pending));
  else if (property.isFixed) flushCells(group, index, packFixed(pending, valuesMade().fixedCells(property.type)));
  else if (property.isData) {
    const packed = packData(pending);
    native.replaceData(NEW, group.info.index, group.id, index, packed[0], packed[1]);
  } else {
    const packed = packMixed(pending);
    native.replaceMixed(NEW, group.info.index, group.id, index, packed[0], packed[1], packed[2], packed[3]);
  }
}

// Waits in the place of a collection that is one of the old side's as it stands.
class CollectionCopy {
  constructor(state, group, row) {
    this.state = state;
    this.group = group;
    this.row = row;
  }
}
inheritNothing(CollectionCopy);

// Copies go by the row groups that they come from, mostly one; where they are many, those that are left go one by one.
const MOST_SOURCES = 4;

function flushCopies(group, property, pending) {
  for (let i = 0; i < MOST_SOURCES; i++) {
    const source = firstOf(pending);
    if (source === null) return;
    const rows = new SafeInt32Array(pending.length);
    for (let row = 0; row < pending.length; row++) {
      const copy = pending[row];
      rows[row] = -1;
      if (copy === undefined || copy.group !== source.group || copy.state.property !== source.state.property) continue;
      rows[row] = copy.row;
      pending[row] = undefined;
    }
    native.copyRows(NEW, group.info.index, group.id, property.index, source.group.info.index, source.group.id,
      source.state.property.index, rows);
  }
  for (let row = 0; row < pending.length; row++) {
    if (pending[row] === undefined) continue;
    RealmObject.give("set", wrap(group.info, group.keyOf(row)), property, pending[row].state.encode(0));
  }
}

function firstOf(pending) {
  for (let row = 0; row < pending.length; row++) if (pending[row] !== undefined) return pending[row];
  return null;
}

// Values of words, as the cells of their column.
function packFixed(pending, cells) {
  const count = pending.length;
  const states = new SafeUint8Array(count);
  const words = new SafeInt32Array(count * cells.wordCount);
  for (let row = 0; row < count; row++) {
    const value = pending[row];
    if (value === undefined) continue;
    states[row] = value === null ? NULL_STATE : WRITTEN;
    if (value !== null) cells.put(value, words, row);
  }
  return [states, words, null];
}

function packData(pending) {
  const count = pending.length;
  const lengths = new SafeInt32Array(count);
  let size = 0;
  for (let row = 0; row < count; row++) {
    const value = pending[row];
    lengths[row] = value === undefined ? KEPT_LENGTH : value === null ? NULL_LENGTH : value.length;
    if (lengths[row] > 0) size += lengths[row];
  }
  const bytes = new SafeUint8Array(size);
  let place = 0;
  for (let row = 0; row < count; row++) {
    const value = pending[row];
    for (let i = 0; i < lengths[row]; i++) bytes[place++] = value[i];
  }
  return [bytes, lengths];
}

// Plain mixed values: the kind of each row, the numbers, and the texts as one with the length of each.
function packMixed(pending) {
  const count = pending.length;
  const kinds = new SafeUint8Array(count), numbers = new SafeFloat64Array(count), lengths = new SafeInt32Array(count);
  let text = "";
  for (let row = 0; row < count; row++) {
    const value = pending[row];
    if (value === undefined) continue;
    if (value === null) kinds[row] = MIXED_NULL;
    else if (typeof value === "boolean") kinds[row] = value ? MIXED_YES : MIXED_NO;
    else if (typeof value === "number") {
      kinds[row] = MIXED_NUMBER;
      numbers[row] = value;
    } else {
      kinds[row] = MIXED_TEXT;
      lengths[row] = value.length;
      text += value;
    }
  }
  return [kinds, numbers, text, lengths];
}

// Under which a list that waits has the count of deletions at which its targets were last seen to exist.
const SEEN = Symbol("seen");

// An element of a column as it may wait in a list.
function elementOf(property, column, index) {
  if (column.valid !== null && column.valid[index] === 0) return null;
  const cell = column.cells;
  switch (property.type) {
    case "string": return cell.substring(column.more[index], column.more[index + 1]);
    case "bool": return cell[index] !== 0;
    case "date": return [DATE_TAG, plainKey(cell[index]), column.more[index]];
    case "int": case "object": return plainKey(cell[index]);
    case "double": case "float": return cell[index];
    case "data": return dataCells.shown(column, index);
    default: return valuesMade().fixedCells(property.type).shown(cell, index);
  }
}

// Characters that an element takes as much memory as, near enough.
function sizeOf(element) { return typeof element === "string" ? 16 + element.length : 16; }

function sizeOfAll(elements) {
  let size = 16 * elements.length;
  for (let i = 0; i < elements.length; i++) if (typeof elements[i] === "string") size += elements[i].length;
  return size;
}

// Numbers and links in lists that wait, `count` in all, as a column.
function packNumberLists(pending, count) {
  const states = new SafeUint8Array(count), cells = new SafeFloat64Array(count);
  let place = 0;
  for (let row = 0; row < pending.length; row++) {
    const list = pending[row];
    if (list === undefined) continue;
    for (let i = 0; i < list.length; i++) {
      const value = list[i];
      if (typeof value === "bigint") return packBigInts(elementsOf(pending));
      states[place] = value === null ? NULL_STATE : WRITTEN;
      cells[place++] = value;
    }
  }
  return [states, cells, null];
}

function elementsOf(pending) {
  const elements = new Items();
  for (let row = 0; row < pending.length; row++) {
    const list = pending[row];
    if (list !== undefined) for (let i = 0; i < list.length; i++) elements[elements.length] = list[i];
  }
  return elements;
}

// Lists that wait: how many elements each row has, and behind that all elements as a column.
function flushLists(group, index, pending) {
  if (!dropNative(pending)) return;
  const lengths = new SafeInt32Array(pending.length);
  let count = 0;
  for (let row = 0; row < pending.length; row++) {
    const list = pending[row];
    lengths[row] = list === undefined ? KEPT_LENGTH : list.length;
    if (list !== undefined) count += list.length;
  }
  const type = group.info.properties[index].type;
  const packed = type === "string" ? packText(elementsOf(pending), null) : type === "date" ? packDates(elementsOf(pending))
    : packNumberLists(pending, count);
  native.replaceLists(NEW, group.info.index, group.id, index, lengths, packed[0], packed[1], packed[2]);
}
