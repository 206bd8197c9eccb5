import RealmModel
import Testing

@testable import RealmSync

/// The plan of a partner in a realm's schema.
struct PartnerPlanTests {
    static let person = ObjectSchema(
        "Person", primaryKey: "_id",
        properties: [
            Property("_id", .objectId), Property("name", .string), Property("age", .int),
            Property("friends", .object, collection: .list, objectType: "Person"),
            Property("home", .object, objectType: "Address", isOptional: true),
        ])
    static let address = ObjectSchema("Address", kind: .embedded, properties: [Property("city", .string)])
    static let dog = ObjectSchema(
        "Dog", primaryKey: "_id",
        properties: [Property("_id", .string), Property("owner", .object, objectType: "Person", isOptional: true)])
    static let server = Schema([person, address])

    static let newPerson = ObjectSchema(
        "PersonV2", primaryKey: "_id",
        properties: [Property("_id", .objectId), Property("name", .string), Property("age", .string)])

    static func definition(
        _ partner: ObjectSchema = newPerson, of className: String = "Person", property: String? = nil
    ) -> PartnerDefinition {
        PartnerDefinition(
            className: className, property: property, partner: partner, forward: "o => ({})", backward: "o => ({})")
    }

    static let ageText = ObjectSchema("Person", properties: [Property("ageText", .string)])

    @Test func `adds the class, and takes away what it stands in for`() throws {
        let plan = try PartnerPlan(Self.definition(), to: Self.server)
        #expect(plan.expanded.classes.map(\.name) == ["Person", "Address", "PersonV2"])
        #expect(try plan.contracted().classes.map(\.name) == ["Address", "PersonV2"])
        #expect(try plan.withdrawn() == Self.server)
        #expect(plan.left == Self.person && plan.right == Self.newPerson)
    }

    @Test func `adds properties to the class, and takes away the one that they stand in for`() throws {
        let plan = try PartnerPlan(Self.definition(Self.ageText, property: "age"), to: Self.server)
        let names = { (schema: Schema) in schema["Person"]?.properties.map(\.name) }
        #expect(names(plan.expanded) == ["_id", "name", "age", "friends", "home", "ageText"])
        #expect(names(try plan.contracted()) == ["_id", "name", "friends", "home", "ageText"])
        #expect(try plan.withdrawn() == Self.server)
        #expect(plan.forward.outputs.properties.map(\.name) == ["ageText"])
        #expect(plan.backward.outputs.properties.map(\.name) == ["age"])
    }

    @Test(arguments: [definition(), definition(ageText, property: "age")])
    func `is the same plan when it is read again from the schema with both`(definition: PartnerDefinition) throws {
        let plan = try PartnerPlan(definition, to: Self.server)
        let again = try PartnerPlan(definition, in: plan.expanded)
        #expect((again.left, again.right) == (plan.left, plan.right))
        #expect((again.forward, again.backward) == (plan.forward, plan.backward))
        #expect(try again.contracted() == plan.contracted())
    }

    @Test func `shows links as primary keys and embedded objects as dictionaries`() throws {
        let plan = try PartnerPlan(Self.definition(), to: Self.server)
        let inputs = plan.forward.inputs
        #expect(inputs.map(\.type) == [.objectId, .string, .int, .objectId, .mixed])
        #expect(inputs.map(\.collection) == [.none, .none, .none, .list, .none])
        #expect(inputs.allSatisfy { $0.objectType == nil })
    }

    @Test(arguments: [
        (definition(of: "Cat"), "/class"), (definition(of: "Address"), "/class"),
        (definition(ObjectSchema("Person", primaryKey: "_id", properties: [Property("_id", .int)])), "/property"),
        (definition(ObjectSchema("New", properties: [Property("a", .int)])), "/partner"),
        (definition(ObjectSchema("Address", primaryKey: "_id", properties: [Property("_id", .int)])), "/partner/name"),
        (definition(ageText, property: "size"), "/property"), (definition(ageText, property: "_id"), "/property"),
        (definition(ObjectSchema("Person"), property: "age"), "/partner/properties"),
        (
            definition(ObjectSchema("Person", properties: [Property("name", .string)]), property: "age"),
            "/partner/properties"
        ),
        (definition(ObjectSchema("Other", properties: [Property("a", .int)]), property: "age"), "/partner/name"),
    ])
    func `refuses what does not fit the schema`(definition: PartnerDefinition, pointer: String) {
        let error = #expect(throws: PartnerError.self) { try PartnerPlan(definition, to: Self.server) }
        guard case .unfit(_, let found, _, _)? = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(found == pointer)
    }

    @Test func `keeps a class that others link to`() throws {
        let plan = try PartnerPlan(Self.definition(), to: Schema(Self.server.classes + [Self.dog]))
        let links = [PartnerError.PropertyName(className: "Dog", property: "owner")]
        #expect(throws: PartnerError.linked(className: "Person", from: links)) { try plan.contracted() }
    }

    @Test func `knows the versions that have not heard of it`() throws {
        let plan = try PartnerPlan(Self.definition(), to: Self.server)
        #expect(plan.definition.isOld(Self.server))
        #expect(!plan.definition.isOld(plan.expanded))
        #expect(!plan.definition.isOld(try plan.contracted()))
        let property = try PartnerPlan(Self.definition(Self.ageText, property: "age"), to: Self.server)
        #expect(property.definition.isOld(Self.server))
        #expect(!property.definition.isOld(property.expanded))
        #expect(!property.definition.isOld(try property.contracted()))
    }
}
