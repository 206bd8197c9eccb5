import RealmModel
import Testing

@Suite struct SchemaChangeReportTests {
    typealias Kind = SchemaChangeReport.Kind

    static let person = ObjectSchema(
        "Person", primaryKey: "id",
        properties: [
            Property("id", .int), Property("name", .string, isOptional: true), Property("age", .int),
            Property("dogs", .object, collection: .list, objectType: "Dog"),
        ])
    static let dog = ObjectSchema("Dog", properties: [Property("name", .string)])
    static let schema = Schema([person, dog])

    /// The person changed, and the dog as it is.
    static func changed(_ change: (inout ObjectSchema) -> Void) -> Schema {
        var changed = person
        change(&changed)
        return Schema([changed, dog])
    }

    static func reports(to target: Schema, _ renames: [SchemaRename] = []) -> [SchemaChangeReport] {
        SchemaChangeReport.compare(existing: schema, target: target, renames: renames)
    }

    @Test(arguments: [
        (Kind.addObjectType, Schema([person, dog, ObjectSchema("Cat", properties: [Property("lives", .int)])])),
        (.addRequiredProperty, changed { $0.properties.append(Property("height", .double)) }),
        (.addOptionalProperty, changed { $0.properties.append(Property("height", .double, isOptional: true)) }),
        (.removeObjectType, Schema([person])),
        (.removeRequiredProperty, changed { $0.properties.remove(at: 2) }),
        (.removeOptionalProperty, changed { $0.properties.remove(at: 1) }),
        (.changePropertyType, changed { $0.properties[2].type = .string }),
        (.changePropertyOptionalToRequired, changed { $0.properties[1].isOptional = false }),
        (.changePropertyRequiredToOptional, changed { $0.properties[2].isOptional = true }),
        (.changePrimaryKey, changed { $0.primaryKey = nil }),
        (.changePrimaryKey, changed { $0.primaryKey = "age" }),
        (.addIndex, changed { $0.properties[2].index = .general }),
        (.changeEmbedded, Schema([person, ObjectSchema("Dog", kind: .embedded, properties: dog.properties)])),
    ])
    func `a single change is one report`(kind: Kind, target: Schema) throws {
        let reports = Self.reports(to: target)
        #expect(reports.map(\.kind) == [kind])
        let realm = SchemaDifference.compare(existing: Self.schema, target: target, includesTableRemovals: true)
        #expect(realm.compactMap(\.message).contains(try #require(reports.first).message))
    }

    @Test func `an index that goes is reported`() {
        let indexed = Self.changed { $0.properties[1].index = .fullText }
        let reports = SchemaChangeReport.compare(existing: indexed, target: Self.schema)
        #expect(reports.map(\.kind) == [.removeIndex])
    }

    @Test(arguments: [
        (Kind.addObjectType, "non-breaking", "non-breaking"), (.addRequiredProperty, "non-breaking", "non-breaking"),
        (.addOptionalProperty, "non-breaking", "non-breaking"), (.removeObjectType, "breaking", "non-breaking"),
        (.removeRequiredProperty, "breaking", "non-breaking"), (.removeOptionalProperty, "breaking", "non-breaking"),
        (.changeObjectTypeName, "breaking", "breaking"), (.changePropertyName, "breaking", "breaking"),
        (.changePropertyType, "breaking", "breaking"), (.changePropertyOptionalToRequired, "breaking", "breaking"),
        (.changePropertyRequiredToOptional, "breaking", "breaking"),
    ])
    func `the quick reference of Realm holds`(kind: Kind, serverSide: String, client: String) {
        #expect(kind.serverSide.rawValue == serverSide)
        #expect(kind.client.rawValue == client)
    }

    @Test(arguments: Kind.allCases)
    func `every kind says what to do in a sentence`(kind: Kind) {
        for sentence in kind.requires + [kind.handling] {
            #expect(sentence.last == "." && (20...130).contains(sentence.count) && sentence.first?.isUppercase == true)
        }
        #expect(kind.requires.isEmpty == [.addIndex, .removeIndex].contains(kind))
    }

    @Test func `a declared rename is one change`() {
        let target = Self.changed { $0.properties[1].name = "fullName" }
        let reports = Self.reports(to: target, [.property(className: "Person", from: "name", to: "fullName")])
        #expect(reports.map(\.kind) == [.changePropertyName])
        #expect(reports.map(\.property) == ["fullName"])
        #expect(reports.map(\.from) == ["name"])
        #expect(reports.map(\.message) == ["Property 'Person.name' has been renamed to 'fullName'."])
    }

    @Test func `what else a renamed property changes is reported too`() {
        let target = Self.changed {
            $0.properties[0].name = "key"
            $0.properties[2] = Property("years", .int, isOptional: true)
            $0.primaryKey = "key"
        }
        let renames: [SchemaRename] = [
            .property(className: "Person", from: "id", to: "key"),
            .property(className: "Person", from: "age", to: "years"),
            .property(className: "Person", from: "nothing", to: "name"),
        ]
        #expect(
            Self.reports(to: target, renames).map(\.kind) == [
                .changePropertyName, .changePropertyName, .changePropertyRequiredToOptional,
            ])
    }

    @Test func `a rename by way of another name is one change`() {
        let target = Self.changed { $0.properties[1].name = "fullName" }
        let renames: [SchemaRename] = [
            .property(className: "Person", from: "name", to: "label"),
            .property(className: "Person", from: "label", to: "fullName"),
        ]
        let reports = Self.reports(to: target, renames)
        #expect(reports.map(\.kind) == [.changePropertyName])
        #expect(reports.map(\.from) == ["name"])
        #expect(reports.map(\.to) == ["fullName"])
    }

    @Test func `a declared rename of a class changes no link`() {
        let hound = ObjectSchema("Hound", properties: Self.dog.properties)
        let target = Schema([Self.changed { $0.properties[3].objectType = "Hound" }.classes[0], hound])
        #expect(
            Self.reports(to: target, [.objectType(from: "Dog", to: "Hound")]).map(\.kind) == [.changeObjectTypeName])
        let undeclared = Self.reports(to: target)
        #expect(undeclared.map(\.kind) == [.addObjectType, .removeObjectType, .changePropertyType])
        #expect(undeclared.prefix(2).allSatisfy { $0.suggests?.kind == .changeObjectTypeName })
    }

    @Test func `a rename that is not declared is suggested`() throws {
        let reports = Self.reports(to: Self.changed { $0.properties[1].name = "fullName" })
        #expect(reports.map(\.kind) == [.removeOptionalProperty, .addOptionalProperty])
        for report in reports {
            let suggestion = try #require(report.suggests)
            #expect([suggestion.from, suggestion.to] == ["name", "fullName"])
        }
    }

    @Test func `nothing is suggested where it could be one or another`() {
        let target = Self.changed {
            $0.properties[1].name = "first"
            $0.properties.append(Property("last", .string))
        }
        #expect(Self.reports(to: target).allSatisfy { $0.suggests == nil })
    }

    @Test func `equal schemas have no report`() {
        #expect(Self.reports(to: Self.schema).isEmpty)
    }
}
