import Columns
import RealmModel
import Testing

@testable import RealmFile

/// Values around the most bytes that Realm keeps in one blob, with the zero behind a string.
struct LongestValueTests {
    private static func write(_ value: Value, as type: PropertyType) throws -> (WrittenRealm, Value?) {
        let store = MemorySegmentStore()
        let schema = ObjectSchema("A", properties: [Property("a", type, isOptional: true)])
        let writer = ClassWriter(schema: schema, store: store)
        try writer.columns[0].append(value)
        try writer.endRow(key: ObjectKey(0))
        let classes = [try writer.finish(nextSequence: 1)]
        let realm = try WrittenRealm(
            Snapshot(schemaVersion: 1, declared: Schema([schema]), classes: classes), from: store)
        return (realm, try realm.firstValue())
    }

    @Test(arguments: [PropertyType.string, .mixed]) func `writes the longest string`(type: PropertyType) throws {
        let value = Value.string(String(repeating: "s", count: RealmLimits.stringBytes))
        let isSame = try Self.write(value, as: type).1 == value
        #expect(isSame)
    }

    @Test(arguments: [PropertyType.string, .mixed]) func `refuses a longer string`(type: PropertyType) throws {
        let value = Value.string(String(repeating: "s", count: RealmLimits.stringBytes + 1))
        let error = #expect(throws: InputError.self) { _ = try Self.write(value, as: type) }
        #expect(error?.code == .tooLarge)
    }

    @Test(arguments: [-1, 0, 1]) func `writes data around the limit of a blob`(more: Int) throws {
        let value = Value.data([UInt8](repeating: 7, count: RealmLimits.dataBytes + more))
        let isSame = try Self.write(value, as: .data).1 == value
        #expect(isSame)
    }
}

extension WrittenRealm {
    /// The first property of the first object, as it was read from the file.
    fileprivate func firstValue() throws -> Value? {
        try ReadRealm(bytes).objects["A"]?.first?.values.first
    }
}
