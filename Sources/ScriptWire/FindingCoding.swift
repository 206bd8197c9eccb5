import Columns
import RealmMigration
import RealmModel

/// The bytes of what was noticed of a migration on the socket between a host and its parent.
enum FindingCoding {
    static func encode(_ findings: [MigrationFinding], into writer: inout ByteWriter) {
        writer.write(count: findings.count)
        for finding in findings { encode(finding, into: &writer) }
    }

    static func decodeFindings(from reader: inout ByteReader) throws(ColumnError) -> [MigrationFinding] {
        var findings: [MigrationFinding] = []
        for _ in 0..<(try reader.readCount()) { findings.append(try decodeFinding(from: &reader)) }
        return findings
    }

    private static func encode(_ finding: MigrationFinding, into writer: inout ByteWriter) {
        switch finding {
        case .collisions(let className, let property, let objectCount, let pairs):
            writer.write(byte: 0)
            writer.write(string: className)
            writer.write(string: property)
            writer.write(count: objectCount)
            writer.write(count: pairs.count)
            for pair in pairs {
                ValueCoding.encode(pair.value, into: &writer)
                writer.write(optional: pair.first.value)
                writer.write(optional: pair.second.value)
            }
        case .orphans(let className, let objects): encode(1, className, objects, into: &writer)
        case .sharedObjects(let className, let objects): encode(2, className, objects, into: &writer)
        case .slowExpression(let expression, let milliseconds, let line):
            writer.write(byte: 3)
            writer.write(string: expression)
            writer.write(count: milliseconds)
            writer.write(optional: line.map(Int64.init))
        case .unknownClass(let name, let nearest, let line):
            writer.write(byte: 4)
            writer.write(string: name)
            writer.write(optional: nearest)
            writer.write(optional: line.map(Int64.init))
        case .untriedIndependence: writer.write(byte: 5)
        }
    }

    private static func encode(
        _ number: UInt8, _ className: String, _ objects: NamedObjects, into writer: inout ByteWriter
    ) {
        writer.write(byte: number)
        writer.write(string: className)
        writer.write(count: objects.count)
        writer.write(count: objects.keys.count)
        for key in objects.keys { writer.write(optional: key) }
    }

    private static func decodeFinding(from reader: inout ByteReader) throws(ColumnError) -> MigrationFinding {
        switch try reader.readByte() {
        case 0:
            let (className, property) = (try reader.readString(), try reader.readString())
            let objectCount = try reader.readCount()
            var pairs: [MigrationFinding.Collision] = []
            for _ in 0..<(try reader.readCount()) {
                pairs.append(
                    MigrationFinding.Collision(
                        value: try ValueCoding.decode(from: &reader), first: try decodeKey(from: &reader),
                        second: try decodeKey(from: &reader)))
            }
            return .collisions(className: className, property: property, objectCount: objectCount, pairs: pairs)
        case 1: return .orphans(className: try reader.readString(), objects: try decodeObjects(from: &reader))
        case 2: return .sharedObjects(className: try reader.readString(), objects: try decodeObjects(from: &reader))
        case 3:
            return .slowExpression(
                try reader.readString(), milliseconds: try reader.readCount(),
                line: try reader.readOptionalInteger().map { Int($0) })
        case 4:
            return .unknownClass(
                try reader.readString(), nearest: try reader.readOptionalString(),
                line: try reader.readOptionalInteger().map { Int($0) })
        case 5: return .untriedIndependence
        default: throw reader.damage("what was noticed of a migration")
        }
    }

    private static func decodeKey(from reader: inout ByteReader) throws(ColumnError) -> ObjectKey {
        guard let key = try reader.readOptionalInteger() else { throw reader.damage("an object key") }
        return ObjectKey(key)
    }

    private static func decodeObjects(from reader: inout ByteReader) throws(ColumnError) -> NamedObjects {
        let count = try reader.readCount()
        var keys: [Int64] = []
        for _ in 0..<(try reader.readCount()) { keys.append(try decodeKey(from: &reader).value) }
        return NamedObjects(count, first: keys)
    }

    // MARK: Renames

    static func encode(_ renames: [SchemaRename], into writer: inout ByteWriter) {
        writer.write(count: renames.count)
        for rename in renames {
            switch rename {
            case .property(let className, let from, let to):
                writer.write(byte: 0)
                for name in [className, from, to] { writer.write(string: name) }
            case .objectType(let from, let to):
                writer.write(byte: 1)
                for name in [from, to] { writer.write(string: name) }
            }
        }
    }

    static func decodeRenames(from reader: inout ByteReader) throws(ColumnError) -> [SchemaRename] {
        var renames: [SchemaRename] = []
        for _ in 0..<(try reader.readCount()) {
            switch try reader.readByte() {
            case 0:
                renames.append(
                    .property(
                        className: try reader.readString(), from: try reader.readString(), to: try reader.readString()))
            case 1: renames.append(.objectType(from: try reader.readString(), to: try reader.readString()))
            default: throw reader.damage("a rename")
            }
        }
        return renames
    }
}
