import RealmModel

/// A JSON object whose members are asked for by name and kind; what does not fit is an error with its pointer.
struct JSONObject {
    let value: JSONValue
    let pointer: JSONPointer

    /// Takes an object that has no other members than it may have.
    ///
    /// - Parameter what: the thing that the object describes, with its article, for errors.
    init(
        _ value: JSONValue, _ what: String, members known: [String], at pointer: JSONPointer
    ) throws(InputError) {
        guard value.members != nil else {
            throw .malformedDocument("\(what) has to be a JSON object", at: pointer)
        }
        if let unknown = InputError.unknownMembers(of: value, what, known: known, at: pointer.description) {
            throw unknown
        }
        self.value = value
        self.pointer = pointer
    }

    /// A member; null counts as left out.
    func member(_ name: String) -> JSONValue? {
        // A literal nil could mean `JSONValue.null` where it stands beside a value.
        guard let member = value[name], !member.isNull else { return .none }
        return member
    }

    /// A string, or nil where it is left out.
    func string(_ name: String) throws(InputError) -> String? {
        guard let member = member(name) else { return nil }
        guard let text = member.string else {
            throw .malformedDocument("\(name) has to be a string", at: pointer.member(name))
        }
        return text
    }

    /// A string that may not be left out.
    func requiredString(_ name: String) throws(InputError) -> String {
        guard let text = try string(name) else {
            throw .malformedDocument("\(name) is missing", at: pointer.member(name))
        }
        return text
    }

    /// A truth value, or nil where it is left out.
    func bool(_ name: String) throws(InputError) -> Bool? {
        guard let member = member(name) else { return nil }
        guard let flag = member.bool else {
            throw .malformedDocument("\(name) has to be true or false", at: pointer.member(name))
        }
        return flag
    }
}
