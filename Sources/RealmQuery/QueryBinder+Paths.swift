import RealmModel

/// Paths, and what is asked of the values that they lead to.
extension QueryBinder {
    /// The way over links, and what of a path is behind it.
    func chain(_ path: PathSyntax) throws(QueryError) -> (chain: LinkChain, rest: ArraySlice<PathSyntax.Element>) {
        var chain = LinkChain(from: className)
        var rest = path.elements[...]
        while let element = rest.first {
            guard try extend(&chain, element, path) else { break }
            rest.removeFirst()
        }
        return (chain, rest)
    }

    /// Goes on over a link, or takes an index for the one before; false where the element is neither.
    private func extend(
        _ chain: inout LinkChain, _ element: PathSyntax.Element, _ path: PathSyntax
    ) throws(QueryError) -> Bool {
        switch element {
        case .links(let className?, let property):
            try appendOrigins(to: &chain, className, property ?? className, path)
            return true
        case .links(nil, _): return false
        case .key(let name):
            if variables.contains(where: { $0.name == name && $0.className.hasSameBytes(as: chain.className) }) {
                return true
            }
            if name == "@values" {
                guard chain.steps.last?.collection == .dictionary else {
                    throw QueryError("@values only allowed on dictionaries", at: path.span.lowerBound)
                }
                return true
            }
            guard let column = column(name, of: chain) else { return chain.take(element) }
            if column.property.isComputed {
                try appendOrigins(to: &chain, column.property, path)
                return true
            }
            guard column.property.isLink, let target = column.property.objectType else { return false }
            chain.append(.link(column), to: target)
            return true
        case .index, .all: return chain.take(element)
        }
    }

    private func column(_ name: String, of chain: LinkChain) -> Column? {
        schema[chain.className]?.column(named: name)
    }

    private func appendOrigins(
        to chain: inout LinkChain, _ className: String, _ name: String, _ path: PathSyntax
    ) throws(QueryError) {
        guard let origin = schema[className], let column = origin.column(named: name), column.property.isLink,
            column.property.objectType?.hasSameBytes(as: chain.className) == true
        else {
            throw QueryError(
                "No property '\(name)' found in type '\(className)' which links to type '\(chain.className)'",
                at: path.span.lowerBound)
        }
        chain.append(
            .origins(LinkChain.Origin(className: origin.name, property: column.property.name)), to: origin.name)
    }

    private func appendOrigins(
        to chain: inout LinkChain, _ computed: Property, _ path: PathSyntax
    ) throws(QueryError) {
        guard let className = computed.objectType, let property = computed.originProperty else {
            throw QueryError(
                "'\(computed.publicName)' is computed, which a query can't ask for", at: path.span.lowerBound)
        }
        chain.append(.origins(LinkChain.Origin(className: className, property: property)), to: className)
    }

    // MARK: Properties

    func bind(_ property: PropertySyntax) throws(QueryError) -> BoundOperand {
        let text = text(property.span)
        var (chain, rest) = try chain(property.path)
        if case .links(nil, _)? = rest.first {
            guard rest.count == 1 else {
                throw QueryError("'@links' names a class and a property of it", at: property.span.lowerBound)
            }
            return BoundOperand(kind: .originCount(chain, origins(of: chain.className)), type: .int, text: text)
        }
        let operand = try values(property, &chain, rest, text)
        switch property.suffix {
        case nil: return operand
        case .count(let word)?: return try count(operand, word, property)
        case .type(let word)?: return try kindOfValue(operand, word, property)
        }
    }

    /// The properties by which objects of a class may be linked to.
    private func origins(of className: String) -> [LinkChain.Origin] {
        schema.classes.flatMap { origin in
            origin.properties.filter {
                $0.type == .mixed || $0.isLink && $0.objectType?.hasSameBytes(as: className) == true
            }
            .map { LinkChain.Origin(className: origin.name, property: $0.name) }
        }
    }

    private func values(
        _ property: PropertySyntax, _ chain: inout LinkChain, _ path: ArraySlice<PathSyntax.Element>, _ text: String
    ) throws(QueryError) -> BoundOperand {
        var rest = path
        let quantifier = property.quantifier
        if rest.isEmpty {
            guard let last = chain.steps.last else {
                throw QueryError("A property has to follow '\(text)'", at: property.span.lowerBound)
            }
            guard let element = last.element, case .link(let column) = last.way else {
                return BoundOperand(kind: .links(chain), type: .link, quantifier: quantifier, text: text)
            }
            // An element of a collection of links that stands for itself is a value of the collection.
            chain.removeLast()
            return try bind(column, chain, [element], property, text)
        }
        guard case .key(let name)? = rest.popFirst() else {
            throw QueryError("An index is not expected in '\(text)'", at: property.span.lowerBound)
        }
        guard let column = column(name, of: chain) else { throw noProperty(name, chain.className, property.span) }
        if !column.property.isCollection, rest.isEmpty, let quantifier, !chain.isPlural {
            throw QueryError(
                "The keypath following '\(quantifier.rawValue)' must contain a list", at: property.span.lowerBound)
        }
        return try bind(column, chain, Array(rest), property, text)
    }

    func noProperty(_ name: String, _ className: String, _ span: Span) -> QueryError {
        let names = schema[className]?.properties.map(\.publicName) ?? []
        let nearest = NearestName.find(name, among: names).map { "; did you mean '\($0)'?" } ?? ""
        return QueryError("'\(className)' has no property '\(name)'\(nearest)", at: span.lowerBound)
    }

    /// A property with indexes behind it.
    private func bind(
        _ column: Column, _ chain: LinkChain, _ path: [PathSyntax.Element], _ property: PropertySyntax, _ text: String
    ) throws(QueryError) -> BoundOperand {
        let type = QueryType(column.property.type)
        func operand(_ kind: BoundOperand.Kind, _ type: QueryType) -> BoundOperand {
            BoundOperand(kind: kind, type: type, quantifier: property.quantifier, text: text)
        }
        if path.count > 1, column.property.collection != .dictionary, type != .mixed {
            throw QueryError(
                "Only Property of type 'any' can have nested collections", at: property.span.lowerBound)
        }
        switch (column.property.collection, path.first) {
        case (.none, nil): return operand(.scalar(chain, column), type)
        case (.none, _) where type == .mixed: return operand(.nested(chain, column, path), .mixed)
        case (.dictionary, nil), (.dictionary, .key("@values")): return operand(.dictionary(chain, column, []), .mixed)
        case (.dictionary, .key("@keys")): return operand(.keys(chain, column), .string)
        case (.dictionary, .key), (.dictionary, .all): return operand(.dictionary(chain, column, path), .mixed)
        case (.list, .index) where !column.property.isLink, (.list, .all) where !column.property.isLink:
            return operand(.collection(chain, column, path), type)
        case (.list, nil), (.set, nil): return operand(.collection(chain, column, []), type)
        default: return try refused(column, chain, path, property, text)
        }
    }

    /// `list.length`, or what a property can't be followed by.
    private func refused(
        _ column: Column, _ chain: LinkChain, _ path: [PathSyntax.Element], _ property: PropertySyntax, _ text: String
    ) throws(QueryError) -> BoundOperand {
        let name = "Property '\(chain.className).\(column.property.publicName)'"
        switch path[0] {
        case .key(let key):
            let isText = [.string, .data, .mixed].contains(column.property.type)
            if property.suffix == nil, key.lowercased() == "length", column.property.isCollection, isText {
                return BoundOperand(
                    kind: .elementLengths(chain, column), type: .int, quantifier: property.quantifier, text: text)
            }
            throw QueryError("\(name) has no property '\(key)'", at: property.span.lowerBound)
        case .index(let index):
            throw QueryError("\(name) does not support index '\(index)'", at: property.span.lowerBound)
        case .all, .links: throw QueryError("\(name) does not support index '*'", at: property.span.lowerBound)
        }
    }

    // MARK: Counts, kinds, aggregates

    private func count(
        _ operand: BoundOperand, _ word: String, _ property: PropertySyntax
    ) throws(QueryError) -> BoundOperand {
        let kind: BoundOperand.Kind
        switch operand.kind {
        case .links(let chain): kind = .linkCount(chain)
        case .collection(let chain, let column, _), .dictionary(let chain, let column, _):
            kind = .collectionCount(chain, column)
        case .scalar where [.string, .binary, .mixed].contains(operand.type), .nested: kind = .length(operand)
        default: throw unsupported(word, operand, property)
        }
        return BoundOperand(kind: kind, type: .int, text: operand.text)
    }

    private func kindOfValue(
        _ operand: BoundOperand, _ word: String, _ property: PropertySyntax
    ) throws(QueryError) -> BoundOperand {
        let ofEachValue = BoundOperand(
            kind: .kindOfValue(operand), type: .typeOfValue, quantifier: operand.quantifier, text: operand.text)
        switch operand.kind {
        case .nested, .dictionary: return ofEachValue
        case .scalar where operand.type == .mixed: return ofEachValue
        case .collection where operand.type == .mixed: return ofEachValue
        case .scalar(_, let column):
            let kind = Value.int(ValueKind(column.property.type).rawValue)
            return BoundOperand(kind: .constant([kind], isList: false), type: .typeOfValue, text: operand.text)
        case .links:
            let kind = Value.int(ValueKind.link.rawValue)
            return BoundOperand(kind: .constant([kind], isList: false), type: .typeOfValue, text: operand.text)
        default: throw unsupported(word, operand, property)
        }
    }

    private func unsupported(_ word: String, _ operand: BoundOperand, _ property: PropertySyntax) -> QueryError {
        QueryError(
            "Operation '\(word)' is not supported on property of type '\(operand.type.rawValue)'",
            at: property.span.lowerBound)
    }

    func bind(_ aggregate: AggregateSyntax) throws(QueryError) -> BoundOperand {
        let property = PropertySyntax(quantifier: nil, path: aggregate.path, suffix: nil, span: aggregate.span)
        let operand = try bind(property)
        guard let name = aggregate.property else { return try self.aggregate(operand, aggregate) }
        guard case .links(let chain) = operand.kind else {
            throw QueryError(
                "Operation '\(aggregate.aggregation.rawValue)' cannot apply to property '\(text(aggregate.path.span))' because it is not a list",
                at: aggregate.span.lowerBound)
        }
        guard let column = column(name, of: chain) else { throw noProperty(name, chain.className, aggregate.span) }
        let type = QueryType(column.property.type)
        guard type.isNumeric || type == .timestamp, !column.property.isCollection else {
            throw QueryError(
                "collection aggregate not supported for type '\(type.rawValue)'", at: aggregate.span.lowerBound)
        }
        if type == .timestamp, [.sum, .average].contains(aggregate.aggregation) { throw notAggregated(aggregate) }
        return BoundOperand(
            kind: .linkAggregate(aggregate.aggregation, chain, column), type: aggregate.aggregation.type(of: type),
            text: operand.text)
    }

    private func aggregate(
        _ operand: BoundOperand, _ aggregate: AggregateSyntax
    ) throws(QueryError) -> BoundOperand {
        switch operand.kind {
        case .collection(let chain, let column, []), .dictionary(let chain, let column, []):
            let type = QueryType(column.property.type)
            guard type.isNumeric || column.property.collection == .dictionary else { throw notAggregated(aggregate) }
            return BoundOperand(
                kind: .aggregate(aggregate.aggregation, chain, column), type: type, text: operand.text)
        default: throw notAggregated(aggregate)
        }
    }

    private func notAggregated(_ aggregate: AggregateSyntax) -> QueryError {
        QueryError(
            "Cannot use aggregate '\(aggregate.aggregation.rawValue)' for this type of property",
            at: aggregate.span.lowerBound)
    }

    func bind(_ subquery: SubquerySyntax) throws(QueryError) -> BoundOperand {
        let place = subquery.span.lowerBound
        let (chain, rest) = try chain(subquery.path)
        let name = text(subquery.path.span)
        if case .key(let name)? = rest.first {
            guard let column = column(name, of: chain) else {
                throw noProperty(name, chain.className, subquery.path.span)
            }
            if column.property.collection == .list {
                throw QueryError(
                    "A subquery can not operate on a list of primitive values (property '\(name)')", at: place)
            }
        }
        guard rest.isEmpty, let last = chain.steps.last, last.collection == .list || last.collection == nil else {
            let type = rest.isEmpty ? QueryType.link : .mixed
            throw QueryError(
                "A subquery must operate on a list property, but '\(name)' is type '\(type.rawValue)'", at: place)
        }
        if variables.contains(where: { $0.name == subquery.variable && $0.className.hasSameBytes(as: chain.className) })
        {
            throw QueryError(
                "Unable to create a subquery expression with variable '\(subquery.variable)' since an identical variable already exists in this context",
                at: place)
        }
        let predicate = try entering(chain.className, variable: subquery.variable).bind(subquery.predicate)
        return BoundOperand(kind: .subquery(chain, predicate), type: .int, text: text(subquery.span))
    }
}

extension Aggregation {
    /// The type of what is made of numbers of a type.
    fileprivate func type(of type: QueryType) -> QueryType {
        switch (self, type) {
        case (.sum, .float), (.average, .int), (.average, .float): .double
        case (.sum, .mixed), (.average, .mixed): .decimal128
        default: type
        }
    }
}
