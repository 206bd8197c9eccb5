// An object's properties as its own: the language's functions that tell own properties from inherited ones.

function ownNames(info) {
  const names = new Items();
  for (let i = 0; i < info.properties.length; i++) names[i] = info.properties[i].name;
  return names;
}

function ownEntries(object, info) {
  const entries = ownNames(info);
  for (let i = 0; i < entries.length; i++) entries[i] = [entries[i], object[entries[i]]];
  return ordinary(entries);
}

function ownDescriptor(object, info, key) {
  const name = typeof key === "symbol" ? key : SafeString(key);
  if (!mapHas(info.named, name)) return undefined;
  return { __proto__: null, value: object[name], writable: true, enumerable: true, configurable: true };
}

function shownDescriptor(object, info, key) {
  const descriptor = ownDescriptor(object, info, key);
  return descriptor === undefined ? undefined : setPrototypeOf(descriptor, objectPrototype);
}

function hasOwnName(info, key) { return mapHas(info.named, typeof key === "symbol" ? key : SafeString(key)); }

function refuseDefinition() { throw new SafeTypeError("The properties of an object are those of its class; assign to them."); }

// The proxies of a class's objects: they know its properties, and leave their values to the accessors.
function ownTraps(info) {
  // Spread and rest ask for the value afterwards.
  const present = freeze({ __proto__: null, value: undefined, writable: true, enumerable: true, configurable: true });
  return freeze({
    __proto__: null,
    ownKeys() { return ownNames(info); },
    getOwnPropertyDescriptor(_, key) { return mapHas(info.named, key) ? present : undefined; },
    defineProperty: refuseDefinition,
    setPrototypeOf() { return false; },
    preventExtensions() { return false; },
  });
}

function replaceFunctions(owner, functions) {
  for (const name of objectKeys(functions)) {
    defineProperty(owner, name, { value: functions[name], writable: true, enumerable: false, configurable: true });
  }
}

// Only for scripts that may ask for members in these ways: making the functions takes a small migration's time.
function tellOwnProperties() {
  const {
    values: objectValues, entries: objectEntries, assign: objectAssign, getOwnPropertyNames,
    getOwnPropertyDescriptor, getOwnPropertyDescriptors, hasOwn, defineProperties,
  } = SafeObject;
  const { ownKeys, getOwnPropertyDescriptor: reflectDescriptor, defineProperty: reflectDefine } = Reflect;
  const hasOwnProperty = uncurry(SafeObject.prototype.hasOwnProperty);
  const propertyIsEnumerable = uncurry(SafeObject.prototype.propertyIsEnumerable);
  const infoOf = RealmObject.infoOrNull;

  replaceFunctions(SafeObject, {
    keys(object) {
      const info = infoOf(object);
      return info === null ? objectKeys(object) : ordinary(ownNames(info));
    },
    values(object) {
      const info = infoOf(object);
      if (info === null) return objectValues(object);
      const values = ownNames(info);
      for (let i = 0; i < values.length; i++) values[i] = object[values[i]];
      return ordinary(values);
    },
    entries(object) {
      const info = infoOf(object);
      return info === null ? objectEntries(object) : ownEntries(object, info);
    },
    assign(target, source) {
      if (arguments.length === 2 && infoOf(source) === null) return objectAssign(target, source);
      const assigned = objectAssign(target);
      for (let i = 1; i < arguments.length; i++) {
        const info = infoOf(arguments[i]);
        if (info === null) {
          objectAssign(assigned, arguments[i]);
          continue;
        }
        const names = ownNames(info);
        for (let j = 0; j < names.length; j++) assigned[names[j]] = arguments[i][names[j]];
      }
      return assigned;
    },
    getOwnPropertyNames(object) {
      const info = infoOf(object);
      return info === null ? getOwnPropertyNames(object) : ordinary(ownNames(info));
    },
    getOwnPropertyDescriptor(object, key) {
      const info = infoOf(object);
      return info === null ? getOwnPropertyDescriptor(object, key) : shownDescriptor(object, info, key);
    },
    getOwnPropertyDescriptors(object) {
      const info = infoOf(object);
      if (info === null) return getOwnPropertyDescriptors(object);
      const descriptors = {}, names = ownNames(info);
      for (let i = 0; i < names.length; i++) {
        putMember(descriptors, names[i], shownDescriptor(object, info, names[i]));
      }
      return descriptors;
    },
    hasOwn(object, key) {
      const info = infoOf(object);
      return info === null ? hasOwn(object, key) : hasOwnName(info, key);
    },
    defineProperty(object, key, descriptor) {
      return infoOf(object) === null ? defineProperty(object, key, descriptor) : refuseDefinition();
    },
    defineProperties(object, descriptors) {
      return infoOf(object) === null ? defineProperties(object, descriptors) : refuseDefinition();
    },
  });
  replaceFunctions(SafeObject.prototype, {
    hasOwnProperty(key) {
      const info = infoOf(this);
      return info === null ? hasOwnProperty(this, key) : hasOwnName(info, key);
    },
    propertyIsEnumerable(key) {
      const info = infoOf(this);
      return info === null ? propertyIsEnumerable(this, key) : hasOwnName(info, key);
    },
  });
  replaceFunctions(Reflect, {
    ownKeys(object) {
      const info = infoOf(object);
      return info === null ? ownKeys(object) : ordinary(ownNames(info));
    },
    getOwnPropertyDescriptor(object, key) {
      const info = infoOf(object);
      return info === null ? reflectDescriptor(object, key) : shownDescriptor(object, info, key);
    },
    defineProperty(object, key, descriptor) {
      return infoOf(object) === null && reflectDefine(object, key, descriptor);
    },
  });
}
