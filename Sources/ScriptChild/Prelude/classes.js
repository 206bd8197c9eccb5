// The classes of both schemas, and the schemas as scripts see them.

// The classes of the old and of the new side, by their index.
const sides = [[], []];
let usesColumns = true;
// Grows with every deletion: what was read of links and lists before may be wrong now.
let allDeletions = 0;
// Swift's count of deletions when the last was noted.
let deletionsSeen = 0;

// A property is what Swift describes of it (`SchemaDescription`), as it was parsed: to make one here would take longer. Its `owner` is the
// class and side whose objects have it, which its accessors insist on; `target` the class that links lead to; `fitting` makes of a value
// what may wait; `version` grows with every change of a collection: what was read before may be wrong then.

function canonicalProperty(property) {
  const schema = { type: property.type, optional: property.optional, indexed: property.indexed };
  if (property.collection !== "none") {
    schema.type = property.collection;
    schema.objectType = property.type === "object" ? property.objectType : property.type;
  } else if (property.objectType !== null) {
    schema.objectType = property.objectType;
  }
  if (property.origin !== null) schema.property = property.origin;
  if (property.storedName !== property.name) schema.mapTo = property.storedName;
  return freeze(schema);
}

class ClassInfo {
  constructor(described, side, index) {
    this.name = described.name;
    this.kind = described.kind;
    this.side = side;
    this.index = index;
    // Its properties as JSON until somebody asks for them: most scripts look at few of many classes.
    this.described = described.properties;
    this.list = null;
    this.names = null;
    this.key = null;
    // Whether its objects belong to others; null while nobody has asked.
    this.owned = null;
    // Row groups that an enumeration is in.
    this.groups = new Items();
    // Grows with every deletion of its objects.
    this.deletions = 0;
    // The keys of objects that were set aside, once there are any: no callback sees them any more.
    this.setAside = null;
    // For scripts that walk through all objects by index.
    this.keyRuns = null;
    this.window = null;
    // Row groups that links lead to, once there were any.
    this.cache = null;
    this.Type = FirstOfType;
    // Behind and in the proxies of its objects, where there are any.
    this.standIn = this.traps = null;
  }

  // Hands over what waits of a property.
  flushProperty(index) {
    for (let i = 0; i < this.groups.length; i++) this.groups[i].flushProperty(index);
    flushScatteredOf(this, index);
  }

  // Whether its objects belong to others: a class that becomes top-level is embedded until the script has ended.
  get isOwned() {
    return this.owned ??= this.kind === "embedded" || this.side === NEW && classNamed(OLD, this.name)?.kind === "embedded";
  }

  // Whether nobody has asked for its properties yet.
  get isUnread() { return this.list === null; }
  get properties() { return this.list ?? this.complete(); }
  // The primary key's property, or null.
  get primary() {
    if (this.list === null) this.complete();
    return this.key;
  }
  get named() {
    if (this.list === null) this.complete();
    return this.names;
  }

  complete() {
    const list = parse(this.described), names = new SafeMap();
    for (let i = 0; i < list.length; i++) {
      const property = list[i];
      property.owner = this;
      if (property.isListed && property.type !== "object") property.fitting = RealmObject.fitting(property.type);
      if (property.objectType !== null) {
        property.target = classNamed(this.side, property.objectType);
        property.isOwning = property.target !== null && property.target.isOwned;
      }
      if (property.primary) this.key = property;
      mapSet(names, property.name, property);
    }
    this.names = names;
    this.described = null;
    return this.list = list;
  }

  canonical() {
    const properties = {};
    for (let i = 0; i < this.properties.length; i++) {
      const value = canonicalProperty(this.properties[i]);
      defineProperty(properties, this.properties[i].name, { __proto__: null, value, enumerable: true });
    }
    const schema = { name: this.name };
    if (this.primary !== null) schema.primaryKey = this.primary.name;
    schema.embedded = this.kind === "embedded";
    if (this.kind === "asymmetric") schema.asymmetric = true;
    schema.properties = freeze(properties);
    return freeze(schema);
  }
}
inheritNothing(ClassInfo);

function describeSide(side, described) {
  const classes = sides[side];
  for (let i = 0; i < described.length; i++) classes[i] = new ClassInfo(described[i], side, i);
}

// The schemas as scripts see them, each made when it is first looked at.
const schemas = [null, null];

function schemaOf(side) { return schemas[side] ??= makeSchema(sides[side]); }

function makeSchema(classes) {
  const schema = [];
  for (let i = 0; i < classes.length; i++) {
    const value = schema[i] = classes[i].canonical();
    if (!(value.name in schema)) defineProperty(schema, value.name, { __proto__: null, value });
  }
  return freeze(schema);
}

function nameOf(className) {
  return typeof className === "function" ? className.name : SafeString(className);
}

function classNamed(side, className) {
  const name = nameOf(className);
  const classes = sides[side];
  for (let i = 0; i < classes.length; i++) if (classes[i].name === name) return classes[i];
  // The old realm shows a class that was renamed under either name.
  const other = side === OLD && native !== ended ? native.newName(name) : null;
  return other === null ? null : classNamed(side, other);
}
