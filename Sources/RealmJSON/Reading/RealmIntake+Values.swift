import Columns
import RealmModel

extension RealmIntake {
    /// Appends what a property that an object leaves out holds.
    func appendMissing(_ intake: PropertyIntake, _ word: Int) throws {
        let property = intake.property
        if property.isCollection { return try intake.builder.endCollection() }
        if property.isOptional || property.type == .object || property.type == .mixed {
            return intake.builder.appendNull()
        }
        guard let value = property.defaultValue, !value.isNull else {
            throw Refusal(code: .missingValue, clause: "is missing", word: word)
        }
        try intake.builder.append(value)
    }

    /// Appends the value of a property that holds no embedded objects.
    func append(_ word: Int, _ intake: PropertyIntake) throws {
        let builder = intake.builder
        switch intake.property.collection {
        case .none: try appendElement(word, intake, to: builder)
        case .list: try appendList(word, intake, to: builder)
        case .set: try appendSet(word, intake, to: builder)
        case .dictionary: try appendDictionary(word, intake, to: builder)
        }
    }

    private func appendList(_ word: Int, _ intake: PropertyIntake, to builder: ColumnBuilder) throws {
        guard tape.tag(word) == JSONTape.Tag.array, let elements = builder.elementBuilder else {
            throw Refusal.mismatch("a list", at: word)
        }
        let end = tape.end(ofContainer: word) - 1
        var element = word + 1
        while element < end {
            try appendElement(element, intake, to: elements)
            element = tape.next(after: element)
        }
        try builder.endCollection()
    }

    private func appendSet(_ word: Int, _ intake: PropertyIntake, to builder: ColumnBuilder) throws {
        guard tape.tag(word) == JSONTape.Tag.array else { throw Refusal.mismatch("a set", at: word) }
        var elements: [Value] = []
        var element = word + 1
        while element < tape.end(ofContainer: word) - 1 {
            elements.append(try value(element, intake))
            element = tape.next(after: element)
        }
        try builder.append(.list(ValueOrder.sortedUnique(elements)))
    }

    private func appendDictionary(_ word: Int, _ intake: PropertyIntake, to builder: ColumnBuilder) throws {
        for member in try TapeValues(tape: tape).dictionaryMembers(word) {
            try builder.keyBuilder?.append(variable: tape.bytes(member))
            if let values = builder.elementBuilder { try appendElement(member + 1, intake, to: values) }
        }
        try builder.endCollection()
    }

    private func checkNull(_ word: Int, _ intake: PropertyIntake) throws(Refusal) {
        guard !intake.property.isOptional else { return }
        if intake.property.type == .object, intake.property.collection == .none { return }
        throw Refusal(
            code: .missingValue,
            clause: intake.property.isCollection ? "may not hold null" : "may not be null", word: word)
    }

    /// Appends a single value, or an element of a collection.
    private func appendElement(_ word: Int, _ intake: PropertyIntake, to builder: ColumnBuilder) throws {
        let values = TapeValues(tape: tape)
        guard tape.tag(word) != JSONTape.Tag.null else {
            try checkNull(word, intake)
            return builder.appendNull()
        }
        switch intake.property.type {
        case .int: builder.append(int: try values.int(word))
        case .bool: builder.append(bool: try values.bool(word))
        case .float: builder.append(float: try values.float(word))
        case .double: builder.append(double: try values.double(word))
        case .string: try builder.append(variable: try values.string(word))
        case .data: try builder.append(variable: try values.data(word))
        case .date: builder.append(date: try values.date(word))
        case .decimal128: try builder.append(.decimal128(try values.decimal128(word)))
        case .objectId: builder.append(fixed: try values.objectId(word).bytes)
        case .uuid: builder.append(fixed: try values.uuid(word).bytes)
        case .object: builder.append(int: try link(word, intake))
        case .mixed, .linkingObjects: try builder.append(variable: ValueCoding.encode(try mixed(word, intake)))
        }
    }

    private func value(_ word: Int, _ intake: PropertyIntake) throws(Refusal) -> Value {
        guard tape.tag(word) != JSONTape.Tag.null else {
            try checkNull(word, intake)
            return .null
        }
        switch intake.property.type {
        case .object: return .link(ObjectKey(try link(word, intake)))
        case .mixed:
            let value = try mixed(word, intake)
            switch value {
            case .list, .dictionary: throw .mismatch("a set of single values", at: word)
            default: return value
            }
        default: return try TapeValues(tape: tape).scalar(word, intake.property.type)
        }
    }

    /// Appends the keys of embedded objects, which are written already.
    ///
    /// - Parameter child: the next of `children` to take.
    func appendEmbedded(_ word: Int, _ intake: PropertyIntake, _ child: inout Int) throws {
        let builder = intake.builder
        switch intake.property.collection {
        case .none: try appendChild(word, intake, &child, to: builder)
        case .list, .set:
            guard tape.tag(word) == JSONTape.Tag.array, let elements = builder.elementBuilder else {
                throw Refusal.mismatch("a list", at: word)
            }
            var element = word + 1
            while element < tape.end(ofContainer: word) - 1 {
                try appendChild(element, intake, &child, to: elements)
                element = tape.next(after: element)
            }
            try builder.endCollection()
        case .dictionary:
            for member in try TapeValues(tape: tape).dictionaryMembers(word) {
                try builder.keyBuilder?.append(variable: tape.bytes(member))
                if let values = builder.elementBuilder { try appendChild(member + 1, intake, &child, to: values) }
            }
            try builder.endCollection()
        }
    }

    private func appendChild(
        _ word: Int, _ intake: PropertyIntake, _ child: inout Int, to builder: ColumnBuilder
    ) throws {
        guard tape.tag(word) != JSONTape.Tag.null else {
            try checkNull(word, intake)
            return builder.appendNull()
        }
        builder.append(int: children[child])
        child += 1
    }
}
