import Columns
import RealmFile

/// The bytes of where a file's bytes are, on the socket between a host and its parent.
enum FileSpaceCoding {
    static func encode(_ space: FileSpace, into writer: inout ByteWriter) {
        for count in [space.fileBytes, space.historyBytes, space.ownBytes, space.classes.count] {
            writer.write(count: count)
        }
        for stored in space.classes {
            writer.write(string: stored.name)
            for count in [stored.backlinkBytes, stored.structureBytes, stored.properties.count] {
                writer.write(count: count)
            }
            for property in stored.properties {
                writer.write(string: property.name)
                writer.write(count: property.valueBytes)
                writer.write(count: property.indexBytes)
            }
        }
    }

    static func decode(from reader: inout ByteReader) throws(ColumnError) -> FileSpace {
        var space = FileSpace(
            fileBytes: try reader.readCount(), historyBytes: try reader.readCount(), ownBytes: try reader.readCount())
        for _ in 0..<(try reader.readCount()) { space.classes.append(try decodeClass(from: &reader)) }
        return space
    }

    private static func decodeClass(from reader: inout ByteReader) throws(ColumnError) -> FileSpace.Class {
        let name = try reader.readString()
        var stored = FileSpace.Class(
            name: name, properties: [], backlinkBytes: try reader.readCount(), structureBytes: try reader.readCount())
        for _ in 0..<(try reader.readCount()) {
            stored.properties.append(
                FileSpace.Property(
                    name: try reader.readString(), valueBytes: try reader.readCount(),
                    indexBytes: try reader.readCount()))
        }
        return stored
    }
}
