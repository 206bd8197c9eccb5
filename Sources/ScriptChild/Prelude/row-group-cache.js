// Row groups that no enumeration is in, for objects that a script comes to by links: read by columns, too, as long
// as there is room.
//
// Plain values that are written to their objects wait in `pending`, too: until the row group makes way for another, or Swift looks at
// them. Other values go to Swift at once.

// A row group is read by columns after one value in so many rows of it was asked for by itself.
const MISSES_SHIFT = 8;
// Bytes of a row group beside its columns, approximately.
const CACHED_GROUP_BYTES = 256;

// All row groups of all classes that are kept, and the bytes that they take and may take.
const cachedGroups = new Items();
let cachedBytes = 0, cacheLimit = 0, cacheClock = 0;
// The row of the key that was last looked for.
let foundRow = -1;

// The row groups that a class had when the migration began, and those of them that are kept.
class RowGroupCache {
  constructor(info) {
    this.info = info;
    const parts = native.rowGroups(info.side, info.index);
    this.firsts = parts[0];
    this.lasts = parts[1];
    this.counts = parts[2];
    const count = this.counts.length;
    this.misses = new SafeInt32Array(count);
    this.limits = new SafeInt32Array(count);
    this.groups = new Items();
    for (let i = 0; i < count; i++) {
      this.limits[i] = this.counts[i] >> MISSES_SHIFT;
      this.groups[i] = null;
    }
  }

  // The row group of a key where it is kept, or null.
  find(key) {
    const firsts = this.firsts;
    let low = 0, high = firsts.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (firsts[middle] <= key) low = middle + 1;
      else high = middle;
    }
    const id = low - 1;
    if (id < 0 || key > this.lasts[id]) return null;
    let group = this.groups[id];
    if (group === null) group = this.miss(id);
    if (group === null) return null;
    foundRow = group.rowOf(key);
    if (foundRow < 0) return null;
    group.lastUse = cacheClock += 1;
    return group;
  }

  miss(id) {
    this.misses[id] += 1;
    if (this.misses[id] <= this.limits[id]) return null;
    const info = this.info;
    // Values that wait in an open group are newer; an object that is not in it was deleted.
    if (info.side === NEW && openGroupOf(info, id) !== null) return null;
    const group = new RowGroup(info, id, native.groupKeys(info.side, info.index, id), null);
    group.collects = false;
    this.groups[id] = group;
    cachedGroups[cachedGroups.length] = group;
    group.bytes = new SafeFloat64Array(info.properties.length + 1);
    noteCached(group, info.properties.length, CACHED_GROUP_BYTES + group.places.trim());
    return group;
  }

  // Forgets a row group; it takes more misses to come back.
  remove(id) {
    this.groups[id] = null;
    this.misses[id] = 0;
    this.limits[id] = this.limits[id] * 2 < this.counts[id] ? this.limits[id] * 2 : this.counts[id];
  }
}
inheritNothing(RowGroupCache);

function findCached(info, key) {
  if (!usesColumns) return null;
  if (info.cache === null) info.cache = new RowGroupCache(info);
  return info.cache.find(key);
}

// Notes that a row group takes more memory for a property, and makes room among the others.
function noteCached(group, index, bytes) {
  group.bytes[index] += bytes;
  cachedBytes += bytes;
  while (cachedBytes > cacheLimit && cachedGroups.length > 1) {
    let oldest = -1;
    for (let i = 0; i < cachedGroups.length; i++) {
      if (cachedGroups[i] !== group && (oldest < 0 || cachedGroups[i].lastUse < cachedGroups[oldest].lastUse)) oldest = i;
    }
    evict(oldest);
  }
}

function noteForgotten(group, index) {
  cachedBytes -= group.bytes[index];
  group.bytes[index] = 0;
}

function evict(index) {
  const group = cachedGroups[index];
  group.flushScattered();
  cachedGroups[index] = cachedGroups[cachedGroups.length - 1];
  cachedGroups.length -= 1;
  for (let i = 0; i < group.bytes.length; i++) noteForgotten(group, i);
  group.info.cache.remove(group.id);
  group.open = false;
  group.columns = group.pending = group.seen = null;
}

// Makes way for an open group of the same rows; answers the columns, which the old side's may keep.
function takeCached(info, id) {
  if (info.cache === null || id >= info.cache.groups.length) return null;
  const group = info.cache.groups[id];
  if (group === null) return null;
  const columns = group.columns;
  for (let i = 0; i < cachedGroups.length; i++) if (cachedGroups[i] === group) { evict(i); break; }
  // It was worth keeping and comes back when it is asked for.
  info.cache.misses[id] = info.cache.limits[id];
  return info.side === OLD ? columns : null;
}

function discardCache(info) {
  for (let i = cachedGroups.length - 1; i >= 0; i--) if (cachedGroups[i].info === info) evict(i);
  info.cache = null;
}

// MARK: Values that wait

// Row groups in which values wait.
let scatteredCount = 0;

function startScattered(group) {
  group.scattered = new Items();
  for (let i = 0; i < group.info.properties.length; i++) group.scattered[i] = null;
  scatteredCount += 1;
}

function endScattered(group) {
  group.scattered = null;
  scatteredCount -= 1;
}

// Forgets what waits: a check is refused to write, and the next one begins without.
function dropScattered() {
  for (let i = 0; i < cachedGroups.length; i++) {
    const group = cachedGroups[i];
    if (group.scattered === null) continue;
    for (let j = 0; j < group.pending.length; j++) group.forget(j);
    endScattered(group);
  }
}

// Hands over what waits in a class's row groups that links lead to; of one property, where one is given.
function flushScatteredOf(info, index = -1) {
  if (scatteredCount === 0 || info.cache === null) return;
  const groups = info.cache.groups;
  for (let i = 0; i < groups.length; i++) {
    if (groups[i] === null) continue;
    if (index < 0) groups[i].flushScattered();
    else groups[i].flushScatteredProperty(index);
  }
}
