import Columns
import RealmModel

/// The values that a property has in made-up objects.
///
/// The first objects have the edges of its type, and the others values that no other property has: what a script drops of one
/// property would else be found in another, and be taken for kept.
struct MadeUpValues {
    /// The number of the property among those of all classes.
    let property: Int

    /// The value of an object by its number; null of types that are made of objects.
    func value(_ type: PropertyType, _ number: Int) -> Value {
        // There are two values of the type: objects have them in an order of the property's.
        if type == .bool { return .bool(number >> (property % 4) & 1 == 1) }
        let edges = EdgeValues.of(type)
        guard number >= edges.count else { return edges[(number + property) % edges.count] }
        return own(type, number)
    }

    /// A value that is this property's alone, and among its values this object's.
    private func own(_ type: PropertyType, _ number: Int) -> Value {
        let count = Int64(1_000 + property * MadeUpRealm.objectCount + number)
        let bytes = withUnsafeBytes(of: count.bigEndian, Array.init)
        func padded(_ length: Int) -> [UInt8] { [UInt8](repeating: 0xa5, count: length - bytes.count) + bytes }
        return switch type {
        case .int: .int(count)
        case .float: .float(Float(count) + 0.25)
        case .double: .double(Double(count) + 0.25)
        case .string, .mixed: .string("text \(count)")
        case .data: .data(bytes)
        // An hour apart, so that a day has few of them.
        case .date: .date(Timestamp(seconds: 1_200_000_000 + count * 3_600, nanoseconds: 0))
        case .decimal128: .decimal128(Decimal128(coefficient: UInt128(count), exponent: -1) ?? .zero)
        case .objectId: ObjectId(bytes: padded(ObjectId.byteCount)).map(Value.objectId) ?? Value.null
        case .uuid: UUID(bytes: padded(UUID.byteCount)).map(Value.uuid) ?? Value.null
        case .bool, .object, .linkingObjects: .null
        }
    }
}
