// The classes of both schemas, and the schemas as scripts see them.

// The classes of the old and of the new side, by their index.
const sides = [[], []];
let usesColumns = true;
// Grows with every deletion: what was read of links and lists before may be wrong now.
let allDeletions = 0;
// Swift's count of deletions when the last was noted.
let deletionsSeen = 0;

function hasColumnType(type) {
  return type === "string" || type === "int" || type === "double" || type === "float" || type === "bool" || type === "date";
}

function hasFixedType(type) { return type === "uuid" || type === "objectId" || type === "decimal128"; }

class PropertyInfo {
  constructor(described, index, owner) {
    // The class and side whose objects have it, which its accessors insist on.
    this.owner = owner;
    this.name = described.name;
    this.index = index;
    this.type = described.type;
    this.collection = described.collection;
    this.objectType = described.objectType;
    this.optional = described.optional;
    this.origin = described.origin;
    this.indexed = described.indexed;
    this.primary = described.primary;
    this.hasDefault = described.hasDefault;
    this.storedName = described.storedName;
    // How it is read and written by columns: a single value, a link, a list, cells of words, data, a mixed value.
    this.columnar = this.collection === "none" && hasColumnType(this.type);
    this.isLink = this.collection === "none" && this.type === "object";
    this.isListed = this.collection === "list" && (this.type === "object" || hasColumnType(this.type));
    this.isFixed = this.collection === "none" && hasFixedType(this.type);
    this.isData = this.collection === "none" && this.type === "data";
    this.isMixed = this.collection === "none" && this.type === "mixed";
    // Whether it is a collection that is read by columns, and written by them where it is one of the old side's as it stands.
    this.isCopied = this.collection !== "none" && !this.isListed &&
      (hasColumnType(this.type) || hasFixedType(this.type) || this.type === "data");
    // Whether a row that Swift was given by itself is marked, and those around it go on waiting.
    this.isMarked = this.isLink || this.isListed || this.isFixed || this.isData || this.isMixed || this.isCopied;
    // Whether values wait that are written to where links lead.
    this.isScattered = this.columnar || this.isLink || this.isFixed || this.isData || this.isMixed;
    // The class that links lead to, and whether its objects belong to what links to them.
    this.target = null;
    this.isOwning = false;
    // Makes of a value what may wait.
    this.fitting = this.isListed && this.type !== "object" ? RealmObject.fitting(this.type) : null;
    // Grows with every change of a collection: what was read before may be wrong now.
    this.version = 0;
  }

  get isComputed() { return this.type === "linkingObjects"; }

  canonical() {
    const schema = { type: this.type, optional: this.optional, indexed: this.indexed };
    if (this.collection !== "none") {
      schema.type = this.collection;
      schema.objectType = this.type === "object" ? this.objectType : this.type;
    } else if (this.objectType !== null) {
      schema.objectType = this.objectType;
    }
    if (this.origin !== null) schema.property = this.origin;
    if (this.storedName !== this.name) schema.mapTo = this.storedName;
    return freeze(schema);
  }
}
inheritNothing(PropertyInfo);

class ClassInfo {
  constructor(described, side, index) {
    this.name = described.name;
    this.kind = described.kind;
    this.side = side;
    this.index = index;
    this.properties = [];
    for (let i = 0; i < described.properties.length; i++) {
      this.properties[i] = new PropertyInfo(described.properties[i], i, this);
    }
    this.named = new SafeMap();
    for (let i = 0; i < this.properties.length; i++) mapSet(this.named, this.properties[i].name, this.properties[i]);
    this.primary = null;
    for (let i = 0; i < this.properties.length; i++) if (this.properties[i].primary) this.primary = this.properties[i];
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
    this.Type = null;
    // Behind and in the proxies of its objects, where there are any.
    this.standIn = this.traps = null;
  }

  // Hands over what waits of a property.
  flushProperty(index) {
    for (let i = 0; i < this.groups.length; i++) this.groups[i].flushProperty(index);
    flushScatteredOf(this, index);
  }

  // Once all classes of the side are there.
  complete() {
    for (let i = 0; i < this.properties.length; i++) {
      const property = this.properties[i];
      if (property.objectType === null) continue;
      property.target = classNamed(this.side, property.objectType);
      property.isOwning = property.target !== null && property.target.kind === "embedded";
    }
    this.Type = RealmObject.typeOf(this);
  }

  canonical() {
    const properties = {};
    for (let i = 0; i < this.properties.length; i++) {
      const value = this.properties[i].canonical();
      defineProperty(properties, this.properties[i].name, { value, enumerable: true });
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
  for (let i = 0; i < classes.length; i++) classes[i].complete();
}

// The schemas as scripts see them, each made when it is first looked at.
const schemas = [null, null];

function schemaOf(side) { return schemas[side] ??= makeSchema(sides[side]); }

function makeSchema(classes) {
  const schema = [];
  for (let i = 0; i < classes.length; i++) {
    const value = schema[i] = classes[i].canonical();
    if (!(value.name in schema)) defineProperty(schema, value.name, { value });
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
