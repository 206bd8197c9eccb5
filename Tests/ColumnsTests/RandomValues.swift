import Columns
import RealmModel
import TestRandomness
import Testing

extension ColumnType: CustomTestStringConvertible {
    /// Every type of single values.
    static let single = all.filter { $0.collection == .none }

    /// Every type that a column can have.
    static let all: [ColumnType] = PropertyType.allCases.filter { $0 != .linkingObjects }.flatMap { element in
        CollectionKind.allCases.map { ColumnType(element, $0) }
    }

    /// The collection and the type, for the names of test cases.
    public var testDescription: String { "\(collection) of \(element)" }
}

extension SeededGenerator {
    /// A value for a row of a column; single ones are null now and then, collections never.
    mutating func value(of type: ColumnType) -> Value {
        if type.collection == .none, Int.random(in: 0..<4, using: &self) == 0 { return .null }
        let count = Int.random(in: 0..<5, using: &self)
        switch type.collection {
        case .none: return single(type.element)
        case .list, .set: return .list((0..<count).map { _ in value(of: type.elementType) })
        case .dictionary:
            return .dictionary((0..<count).map { DictionaryEntry("\($0)\(text())", value(of: type.elementType)) })
        }
    }

    private mutating func single(_ type: PropertyType) -> Value {
        switch type {
        case .int: .int(integer())
        case .bool: .bool(Bool.random(using: &self))
        case .float: .float(Float(bitPattern: UInt32(truncatingIfNeeded: next())))
        case .double: .double(Double(bitPattern: next()))
        case .string: .string(text())
        case .data: .data(bytes(Int.random(in: 0..<9, using: &self)))
        case .date: .date(Timestamp(seconds: integer(), nanoseconds: Int32.random(in: 0..<1_000_000_000, using: &self)))
        case .decimal128: .decimal128(Decimal128(low: next(), high: next()))
        case .objectId: ObjectId(bytes: bytes(ObjectId.byteCount)).map { .objectId($0) } ?? .null
        case .uuid: UUID(bytes: bytes(UUID.byteCount)).map { .uuid($0) } ?? .null
        case .object: .link(ObjectKey(integer()))
        case .mixed, .linkingObjects: mixed(depth: 0)
        }
    }

    /// A value of any type, collections of such values included.
    mutating func mixed(depth: Int) -> Value {
        switch Int.random(in: 0..<16, using: &self) {
        case 0: return .typedLink(className: text(), ObjectKey(integer()))
        case 1 where depth < 4: return .list((0..<3).map { _ in mixed(depth: depth + 1) })
        case 2 where depth < 4: return .dictionary((0..<3).map { DictionaryEntry("\($0)", mixed(depth: depth + 1)) })
        default:
            let types = PropertyType.allCases.filter { $0 != .mixed && $0 != .linkingObjects && $0 != .object }
            return single(types[Int.random(in: 0..<types.count, using: &self)])
        }
    }

    /// Small, large and extreme integers.
    mutating func integer() -> Int64 {
        Int64(truncatingIfNeeded: next()) >> Int64.random(in: 0...63, using: &self)
    }

    mutating func bytes(_ count: Int) -> [UInt8] {
        (0..<count).map { _ in UInt8(truncatingIfNeeded: next()) }
    }

    mutating func text() -> String {
        let characters: [Character] = ["a", "B", "\0", "é", "e\u{301}", "😀", "\u{ffff}", "\n"]
        return String(
            (0..<Int.random(in: 0..<6, using: &self)).map { _ in
                characters[Int.random(in: 0..<characters.count, using: &self)]
            })
    }
}
