// The migration object of `migrate`, and the two realms of `onMigration`.

const versions = [0, 0];

// The milliseconds of processor time that the script has used, rough, in memory that Swift writes.
let processorClock = null;

// The compiler takes a plain read of memory for the same before and after an expression.
const { load: atomicsLoad } = Atomics;
function readClock() { return atomicsLoad(processorClock, 0); }

// MARK: Enumerating

function mustBeSynchronous(result) {
  if (typeof result !== "object" || result === null) return;
  if (typeof result.then === "function") {
    throw new SafeTypeError("Migrations are synchronous: a function returned a Promise.");
  }
  if (result[tagSymbol] === "Generator") {
    throw new SafeTypeError("A generator function was called, and nothing of it has run: write it without *.");
  }
}

// Enumerations that a script is in, one inside the other; the outermost tells how far the script is.
let enumerationDepth = 0;
// The processor's time at which a script last told how far it is.
let lastReport = 0;
const REPORT_MILLISECONDS = 200;

function enumerateObjects(className, callback) {
  if (typeof callback !== "function") throw new SafeTypeError("enumerateObjects takes a function.");
  if (isIndependent) mayEnumerate();
  const enumeration = native.enumeration(nameOf(className));
  if (enumeration === null) return;
  const oldInfo = enumeration[1] < 0 ? null : sides[OLD][enumeration[1]];
  const newInfo = enumeration[2] < 0 ? null : sides[NEW][enumeration[2]];
  const end = enumeration[4], total = enumeration[6], visited = isIndependent ? beginHolding(callback) : callback;
  let done = enumeration[5];
  enumerationDepth += 1;
  try {
    for (let i = enumeration[3]; i < end; i++) {
      const batch = native.batch(enumeration[0], i);
      reportProgress(oldInfo ?? newInfo, done, total);
      enumerateBatch(oldInfo, newInfo, batch, visited, done, total);
      done += batch[0].length;
    }
    reportProgress(oldInfo ?? newInfo, isIndependent ? done : total, total);
  } catch (error) {
    if (isIndependent) endWith(error);
    throw error;
  } finally {
    enumerationDepth -= 1;
  }
  if (isIndependent) endHolding();
}

function reportProgress(info, done, total) {
  if (enumerationDepth > 1) return;
  lastReport = readClock();
  native.progress(info.side, info.index, done, total);
}

// A look at the clock every few objects costs nothing beside them, and callbacks may be slow.
const CLOCK_MASK = 15;

function reportIfDue(info, done, total) {
  if (readClock() - lastReport > REPORT_MILLISECONDS) reportProgress(info, done, total);
}

function enumerateBatch(oldInfo, newInfo, batch, callback, done, total) {
  const keys = batch[0], id = batch[1], rows = batch[2];
  if (keys.length === 0) return;
  if (oldInfo !== null) makeType(oldInfo);
  if (newInfo !== null) makeType(newInfo);
  const isInColumns = usesColumns && id >= 0;
  const oldGroup = isInColumns && oldInfo !== null ? openGroup(oldInfo, id, keys, rows) : null;
  const newGroup = isInColumns && newInfo !== null ? openGroup(newInfo, id, keys, rows) : null;
  // The row that is visited. A value that the loop keeps in a local variable of a `try` of its own is slower in it; and so is an array of
  // the language's, for whose sake the compiler makes objects that nobody looks at.
  const at = new SafeInt32Array(1), restored = new Items();
  try {
    (native.quarantines ? visitEach : visit)(oldInfo, oldGroup, newInfo, newGroup, keys, rows, callback, done, total, at, restored);
  } catch (error) {
    noteInHand(error, oldInfo ?? newInfo, plainKey(keys[at[0]]), done + at[0]);
    throw error;
  } finally {
    // Earlier changes stay, in case the script catches the failure.
    if (oldGroup !== null) closeGroup(oldGroup);
    if (newGroup !== null) closeGroup(newGroup);
  }
  if (restored.length > 0) restoreObjects(newInfo, restored);
}

// Gives objects what they had before the script.
function restoreObjects(info, keys) {
  closeWindows();
  flushAll();
  native.restore(info.name, keys);
  // Those of embedded objects as well.
  for (let i = 0; i < sides[NEW].length; i++) discardColumns(sides[NEW][i]);
  noteEverything();
}

// As `visit`, but for objects whose callback throws: they are set aside, and left out of what else is enumerated, so that they stay as they
// were before the script whichever enumeration threw.
function visitEach(oldInfo, oldGroup, newInfo, newGroup, keys, rows, callback, done, total, at, restored) {
  const info = oldInfo ?? newInfo;
  let run = 0;
  for (let i = 0; i < keys.length; i++) {
    at[0] = i;
    const key = plainKey(keys[i]);
    if (rows[i] >> runShift !== run) {
      if (newGroup !== null) newGroup.joinText(run);
      run = rows[i] >> runShift;
    }
    if ((i & CLOCK_MASK) === 0) reportIfDue(info, done + i, total);
    if (isSetAside(info, key)) continue;
    const oldObject = oldInfo === null ? null : new oldInfo.Type(oldInfo, key, oldGroup, rows[i]);
    const newObject = newInfo === null ? null : new newInfo.Type(newInfo, key, newGroup, rows[i]);
    if (newObject !== null && !RealmObject.exists(newObject)) continue;
    try {
      const result = callback(oldObject, newObject);
      if (result !== undefined) mustBeSynchronous(result);
      if (!isSetAside(info, key)) continue;
    } catch (error) {
      // An object that its callback deleted can't be set aside as it was.
      if (endings.length > 0 || newObject !== null && !RealmObject.exists(newObject)) throw error;
      // An object that an inner enumeration has set aside stays so.
      if (!isSetAside(info, key)) {
        noteInHand(error, info, key, done + i);
        native.quarantine(info.side, info.index, key, api.describe(error));
        if (info.setAside === null) info.setAside = new SafeMap();
        mapSet(info.setAside, key, true);
      }
    }
    // An enumeration inside of the callback may have set its object aside: what the callback did then is undone, too.
    if (newObject !== null) restored[restored.length] = key;
  }
}

function isSetAside(info, key) { return info.setAside !== null && mapHas(info.setAside, key); }

// `done`: the objects of earlier batches, of `total`; `at`: is told the row.
function visit(oldInfo, oldGroup, newInfo, newGroup, keys, rows, callback, done, total, at) {
  const deletions = newInfo === null ? 0 : newInfo.deletions;
  let run = 0;
  for (let i = 0; i < keys.length; i++) {
    at[0] = i;
    const key = plainKey(keys[i]);
    if (rows[i] >> runShift !== run) {
      if (newGroup !== null) newGroup.joinText(run);
      run = rows[i] >> runShift;
    }
    if ((i & CLOCK_MASK) === 0) reportIfDue(oldInfo ?? newInfo, done + i, total);
    const oldObject = oldInfo === null ? null : new oldInfo.Type(oldInfo, key, oldGroup, rows[i]);
    const newObject = newInfo === null ? null : new newInfo.Type(newInfo, key, newGroup, rows[i]);
    if (newObject !== null && newInfo.deletions !== deletions && !RealmObject.exists(newObject)) continue;
    const result = callback(oldObject, newObject);
    if (result !== undefined) mustBeSynchronous(result);
  }
}

// The error that was last thrown through an enumeration, and the objects that their callbacks were called with,
// innermost first.
let failed = undefined;
let inHand = new Items();

function noteInHand(error, info, key, done) {
  if (!is(error, failed) || inHand.length >= MOST_IN_HAND) inHand = new Items();
  failed = error;
  inHand[inHand.length] = [info, key, done];
}

// MARK: Changing

// Changes outside of enumerations were made by the first run; making them once more would be wrong.
function requireEnumeration() {
  if (native.isRetry && enumerationDepth === 0) {
    throw new SafeError("A retry changes objects in enumerateObjects alone: what stands outside of it was done by the migration.");
  }
}

// Whether it may be asked for all objects of the new side.
function mayLookAtAll(what) {
  requireEnumeration();
  if (isIndependent) refuseDependence(`it calls ${what}`);
}

function createObject(className, value, mode) {
  requireEnumeration();
  if (isIndependent) refuseDependence("it creates objects");
  if (mode === undefined || mode === false || mode === "never") return makeObject(className, value);
  if (mode !== true && mode !== "modified" && mode !== "all") {
    throw new SafeTypeError("The update mode of create has to be 'never', 'modified' or 'all'.");
  }
  return atTop(() => upsertsMade().upsertObject(className, value, 0));
}

function makeObject(className, value) {
  const isObject = typeof value === "object" && value !== null && RealmObject.encode(value) !== null;
  if (isObject) flushEmbedded();
  const coded = (isObject ? RealmObject.template(value) : null) ?? (value === undefined ? [MEMBERS_TAG] : encode(value));
  return decode(native.create(nameOf(className), coded));
}

function deleteObjects(objects) {
  requireEnumeration();
  if (isIndependent) refuseDependence("it deletes objects");
  if (typeof objects !== "object" || objects === null) throw new SafeTypeError("There is no object to delete.");
  if (RealmObject.encode(objects) !== null) return RealmObject.delete(objects);
  const list = listOf(objects);
  // A collection of the realm may have an object twice, or one that goes with its owner.
  const isStored = Collection.state(objects) !== undefined || weakGet(resultStates, objects) !== undefined;
  for (let i = 0; i < list.length; i++) {
    if (typeof list[i] !== "object" || list[i] === null || RealmObject.encode(list[i]) === null) {
      throw new SafeTypeError("Only objects of the realm can be deleted.");
    }
    if (!isStored || RealmObject.exists(list[i])) RealmObject.delete(list[i]);
  }
}

// Copies the objects to delete to a list: deleting changes results and lists.
function listOf(objects) {
  const results = weakGet(resultStates, objects);
  if (results !== undefined) return results.copy();
  const list = new Items();
  if (isArray(objects)) {
    for (let i = 0; i < objects.length; i++) list[i] = objects[i];
    return list;
  }
  for (const object of objects) list[list.length] = object;
  return list;
}

function noteEverything() {
  deletionsSeen = slots[SLOT_DELETION_COUNT];
  allDeletions += 1;
  for (let i = 0; i < sides[NEW].length; i++) {
    const info = sides[NEW][i];
    info.deletions += 1;
    discardCache(info);
    if (info.keyRuns !== null) info.keyRuns.reset();
    if (info.isUnread) continue;
    for (let j = 0; j < info.properties.length; j++) info.properties[j].version += 1;
  }
}

function removeData(operation, className) {
  requireEnumeration();
  if (isIndependent) refuseDependence("it deletes objects");
  const info = classNamed(NEW, className);
  flushAll();
  const was = native[operation](nameOf(className));
  if (info !== null) discardColumns(info);
  closeWindows();
  noteEverything();
  return was;
}

function deleteData(className) { return removeData("deleteData", className); }

function renameProperty(className, from, to) {
  flushAll();
  native.renameProperty(nameOf(className), SafeString(from), SafeString(to));
  for (let i = 0; i < sides[NEW].length; i++) discardColumns(sides[NEW][i]);
  noteEverything();
}

function renameClass(from, to) {
  flushAll();
  native.renameClass(nameOf(from), nameOf(to));
}

// Has functions merge objects of one primary key: the first takes the members that are answered, and the others go.
function mergeDuplicates(merges) {
  for (let i = 0; i < merges.length; i++) {
    const info = classNamed(NEW, merges[i][0]), merge = merges[i][1];
    if (info === null) continue;
    closeWindows();
    flushAll();
    const groups = native.duplicates(info.name), removed = new Items(), kept = new Items();
    for (let j = 0; j < groups.length; j++) {
      const first = wrap(info, plainKey(groups[j][0]));
      for (let k = 1; k < groups[j].length; k++) {
        const key = plainKey(groups[j][k]);
        assignMembers(info, first, merge(first, wrap(info, key)));
        removed[removed.length] = key;
        kept[kept.length] = plainKey(groups[j][0]);
      }
    }
    closeWindows();
    flushAll();
    native.replaceObjects(info.name, removed, kept);
    noteEverything();
  }
}

function assignMembers(info, object, members) {
  if (typeof members !== "object" || members === null) {
    throw new SafeTypeError("A function that merges objects answers the members of the one that stays.");
  }
  mustBeSynchronous(members);
  if (RealmObject.encode(members) === null) {
    // Others, such as a Map, keep elsewhere what they hold, and nothing would be merged.
    const prototype = getPrototypeOf(members);
    if (prototype !== objectPrototype && prototype !== null) {
      throw new SafeTypeError("A function that merges objects answers a plain object, or one of the two.");
    }
    const names = objectKeys(members);
    for (let i = 0; i < names.length; i++) object[names[i]] = members[names[i]];
    return;
  }
  for (let i = 0; i < info.properties.length; i++) {
    const name = info.properties[i].name;
    if (info.properties[i].type !== "linkingObjects") object[name] = members[name];
  }
}

function objectForPrimaryKey(side, className, key) {
  const info = requireClass(side, className);
  if (info.primary === null) throw new SafeError(`Class '${info.name}' has no primary key`);
  info.flushProperty(info.primary.index);
  return decode(native.find(side, info.index, encode(key)));
}

function requireClass(side, className) {
  const info = classNamed(side, className);
  if (info === null) throw new SafeError(`Object type '${nameOf(className)}' not found in schema.`);
  return info;
}

// MARK: What scripts are given

function readOnly() {
  throw new SafeError("Cannot modify managed objects outside of a write transaction.");
}

function makeRealm(side) {
  return freeze({
    schemaVersion: versions[side],
    get schema() { return schemaOf(side); },
    isReadOnly: side === OLD,
    isInMigration: true,
    objects(className) {
      if (side === NEW) mayLookAtAll("newRealm.objects");
      return makeResults(requireClass(side, className));
    },
    objectForPrimaryKey(className, key) {
      if (side === NEW) mayLookAtAll("newRealm.objectForPrimaryKey");
      return objectForPrimaryKey(side, className, key);
    },
    create: side === OLD ? readOnly : createObject,
    delete: side === OLD ? readOnly : deleteObjects,
    deleteModel: side === OLD ? readOnly : className => { removeData("deleteModel", className); },
    deleteAll: side === OLD ? readOnly : () => {
      for (let i = 0; i < sides[NEW].length; i++) {
        if (!sides[NEW][i].isOwned) deleteData(sides[NEW][i].name);
      }
    },
    write: side === OLD ? readOnly : change => change(),
  });
}

function makeMigration(oldRealm, newRealm) {
  return freeze({
    get oldSchema() { return schemaOf(OLD); }, get newSchema() { return schemaOf(NEW); }, oldRealm, newRealm,
    oldSchemaVersion: versions[OLD], newSchemaVersion: versions[NEW],
    enumerateObjects, create: createObject, delete: deleteObjects, deleteData, renameProperty, renameClass,
  });
}
