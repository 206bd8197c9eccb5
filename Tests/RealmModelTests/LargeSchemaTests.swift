import RealmModel
import Testing

/// Schemas as large as a client can make them: what takes time for every pair of classes does not end in time.
@Suite struct LargeSchemaTests {
    private static func classes(_ count: Int, prefix: String, properties: Int = 4) -> Schema {
        Schema(
            (0..<count).map { index in
                ObjectSchema(
                    "\(prefix)\(index)", primaryKey: "p0",
                    properties: (0..<properties).map { Property("p\($0)", .int, index: $0 == 1 ? .general : .none) }
                        + [Property("own\(index)", .object, objectType: "\(prefix)\(index)", isOptional: true)])
            })
    }

    @Test(.timeLimit(.minutes(1)))
    func `a difference of many classes is found class by class`() {
        let (existing, target) = (Self.classes(10_000, prefix: "A"), Self.classes(10_000, prefix: "B"))
        let reports = SchemaChangeReport.compare(existing: existing, target: target)
        #expect(reports.count == 20_000)
        #expect(reports.allSatisfy { $0.suggests == nil })
        let indexed = Schema(
            existing.classes.map { object in
                var object = object
                object.properties[2].index = .general
                return object
            })
        #expect(
            SchemaChangeReport.compare(existing: existing, target: indexed).map(\.kind).allSatisfy { $0 == .addIndex })
    }

    @Test(.timeLimit(.minutes(1)))
    func `renames of many properties of a class are suggested`() {
        func schema(_ prefix: String) -> Schema {
            Schema([
                ObjectSchema(
                    "A",
                    properties: (0..<10_000).map {
                        Property("\(prefix)\($0)", .object, objectType: "T\($0)", isOptional: true)
                    }
                )
            ])
        }
        let reports = SchemaChangeReport.compare(existing: schema("a"), target: schema("b"))
        #expect(reports.count == 20_000)
        #expect(
            reports.allSatisfy { $0.suggests?.from.dropFirst() == $0.suggests?.to.dropFirst() && $0.suggests != nil })
    }

    @Test(.timeLimit(.minutes(1)))
    func `many classes are validated one by one`() {
        #expect(Self.classes(50_000, prefix: "A", properties: 1).validate() == [])
    }
}
