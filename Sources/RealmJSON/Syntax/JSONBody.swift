import RealmModel

/// A JSON object: members are asked for by name and kind, and unknown ones are refused.
public struct JSONBody {
    /// The object.
    public let value: JSONValue
    private let place: JSONPointer
    /// Whether the text of errors names the place as well.
    private let namesPlaces: Bool

    /// Takes an object.
    ///
    /// - Parameters:
    ///   - what: the thing that the object describes, with its article, for errors.
    ///   - pointer: where it stands in its document (RFC 6901).
    ///   - known: the members that it may have.
    /// - Throws: `malformedDocument`; `unknownMember` with every member that is not known.
    public init(
        _ value: JSONValue, _ what: String = "The body", at pointer: String = "", members known: [String]
    ) throws(InputError) {
        try self.init(value, what, members: known, at: JSONPointer(pointer), namesPlaces: false)
    }

    init(
        _ value: JSONValue, _ what: String, members known: [String], at place: JSONPointer, namesPlaces: Bool = true
    ) throws(InputError) {
        (self.value, self.place, self.namesPlaces) = (value, place, namesPlaces)
        guard value.members != nil else { throw invalid(at: place, "\(what) has to be a JSON object.") }
        if let unknown = InputError.unknownMembers(of: value, what, known: known, at: pointer) { throw unknown }
    }

    /// Where the object stands in its document (RFC 6901).
    public var pointer: String { place.description }

    /// The pointer of a member.
    public func pointer(to name: String) -> String { place.member(name).description }

    /// A member; null counts as left out.
    public func member(_ name: String) -> JSONValue? {
        // A literal nil could mean `JSONValue.null` where it stands beside a value.
        guard let member = value[name], !member.isNull else { return .none }
        return member
    }

    /// A member that has to be there.
    public func required(_ name: String) throws(InputError) -> JSONValue {
        guard let member = member(name) else { throw invalid(name, "\(name) is missing.") }
        return member
    }

    /// A string.
    public func string(_ name: String) throws(InputError) -> String? {
        try member(name).map { member throws(InputError) in
            guard let text = member.string else { throw invalid(name, "\(name) has to be a string.") }
            return text
        }
    }

    /// A string that has to be there.
    public func requiredString(_ name: String) throws(InputError) -> String {
        guard let text = try string(name) else { throw invalid(name, "\(name) is missing.") }
        return text
    }

    /// Bytes of a script or a function at most, in UTF-8.
    public static let scriptLimit = 1 << 20

    /// The text of a script or a function.
    public func script(_ name: String) throws(InputError) -> String? {
        guard let text = try string(name) else { return nil }
        guard text.utf8.count <= Self.scriptLimit else {
            let message = "A script has at most \(Self.scriptLimit) bytes, and this one \(text.utf8.count)."
            throw InputError(.tooLarge, ProblemItem(message, pointer: pointer(to: name)))
        }
        return text
    }

    /// The text of a script or a function that has to be there.
    public func requiredScript(_ name: String) throws(InputError) -> String {
        guard let text = try script(name) else { throw invalid(name, "\(name) is missing.") }
        return text
    }

    /// True or false.
    public func bool(_ name: String) throws(InputError) -> Bool? {
        try member(name).map { member throws(InputError) in
            guard let flag = member.bool else { throw invalid(name, "\(name) has to be true or false.") }
            return flag
        }
    }

    /// The elements of an array.
    public func array(_ name: String) throws(InputError) -> [JSONValue]? {
        try member(name).map { member throws(InputError) in
            guard let elements = member.elements else { throw invalid(name, "\(name) has to be an array.") }
            return elements
        }
    }

    /// One of some named values.
    public func choice<Choice: RawRepresentable>(_ name: String, among choices: [Choice]) throws(InputError) -> Choice?
    where Choice.RawValue == String {
        let word = try choice(name, among: choices.map(\.rawValue))
        return choices.first { $0.rawValue == word }
    }

    /// One of a few words.
    public func choice(_ name: String, among words: [String]) throws(InputError) -> String? {
        guard let text = try string(name) else { return nil }
        guard words.contains(text) else {
            let names = words.map { "“\($0)”" }.joined(separator: ", ")
            throw invalid(name, "\(name) has to be one of \(names).")
        }
        return text
    }

    /// A number greater than 0.
    public func positiveNumber(_ name: String) throws(InputError) -> Double? {
        try member(name).map { member throws(InputError) in
            guard let number = member.double, number > 0, number.isFinite else {
                throw invalid(name, "\(name) has to be a number greater than 0.")
            }
            return number
        }
    }

    /// An integer from a least one.
    public func integer(_ name: String, from least: Int64) throws(InputError) -> Int64? {
        try member(name).map { member throws(InputError) in
            guard let number = member.int, number >= least else {
                throw invalid(name, "\(name) has to be an integer from \(least).")
            }
            return number
        }
    }

    /// A time as RFC 3339 writes it, of the years up to 9999.
    public func time(_ name: String) throws(InputError) -> Timestamp? {
        try string(name).map { text throws(InputError) in
            guard let moment = Timestamp(text), moment >= Self.firstTime, moment < Self.endOfYears else {
                throw invalid(name, "\(name) has to be a time, as RFC 3339 writes it.")
            }
            return moment
        }
    }

    private static let firstTime = Timestamp(seconds: -62_135_596_800, nanoseconds: 0)
    private static let endOfYears = Timestamp(seconds: 253_402_300_800, nanoseconds: 0)

    /// The error of a member that is not what it has to be.
    public func invalid(_ name: String, _ message: String) -> InputError { invalid(at: place.member(name), message) }

    private func invalid(at place: JSONPointer, _ message: String) -> InputError {
        guard !namesPlaces else { return .malformedDocument(String(message.dropLast()), at: place) }
        return InputError(.malformedDocument, ProblemItem(message, pointer: place.description))
    }
}
