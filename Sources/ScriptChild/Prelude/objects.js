// Objects of a realm as scripts see them: plain properties, by accessors that each class has on its prototype.
//
// To a script they are an object's own properties: `own-properties.js` has the functions that can tell the difference;
// object spread and rest ask the object alone, so objects of a script that has these are behind proxies.

// Whether the script may spread an object.
let spreadsObjects = false;

// The message about an unknown member: the text of the script's own SDK.
let unknownMember = (className, name) => `Property '${className}.${name}' does not exist`;

// Ends the chain of prototypes: a member that neither the class nor every object has is unknown.
const unknownMembers = new SafeProxy(freeze(objectCreate(null)), {
  __proto__: null,
  get(_, name, receiver) { return reflectGet(SafeObject.prototype, name, receiver); },
  has(_, name) { return name in SafeObject.prototype; },
  set(_, name, value, receiver) {
    throw new SafeError(unknownMember(RealmObject.infoOf(receiver).name, SafeString(name)));
  },
});

function foreignReceiver(property) {
  return new SafeTypeError(`The receiver is no object with the property '${property.owner.name}.${property.name}' on its side of the migration.`);
}

// Has its subclass put its private members on another object than the new one.
class StandIn {
  constructor(object) { if (object !== undefined) return object; }
}

// A list, set or dictionary of a realm, or the target of its proxy, with what stands behind it.
class Collection extends StandIn {
  #state;
  constructor(object, state) {
    super(object);
    this.#state = state;
  }
  // The state behind a value; undefined where it is no collection.
  static state(value) {
    return typeof value === "object" && value !== null && #state in value ? value.#state : undefined;
  }
}

class RealmObject extends StandIn {
  #info;
  #key;
  #group;
  #row;

  constructor(info, key, group, row) {
    super(spreadsObjects ? new SafeProxy(info.standIn, info.traps) : undefined);
    this.#info = info;
    this.#key = key;
    this.#group = group;
    this.#row = row;
  }

  // MARK: What every object has

  get _key() { return this.#key; }
  isValid() { return RealmObject.exists(this); }
  objectSchema() { return schemaOf(this.#info.side)[this.#info.index]; }
  keys() { return ordinary(ownNames(this.#info)); }
  entries() { return ownEntries(this, this.#info); }
  isSame(other) { return RealmObject.isSame(this, other); }
  toJSON() { return RealmObject.json(this); }

  // MARK: For the prelude

  static infoOf(object) { return #info in object ? object.#info : { name: "Object" }; }
  // The class of what may be an object of a realm, or null.
  static infoOrNull(value) {
    return typeof value === "object" && value !== null && #info in value ? value.#info : null;
  }
  static encode(value) {
    return #info in value ? [OBJECT_TAG, value.#info.side, value.#info.index, value.#key] : null;
  }
  // Hands over what waits of an embedded object: Swift copies its values where it is assigned.
  static settleEmbedded(object) {
    if (object.#info.isOwned) flushEmbedded();
  }

  // The open row group where values of an object wait, or null.
  static waitingGroup(object) {
    const group = object.#info.side === NEW ? findGroup(object.#info, object.#key) : null;
    return group !== null && (group.collects || group.isScattered) && group.isWaiting(foundRow) ? group : null;
  }

  // An object's values as members, those that wait among them; null where none wait.
  static template(object) {
    if (RealmObject.waitingGroup(object) === null) return null;
    const coded = taggedItems(MEMBERS_TAG);
    const properties = object.#info.properties;
    for (let i = 0; i < properties.length; i++) {
      if (properties[i].isComputed) continue;
      coded[coded.length] = properties[i].name;
      coded[coded.length] = encode(object[properties[i].name]);
    }
    return coded;
  }

  static isSame(left, right) {
    return typeof right === "object" && right !== null && #info in left && #info in right &&
      left.#info === right.#info && left.#key === right.#key;
  }
  // Whether a link of a collection leads to an object, or to the one that a link to this old object would lead to.
  static leadsTo(linked, object) {
    if (!(#info in object) || linked.#key !== object.#key) return false;
    const target = linked.#info, info = object.#info;
    return info === target || info.side === OLD && target.side === NEW && info.name === target.name;
  }
  static exists(object) {
    point(object.#info, object.#key, 0);
    return native.isValid();
  }
  static invoke(name, object, property, first, second, third) {
    if (isIndependent) RealmObject.mustBeInHand(object);
    point(object.#info, object.#key, property.index);
    const result = native[name](first, second, third);
    if (slots[SLOT_DELETION_COUNT] !== deletionsSeen) noteDeletion(null);
    return result;
  }
  // Calls `set` or `append` with a value that is coded already.
  static give(name, object, property, coded) {
    point(object.#info, object.#key, property.index);
    let result;
    if (typeof coded !== "number") {
      result = native[name](coded);
    } else {
      slots[SLOT_HAS_NUMBER] = 1;
      slots[SLOT_NUMBER] = coded;
      result = native[name]();
    }
    // Embedded objects that were replaced are gone.
    if (slots[SLOT_DELETION_COUNT] !== deletionsSeen) noteDeletion(null);
    return result;
  }
  static isOld(object) { return object.#info.side === OLD; }
  static delete(object) {
    const info = object.#info;
    point(info, object.#key, 0);
    native.delete();
    noteDeletion(info, object.#key);
  }

  // The open row group that an object is in, or null; throws where the object was deleted.
  static group(object) {
    if (isIndependent) RealmObject.mustBeInHand(object);
    let group = object.#group;
    if (group === null || !group.open) {
      group = findGroup(object.#info, object.#key);
      // A new object that is not the one of the callback itself finds it each time: it is asked about each time.
      object.#group = isIndependent && object.#info.side === NEW ? null : group;
      if (group === null) return null;
      object.#row = foundRow;
    }
    const deletions = object.#info.deletions;
    if (deletions !== 0) {
      if (group.seen === null) group.seen = arrayFill(new Items(group.rowCount), 0);
      if (group.seen[object.#row] !== deletions) {
        if (!RealmObject.exists(object)) throw invalidated(object);
        group.seen[object.#row] = deletions;
      }
    }
    return group;
  }

  // Holds a callback to the new object that it has in hand.
  static mustBeInHand(object) {
    const info = object.#info;
    if (info.side === OLD || info === handInfo && object.#key === handKey) return;
    refuseDependence(`it looks at a new object of class '${info.name}' that is not the callback's own`);
  }
  static takeInHand(object) { takeInHand(object.#info, object.#key); }
  // Has an object that a script keeps be asked about again.
  static letGo(object) { object.#group = null; }

  static read(object, property) {
    if (isIndependent) RealmObject.mustBeInHand(object);
    point(object.#info, object.#key, property.index);
    return decode(native.value());
  }

  static write(object, property, value) {
    if (isIndependent) RealmObject.mustBeInHand(object);
    const info = object.#info;
    const coded = encode(value);
    if (info.side === NEW && property.columnar) {
      const group = RealmObject.group(object);
      if (group !== null) {
        if (group.collects) group.flushProperty(property.index);
        else group.flushScatteredProperty(property.index);
        RealmObject.give("set", object, property, coded);
        group.forget(property.index);
        return;
      }
    }
    RealmObject.give("set", object, property, coded);
    RealmObject.forget(object, property);
    property.version += 1;
  }

  // Leaves a value that fits its property with the others of its row group; false where there is none open.
  static wait(object, property, value) {
    const group = RealmObject.group(object);
    if (group === null) return false;
    if (!group.collects) return group.scatter(property, object.#key, object.#row, value);
    let pending = group.pending[property.index];
    if (pending === null) pending = group.startPending(property);
    pending[object.#row] = value;
    return true;
  }

  static json(object) {
    const members = {};
    const info = object.#info;
    if (info.primary === null && !info.isOwned) putMember(members, "_key", object.#key);
    for (let i = 0; i < info.properties.length; i++) {
      const property = info.properties[i];
      if (property.isComputed) continue;
      putMember(members, property.name, RealmObject.jsonValue(object[property.name]));
    }
    return members;
  }

  // Links as their targets' keys, embedded objects in line: a value without end is none of JSON's.
  static jsonValue(value) {
    if (typeof value === "bigint") return SafeString(value);
    if (typeof value !== "object" || value === null) return value;
    if (#info in value) {
      const info = value.#info;
      if (info.isOwned) return RealmObject.json(value);
      return info.primary === null ? value.#key : RealmObject.jsonValue(value[info.primary.name]);
    }
    if (isView(value)) return valuesMade().base64(bytesOfView(value));
    const collection = Collection.state(value);
    if (collection !== undefined) return collection.json();
    if (isArray(value)) {
      const elements = new Items();
      for (let i = 0; i < value.length; i++) elements[i] = RealmObject.jsonValue(value[i]);
      return ordinary(elements);
    }
    const prototype = getPrototypeOf(value);
    if (prototype !== objectPrototype && prototype !== null) return value;
    const entries = {}, keys = objectKeys(value);
    for (let i = 0; i < keys.length; i++) putMember(entries, keys[i], RealmObject.jsonValue(value[keys[i]]));
    return entries;
  }

  // MARK: Classes

  static typeOf(info) {
    const type = class extends RealmObject {
      constructor(info, key, group, row) { super(info, key, group, row); }
    };
    const prototype = type.prototype;
    for (let i = 0; i < info.properties.length; i++) {
      const property = info.properties[i];
      const { get, set } = RealmObject.accessor(info, property);
      defineProperty(prototype, property.name, { __proto__: null, get, set, enumerable: true });
    }
    if (!mapHas(info.named, "constructor")) {
      const named = { [info.name]: function () { throw new SafeTypeError("Objects are made by create."); } };
      defineProperty(prototype, "constructor", { __proto__: null, value: named[info.name], enumerable: false });
    }
    freeze(prototype);
    if (spreadsObjects) {
      info.standIn = objectCreate(prototype);
      info.traps = ownTraps(info);
    }
    return type;
  }

  static accessor(info, property) {
    if (property.isComputed) return RealmObject.linkingObjectsAccessor(property);
    switch (property.collection) {
      case "list": return property.isListed
        ? RealmObject.listAccessor(property) : RealmObject.collectionAccessor(property, makeList);
      case "set": return RealmObject.collectionAccessor(property, makeSet);
      case "dictionary": return RealmObject.collectionAccessor(property, makeDictionary);
    }
    if (property.isLink) return RealmObject.linkAccessor(info, property);
    if (property.isMarked) return RealmObject.markedAccessor(info, property);
    if (!property.columnar) return RealmObject.plainAccessor(property);
    const get = RealmObject.columnGetter(property);
    const set = info.side === NEW ? RealmObject.columnSetter(property) : RealmObject.plainAccessor(property).set;
    return { get, set };
  }

  static linkingObjectsAccessor(property) {
    return {
      get() {
        RealmObject.mustHave(this, property);
        if (isIndependent && !RealmObject.isOld(this)) refuseDependence("it looks at what links to a new object");
        flushOrigin(property);
        return decode(RealmObject.invoke("linkingObjects", this, property));
      },
      set(value) {
        RealmObject.mustHave(this, property);
        RealmObject.write(this, property, value);
      },
    };
  }

  static collectionAccessor(property, make) {
    return property.isCopied ? RealmObject.copiedAccessor(property, make) : {
      get() {
        RealmObject.mustHave(this, property);
        return make(this, property);
      },
      set(value) {
        RealmObject.mustHave(this, property);
        RealmObject.write(this, property, value);
      },
    };
  }

  static plainAccessor(property) {
    return {
      get() {
        RealmObject.mustHave(this, property);
        return RealmObject.read(this, property);
      },
      set(value) {
        RealmObject.mustHave(this, property);
        RealmObject.write(this, property, value);
      },
    };
  }

  // MARK: Accessors by columns

  // An accessor may be called on any object; only those of its class and side have its property.
  static mustHave(object, property) {
    if (object.#info !== property.owner) throw foreignReceiver(property);
  }

  static columnGetter(property) {
    switch (property.type) {
      case "string": return RealmObject.textGetter(property);
      case "bool": return RealmObject.cellGetter(property, cell => cell !== 0);
      case "int": return RealmObject.integerGetter(property);
      case "date": return RealmObject.dateGetter(property);
      default: return RealmObject.cellGetter(property, cell => cell);
    }
  }

  static textGetter(property) {
    const { index, owner } = property;
    return function () {
      if (this.#info !== owner) throw foreignReceiver(property);
      let group = this.#group;
      if (group === null || !group.open || this.#info.deletions !== 0) {
        group = RealmObject.group(this);
        if (group === null) return RealmObject.read(this, property);
      }
      const row = this.#row;
      const pending = group.pending[index];
      if (pending !== null) {
        const value = pending[row];
        if (value === null) return null;
        // Half a surrogate pair is read as it will be stored.
        if (value !== undefined) return toWellFormed(value === JOINED ? group.joined[index].at(row) : value);
      }
      let column = group.columns[index];
      if (column === null) column = group.column(property);
      if (column.valid !== null && column.valid[row] === 0) return null;
      const offsets = column.more;
      return column.cells.substring(offsets[row], offsets[row + 1]);
    };
  }

  static cellGetter(property, shown) {
    const { index, owner } = property;
    return function () {
      if (this.#info !== owner) throw foreignReceiver(property);
      let group = this.#group;
      if (group === null || !group.open || this.#info.deletions !== 0) {
        group = RealmObject.group(this);
        if (group === null) return RealmObject.read(this, property);
      }
      const row = this.#row;
      const pending = group.pending[index];
      if (pending !== null) {
        const value = pending[row];
        if (value !== undefined) return value;
      }
      let column = group.columns[index];
      if (column === null) column = group.column(property);
      if (column.valid !== null && column.valid[row] === 0) return null;
      return shown(column.cells[row]);
    };
  }

  static integerGetter(property) {
    return RealmObject.cellGetter(property, cell =>
      typeof cell === "bigint" && cell >= -9007199254740991n && cell <= 9007199254740991n
        ? SafeNumber(cell) : cell);
  }

  static dateGetter(property) {
    const { index, owner } = property;
    const { RealmDate } = valuesMade();
    return function () {
      if (this.#info !== owner) throw foreignReceiver(property);
      let group = this.#group;
      if (group === null || !group.open || this.#info.deletions !== 0) {
        group = RealmObject.group(this);
        if (group === null) return RealmObject.read(this, property);
      }
      const row = this.#row;
      const pending = group.pending[index];
      if (pending !== null) {
        const value = pending[row];
        if (value !== undefined) return value === null ? null : new RealmDate(value[1], value[2]);
      }
      let column = group.columns[index];
      if (column === null) column = group.column(property);
      if (column.valid !== null && column.valid[row] === 0) return null;
      return new RealmDate(column.cells[row], column.more[row]);
    };
  }

  // Returns a value of a property's type that may wait as it is; undefined for all others, which
  // Swift converts or refuses.
  static fitting(type) {
    switch (type) {
      case "string": return value => typeof value === "string" && value.length <= LONG_TEXT ? value : undefined;
      case "bool": return value => typeof value === "boolean" ? value : undefined;
      case "double": return value => typeof value === "number" ? value : undefined;
      case "float": return value => typeof value === "number" ? fround(value) : undefined;
      case "date": {
        const { encodeDate } = valuesMade();
        return value => typeof value === "object" && value !== null && isDate(value) ? encodeDate(value) : undefined;
      }
      default: return value => {
        if (typeof value === "number") return isSafeInteger(value) ? value + 0 : undefined;
        if (typeof value !== "bigint" || asIntN(64, value) !== value) return undefined;
        return value >= -9007199254740991n && value <= 9007199254740991n ? SafeNumber(value) : value;
      };
    }
  }

  static columnSetter(property) {
    const { index, owner } = property;
    const optional = property.optional;
    const fitting = RealmObject.fitting(property.type);
    const isText = property.type === "string";
    const isFloating = property.type === "double" || property.type === "float";
    const current = isFloating ? RealmObject.cellGetter(property, cell => cell) : null;
    return function (value) {
      if (this.#info !== owner) throw foreignReceiver(property);
      const fits = value === null && optional ? null : fitting(value);
      if (fits === undefined) return RealmObject.write(this, property, value);
      // A zero stays where the other one is written over it, as in Realm.
      if (isFloating && fits === 0 && reflectApply(current, this, []) === 0) return;
      const group = this.#group;
      if (group === null || !group.open || !group.collects || this.#info.deletions !== 0) {
        if (!RealmObject.wait(this, property, fits)) RealmObject.write(this, property, value);
        return;
      }
      let pending = group.pending[index];
      if (pending === null) pending = group.startPending(property);
      pending[this.#row] = fits;
      if (isText && fits !== null && (group.waiting += fits.length) > waitingLimit) group.flush();
    };
  }

  // MARK: Links by columns: keys, of which a script sees objects

  // The key that a link to a value of a script has: null for none, undefined for what Swift has to make a link
  // of, or to refuse.
  static linkKey(property, value) {
    if (property.isOwning) return undefined;
    if (value === null) return null;
    if (typeof value !== "object" || !(#info in value)) return undefined;
    const target = property.target, info = value.#info, key = value.#key;
    if (info !== target && (info.side !== OLD || info.name !== target.name)) return undefined;
    // An object that a script holds is there, unless it was deleted since, or before there were any scripts.
    if (target.deletions === 0 && (info === target || deletionsBefore === 0)) return key;
    point(target, key, 0);
    return native.isValid() ? key : undefined;
  }

  // The object that a script sees for a link of a column; null if its target was deleted.
  static linked(target, key, deletions) {
    const object = new target.Type(target, key, null, 0);
    return deletions !== target.deletions && !RealmObject.exists(object) ? null : object;
  }

  static linkAccessor(info, property) {
    const { index, owner } = property;
    const get = function () {
      if (this.#info !== owner) throw foreignReceiver(property);
      let group = this.#group;
      if (group === null || !group.open || this.#info.deletions !== 0) {
        group = RealmObject.group(this);
        if (group === null) return RealmObject.read(this, property);
      }
      const row = this.#row;
      const pending = group.pending[index];
      if (pending !== null) {
        const key = pending[row];
        if (key === null) return null;
        if (key === NATIVE) return RealmObject.read(this, property);
        if (key !== undefined) return RealmObject.linked(property.target, key, 0);
      }
      let column = group.columns[index];
      if (column === null) column = group.column(property);
      if (column.valid !== null && column.valid[row] === 0) return null;
      return RealmObject.linked(property.target, plainKey(column.cells[row]), column.deletions);
    };
    const set = function (value) {
      if (this.#info !== owner) throw foreignReceiver(property);
      const key = RealmObject.linkKey(property, value);
      if (key === undefined || !RealmObject.wait(this, property, key)) RealmObject.write(this, property, value);
    };
    return { get, set: info.side === NEW ? set : RealmObject.plainAccessor(property).set };
  }

  // MARK: Values by columns that JavaScript has not, or not as cells

  // `shown`: what a script sees of a cell; `again`: of a value that waits; `fits`: what waits of a value, or undefined; `size`: as
  // `sizeOf`.
  static markedAccessor(info, property) {
    const { shown, again, fits, size } = property.isFixed ? RealmObject.fixedCells(property)
      : property.isData ? dataCells : mixedCells;
    const { index, owner } = property, optional = property.optional || property.isMixed;
    const get = function () {
      if (this.#info !== owner) throw foreignReceiver(property);
      let group = this.#group;
      if (group === null || !group.open || this.#info.deletions !== 0) {
        group = RealmObject.group(this);
        if (group === null) return RealmObject.read(this, property);
      }
      const row = this.#row;
      const pending = group.pending[index];
      if (pending !== null) {
        const value = pending[row];
        if (value === null) return null;
        if (value === NATIVE) return RealmObject.read(this, property);
        if (value !== undefined) return again(value);
      }
      let column = group.columns[index];
      if (column === null) column = group.column(property);
      if (column.valid !== null && column.valid[row] === 0) return null;
      const value = shown(column, row);
      return value === undefined ? RealmObject.read(this, property) : value;
    };
    const set = function (value) {
      if (this.#info !== owner) throw foreignReceiver(property);
      // Whether a primary key may be changed is said at once.
      const waiting = property.primary ? undefined : value === null && optional ? null : fits(value);
      if (waiting === undefined || !RealmObject.wait(this, property, waiting)) RealmObject.write(this, property, value);
      else if (waiting !== null) RealmObject.noteWaiting(this, size(waiting));
    };
    return { get, set: info.side === NEW ? set : RealmObject.plainAccessor(property).set };
  }

  // Cells of words; what makes values of them is made when a script looks at the first.
  static fixedCells(property) {
    let cells = null;
    const made = () => cells ??= valuesMade().fixedCells(property.type);
    return {
      __proto__: null, shown: (column, row) => made().shown(column.cells, row), again: value => made().again(value),
      fits: value => made().fits(value), size: () => 16,
    };
  }

  // MARK: Lists by columns
  // A list that waits is an array of what its elements are in a column: keys, numbers, texts, dates as they are coded.

  // How many elements a list has, or −1 where Swift has to be asked.
  static listLength(object, property) {
    const group = RealmObject.group(object);
    if (group === null) return -1;
    const pending = group.pending[property.index];
    const waiting = pending === null ? undefined : pending[object.#row];
    if (waiting === NATIVE) return -1;
    if (waiting !== undefined) {
      RealmObject.dropDeleted(property, waiting);
      return waiting.length;
    }
    const column = group.columns[property.index] ?? group.column(property);
    if (property.target !== null && property.target.deletions !== column.deletions) return -1;
    return column.cells[object.#row + 1] - column.cells[object.#row];
  }

  // The elements of a list, or null where Swift has to be asked.
  static listItems(object, property) {
    const group = RealmObject.group(object);
    if (group === null) return null;
    const pending = group.pending[property.index];
    const waiting = pending === null ? undefined : pending[object.#row];
    if (waiting === NATIVE) return null;
    if (waiting !== undefined) {
      RealmObject.dropDeleted(property, waiting);
      const items = new Items();
      for (let i = 0; i < waiting.length; i++) items[i] = RealmObject.shownElement(property, waiting[i]);
      return items;
    }
    const column = group.columns[property.index] ?? group.column(property);
    const target = property.target;
    if (target !== null && target.deletions !== column.deletions) return null;
    const offsets = column.cells, row = object.#row;
    const start = offsets[row], count = offsets[row + 1] - start;
    const items = new Items(count);
    if (target !== null) {
      const keys = column.more.cells, Type = target.Type;
      for (let i = 0; i < count; i++) items[i] = new Type(target, plainKey(keys[start + i]), null, 0);
    } else {
      for (let i = 0; i < count; i++) items[i] = RealmObject.shownElement(property, elementOf(property, column.more, start + i));
    }
    return items;
  }

  static shownElement(property, element) {
    const target = property.target;
    if (target !== null) return new target.Type(target, element, null, 0);
    return property.type === "date" && element !== null ? makeDate(element[1], element[2]) : element;
  }

  // Takes the links to objects that were deleted out of a list that waits.
  static dropDeleted(property, waiting) {
    const target = property.target;
    if (target === null || target.deletions === 0 || waiting[SEEN] === target.deletions) return;
    let count = 0;
    for (let i = 0; i < waiting.length; i++) {
      point(target, waiting[i], 0);
      if (native.isValid()) waiting[count++] = waiting[i];
    }
    waiting.length = count;
    waiting[SEEN] = target.deletions;
  }

  // Returns an element that may wait as it is; undefined for one that Swift converts or refuses.
  static fittingElement(property, value) {
    if (property.isOwning) return undefined;
    if (property.target !== null) return value === null ? undefined : RealmObject.linkKey(property, value);
    if (value === null) return property.optional ? null : undefined;
    const fits = property.fitting(value);
    return typeof fits === "string" ? toWellFormed(fits) : fits;
  }

  // The elements of an array that a script gives as they may wait, or null.
  static fittingElements(property, values) {
    if (property.isOwning) return null;
    const fits = new Items();
    for (let i = 0; i < values.length; i++) {
      const element = RealmObject.fittingElement(property, values[i]);
      if (element === undefined) return null;
      fits[i] = element;
    }
    if (property.target !== null && property.target.deletions !== 0) fits[SEEN] = property.target.deletions;
    return fits;
  }

  // A list that waits, to be changed in place; null where a change has to go to Swift.
  static waitingList(object, property) {
    if (object.#info.side === OLD || property.isOwning) return null;
    const group = RealmObject.group(object);
    if (group === null || !group.collects) return null;
    const pending = group.pending[property.index] ?? group.startPending(property);
    const waiting = pending[object.#row];
    if (waiting === NATIVE) return null;
    if (waiting !== undefined) {
      RealmObject.dropDeleted(property, waiting);
      return waiting;
    }
    const column = group.columns[property.index] ?? group.column(property);
    if (property.target !== null && property.target.deletions !== column.deletions) return null;
    const list = new Items();
    const end = column.cells[object.#row + 1];
    for (let i = column.cells[object.#row]; i < end; i++) {
      list[list.length] = elementOf(property, column.more, i);
    }
    if (property.target !== null && column.deletions !== 0) list[SEEN] = column.deletions;
    pending[object.#row] = list;
    return list;
  }

  // Counts what a script gave to lists that wait, which hold beside it no more than the column; hands over what is
  // too much.
  static noteWaiting(object, size) {
    const group = object.#group;
    // What is scattered is counted where it is.
    if (!group.collects) return;
    group.waiting += size;
    if (group.waiting > waitingLimit) group.flush();
  }

  // Hands a collection that waits over by itself: Swift is about to change it.
  static settle(object, property) {
    if (!(property.isListed || property.isCopied) || object.#info.side === OLD) return;
    const group = findGroup(object.#info, object.#key);
    if (group === null) return;
    const row = foundRow;
    const pending = group.pending[property.index];
    if (pending === null || pending[row] === undefined || pending[row] === NATIVE) return;
    const waiting = pending[row];
    pending[row] = NATIVE;
    RealmObject.give("set", object, property, property.isCopied ? waiting.state.encode(0) : RealmObject.listCoded(property, waiting));
  }

  static listCoded(property, waiting) {
    RealmObject.dropDeleted(property, waiting);
    const coded = taggedItems(ARRAY_TAG);
    for (let i = 0; i < waiting.length; i++) {
      coded[i + 1] = property.target === null ? waiting[i] : [OBJECT_TAG, NEW, property.target.index, waiting[i]];
    }
    return coded;
  }

  // Notes that Swift has another value than what was read of an object.
  static forget(object, property) {
    const info = object.#info;
    if (info.side === OLD || !property.isMarked) return;
    const group = findGroup(info, object.#key);
    if (group === null) return;
    const row = foundRow;
    const pending = group.pending[property.index] ?? group.startPending(property);
    pending[row] = NATIVE;
  }

  static listAccessor(property) {
    return {
      get() {
        RealmObject.mustHave(this, property);
        return makeList(this, property);
      },
      set(value) {
        RealmObject.mustHave(this, property);
        if (!RealmObject.waitForList(this, property, value)) RealmObject.write(this, property, value);
      },
    };
  }

  // MARK: Other collections by columns

  // The elements of a set or a list, or the map of a dictionary; null where Swift has to be asked.
  static collectionItems(object, property) {
    RealmObject.settle(object, property);
    const group = RealmObject.group(object);
    if (group === null) return null;
    const pending = group.pending[property.index], row = object.#row;
    if (pending !== null && pending[row] === NATIVE) return null;
    const column = group.columns[property.index] ?? group.column(property);
    const { keys, more } = column, end = column.cells[row + 1];
    const items = keys === null ? new Items() : new SafeMap();
    for (let i = column.cells[row]; i < end; i++) {
      const element = RealmObject.shownElement(property, elementOf(property, more, i));
      if (keys === null) items[items.length] = element;
      else mapSet(items, keys.cells.substring(keys.more[i], keys.more[i + 1]), element);
    }
    return items;
  }

  static copiedAccessor(property, make) {
    return {
      get() {
        RealmObject.mustHave(this, property);
        return make(this, property);
      },
      set(value) {
        RealmObject.mustHave(this, property);
        const copy = this.#info.side === NEW ? RealmObject.copyOf(property, value) : null;
        if (copy === null || !RealmObject.wait(this, property, copy)) RealmObject.write(this, property, value);
        else property.version += 1;
      },
    };
  }

  // The copy that may wait for a collection of the old side, or null.
  static copyOf(property, value) {
    const state = Collection.state(value);
    if (state === undefined || !RealmObject.isOld(state.object)) return null;
    const source = state.property;
    if (source.type !== property.type || source.collection !== property.collection || source.optional && !property.optional) return null;
    const group = RealmObject.group(state.object);
    if (group === null || !group.mayCopy(source)) return null;
    return new CollectionCopy(state, group, state.object.#row);
  }

  // Leaves a list that a script assigns with the others of its row group, where it fits.
  static waitForList(object, property, value) {
    if (object.#info.side === OLD || !usesColumns || !isArray(value)) return false;
    const state = Collection.state(value);
    // Looking at an array of the script's may run some of it: its elements are looked at before they are judged.
    const values = state === undefined ? new Items() : state.items;
    if (state === undefined) for (let i = 0; i < value.length; i++) values[i] = value[i];
    const fits = RealmObject.fittingElements(property, values);
    if (fits === null || !RealmObject.wait(object, property, fits)) return false;
    RealmObject.noteWaiting(object, sizeOfAll(fits));
    property.version += 1;
    return true;
  }
}

// Stands for the type of a class's objects until there is one. A call that has seen both is slower from then on, so where many objects are to
// be made their type is made before.
function FirstOfType(info, key, group, row) {
  makeType(info);
  return new info.Type(info, key, group, row);
}

function makeType(info) { if (info.Type === FirstOfType) info.Type = RealmObject.typeOf(info); }

setPrototypeOf(RealmObject.prototype, unknownMembers);
// Its functions are the prelude's alone.
delete RealmObject.prototype.constructor;
freeze(RealmObject.prototype);

// More bytes than these are copied by the language, which takes long to begin.
const FEW_BYTES = 64;
const lengthOfBytes = viewGetters[0][2];

function copyOfBytes(bytes, start, length) {
  const copy = new SafeUint8Array(length);
  for (let i = 0; i < length; i++) copy[i] = bytes[start + i];
  return copy;
}

// Copies of bytes, which a script may change.
const dataCells = {
  __proto__: null,
  shown(column, row) {
    const start = column.more[row], length = column.more[row + 1] - start;
    return length > FEW_BYTES ? new SafeUint8Array(new SafeUint8Array(column.cells.buffer, start, length))
      : copyOfBytes(column.cells, start, length);
  },
  again: bytes => new SafeUint8Array(bytes),
  size: bytes => 16 + bytes.length,
  fits(value) {
    if (typeof value !== "object" || value === null || !isView(value)) return undefined;
    // Asking an array for its memory makes an object of that, too.
    const bytes = arrayKind(value) === "Uint8Array" ? value : bytesOfView(value);
    const length = lengthOfBytes(bytes);
    if (length > LONG_TEXT) return undefined;
    return length > FEW_BYTES ? new SafeUint8Array(bytes) : copyOfBytes(bytes, 0, length);
  },
};

// Plain values; all others go to Swift by themselves.
const mixedCells = {
  __proto__: null,
  shown(column, row) {
    const kind = column.cells[row], cells = column.more;
    if (kind === MIXED_NUMBER) return cells.numbers[row];
    if (kind === MIXED_TEXT) return cells.text.substring(cells.offsets[row], cells.offsets[row + 1]);
    return kind === MIXED_YES ? true : kind === MIXED_NO ? false : undefined;
  },
  again: value => typeof value === "string" ? toWellFormed(value) : value,
  size: sizeOf,
  fits(value) {
    // A zero stays where the other one is written over it, as in Realm: Swift sees to that.
    if (typeof value === "number") return value !== 0 || is(value, 0) ? value : undefined;
    return typeof value === "boolean" || typeof value === "string" && value.length <= LONG_TEXT ? value : undefined;
  },
};

function findGroup(info, key) {
  const groups = info.groups;
  for (let i = 0; i < groups.length; i++) {
    foundRow = groups[i].rowOf(key);
    if (foundRow >= 0) return groups[i];
  }
  return findCached(info, key);
}

// Hands over what waits of embedded objects: Swift copies them with the objects that they belong to.
function flushEmbedded() {
  for (let i = 0; i < sides[NEW].length; i++) {
    const info = sides[NEW][i];
    if (!info.isOwned) continue;
    for (let j = 0; j < info.groups.length; j++) info.groups[j].flush();
    flushScatteredOf(info);
  }
}

// Hands over the links that a property of linking objects is about.
function flushOrigin(property) {
  const origin = property.target;
  if (origin === null || origin.side === OLD) return;
  for (let i = 0; i < origin.properties.length; i++) {
    if (origin.properties[i].storedName !== property.origin) continue;
    origin.flushProperty(i);
  }
}

function wrap(info, key) { return new info.Type(info, key, null, 0); }

function invalidated(object) {
  try {
    RealmObject.invoke("value", object, { index: 0 });
  } catch (error) {
    return error;
  }
  return new SafeError("Accessing object which has been invalidated or deleted");
}

// Embedded objects die with their parents, of whichever class; those alone where no other was deleted.
function noteDeletion(info, key) {
  deletionsSeen = slots[SLOT_DELETION_COUNT];
  allDeletions += 1;
  for (let i = 0; i < sides[NEW].length; i++) {
    const other = sides[NEW][i];
    if (other !== info && !other.isOwned) continue;
    other.deletions += 1;
    if (other.keyRuns === null) continue;
    if (other === info) other.keyRuns.noteRemoval(key);
    else other.keyRuns.reset();
  }
}
