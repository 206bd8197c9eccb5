import RealmModel

extension InputError {
    /// Bytes that contradict the format.
    ///
    /// - Parameters:
    ///   - what: what is wrong, without a capital and without a full stop.
    ///   - offset: bytes from the start of the (decrypted) file.
    ///   - hint: advice in place of that to rescue the file.
    static func damaged(_ what: String, at offset: Int, hint: String? = nil) -> InputError {
        InputError(
            .damaged, ProblemItem("The file is damaged at byte \(offset): \(what).", offset: offset, hint: hint))
    }

    /// A file whose end is missing.
    static func truncated(_ what: String, at offset: Int) -> InputError {
        InputError(.truncated, ProblemItem("The file is truncated: \(what).", offset: offset))
    }

    /// A format, or a part of one, that is not read here.
    static func unsupported(_ what: String, at offset: Int, property: String? = nil) -> InputError {
        InputError(.unsupportedFormat, ProblemItem(what, property: property, offset: offset))
    }

    /// The same error, saying which class, property and object it is about.
    func within(className: String, property: String? = nil, key: Int64? = nil) -> InputError {
        guard var item = details.first, item.className == nil else { return self }
        item.className = className
        item.property = property ?? item.property
        item.key = key.map { ObjectKey($0) } ?? item.key
        var place = item.property.map { "property '\(className).\($0)'" } ?? "class '\(className)'"
        if let key = item.key { place += ", object with the key \(key.value)" }
        let sentence = message.hasSuffix(".") ? String(message.dropLast()) : message
        item.message = "\(sentence) (\(place))."
        return InputError(code, item)
    }
}

extension InputError {
    /// A link to an object that its class has not, nor as a tombstone.
    ///
    /// Refused, not nulled: Realm itself never takes such a link for null. It keeps the link, fails where it is
    /// followed, and writes none; a file with one was damaged.
    static func brokenLink(at offset: Int) -> InputError {
        InputError(.brokenLink, ProblemItem("A link leads to an object that is not there.", offset: offset))
    }

    /// More than 2 GiB in a run of rows that can't be made shorter.
    static let rowTooLarge = InputError(.tooLarge, "One object holds more than 2 GiB of values.")
}
