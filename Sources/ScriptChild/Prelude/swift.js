// The parts of the prelude for the library of lowered Swift; only worlds of Swift scripts have them.

const isObject = value => typeof value === "object" && value !== null;

api.addSwift = function (makeLibrary) {
  unknownMember = (className, name) => `Invalid property name '${name}' for class '${className}'.`;
  const { Decimal128, ObjectId, UUID, TypedNumber, RealmDate, encodeDate, base64 } = valuesMade();
  const library = makeLibrary(freeze({
    infoOf: RealmObject.infoOf, infoOrNull: value => RealmObject.infoOrNull(value), isSame: RealmObject.isSame,
    property: (object, name) => mapGet(RealmObject.infoOrNull(object).named, name),
    propertyOf: (info, name) => mapGet(info.named, name),
    isValid: RealmObject.exists,
    get: (object, name) => object[name],
    set: (object, name, value) => { object[name] = value; },
    newClass: name => classNamed(NEW, name),
    hasClass: name => classNamed(NEW, name) !== null || classNamed(OLD, name) !== null,
    isClassName: name => name !== undefined && name !== null && (classNamed(NEW, name) !== null || classNamed(OLD, name) !== null),
    isUUID: value => isObject(value) && UUID.text(value) !== null,
    isObjectId: value => isObject(value) && ObjectId.text(value) !== null,
    isDecimal: value => isObject(value) && Decimal128.text(value) !== null,
    makeUUID: text => new UUID(text), makeObjectId: text => new ObjectId(text), makeDecimal: text => new Decimal128(text),
    // The number of a mixed value that says its type; null of any other value.
    typedNumber: TypedNumber.number, isFloat: TypedNumber.isFloat,
    makeNumber: (number, isFloat) => new TypedNumber(number, isFloat ? FLOAT_TAG : DOUBLE_TAG),
    // Whether a value is a collection inside of a mixed value.
    isInMixed: value => isObject(value) && (isArray(value) || getPrototypeOf(value) === objectPrototype && value.$t === undefined),
    isList: value => isArray(value),
    // The property that a collection of an object shows; undefined of any other value.
    propertyOfCollection(value) {
      // Lists note what stands behind them where one of their methods is asked for.
      if (isArray(value)) value.push;
      const state = Collection.state(value);
      return state === undefined ? undefined : state.property;
    },
    dateParts: encodeDate, makeDate: (seconds, nanoseconds) => new RealmDate(seconds, nanoseconds),
    now, random, base64, log: (text, level) => api.log(cut(text), level),
  }));
  defineProperty(globalThis, "$swift", { value: library });
};
