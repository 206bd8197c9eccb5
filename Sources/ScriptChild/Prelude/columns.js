// Columns of a row group: what is read of them, and what a script wrote, packed to be handed over.

class Column {
  constructor(parts, deletions) {
    this.valid = parts[0];
    this.cells = parts[1];
    this.more = parts[2];
    // The count of deletions in the class that links lead to: those to objects that were deleted are left out.
    this.deletions = deletions;
  }
}
inheritNothing(Column);

// What stands in `pending` for a value that Swift has and the column has not: it is asked for by itself.
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
  return (valid === null ? 0 : valid.length) + text + rest;
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

function flushLinks(group, index, pending) {
  if (dropNative(pending)) flushCells(group, index, packNumbers(pending));
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
    default: return cell[index];
  }
}

// Characters that an element takes as much memory as, near enough.
function sizeOf(element) { return typeof element === "string" ? 16 + element.length : 16; }

function sizeOfAll(elements) {
  let size = 16 * elements.length;
  for (let i = 0; i < elements.length; i++) if (typeof elements[i] === "string") size += elements[i].length;
  return size;
}

// Lists that wait: how many elements each row has, and behind that all elements as a column.
function flushLists(group, index, pending) {
  if (!dropNative(pending)) return;
  const count = pending.length;
  const lengths = new SafeInt32Array(count);
  const elements = new Items();
  for (let row = 0; row < count; row++) {
    const list = pending[row];
    if (list === undefined) {
      lengths[row] = KEPT_LENGTH;
      continue;
    }
    lengths[row] = list.length;
    for (let i = 0; i < list.length; i++) elements[elements.length] = list[i];
  }
  const type = group.info.properties[index].type;
  const packed = type === "string" ? packText(elements, null) : type === "date" ? packDates(elements) : packNumbers(elements);
  native.replaceLists(NEW, group.info.index, group.id, index, lengths, packed[0], packed[1], packed[2]);
}
