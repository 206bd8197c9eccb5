import RealmModel

extension InputError {
    /// Bytes that contradict the format.
    ///
    /// - Parameters:
    ///   - what: what is wrong, without a capital and without a full stop.
    ///   - offset: bytes from the start of the (decrypted) file.
    static func damaged(_ what: String, at offset: Int) -> InputError {
        InputError(.damaged, ProblemItem("The file is damaged at byte \(offset): \(what).", offset: offset))
    }

    /// A file whose end is missing.
    static func truncated(_ what: String, at offset: Int) -> InputError {
        InputError(.truncated, ProblemItem("The file is truncated: \(what).", offset: offset))
    }

    /// A format, or a part of one, that is not read here.
    static func unsupported(_ what: String, at offset: Int, property: String? = nil) -> InputError {
        InputError(.unsupportedFormat, ProblemItem(what, property: property, offset: offset))
    }

    /// The same error, saying which class and property it is about.
    func within(className: String, property: String? = nil) -> InputError {
        guard var item = details.first, item.className == nil else { return self }
        item.className = className
        item.property = property ?? item.property
        let place = item.property.map { "property '\(className).\($0)'" } ?? "class '\(className)'"
        let sentence = message.hasSuffix(".") ? String(message.dropLast()) : message
        item.message = "\(sentence) (\(place))."
        return InputError(code, item)
    }
}

extension InputError {
    /// More than 2 GiB in a run of rows that can't be made shorter.
    static let rowTooLarge = InputError(.tooLarge, "One object holds more than 2 GiB of values.")
}
