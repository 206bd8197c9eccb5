// Values on their way to Swift and back: arrays with a tag in front (`ScriptValueTag`).

const mapForEach = uncurry(SafeMap.prototype.forEach);
const setForEach = uncurry(SafeSet.prototype.forEach);

function encodeElements(length, at, depth) {
  const coded = taggedItems(ARRAY_TAG);
  for (let i = 0; i < length; i++) coded[i + 1] = encode(at(i), depth + 1);
  return coded;
}

function encodeBytes(view) {
  return [DATA_TAG, new SafeUint8Array(bytesOfView(view))];
}

function encodeMembers(object, depth) {
  const coded = taggedItems(MEMBERS_TAG);
  const names = objectKeys(object);
  for (let i = 0; i < names.length; i++) {
    coded[coded.length] = names[i];
    coded[coded.length] = encode(object[names[i]], depth + 1);
  }
  return coded;
}

function encodeMap(map, depth) {
  const coded = taggedItems(MEMBERS_TAG);
  mapForEach(map, (value, name) => {
    coded[coded.length] = SafeString(name);
    coded[coded.length] = encode(value, depth + 1);
  });
  return coded;
}

function encodeSet(set, depth) {
  const coded = taggedItems(ARRAY_TAG);
  setForEach(set, value => { coded[coded.length] = encode(value, depth + 1); });
  return coded;
}

// Codes an object that a script gives, for Swift to read.
function encodeObject(value, depth) {
  return depth > 0 ? encodeInner(value, depth) : atTop(() => encodeInner(value, 0));
}

function encodeInner(value, depth) {
  if (depth > DEPTH_LIMIT) throw tooDeep;
  const object = RealmObject.encode(value);
  if (object !== null) {
    RealmObject.settleEmbedded(value);
    return object;
  }
  const collection = Collection.state(value);
  if (collection !== undefined) return collection.encode(depth);
  const kind = FixedValue.kind(value);
  if (kind !== null) return [kind.tag, FixedValue.text(value)];
  const number = TypedNumber.coded(value);
  if (number !== null) return number;
  if (isDate(value)) return encodeDate(value);
  if (isView(value)) return encodeBytes(value);
  if (value instanceof SafeArrayBuffer) return encodeBytes(new SafeUint8Array(value));
  if (isArray(value)) return encodeElements(value.length, i => value[i], depth);
  if (value instanceof SafeMap) return encodeMap(value, depth);
  if (value instanceof SafeSet) return encodeSet(value, depth);
  if (value instanceof SafeNumber || value instanceof SafeString || value instanceof SafeBoolean) {
    return encode(value.valueOf(), depth + 1);
  }
  return encodeMembers(value, depth);
}

function decodeElements(coded) {
  const elements = new Items();
  for (let i = 1; i < coded.length; i++) elements[i - 1] = decode(coded[i]);
  return elements;
}

function decodeMembers(coded) {
  const object = {};
  for (let i = 1; i < coded.length; i += 2) {
    putMember(object, coded[i], decode(coded[i + 1]));
  }
  return object;
}

// Collections in mixed values are assigned as wholes. Frozen objects alone would lose a change of them without a word where the
// script is not strict.
function refuseChange() {
  throw new SafeTypeError("A collection in a mixed value can't be changed in place: assign a changed copy of it to the property.");
}
const wholeTraps = freeze({
  __proto__: null, set: refuseChange, defineProperty: refuseChange, deleteProperty: refuseChange, setPrototypeOf: refuseChange,
});
function whole(collection) { return new SafeProxy(freeze(collection), wholeTraps); }

// Makes of a coded value the one that a script sees.
function decodeTagged(coded) {
  switch (coded[0]) {
    case DATE_TAG: return makeDate(coded[1], coded[2]);
    case DATA_TAG: return coded[1];
    case DECIMAL128_TAG: return new Decimal128(STORED, coded[1], null, 0);
    case OBJECT_ID_TAG: return new ObjectId(STORED, coded[1], null, 0);
    case UUID_TAG: return new UUID(STORED, coded[1], null, 0);
    case DOUBLE_TAG: case FLOAT_TAG: return new TypedNumber(coded[1], coded[0]);
    case OBJECT_TAG: return wrap(sides[coded[1]][coded[2]], coded[3]);
    case ARRAY_TAG: return whole(ordinary(decodeElements(coded)));
    case MEMBERS_TAG: return whole(decodeMembers(coded));
    default: throw new SafeError("A value could not be read.");
  }
}

// A value that a script may change, as dates and bytes are, for it to have as its own.
function anew(value) {
  if (typeof value !== "object" || value === null) return value;
  return RealmObject.infoOrNull(value) !== null || FixedValue.kind(value) !== null ? value : decode(encode(value));
}

function isDecimal(value) { return FixedValue.kind(value) === decimal128Kind; }

// Whether a decimal and another number, of any type, are one to a realm, which has no digits that say nothing.
function sameNumber(decimal, value) {
  const other = isDecimal(value) ? FixedValue.text(value) : typeof value === "bigint" ? SafeString(value) : value;
  return (typeof value === "number" || other !== value) && api.isSameNumber(FixedValue.text(decimal), other);
}

// Whether an item of a collection is what a realm would make of a value: objects by their key, dates and bytes by what they hold.
function same(item, value) {
  if (item === value || (item !== item && value !== value)) return true;
  const number = TypedNumber.number(item);
  if (number !== null) return same(number, value);
  const sought = TypedNumber.number(value);
  if (sought !== null) return same(item, sought);
  if (isDecimal(item)) return sameNumber(item, value);
  if (isDecimal(value)) return sameNumber(value, item);
  if (typeof item === "bigint" || typeof value === "bigint") return item == value && typeof value !== "string";
  if (typeof item !== "object" || typeof value !== "object" || item === null || value === null) return false;
  return RealmObject.encode(item) !== null ? RealmObject.leadsTo(item, value) : sameCoded(encode(item), encode(value));
}

// Whether what Swift would read is the same; bytes and coded values are alike in having a length and elements.
function sameCoded(left, right) {
  if (is(left, right)) return true;
  if (typeof left !== "object" || typeof right !== "object" || left === null || right === null) return left === right;
  if (left.length !== right.length || isArray(left) !== isArray(right)) return false;
  for (let i = 0; i < left.length; i++) if (!sameCoded(left[i], right[i])) return false;
  return true;
}
