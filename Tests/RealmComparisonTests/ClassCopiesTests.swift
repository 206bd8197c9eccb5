import Columns
import RealmModel
import Testing

@testable import RealmComparison

/// Classes whose objects were made anew in another class.
struct ClassCopiesTests {
    private static let count: Int64 = 20

    private static func tasks(
        _ name: String, key: String? = "id", _ titles: String = "title", numbers: Range<Int64> = 0..<count,
        _ change: (Int64, inout [Value]) -> Void = { _, _ in }
    ) -> ClassRows {
        var rows = ClassRows(
            name, [Property("id", .int), Property(titles, .string), Property("n", .int), Property("done", .bool)],
            numbers.map { number in
                var row: [Value] = [
                    .int(number * 7 + 3), .string("text \(number * 31 % 17) of \(number)"), .int(number % 5),
                    .bool(number % 3 == 0),
                ]
                change(number, &row)
                return row
            })
        rows.schema.primaryKey = key
        return rows
    }

    private static func told(_ before: [ClassRows], _ after: [ClassRows]) throws -> [String] {
        let rehearsal = try Rehearsal(before, after)
        return rehearsal.losses.map { "\($0.className).\($0.property ?? "") \($0.kind) \($0.objects.count)" }
    }

    @Test(arguments: ["id", nil])
    func `have every value, whatever the property is called now`(key: String?) throws {
        for name in ["title", "subject"] {
            let rehearsal = try Rehearsal([Self.tasks("Task", key: key)], [Self.tasks("Todo", key: key, name)])
            #expect(rehearsal.losses.isEmpty)
            #expect(rehearsal.untold.isNone)
            #expect(rehearsal.objectCounts == (20, 20, 0))
        }
    }

    @Test(arguments: ["id", nil])
    func `are compared object by object`(key: String?) throws {
        let before = [Self.tasks("Task", key: key)]
        #expect(
            try Self.told(before, [Self.tasks("Todo", key: key) { $1[3] = .bool(false) }])
                == ["Task.done emptied 7"])
        #expect(
            try Self.told(before, [Self.tasks("Todo", key: key) { $1[1] = .string("") }]) == ["Task.title emptied 20"])
        #expect(try Self.told(before, [Self.tasks("Todo", key: key) { $1[2] = .int(0) }]) == ["Task.n emptied 16"])
        let titles = Self.tasks("Task").rows.map { $0[1] }
        #expect(
            try Self.told(before, [Self.tasks("Todo", key: key) { $1[1] = titles[Int($0 + 1) % titles.count] }])
                == ["Task.title exchanged 20"])
    }

    @Test func `belong together by their keys, in whatever order they are`() throws {
        var after = Self.tasks("Todo")
        after.rows.reverse()
        #expect(try Self.told([Self.tasks("Task")], [after]) == [])
        after.rows[4][1] = .string("")
        after.rows[9][1] = .string("")
        #expect(try Self.told([Self.tasks("Task")], [after]) == ["Task.title emptied 2"])
    }

    @Test func `may come from two classes, or join others that were there`() throws {
        let (one, other) = (Self.tasks("Task"), Self.tasks("Note", numbers: 100..<130))
        var both = one
        both.schema.name = "Item"
        both.rows += other.rows
        #expect(try Self.told([one, other], [both]) == [])
        // The objects of one class have no value of a property that those of the other bring along.
        var dated = both
        dated.schema.properties.append(Property("due", .date, isOptional: true))
        for row in 0..<50 {
            dated.rows[row].append(row < 20 ? .date(Timestamp(seconds: 86_400 * 300, nanoseconds: 0)) : .null)
        }
        var due = one
        due.schema.properties.append(Property("due", .date, isOptional: true))
        for row in 0..<20 { due.rows[row].append(dated.rows[row][4]) }
        #expect(try Self.told([due, other], [dated]) == [])
        for row in 20..<50 { both.rows[row][1] = .string("") }
        #expect(try Self.told([one, other], [both]) == ["Note.title emptied 30"])

        var archive = Self.tasks("Archive", numbers: 200..<210)
        let old = archive
        archive.rows += one.rows
        #expect(try Self.told([one, old], [archive]) == [])
        for row in 10..<30 { archive.rows[row][3] = .bool(false) }
        #expect(try Self.told([one, old], [archive]) == ["Task.done emptied 7"])
    }

    @Test func `leave the objects that nobody took over to be told`() throws {
        let after = Self.tasks("Todo", numbers: 1..<Self.count)
        #expect(try Self.told([Self.tasks("Task")], [after]) == ["Task. deleted 1"])
    }

    @Test func `may link to each other as the old ones did`() throws {
        func ring(_ name: String, _ shift: Int64) -> ClassRows {
            var rows = Self.tasks(name)
            rows.schema.properties.append(Property("next", .object, objectType: name, isOptional: true))
            for row in rows.rows.indices { rows.rows[row].append(.link(ObjectKey((Int64(row) + shift) % Self.count))) }
            return rows
        }
        #expect(try Self.told([ring("Task", 1)], [ring("Todo", 1)]) == [])
        #expect(try !Self.told([ring("Task", 1)], [ring("Todo", 2)]).isEmpty)
    }

    @Test func `are none where another class has the same keys by chance`() throws {
        func rows(_ name: String, _ words: String, by shift: Int64 = 0) -> ClassRows {
            var table = ClassRows(
                name, [Property("id", .int), Property("name", .string)],
                (0..<Self.count).map { [.int($0 + 1), .string("\(words)\(($0 + shift) % Self.count)")] })
            table.schema.primaryKey = "id"
            return table
        }
        #expect(try Self.told([rows("Category", "cedar")], [rows("Tag", "birch")]) == ["Category. dropped 20"])
        func ordered(_ name: String, _ words: String) -> ClassRows {
            var table = rows(name, words)
            table.schema.properties.append(Property("order", .int))
            for row in table.rows.indices { table.rows[row].append(.int(Int64(row) + 100)) }
            return table
        }
        let told = try Self.told([ordered("Category", "cedar")], [ordered("Tag", "birch")])
        #expect(told == ["Category. dropped 20"])
        // Names of others of the old ones are no chance.
        #expect(
            try Self.told([rows("Category", "cedar")], [rows("Tag", "cedar", by: 1)]) == ["Category.name exchanged 20"])
    }
}
