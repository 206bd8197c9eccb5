extension Prelude {
    /// Objects of a realm as scripts see them: plain properties, by accessors that each class has on its prototype.
    static let objects = #"""
        // Ends the chain of prototypes: a member that neither the class nor every object has is unknown.
        const unknownMembers = new SafeProxy(freeze(objectCreate(null)), {
          get(_, name, receiver) { return reflectGet(SafeObject.prototype, name, receiver); },
          has(_, name) { return name in SafeObject.prototype; },
          set(_, name, value, receiver) {
            throw new SafeError(`Property '${RealmObject.infoOf(receiver).name}.${SafeString(name)}' does not exist`);
          },
        });

        class RealmObject {
          #info;
          #key;
          #group;
          #row;

          constructor(info, key, group, row) {
            this.#info = info;
            this.#key = key;
            this.#group = group;
            this.#row = row;
          }

          // MARK: What every object has

          get _key() { return this.#key; }
          isValid() { return RealmObject.exists(this); }
          objectSchema() { return schemas[this.#info.side][this.#info.index]; }
          keys() {
            const names = [];
            for (let i = 0; i < this.#info.properties.length; i++) names[i] = this.#info.properties[i].name;
            return names;
          }
          entries() {
            const names = RealmObject.prototype.keys.call(this);
            for (let i = 0; i < names.length; i++) names[i] = [names[i], this[names[i]]];
            return names;
          }
          isSame(other) { return RealmObject.isSame(this, other); }
          toJSON() { return RealmObject.json(this); }

          // MARK: For the prelude

          static infoOf(object) { return #info in object ? object.#info : { name: "Object" }; }
          static encode(value) {
            return #info in value ? [OBJECT, value.#info.side, value.#info.index, value.#key] : null;
          }
          // Hands over what waits of an embedded object: Swift copies its values where it is assigned.
          static settle(object) {
            if (object.#info.kind === "embedded") flushEmbedded();
          }

          // The open row group where values of an object wait, or null.
          static waitingGroup(object) {
            const group = object.#info.side === NEW ? findGroup(object.#info, object.#key) : null;
            return group !== null && group.collects && group.isWaiting(foundRow) ? group : null;
          }

          // An object's values as members, those that wait among them; null where none wait.
          static template(object) {
            if (RealmObject.waitingGroup(object) === null) return null;
            const coded = [MEMBERS];
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
          static exists(object) {
            point(object.#info, object.#key, 0);
            return native.isValid();
          }
          static invoke(name, object, property, first, second, third) {
            point(object.#info, object.#key, property.index);
            const result = native[name](first, second, third);
            if (slots[7] !== deletionsSeen) noteDeletion(null);
            return result;
          }
          // Calls `set` or `append` with a value that is coded already.
          static give(name, object, property, coded) {
            point(object.#info, object.#key, property.index);
            let result;
            if (typeof coded !== "number") {
              result = native[name](coded);
            } else {
              slots[5] = 1;
              slots[6] = coded;
              result = native[name]();
            }
            // Embedded objects that were replaced are gone.
            if (slots[7] !== deletionsSeen) noteDeletion(null);
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
            let group = object.#group;
            if (group === null || !group.open) {
              group = findGroup(object.#info, object.#key);
              object.#group = group;
              if (group === null) return null;
              object.#row = foundRow;
            }
            const deletions = object.#info.deletions;
            if (deletions !== 0) {
              if (group.seen === null) group.seen = arrayFill(new SafeArray(group.rowCount), 0);
              if (group.seen[object.#row] !== deletions) {
                if (!RealmObject.exists(object)) throw invalidated(object);
                group.seen[object.#row] = deletions;
              }
            }
            return group;
          }

          static read(object, property) {
            point(object.#info, object.#key, property.index);
            return decode(native.value());
          }

          // `fits`: the value as it may wait, where it may.
          static write(object, property, value, fits) {
            const info = object.#info;
            const coded = encode(value);
            if (info.side === NEW && property.columnar) {
              const group = RealmObject.group(object);
              if (group !== null) {
                if (group.collects) group.flushProperty(property.index);
                RealmObject.give("set", object, property, coded);
                if (fits !== undefined && !group.collects) {
                  const written = group.pending[property.index] ?? group.startPending(property);
                  written[object.#row] = fits;
                } else {
                  group.columns[property.index] = group.pending[property.index] = null;
                }
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
            if (group === null || !group.collects) return false;
            let pending = group.pending[property.index];
            if (pending === null) pending = group.startPending(property);
            pending[object.#row] = value;
            return true;
          }

          static json(object) {
            const members = {};
            const info = object.#info;
            if (info.primary === null && info.kind !== "embedded") members._key = object.#key;
            for (let i = 0; i < info.properties.length; i++) {
              const property = info.properties[i];
              if (property.isComputed) continue;
              defineProperty(members, property.name, {
                value: RealmObject.jsonValue(object[property.name]), writable: true, enumerable: true,
                configurable: true,
              });
            }
            return members;
          }

          // Links as their targets' keys, embedded objects in line: a value without end is none of JSON's.
          static jsonValue(value) {
            if (typeof value === "bigint") return SafeString(value);
            if (typeof value !== "object" || value === null) return value;
            if (#info in value) {
              const info = value.#info;
              if (info.kind === "embedded") return RealmObject.json(value);
              return info.primary === null ? value.#key : RealmObject.jsonValue(value[info.primary.name]);
            }
            if (isView(value)) return base64(value);
            const collection = weakGet(collections, value);
            if (collection !== undefined) return collection.json();
            if (isArray(value)) {
              const elements = [];
              for (let i = 0; i < value.length; i++) elements[i] = RealmObject.jsonValue(value[i]);
              return elements;
            }
            return value;
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
              defineProperty(prototype, property.name, { get, set, enumerable: true });
            }
            if (!mapHas(info.named, "constructor")) {
              const named = { [info.name]: function () { throw new SafeTypeError("Objects are made by create."); } };
              defineProperty(prototype, "constructor", { value: named[info.name], enumerable: false });
            }
            freeze(prototype);
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
            if (!property.columnar) return RealmObject.plainAccessor(property);
            const get = RealmObject.columnGetter(property);
            const set = info.side === NEW ? RealmObject.columnSetter(property) : RealmObject.plainAccessor(property).set;
            return { get, set };
          }

          static linkingObjectsAccessor(property) {
            return {
              get() {
                flushOrigin(property);
                return decode(RealmObject.invoke("linkingObjects", this, property));
              },
              set(value) { RealmObject.write(this, property, value); },
            };
          }

          static collectionAccessor(property, make) {
            return {
              get() { return make(this, property); },
              set(value) { RealmObject.write(this, property, value); },
            };
          }

          static plainAccessor(property) {
            return {
              get() { return RealmObject.read(this, property); },
              set(value) { RealmObject.write(this, property, value); },
            };
          }

          // MARK: Accessors by columns

        \#(columnMembers)

        \#(linkMembers)

        \#(listMembers)
        }
        setPrototypeOf(RealmObject.prototype, unknownMembers);
        freeze(RealmObject.prototype);

        function findGroup(info, key) {
          const groups = info.groups;
          for (let i = 0; i < groups.length; i++) {
            foundRow = groups[i].rowOf(key);
            if (foundRow >= 0) return groups[i];
          }
          return findShelf(info, key);
        }

        // Hands over what waits of embedded objects: Swift copies them with the objects that they belong to.
        function flushEmbedded() {
          for (let i = 0; i < sides[NEW].length; i++) {
            const groups = sides[NEW][i].kind === "embedded" ? sides[NEW][i].groups : [];
            for (let j = 0; j < groups.length; j++) groups[j].flush();
          }
        }

        // Hands over the links that a property of linking objects is about.
        function flushOrigin(property) {
          const origin = property.target;
          if (origin === null || origin.side === OLD) return;
          for (let i = 0; i < origin.properties.length; i++) {
            if (origin.properties[i].storedName !== property.origin) continue;
            for (let j = 0; j < origin.groups.length; j++) origin.groups[j].flushProperty(i);
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
          deletionsSeen = slots[7];
          allDeletions += 1;
          for (let i = 0; i < sides[NEW].length; i++) {
            const other = sides[NEW][i];
            if (other !== info && other.kind !== "embedded") continue;
            other.deletions += 1;
            if (other.keyRuns === null) continue;
            if (other === info) other.keyRuns.noteRemoval(key);
            else other.keyRuns.reset();
          }
        }
        """#
}
