extension Library {
    static let realm = """
        M Migration.enumerateObjects(ofType: String, _: (MigrationObject?, MigrationObject?) -> Void): Void = $.enumerate(@, #1, #2)
        M Migration.enumerate(_: String, _: (MigrationObject?, MigrationObject?) -> Void): Void = $.enumerate(@, #1, #2)
        M Migration.create(_: String, value?: Any): MigrationObject = $.create(@, #1, #2)
        M Migration.delete(_: MigrationObject): Void = (@).delete(#1)
        M Migration.deleteData(forType: String): Bool = $.deleteData(@, #1)
        M Migration.deleteData(_: String): Bool = $.deleteData(@, #1)
        M Migration.renamePropertyForClass(_: String, oldName: String, newName: String): Void = (@).renameProperty(#1, #2, #3)
        M Migration.renameProperty(onType: String, from: String, to: String): Void = (@).renameProperty(#1, #2, #3)
        P Migration.oldSchema: Schema = (@).oldSchema
        P Migration.newSchema: Schema = (@).newSchema
        P Schema.objectSchema: [ObjectSchema] = $.schemaClasses(@)
        P ObjectSchema.className: String = (@).name
        P ObjectSchema.properties: [Property] = $.schemaProperties(@)
        P ObjectSchema.primaryKeyProperty: Property? = $.schemaPrimaryKey(@)
        P Property.name: String = (@).name
        P Property.isOptional: Bool = (@).isOptional
        P Property.isIndexed: Bool = (@).isIndexed
        P Property.isArray: Bool = (@).isArray
        P Property.objectClassName: String? = (@).objectClassName
        P Property.type: PropertyType = (@).type
        S PropertyType.int: PropertyType = "int"
        S PropertyType.bool: PropertyType = "bool"
        S PropertyType.float: PropertyType = "float"
        S PropertyType.double: PropertyType = "double"
        S PropertyType.string: PropertyType = "string"
        S PropertyType.data: PropertyType = "data"
        S PropertyType.date: PropertyType = "date"
        S PropertyType.object: PropertyType = "object"
        P MigrationObject.objectSchema: ObjectSchema = (@).objectSchema()
        M MigrationObject.dictionaryWithValues(forKeys: [String]): [String: Any] = $.propertiesOf(@, #1)
        P MigrationObject.isInvalidated: Bool = !(@).isValid()
        M MigrationObject.dynamicMutableSet(_: String): MutableSet<MigrationObject> = $.dynamicSet(@, #1)
        M MigrationObject.dynamicMap(_: String): Map<String, MigrationObject?> = $.dynamicMap(@, #1)
        P MutableSet<T>.count: Int = $.realmSetCount(@)
        P MutableSet<T>.isEmpty: Bool = ($.realmSetCount(@) === 0)
        M MutableSet<T>.contains(_: T): Bool = $.realmSetHas(@, #1, %T)
        M MutableSet<T>.insert(_: T): Void = $.realmSetInsert(@, [#1], %T)
        M MutableSet<T>.insert(objectsIn: [T]): Void = $.realmSetInsert(@, #1, %T)
        M MutableSet<T>.insert(objectsIn: List<T>): Void = $.realmSetInsert(@, $.listItems(#1, %T), %T)
        M MutableSet<T>.insert(objectsIn: MutableSet<T>): Void = $.realmSetInsert(@, $.realmSetItems(#1, %T), %T)
        M MutableSet<T>.remove(_: T): Void = $.realmSetRemove(@, #1, %T)
        M MutableSet<T>.removeAll(): Void = $.realmSetClear(@)
        P Map<String, T>.count: Int = $.realmMapCount(@)
        P Map<String, T>.isEmpty: Bool = ($.realmMapCount(@) === 0)
        P Map<String, T>.keys: [String] = $.realmMapKeys(@)
        P Map<String, T>.values: [T] = $.realmMapValues(@, %T)
        M Map<String, T>.removeObject(for: String): Void = $.realmMapRemove(@, #1)
        M Map<String, T>.removeAll(): Void = $.realmMapClear(@)
        M MigrationObject.dynamicList(_: String): List<MigrationObject> = $.dynamicList(@, #1)
        P List<T>.count: Int = (@).length
        P List<T>.isEmpty: Bool = ((@).length === 0)
        M List<T>.append(_: T): Void = $.listAppend(@, #1, %T)
        M List<T>.append(objectsIn: List<T>): Void = $.listAppendAll(@, $.listItems(#1, %T), %T)
        M List<T>.append(objectsIn: [T]): Void = $.listAppendAll(@, #1, %T)
        M List<T>.append(contentsOf: [T]): Void = $.listAppendAll(@, #1, %T)
        M List<T>.insert(_: T, at: Int): Void = $.listInsert(@, #1, #2, %T)
        M List<T>.remove(at: Int): Void = $.listRemove(@, #1)
        M List<T>.removeAll(): Void = $.listClear(@)
        M List<T>.removeLast(): Void = $.listRemove(@, (@).length - 1)
        """
}
