import RealmModel

/// Reads a batch of changes: `{"upserts": [{"class", "object"}], "deletes": [{"class", "key"}], "base"}`, with objects and keys
/// in the forms of Realm JSON.
public struct ChangeBatchReader {
    private let classes: [ChangedClass]
    private let limit: Int
    private let version: UInt64?

    /// Reads batches as a schema shows the realm.
    ///
    /// - Parameters:
    ///   - version: the schema version that shows it so, which errors name; nil where it is the realm's own schema.
    ///   - limit: the most operations of a batch.
    public init(_ schema: Schema, version: UInt64? = nil, limit: Int) {
        self.version = version
        classes = schema.classes.map { ChangedClass($0, in: schema) }
        self.limit = limit
    }

    /// The batch of a document.
    ///
    /// - Throws: `InputError` with a pointer, the line and the column of what is wrong, class and property.
    public func read(_ bytes: [UInt8]) throws(InputError) -> ChangeBatch {
        try Self.withIntake(of: bytes, classes, limit: limit) { intake throws(Refusal) in
            intake.version = version
            try intake.readDocument()
            return intake.batch
        }
    }

    /// Bytes of memory that reading a document takes, at the most, with all that is made of it.
    ///
    /// The bytes are copied twice, and texts once more. Each value has two words on the tape, a place in the parser's index and one
    /// among the values that are made; there are no more values than colons, commas and brackets.
    public static func memory(toRead bytes: [UInt8]) -> Int {
        let values = bytes.reduce(into: 0) { count, byte in
            switch byte {
            case UInt8(ascii: ":"), UInt8(ascii: ","), UInt8(ascii: "["), UInt8(ascii: "{"), UInt8(ascii: "]"),
                UInt8(ascii: "}"):
                count += 1
            default: break
            }
        }
        return 4 * bytes.count + 64 * values
    }

    private static func withIntake<Result>(
        of bytes: [UInt8], _ classes: [ChangedClass], limit: Int,
        _ body: (inout ChangeBatchIntake) throws(Refusal) -> Result
    ) throws(InputError) -> Result {
        let padded = bytes + repeatElement(0, count: JSONParser.padding)
        return try padded.withUnsafeBufferPointer { padded throws(InputError) in
            let mark = ByteOrderMark.length(in: UnsafeRawBufferPointer(padded))
            let run = UnsafeRawBufferPointer(
                rebasing: UnsafeRawBufferPointer(padded)[mark..<max(mark, bytes.count)])
            return try JSONParser().withTape(of: run) { tape throws(InputError) in
                var intake = ChangeBatchIntake(tape, classes, limit: limit)
                do throws(Refusal) {
                    return try body(&intake)
                } catch {
                    let place = TextPlace(of: JSONScanner.offset(ofWord: error.word, in: run), in: run)
                    throw InputError(error.code, intake.item(error, at: place))
                }
            } malformed: {
                .malformedJSON($0.reason, at: TextPlace(of: $0.offset, in: run))
            }
        }
    }
}

/// A class of the schema that a batch is read with; never changes, and is given around without a copy of what it has.
final class ChangedClass: Sendable {
    let schema: ObjectSchema
    let name: [UInt8]
    let names: NameTable
    let primaryKey: Int?
    /// The class that each property links to; nil for those that hold no links to one class.
    let targets: [Int?]

    init(_ schema: ObjectSchema, in whole: Schema) {
        let schema = schema.besideObjectKey
        self.schema = schema
        name = Array(schema.name.utf8)
        names = NameTable(schema.properties.map(\.publicName))
        primaryKey = schema.properties.firstIndex { schema.isPrimaryKey($0) }
        targets = schema.properties.map { property in
            guard property.type == .object, let target = property.objectType else { return nil }
            return whole.classes.firstIndex { $0.name.hasSameBytes(as: target) }
        }
    }
}
