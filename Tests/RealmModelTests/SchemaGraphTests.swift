import RealmModel
import Testing

@Suite struct SchemaGraphTests {
    private static func embedded(_ name: String, _ links: [(String, String)]) -> ObjectSchema {
        ObjectSchema(
            name, kind: .embedded,
            properties: links.map { Property($0.0, .object, objectType: $0.1, isOptional: true) })
    }

    private static func messages(_ classes: [ObjectSchema]) -> [String] {
        Schema(classes).validate().map(\.message)
    }

    @Test func `the shortest way of each embedded class back to itself is named, and no way into a cycle`() {
        let classes = [
            Self.embedded("A", [("b", "B")]), Self.embedded("B", [("c", "C"), ("self", "B")]),
            Self.embedded("C", [("b", "B")]), Self.embedded("D", []),
        ]
        #expect(
            Self.messages(classes) == [
                "Cycles containing embedded objects are not currently supported: 'B.self'",
                "Cycles containing embedded objects are not currently supported: 'C.b.c'",
            ])
    }

    @Test func `a way through a top-level class is no cycle`() {
        let top = ObjectSchema("T", properties: [Property("e", .object, objectType: "E", isOptional: true)])
        #expect(Self.messages([top, Self.embedded("E", [("t", "T")])]) == [])
    }

    @Test func `cycles are looked for only where all else is right`() {
        #expect(
            Self.messages([Self.embedded("A", [("a", "A"), ("b", "Nope")])]) == [
                "Property 'A.b' of type 'object' has unknown object type 'Nope'"
            ])
    }

    @Test(arguments: [false, true])
    func `paths that double with every class take no time`(endsInCycle: Bool) {
        let count = 300
        func name(_ index: Int) -> String { "C\(1000 + index)" }
        let classes = (0..<count).map { index in
            let next = index + 1 < count ? name(index + 1) : endsInCycle ? name(index) : nil
            return Self.embedded(name(index), next.map { [("left", $0), ("right", $0)] } ?? [])
        }
        let messages = Self.messages(classes)
        #expect(messages.count == (endsInCycle ? 1 : 0))
        #expect(messages.last?.hasSuffix(": 'C1299.left'") ?? true)
    }

    @Test func `of equally short ways the first in order of the properties is named`() {
        let classes = [
            Self.embedded("A", [("z", "B"), ("a", "C")]), Self.embedded("B", [("x", "D"), ("back", "A")]),
            Self.embedded("C", [("back", "A")]), Self.embedded("D", []),
        ]
        let text = "Cycles containing embedded objects are not currently supported: "
        #expect(Self.messages(classes) == ["'A.z.back'", "'B.back.z'", "'C.back.a'"].map { text + $0 })
    }

    @Test(.timeLimit(.minutes(1)))
    func `a ring of many classes takes no time, and some of its cycles are named`() {
        let count = 20_000
        let classes = (0..<count).map {
            Self.embedded("C\(100_000 + $0)", [("next", "C\(100_000 + ($0 + 1) % count)")])
        }
        let errors = Schema(classes).validate()
        #expect(!errors.isEmpty && errors.count < 1000)
        #expect(errors.allSatisfy { $0.message.utf8.count > count * 5 })
    }

    @Test func `embedded classes that nothing leads to are found`() {
        let schema = Schema([
            ObjectSchema("T", properties: [Property("a", .object, collection: .list, objectType: "A")]),
            Self.embedded("A", [("b", "B")]), Self.embedded("B", []), Self.embedded("C", [("d", "D")]),
            Self.embedded("D", []),
        ])
        #expect(schema.unreachableEmbeddedClasses == ["C", "D"])
        #expect(schema.validate() == [])
        #expect(
            schema.validate(.rejectsUnreachableEmbedded).map(\.message) == [
                "Embedded object 'C' is unreachable by any link path from top level objects.",
                "Embedded object 'D' is unreachable by any link path from top level objects.",
            ])
    }
}
