import CJavaScriptCore
import Columns
import RealmEditing
import RealmMigration
import RealmModel

extension JavaScriptContext {
    /// Reads what the prelude made of a value that a script gave.
    func input(_ value: JSValueRef, depth: Int = 0) throws -> ObjectInput {
        switch type(of: value) {
        case kJSTypeUndefined: return .undefined
        case kJSTypeNull: return .null
        case kJSTypeBoolean: return .bool(JSValueToBoolean(reference, value))
        case kJSTypeNumber: return input(try number(value))
        case kJSTypeBigInt:
            guard let integer = try int64(value) else {
                throw MigrationError(.invalidArgument, "A BigInt has more than 64 bits.")
            }
            return .int(integer)
        case kJSTypeString: return .string(try string(value))
        case kJSTypeObject:
            guard depth <= ValueCoding.depthLimit else {
                throw MigrationError(.invalidArgument, "A value nests deeper than \(ValueCoding.depthLimit) levels.")
            }
            return try tagged(value, depth: depth)
        default: throw MigrationError(.invalidArgument, "A symbol can't be stored.")
        }
    }

    /// A number as a script gives it.
    func input(_ number: Double) -> ObjectInput {
        let isNegativeZero = number == 0 && number.sign == .minus
        guard !isNegativeZero, let integer = Int64(exactly: number), integer.magnitude <= Self.safeIntegers else {
            return .double(number)
        }
        return .int(integer)
    }

    private func tagged(_ array: JSValueRef, depth: Int) throws -> ObjectInput {
        switch ScriptValueTag(rawValue: try int(try element(0, of: array))) {
        case .date: return .date(try timestamp(array))
        case .data: return .data(try cells(try element(1, of: array), as: kJSTypedArrayTypeUint8Array))
        case .decimal128: if let value = Decimal128(try text(array)) { return .decimal128(value) }
        case .objectId: if let value = ObjectId(try text(array)) { return .objectId(value) }
        case .uuid: if let value = UUID(try text(array)) { return .uuid(value) }
        case .object: return .object(try objectReference(array))
        case .double: return .double(try number(try element(1, of: array)))
        case .float: return .float(Float(try number(try element(1, of: array))))
        case .array:
            var elements: [ObjectInput] = []
            for index in 1..<max(try length(of: array), 1) {
                elements.append(try input(try element(index, of: array), depth: depth + 1))
            }
            return .array(elements)
        case .members:
            var members: [(name: String, value: ObjectInput)] = []
            for index in stride(from: 1, to: try length(of: array) - 1, by: 2) {
                let value = try input(try element(index + 1, of: array), depth: depth + 1)
                members.append((try string(try element(index, of: array)), value))
            }
            return .members(members)
        case nil: break
        }
        throw MigrationError(.invalidArgument, "A value is of no type that Realm has.")
    }

    func length(of array: JSValueRef) throws -> Int { try int(try member("length", of: array)) }

    private func text(_ array: JSValueRef) throws -> String { try string(try element(1, of: array)) }

    private func timestamp(_ array: JSValueRef) throws -> Timestamp {
        guard let seconds = try int64(try element(1, of: array)),
            let nanoseconds = Int32(exactly: try number(try element(2, of: array)))
        else { throw MigrationError(.invalidArgument, "A date is out of range.") }
        return Timestamp(seconds: seconds, nanoseconds: nanoseconds)
    }

    private func objectReference(_ array: JSValueRef) throws -> ObjectReference {
        guard let key = try int64(try element(3, of: array)) else {
            throw MigrationError(.invalidArgument, "An object key is out of range.")
        }
        return ObjectReference(
            side: try int(try element(1, of: array)) == ScriptValueTag.oldSide ? .old : .new,
            classIndex: try int(try element(2, of: array)), key: ObjectKey(key))
    }
}
