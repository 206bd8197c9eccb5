import RealmModel
import Testing

@testable import RealmMigration

@Suite struct `Properties carried over versions` {
    private func person(_ properties: Property...) -> Schema {
        Schema([ObjectSchema("Person", properties: properties)])
    }

    private let name = Property("name", .string)
    private let email = Property("email", .string)

    private func find(
        _ source: Schema, _ between: [Schema], _ target: Schema,
        nullability: DeclaredMigration.Nullability = .reset
    ) -> [CarriedProperty] {
        CarriedProperties.find(
            source: source, between: between.enumerated().map { (UInt64($0.offset + 2), $0.element) }, target: target,
            nullability: nullability)
    }

    @Test func `are those that a version deleted and a later one added again`() {
        let found = find(person(name, email), [person(name)], person(name, email))
        #expect(found == [CarriedProperty(className: "Person", property: "email", removedIn: 2)])
        #expect(
            found.first?.warning
                == "Person.email is not the same property throughout: version 2 removed or changed it. A direct migration "
                + "carries its old values, as Realm does; a chain of migrations does not. Set it in the script where "
                + "that is not meant.")
    }

    @Test func `name the first version that lost the values`() {
        let between = [person(name, email), person(name), person(name, email), person(name)]
        #expect(find(person(name, email), between, person(name, email)).map(\.removedIn) == [3])
    }

    @Test func `are none where all versions have the property, the source has not, or the target has not`() {
        #expect(find(person(name, email), [person(email, name)], person(name, email)).isEmpty)
        #expect(find(person(name), [person(name)], person(name, email)).isEmpty)
        #expect(find(person(name, email), [person(name)], person(name)).isEmpty)
        #expect(find(person(name, email), [], person(name, email)).isEmpty)
    }

    @Test func `are those that changed their type and changed it back`() {
        let changed = Property("email", .int)
        #expect(find(person(email), [person(changed)], person(email)).map(\.property) == ["email"])
        #expect(find(person(email), [person(email)], person(changed)).isEmpty)
    }

    @Test func `are those that were required for a while, unless values are kept then`() {
        let optional = Property("email", .string, isOptional: true)
        #expect(find(person(optional), [person(email)], person(optional)).map(\.property) == ["email"])
        #expect(find(person(optional), [person(email)], person(optional), nullability: .keep).isEmpty)
        #expect(find(person(email), [person(optional)], person(optional)).isEmpty)
    }

    @Test func `are not those of a class that was left out, because Realm keeps its objects`() {
        #expect(find(person(name, email), [Schema([])], person(name, email)).isEmpty)
    }

    @Test func `are what a direct migration keeps and a chain does not`() throws {
        let source = try TestRealm(
            person(name, email).classes, version: 1,
            objects: ["Person": [["name": .string("Tim"), "email": .string("tim@old")]]])
        let direct = try source.migrated(to: person(name, email).classes, version: 3)
        let chain = try source.migrated(to: person(name).classes, version: 2)
            .migrated(to: person(name, email).classes, version: 3)
        #expect(try direct.values("Person", "email") == [.string("tim@old")])
        #expect(try chain.values("Person", "email") == [.string("")])
    }
}
