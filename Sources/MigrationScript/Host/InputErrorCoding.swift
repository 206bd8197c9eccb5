import Columns
import RealmModel

/// The bytes of an error of bad input on the socket between a host and its parent.
enum InputErrorCoding {
    static func encode(_ error: InputError) -> [UInt8] {
        var writer = ByteWriter()
        writer.write(string: error.code.rawValue)
        writer.write(string: error.message)
        writer.write(count: error.details.count)
        for detail in error.details {
            writer.write(string: detail.message)
            encode(detail.location, into: &writer)
        }
        return writer.bytes
    }

    static func decode(_ bytes: [UInt8]) throws(ColumnError) -> InputError {
        var reader = ByteReader(bytes)
        guard let code = InputError.Code(rawValue: try reader.readString()) else {
            throw reader.damage("the code of an error")
        }
        let message = try reader.readString()
        var details: [InputError.Detail] = []
        for _ in 0..<(try reader.readCount()) {
            details.append(InputError.Detail(try reader.readString(), at: try decodeLocation(from: &reader)))
        }
        return InputError(code, message, details: details)
    }

    private static func encode(_ location: InputError.Location, into writer: inout ByteWriter) {
        MigrationCoding.encode(location.pointer, into: &writer)
        MigrationCoding.encode(location.className, into: &writer)
        MigrationCoding.encode(location.property, into: &writer)
        for number in [location.key?.value, location.line.map(Int64.init), location.column.map(Int64.init)] {
            MigrationCoding.encode(number, into: &writer)
        }
        MigrationCoding.encode(location.offset.map(Int64.init), into: &writer)
    }

    private static func decodeLocation(from reader: inout ByteReader) throws(ColumnError) -> InputError.Location {
        InputError.Location(
            pointer: try MigrationCoding.decodeOptional(from: &reader),
            className: try MigrationCoding.decodeOptional(from: &reader),
            property: try MigrationCoding.decodeOptional(from: &reader),
            key: try MigrationCoding.decodeInteger(from: &reader).map { ObjectKey($0) },
            line: try MigrationCoding.decodeInteger(from: &reader).map { Int($0) },
            column: try MigrationCoding.decodeInteger(from: &reader).map { Int($0) },
            offset: try MigrationCoding.decodeInteger(from: &reader).map { Int($0) })
    }
}
