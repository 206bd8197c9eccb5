import RealmMigration
import RealmModel

/// The plan of a partner in a realm's schema: what comes, what goes, and what the functions see and give.
public struct PartnerPlan: Hashable, Sendable {
    /// The definition of the partner.
    public let definition: PartnerDefinition
    /// The side that is there: the class, without the properties that come to it.
    public let left: ObjectSchema
    /// The side that comes: the partner, without the property that it stands in for.
    public let right: ObjectSchema
    /// The server's schema with both sides.
    public let expanded: Schema
    /// From an object of the class to what its partner is to hold.
    public let forward: ObjectFunction
    /// From a partner to what the object of the class is to hold.
    public let backward: ObjectFunction

    private let server: Schema

    /// Fits a partner to the schema of a realm that has it not yet.
    ///
    /// - Throws: `PartnerError.unfit`.
    public init(_ definition: PartnerDefinition, to server: Schema) throws(PartnerError) {
        try self.init(definition, server: server, isThere: false)
    }

    /// The plan of a partner that a realm's schema has already.
    ///
    /// - Throws: `PartnerError.unfit` where the schema is not one with both sides.
    public init(_ definition: PartnerDefinition, in expanded: Schema) throws(PartnerError) {
        try self.init(definition, server: expanded, isThere: true)
    }

    private init(_ definition: PartnerDefinition, server: Schema, isThere: Bool) throws(PartnerError) {
        self.definition = definition
        self.server = server
        let name = definition.className
        guard let existing = server[name], existing.kind == .topLevel else {
            throw .unfit("There is no class '\(name)' with objects of its own.", pointer: "/class", className: name)
        }
        guard existing.primaryKeyProperty != nil else {
            throw .unfit("The class '\(name)' has no primary key.", pointer: "/class", className: name)
        }
        if let property = definition.property {
            (left, right, expanded) = try Self.addProperties(definition, property, existing, server, isThere)
        } else {
            (left, right, expanded) = try Self.addClass(definition, existing, server, isThere)
        }
        for side in [left, right] { try Self.checkLinks(of: side, in: expanded) }
        let isWithinClass = definition.property != nil
        forward = Self.function(definition.forward, from: left, to: right, in: expanded, isWithinClass: isWithinClass)
        backward = Self.function(definition.backward, from: right, to: left, in: expanded, isWithinClass: isWithinClass)
    }

    private typealias Sides = (left: ObjectSchema, right: ObjectSchema, expanded: Schema)

    private static func addClass(
        _ definition: PartnerDefinition, _ existing: ObjectSchema, _ server: Schema, _ isThere: Bool
    ) throws(PartnerError) -> Sides {
        let partner = definition.partner
        guard !partner.name.hasSameBytes(as: existing.name) else {
            throw .unfit(
                "A partner with the class's own name needs the property that it stands in for.", pointer: "/property",
                className: existing.name)
        }
        guard partner.kind == .topLevel, let key = partner.primaryKeyProperty else {
            throw .unfit(
                "A partner has objects of its own, and a primary key.", pointer: "/partner", className: partner.name)
        }
        if let own = existing.primaryKeyProperty, own.isOptional || key.isOptional {
            throw .unfit(
                "A primary key that may be null has no partner.", pointer: "/partner", className: partner.name,
                property: key.name)
        }
        if isThere {
            guard let stored = server[partner.name] else {
                throw .unfit("There is no class '\(partner.name)'.", pointer: "/partner", className: partner.name)
            }
            return (existing, stored, server)
        }
        guard server[partner.name] == nil else {
            throw .unfit(
                "There is a class '\(partner.name)' already.", pointer: "/partner/name", className: partner.name)
        }
        return (existing, partner, Schema(server.classes + [partner]))
    }

    private static func addProperties(
        _ definition: PartnerDefinition, _ property: String, _ existing: ObjectSchema, _ server: Schema,
        _ isThere: Bool
    ) throws(PartnerError) -> Sides {
        let partner = definition.partner
        guard partner.name.hasSameBytes(as: existing.name) else {
            throw .unfit(
                "A partner property is one of the same class: the partner bears the name '\(existing.name)'.",
                pointer: "/partner/name", className: partner.name)
        }
        guard let old = existing.property(named: property), !old.isComputed, !existing.isPrimaryKey(old) else {
            throw .unfit(
                "'\(existing.name).\(property)' is no property that another could stand in for.", pointer: "/property",
                className: existing.name, property: property)
        }
        let isFit = partner.properties.allSatisfy { added in
            !added.isComputed && !added.name.hasSameBytes(as: property)
                && (existing.property(named: added.name) != nil) == isThere
        }
        guard !partner.properties.isEmpty, isFit else {
            throw .unfit(
                isThere
                    ? "The class has no such properties."
                    : "The partner has the properties that come to the class: at least one, and none that is there already.",
                pointer: "/partner/properties", className: existing.name)
        }
        var whole = existing
        if !isThere { whole.properties += partner.properties }
        func without(_ names: [String]) -> ObjectSchema {
            var side = whole
            side.properties.removeAll { property in names.contains { $0.hasSameBytes(as: property.name) } }
            return side
        }
        let expanded = Schema(server.classes.map { $0.name.hasSameBytes(as: existing.name) ? whole : $0 })
        return (without(partner.properties.map(\.name)), without([property]), expanded)
    }

    /// Links are given to functions by primary key.
    private static func checkLinks(of side: ObjectSchema, in schema: Schema) throws(PartnerError) {
        for property in side.properties where property.type == .object {
            guard let target = property.objectType.flatMap({ schema[$0] }), !target.isEmbedded else { continue }
            guard target.primaryKeyProperty == nil else { continue }
            throw .unfit(
                "'\(side.name).\(property.name)' links to a class without a primary key.", pointer: "/partner",
                className: side.name, property: property.name)
        }
    }

    /// Whether partners link to objects, which may have no partners yet when they get theirs.
    public var hasLinks: Bool { right.properties.contains { holdsLinks($0) } }

    /// Whether a property of a side is a link, or an embedded object with one.
    ///
    /// - Parameter classes: the classes that are meant; nil for any.
    func holdsLinks(_ property: Property, to classes: Set<NameKey>? = nil, seen: Set<NameKey> = []) -> Bool {
        guard property.type == .object, let target = property.objectType.flatMap({ expanded[$0] }) else { return false }
        guard target.isEmbedded else { return classes?.contains(NameKey(target.name)) ?? true }
        var seen = seen
        guard seen.insert(NameKey(target.name)).inserted else { return false }
        return target.properties.contains { holdsLinks($0, to: classes, seen: seen) }
    }

    // MARK: Schemas

    /// Whether the partner is properties of the class itself.
    public var isWithinClass: Bool { definition.property != nil }

    /// The server's schema without what the partner stands in for.
    ///
    /// - Throws: `PartnerError.linked` where that would leave links that lead nowhere.
    public func contracted() throws(PartnerError) -> Schema {
        try without(left, definition.property.map { [$0] })
    }

    /// The server's schema without the partner.
    ///
    /// - Throws: `PartnerError.linked` where that would leave links that lead nowhere.
    public func withdrawn() throws(PartnerError) -> Schema {
        let added = right.properties.filter { left.property(named: $0.name) == nil }.map(\.name)
        return try without(right, isWithinClass ? added : nil)
    }

    /// The side that leaves the schema with a cut-over: a class, or the class with the property alone.
    package var leavingByCutOver: ObjectSchema { leaving(left, right) }

    /// The side that leaves the schema when the partner is taken back: a class, or the class with the properties alone.
    package var leavingByAbort: ObjectSchema { leaving(right, left) }

    private func leaving(_ side: ObjectSchema, _ other: ObjectSchema) -> ObjectSchema {
        guard isWithinClass else { return side }
        return ObjectSchema(
            side.name, properties: side.properties.filter { other.property(named: $0.name) == nil })
    }

    /// - Parameter properties: what the class loses; nil for the class itself.
    private func without(_ side: ObjectSchema, _ properties: [String]?) throws(PartnerError) -> Schema {
        var rest = expanded
        if let properties {
            guard let index = rest.classes.firstIndex(where: { $0.name.hasSameBytes(as: side.name) }) else {
                return rest
            }
            rest.classes[index].properties.removeAll { property in
                properties.contains { $0.hasSameBytes(as: property.name) }
            }
            // Computed properties of a link that is gone go with it.
            for index in rest.classes.indices {
                rest.classes[index].properties.removeAll { property in
                    property.isComputed && property.objectType.hasSameBytes(as: side.name)
                        && properties.contains { property.originProperty.hasSameBytes(as: $0) }
                }
            }
            return rest
        }
        rest.classes.removeAll { $0.name.hasSameBytes(as: side.name) }
        var links: [PartnerError.PropertyName] = []
        for index in rest.classes.indices {
            rest.classes[index].properties.removeAll {
                $0.isComputed && $0.objectType.hasSameBytes(as: side.name)
            }
            for property in rest.classes[index].properties where property.objectType.hasSameBytes(as: side.name) {
                links.append(.init(className: rest.classes[index].name, property: property.name))
            }
        }
        guard links.isEmpty else { throw .linked(className: side.name, from: links) }
        return rest
    }

    // MARK: Functions

    /// A function of the partner, from one side to the other.
    private static func function(
        _ source: String, from: ObjectSchema, to: ObjectSchema, in expanded: Schema, isWithinClass: Bool
    ) -> ObjectFunction {
        // Within one class only what the sides do not share is written.
        let given = isWithinClass ? to.properties.filter { from.property(named: $0.name) == nil } : to.properties
        return ObjectFunction(
            ScriptSource(.javaScript, source), of: from.name,
            inputs: FunctionShape(from, in: expanded).properties,
            answer: .members(
                of: to.name, FunctionShape(ObjectSchema(to.name, properties: given), in: expanded).properties))
    }
}
