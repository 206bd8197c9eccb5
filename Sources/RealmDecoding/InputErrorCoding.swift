import Columns
import RealmModel
import Sandbox

/// The bytes of an error of bad input on the socket between a host and its parent.
enum InputErrorCoding {
    static func encode(_ error: InputError) -> [UInt8] {
        var writer = ByteWriter()
        writer.write(string: error.code.rawValue)
        writer.write(string: error.message)
        ProblemItemCoding.encode(error.details, into: &writer)
        return writer.bytes
    }

    static func decode(_ bytes: [UInt8]) throws(ColumnError) -> InputError {
        var reader = ByteReader(bytes)
        guard let code = InputError.Code(rawValue: try reader.readString()) else {
            throw reader.damage("the code of an error")
        }
        return InputError(code, try reader.readString(), details: try ProblemItemCoding.decode(from: &reader))
    }
}
