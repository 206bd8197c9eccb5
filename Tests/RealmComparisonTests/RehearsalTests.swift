import Columns
import RealmComparison
import RealmJSON
import RealmModel
import Testing

/// What is lost between two snapshots, by name.
@Suite struct RehearsalTests {
    /// A property before and after, its values, and what of them is lost: the kind and the object keys.
    struct Case: Sendable, CustomTestStringConvertible {
        var name: String
        var before: Property
        var after: Property?
        var values: [Value]
        var results: [Value] = []
        var losses: [Rehearsal.Loss.Kind: [Int64]] = [:]

        var testDescription: String { name }
    }

    static let cases: [Case] = [
        Case(
            name: "values that become null", before: Property("v", .int, isOptional: true),
            after: Property("v", .int, isOptional: true), values: [.int(1), .int(0), .null, .int(4)],
            results: [.null, .null, .null, .int(4)], losses: [.null: [0, 1]]),
        Case(
            name: "links that become null", before: Property("v", .object, objectType: "Person", isOptional: true),
            after: Property("v", .object, objectType: "Person", isOptional: true),
            values: [.link(ObjectKey(1)), .null], results: [.null, .link(ObjectKey(0))], losses: [.link: [0]]),
        Case(
            name: "texts that become zero", before: Property("v", .string), after: Property("v", .int),
            values: [.string("7"), .string("seven"), .string("0"), .string("")],
            results: [.int(7), .int(0), .int(0), .int(0)], losses: [.zero: [1]]),
        Case(
            name: "numbers that are cut", before: Property("v", .double), after: Property("v", .int),
            values: [.double(1), .double(2.5), .double(0.25), .double(0)],
            results: [.int(1), .int(2), .int(0), .int(0)], losses: [.inexact: [1], .zero: [2]]),
        Case(
            name: "numbers that become texts", before: Property("v", .int), after: Property("v", .string),
            values: [.int(1), .int(0)], results: [.string("1"), .string("0")]),
        Case(
            name: "a property that is gone", before: Property("v", .string, isOptional: true), after: nil,
            values: [.string("a"), .string(""), .null, .string("b")], losses: [.dropped: [0, 3]]),
        Case(
            name: "a property that is gone and was empty", before: Property("v", .int), after: nil,
            values: [.int(0), .int(0)]),
        Case(
            name: "other values", before: Property("v", .int), after: Property("v", .int), values: [.int(1), .int(2)],
            results: [.int(2), .int(0)]),
    ]

    @Test(arguments: cases, [1, 100])
    func `names what is lost`(tried: Case, rows: Int) throws {
        let store = MemorySegmentStore()
        let limits = RowGroupLimits(rows: rows, bytes: 1 << 20)
        let before = try Self.snapshot([tried.before], tried.values.map { [$0] }, limits, in: store)
        let after = try Self.snapshot(
            tried.after.map { [$0] } ?? [],
            tried.results.isEmpty ? tried.values.map { _ in [] } : tried.results.map { [$0] },
            limits, in: store)
        let found = try Rehearsal(from: before, to: after, store: store)
        let expected = tried.losses.map { kind, keys in
            Rehearsal.Loss(
                className: "Person", property: "v", kind: kind, objects: NamedObjects(keys.count, first: keys))
        }
        #expect(Set(found.losses) == Set(expected))
    }

    @Test func `takes a property whose column has another name for carried over`() throws {
        let store = MemorySegmentStore()
        let before = try Self.snapshot(
            [Property("old", .int)], [[.int(1)], [.int(2)]], RowGroupLimits(rows: 10, bytes: 1 << 20), in: store)
        var after = before
        after.classes[0].schema.properties[0] = Property("new", .int)
        after.declared = Schema(after.classes.map(\.schema))
        #expect(try Rehearsal(from: before, to: after, store: store).losses.isEmpty)
        after.classes[0].columns[0] = .constant(.int(0))
        #expect(try Rehearsal(from: before, to: after, store: store).losses.map(\.kind) == [.dropped])
    }

    @Test func `counts objects, and names a class that is gone`() throws {
        let store = MemorySegmentStore()
        let limits = RowGroupLimits(rows: 2, bytes: 1 << 20)
        let before = try Self.snapshot([Property("v", .int)], [[.int(1)], [.int(2)], [.int(3)]], limits, in: store)
        let after = Snapshot(schemaVersion: 2, declared: Schema([]), classes: [])
        let rehearsal = try Rehearsal(from: before, to: after, store: store)
        #expect(rehearsal.objectCounts == (created: 0, deleted: 3, touched: 0))
        #expect(
            rehearsal.losses == [
                Rehearsal.Loss(
                    className: "Person", property: nil, kind: .dropped, objects: NamedObjects(3, first: [0, 1, 2]))
            ])
        var report = RehearsalReport(fromVersion: 1, toVersion: 2)
        report.add(rehearsal, from: before.declared, to: after.declared)
        let json = report.json
        #expect(json["objects"] == ["touched": 0, "created": 0, "deleted": 3])
        #expect(
            json["losses"] == [
                ["class": "Person", "property": .null, "kind": "dropped", "count": 3, "keys": [0, 1, 2]]
            ])
    }

    private static func snapshot(
        _ properties: [Property], _ rows: [[Value]], _ limits: RowGroupLimits, in store: any SegmentStore
    ) throws -> Snapshot {
        let schema = ObjectSchema("Person", properties: properties)
        let writer = ClassWriter(schema: schema, store: store, limits: limits)
        for (number, row) in rows.enumerated() {
            for (column, value) in zip(writer.columns, row) { try column.append(value) }
            try writer.endRow(key: ObjectKey(Int64(number)))
        }
        return Snapshot(
            schemaVersion: 1, declared: Schema([schema]), classes: [try writer.finish(nextSequence: Int64(rows.count))])
    }
}
