import RealmModel

/// The bytes of schemas inside snapshots and messages between processes.
public enum SchemaCoding {
    /// Appends a schema.
    public static func encode(_ schema: Schema, into writer: inout ByteWriter) {
        writer.write(count: schema.classes.count)
        for objectSchema in schema.classes { encode(objectSchema, into: &writer) }
    }

    /// Reads a schema.
    public static func decodeSchema(from reader: inout ByteReader) throws(ColumnError) -> Schema {
        var classes: [ObjectSchema] = []
        for _ in 0..<(try reader.readCount()) { classes.append(try decodeClass(from: &reader)) }
        return Schema(classes)
    }

    /// Appends a class.
    public static func encode(_ objectSchema: ObjectSchema, into writer: inout ByteWriter) {
        writer.write(string: objectSchema.name)
        writer.write(string: objectSchema.kind.rawValue)
        encode(objectSchema.primaryKey, into: &writer)
        writer.write(count: objectSchema.properties.count)
        for property in objectSchema.properties { encode(property, into: &writer) }
    }

    /// Reads a class.
    public static func decodeClass(from reader: inout ByteReader) throws(ColumnError) -> ObjectSchema {
        let name = try reader.readString()
        guard let kind = ClassKind(rawValue: try reader.readString()) else {
            throw reader.damage("the kind of a class")
        }
        let primaryKey = try decodeOptional(from: &reader)
        var properties: [Property] = []
        for _ in 0..<(try reader.readCount()) { properties.append(try decodeProperty(from: &reader)) }
        return ObjectSchema(name, kind: kind, primaryKey: primaryKey, properties: properties)
    }

    private static func encode(_ property: Property, into writer: inout ByteWriter) {
        writer.write(string: property.name)
        writer.write(string: property.type.rawValue)
        writer.write(string: property.collection.rawValue)
        encode(property.objectType, into: &writer)
        writer.write(byte: property.isOptional ? 1 : 0)
        writer.write(byte: indexes.firstIndex(of: property.index).map { UInt8($0) } ?? 0)
        encode(property.originProperty, into: &writer)
        encode(property.alias, into: &writer)
        writer.write(byte: property.defaultValue == nil ? 0 : 1)
        if let value = property.defaultValue { ValueCoding.encode(value, into: &writer) }
    }

    private static func decodeProperty(from reader: inout ByteReader) throws(ColumnError) -> Property {
        let name = try reader.readString()
        guard let type = PropertyType(rawValue: try reader.readString()),
            let collection = CollectionKind(rawValue: try reader.readString())
        else { throw reader.damage("the type of a property") }
        let objectType = try decodeOptional(from: &reader)
        let isOptional = try reader.readByte() != 0
        let index = Int(try reader.readByte())
        guard indexes.indices.contains(index) else { throw reader.damage("the index of a property") }
        let originProperty = try decodeOptional(from: &reader)
        let alias = try decodeOptional(from: &reader)
        let defaultValue = try reader.readByte() == 0 ? nil : try ValueCoding.decode(from: &reader)
        return Property(
            name, type, collection: collection, objectType: objectType, isOptional: isOptional, index: indexes[index],
            originProperty: originProperty, alias: alias, defaultValue: defaultValue)
    }

    private static let indexes: [PropertyIndex] = [.none, .general, .fullText]

    private static func encode(_ text: String?, into writer: inout ByteWriter) {
        writer.write(byte: text == nil ? 0 : 1)
        if let text { writer.write(string: text) }
    }

    private static func decodeOptional(from reader: inout ByteReader) throws(ColumnError) -> String? {
        try reader.readByte() == 0 ? nil : try reader.readString()
    }
}
