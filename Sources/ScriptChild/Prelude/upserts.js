// Objects that are made or brought up to date in the modes "modified" and "all" of Realm's JavaScript, with those that they lead to.

const { mapForEach, setForEach } = valuesMade();

// Sets the given properties of the object with the value's primary key, or makes one: first with its plain values, so that what it leads
// to finds it, then with its links.
function upsertObject(className, value, depth) {
  if (depth > DEPTH_LIMIT) throw tooDeep;
  const info = classNamed(NEW, className), given = info === null ? null : membersOf(value, info);
  if (given === null) return makeObject(className, value);
  let object = keyedObject(info, given);
  const isNew = object === null;
  if (isNew) object = makeObject(className, plainMembers(given, info));
  for (let i = 0; i < info.properties.length; i++) {
    const property = info.properties[i], member = given[i];
    if (member === undefined || property === info.primary) continue;
    if (property.type === "object") object[property.name] = upsertLinks(property, member, depth);
    else if (!isNew) object[property.name] = member;
  }
  return object;
}

// The members of a value for the properties of a class; null of a value that has none, which Realm's checks refuse.
function membersOf(value, info) {
  if (typeof value !== "object" || value === null) return null;
  const isOrdered = isArray(value), isMap = value instanceof SafeMap, given = new Items();
  let next = 0;
  for (let i = 0; i < info.properties.length; i++) {
    const { name, storedName, isComputed } = info.properties[i];
    given[i] = undefined;
    if (isComputed) continue;
    if (isOrdered) given[i] = value[next++];
    else if (isMap) given[i] = mapGet(value, mapHas(value, name) ? name : storedName);
    else if (name in value) given[i] = value[name];
    else if (storedName in value) given[i] = value[storedName];
  }
  return isOrdered && value.length !== next ? null : given;
}

function plainMembers(given, info) {
  const members = { __proto__: null };
  for (let i = 0; i < given.length; i++) {
    const property = info.properties[i];
    if (given[i] !== undefined && property.type !== "object") putMember(members, property.name, given[i]);
  }
  return members;
}

// The object with the primary key that is given, or that one would have by itself; null where there is none.
function keyedObject(info, given) {
  if (info.primary === null) return null;
  let key = given[info.primary.index];
  if (key === undefined) key = decode(native.initialKey(info.index));
  return key === null && !info.primary.optional ? null : objectForPrimaryKey(NEW, info.name, key);
}

// A member with the objects of the realm that it leads to; what is no object's members stays, for Realm's checks.
function upsertLinks(property, member, depth) {
  const target = property.target;
  if (target === null || typeof member !== "object" || member === null) return member;
  if (property.collection === "none") return upsertLink(target, member, depth);
  // Collections of a realm have its objects.
  if (Collection.state(member) !== undefined) return member;
  if (property.collection === "dictionary") {
    const entries = { __proto__: null }, put = (item, name) => putMember(entries, name, upsertLink(target, item, depth));
    const names = member instanceof SafeMap ? null : objectKeys(member);
    if (names === null) mapForEach(member, (item, name) => put(item, SafeString(name)));
    else for (let i = 0; i < names.length; i++) put(member[names[i]], names[i]);
    return entries;
  }
  const items = new Items();
  if (isArray(member)) for (let i = 0; i < member.length; i++) items[i] = upsertLink(target, member[i], depth);
  else if (member instanceof SafeSet) setForEach(member, item => { items[items.length] = upsertLink(target, item, depth); });
  else return member;
  return ordinary(items);
}

function upsertLink(target, value, depth) {
  if (typeof value !== "object" || value === null || RealmObject.encode(value) !== null) return value;
  if (!target.isOwned) return upsertObject(target.name, value, depth + 1);
  if (depth > DEPTH_LIMIT) throw tooDeep;
  // Embedded objects are made anew, and may lead to others.
  const given = membersOf(value, target);
  if (given === null) return value;
  const members = plainMembers(given, target);
  for (let i = 0; i < given.length; i++) {
    const property = target.properties[i];
    if (given[i] !== undefined && property.type === "object") putMember(members, property.name, upsertLinks(property, given[i], depth + 1));
  }
  return members;
}
