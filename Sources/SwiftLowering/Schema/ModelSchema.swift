import RealmModel
import SwiftWire
import SwiftSyntax

/// Makes a schema of the model classes of a program, as Realm's Swift SDK makes it of the compiled ones.
struct ModelSchema {
    private let declarations: Declarations
    private var diagnostics: [SwiftDiagnostic] = []
    /// By classes and properties.
    private var initialValues: [String: [String: InitialValue]] = [:]

    /// - Throws: `SwiftRefusal` with all that is not understood.
    static func schema(of declarations: Declarations) throws(SwiftRefusal) -> Schema {
        var reading = ModelSchema(declarations: declarations)
        let schema = reading.schema()
        guard reading.diagnostics.isEmpty else { throw SwiftRefusal(reading.diagnostics) }
        guard !schema.classes.isEmpty else {
            let file = declarations.files[0]
            let message =
                "There is no model class in these files, as the conditions of ‘#if’ stand: add the files that declare them, or give --parameter."
            throw SwiftRefusal([file.diagnostic(message, at: file.trees[0])])
        }
        return schema
    }

    /// The initial values of properties that no schema says, by classes and properties.
    static func unsaidValues(of declarations: Declarations) -> [String: [String: InitialValue]] {
        var reading = ModelSchema(declarations: declarations)
        _ = reading.schema()
        return reading.initialValues.mapValues { values in
            values.filter { if case .literal = $0.value { false } else { true } }
        }
    }

    private init(declarations: Declarations) { self.declarations = declarations }

    private mutating func schema() -> Schema {
        var classes: [ObjectSchema] = []
        for nominal in declarations.nominals {
            guard let base = declarations.realmBase(of: nominal), !nominal.isLeftOut else { continue }
            do {
                classes.append(try objectSchema(nominal, base))
            } catch {
                guard let node = error.node else { continue }
                diagnostics.append(declarations.file(of: node).diagnostic(error.message, at: node))
            }
        }
        for index in classes.indices { resolveOrigins(&classes[index], classes) }
        return Schema(classes.sorted { $0.name < $1.name })
    }

    /// Linking objects name their origin as programs do; the model wants the stored name.
    private func resolveOrigins(_ objectSchema: inout ObjectSchema, _ classes: [ObjectSchema]) {
        for index in objectSchema.properties.indices {
            guard let origin = objectSchema.properties[index].originProperty,
                let target = classes.first(where: { $0.name == objectSchema.properties[index].objectType }),
                let stored = target.properties.first(where: { $0.publicName == origin })
            else { continue }
            objectSchema.properties[index].originProperty = stored.name
        }
    }

    private mutating func objectSchema(_ nominal: Nominal, _ base: String) throws(Refusal) -> ObjectSchema {
        var chain = [nominal]
        while let last = chain.last, let parent = declarations.superclass(of: last),
            !chain.contains(where: { $0 === parent })
        {
            chain.append(parent)
        }
        let kind: ClassKind =
            base == "EmbeddedObject" ? .embedded : base == "AsymmetricObject" ? .asymmetric : .topLevel
        var objectSchema = ObjectSchema(nominal.realmName, kind: kind)
        for type in chain.reversed() { try add(type, to: &objectSchema) }
        // A subclass's own declarations count for inherited properties.
        let primaryKeys = try answers("primaryKey", chain)
        if let name = primaryKeys.first { objectSchema.primaryKey = name }
        for name in try answers("indexedProperties", chain) {
            guard let index = objectSchema.properties.firstIndex(where: { $0.publicName == name }) else { continue }
            objectSchema.properties[index].index = .general
        }
        let ignored = Set(try answers("ignoredProperties", chain))
        objectSchema.properties.removeAll { ignored.contains($0.publicName) }
        for (name, stored) in try mapping(chain) {
            guard let index = objectSchema.properties.firstIndex(where: { $0.publicName == name }), name != stored
            else { continue }
            objectSchema.properties[index].alias = name
            objectSchema.properties[index].name = stored
        }
        if let key = objectSchema.primaryKey,
            let property = objectSchema.properties.first(where: { $0.publicName == key })
        {
            objectSchema.primaryKey = property.name
        }
        return objectSchema
    }

    private mutating func add(_ nominal: Nominal, to objectSchema: inout ObjectSchema) throws(Refusal) {
        let candidates = nominal.members.variables.filter { !$0.isStatic && !$0.isComputed }
        let isModern = candidates.contains { $0.persisted != nil }
        for variable in candidates {
            do throws(Refusal) {
                guard let (property, initial) = try property(variable, isModern: isModern, in: nominal) else {
                    continue
                }
                initialValues[objectSchema.name, default: [:]][property.name] = initial
                objectSchema.properties.removeAll { $0.name == property.name }
                objectSchema.properties.append(property)
                if variable.flag("primaryKey") { objectSchema.primaryKey = property.name }
            } catch {
                guard let node = error.node else { continue }
                diagnostics.append(declarations.file(of: node).diagnostic(error.message, at: node))
            }
        }
    }

    // MARK: Properties

    private func property(
        _ variable: VariableDeclaration, isModern: Bool, in nominal: Nominal
    ) throws(Refusal) -> (property: Property, initial: InitialValue)? {
        let initializer = variable.binding.initializer?.value
        let type = variable.annotation?.type
        guard isModern ? variable.persisted != nil : variable.isDynamic || isCollection(type, initializer) else {
            return nil
        }
        if variable.isLazy { return nil }
        let shape: PropertyShape
        if let type, type.spelling != "LinkingObjects" {
            shape = try declarations.shape(type, in: nominal)
        } else if let initializer {
            shape = try declarations.shape(ofValue: initializer, in: nominal)
        } else {
            throw Refusal("The property ‘\(variable.name)’ has neither a type nor a value.", at: variable.binding)
        }
        let initial = InitialValue(initializer, shape, in: declarations)
        var property = Property(
            variable.name, shape.type, collection: shape.collection, objectType: shape.objectType,
            isOptional: shape.isOptional)
        if variable.flag("indexed") { property.index = .general }
        if shape.type == .linkingObjects {
            property.originProperty = try origin(variable, initializer)
        } else if !property.isCollection {
            if case .literal(let value) = initial { property.defaultValue = value }
        }
        return (property, initial)
    }

    private func isCollection(_ type: TypeSyntax?, _ initializer: ExprSyntax?) -> Bool {
        let text = type?.spelling ?? initializer?.spelling ?? ""
        return ["List<", "RealmOptional<", "RealmProperty<", "MutableSet<", "Map<", "LinkingObjects"]
            .contains { text.hasPrefix($0) || text.hasPrefix("RealmSwift." + $0) }
    }

    private func origin(_ variable: VariableDeclaration, _ initializer: ExprSyntax?) throws(Refusal) -> String {
        if let text = variable.argument("originProperty").flatMap(LiteralValue.string) { return text }
        if let call = initializer?.as(FunctionCallExprSyntax.self),
            let property = call.arguments.first(where: { $0.label?.text == "property" }),
            let text = LiteralValue.string(property.expression)
        {
            return text
        }
        throw Refusal("Linking objects need the name of their origin as a text.", at: variable.binding)
    }

    // MARK: Functions that describe classes

    /// The texts that a function of a class answers, or its nearest superclass's.
    private func answers(_ name: String, _ chain: [Nominal]) throws(Refusal) -> [String] {
        guard let value = answer(name, chain) else { return [] }
        if value.is(NilLiteralExprSyntax.self) { return [] }
        if let array = value.as(ArrayExprSyntax.self) {
            var names: [String] = []
            for element in array.elements { names.append(try text(element.expression)) }
            return names
        }
        return [try text(value)]
    }

    private func mapping(_ chain: [Nominal]) throws(Refusal) -> [(String, String)] {
        guard let value = answer("propertiesMapping", chain) else { return [] }
        guard let dictionary = value.as(DictionaryExprSyntax.self) else {
            throw Refusal("The names have to stand in a literal here.", at: value)
        }
        guard case .elements(let elements) = dictionary.content else { return [] }
        var pairs: [(String, String)] = []
        for element in elements { pairs.append((try text(element.key), try text(element.value))) }
        return pairs
    }

    private func text(_ value: ExprSyntax) throws(Refusal) -> String {
        if let text = LiteralValue.string(value) { return text }
        // #keyPath(Dog.name), and \Dog.name by what names it.
        let spelled = value.spelling
        if spelled.hasPrefix("#keyPath("), let last = spelled.dropLast().split(separator: ".").last {
            return String(last)
        }
        throw Refusal("The name of a property has to stand in a literal here.", at: value)
    }

    private func answer(_ name: String, _ chain: [Nominal]) -> ExprSyntax? {
        for nominal in chain {
            let function = nominal.members.functions(name, isStatic: true).first
            let body = function?.body?.statements ?? nominal.members.variable(name, isStatic: true)?.getter
            guard let item = body?.last?.item else { continue }
            switch item {
            case .expr(let value): return value
            case .stmt(let statement): return statement.as(ReturnStmtSyntax.self)?.expression
            case .decl: return nil
            @unknown default: return nil
            }
        }
        return nil
    }
}

extension Nominal {
    /// The name of the class in a realm: its Objective-C name where it has one.
    var realmName: String {
        if let text = members.functions("_realmObjectName", isStatic: true).first?.body?.statements.last?.item {
            switch text {
            case .expr(let value): if let name = LiteralValue.string(value) { return name }
            case .stmt(let statement):
                if let value = statement.as(ReturnStmtSyntax.self)?.expression, let name = LiteralValue.string(value) {
                    return name
                }
            case .decl: break
            @unknown default: break
            }
        }
        for element in attributes {
            guard let attribute = element.as(AttributeSyntax.self),
                attribute.attributeName.spelling == "objc",
                let name = attribute.arguments?.spelling, !name.isEmpty
            else { continue }
            return name
        }
        return name
    }

    /// Whether the class says that it is in no schema by itself.
    var isLeftOut: Bool {
        let names = ["shouldIncludeInDefaultSchema"]
        return names.contains { name in
            members.functions(name, isStatic: true).first?.body?.statements.last?.item.spelling
                .hasSuffix("false") ?? false
        }
    }
}

extension VariableDeclaration {
    /// The attribute `@Persisted`.
    var persisted: AttributeSyntax? {
        declaration.attributes.lazy.compactMap { $0.as(AttributeSyntax.self) }.first {
            ["Persisted", "RealmSwift.Persisted"].contains($0.attributeName.spelling)
        }
    }

    var isDynamic: Bool { declaration.modifiers.has(.dynamic) }

    /// An argument of the attribute.
    func argument(_ label: String) -> ExprSyntax? {
        guard case .argumentList(let list)? = persisted?.arguments else { return nil }
        return list.first { $0.label?.text == label }?.expression
    }

    func flag(_ label: String) -> Bool {
        argument(label)?.as(BooleanLiteralExprSyntax.self)?.literal.text == "true"
    }
}
