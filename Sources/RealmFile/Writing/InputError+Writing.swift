import RealmModel

extension InputError {
    /// A schema that the format has no room for.
    ///
    /// - Parameter what: the reason as a sentence without its full stop.
    static func unwritable(_ what: String, of className: String, _ property: String? = nil) -> InputError {
        InputError(.schemaInvalid, what + ".").within(className: className, property: property)
    }

    /// Something that Realm can store today, but not in the version of the format that is asked for.
    ///
    /// - Parameter what: the subject of a sentence.
    static func notInFormat(
        _ what: String, _ format: WrittenFormat, of className: String, _ property: String? = nil, key: Int64? = nil
    ) -> InputError {
        InputError(.notInFormat, "File format \(format.rawValue) has no place for \(what).")
            .within(className: className, property: property, key: key)
    }

    /// A list or a dictionary in a mixed value.
    static func nestedCollection(
        _ format: WrittenFormat, of className: String, _ property: String, key: Int64? = nil
    ) -> InputError {
        .notInFormat("a list or a dictionary in a mixed value", format, of: className, property, key: key)
    }

    /// A link to an object that is not there.
    ///
    /// - Parameter key: the key of the object that has the link, where it is known.
    static func brokenLink(of className: String, _ property: String, key: Int64? = nil) -> InputError {
        InputError(.brokenLink, "A link leads to an object that is not there.")
            .within(className: className, property: property, key: key)
    }

    /// A string past the longest that Realm keeps.
    static func stringTooLong(of className: String, _ property: String) -> InputError {
        InputError(.tooLarge, "A string is longer than \(RealmLimits.stringBytes) bytes.")
            .within(className: className, property: property)
    }
}
