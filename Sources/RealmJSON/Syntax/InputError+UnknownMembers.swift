import RealmModel

extension InputError {
    /// The most members that one error names.
    private static let longestList = 20
    /// The longest name that a pointer ends in, in UTF-8 bytes; of a longer one it is the object that is pointed at.
    private static let longestName = 1024

    /// The error of an object that has members it may not have; nil where it has none of these.
    ///
    /// - Parameters:
    ///   - value: a JSON object.
    ///   - what: the thing that it describes, with its article.
    ///   - known: the members that it may have.
    ///   - pointer: where it stands in its document.
    public static func unknownMembers(
        of value: JSONValue, _ what: String, known: [String], at pointer: String
    ) -> InputError? {
        let unknown = (value.members ?? []).lazy.map(\.name).filter { !known.contains($0) }
        let details = unknown.prefix(longestList).map { name in
            item(name, what, known, JSONPointer(pointer))
        }
        return details.first.map { InputError(.unknownMember, $0.message, details: Array(details)) }
    }

    /// The error of one member that its object may not have.
    static func unknownMember(
        _ name: String, _ what: String, known: [String], at pointer: JSONPointer = JSONPointer()
    ) -> InputError {
        InputError(.unknownMember, item(name, what, known, pointer))
    }

    private static func item(
        _ name: String, _ what: String, _ known: [String], _ pointer: JSONPointer
    ) -> ProblemItem {
        let subject = pointer.description.isEmpty ? what : "\(what) at \(pointer)"
        let place = name.utf8.count > longestName ? pointer : pointer.member(name)
        return ProblemItem(
            UnknownName.message(name, kind: "member", of: subject, known: known), pointer: place.description)
    }
}
