import RealmModel

/// The names of an archive's files, which every file system tells apart and none takes for something else.
///
/// File systems fold the case of every letter and compose accents, so that two such names would be one file.
struct FileNames {
    private var taken: Set<String> = []  // no name
    private var numbers: [String: Int] = [:]  // no name
    private static let byteLimit = 200
    /// Devices of Windows, in whatever folder and with whatever ending.
    private static let devices: Set<String> = [  // no name
        "con", "prn", "aux", "nul", "conin$", "conout$", "com0", "com1", "com2", "com3", "com4", "com5", "com6", "com7",
        "com8", "com9", "com¹", "com²", "com³", "lpt0", "lpt1", "lpt2", "lpt3", "lpt4", "lpt5", "lpt6", "lpt7", "lpt8",
        "lpt9", "lpt¹", "lpt²", "lpt³",
    ]

    /// Takes the name of a file for what is called `name`; where it is taken, the first of `name_2.ending`, `name_3.ending` …
    /// that is not.
    mutating func take(_ name: String, ending: String) -> String {
        let stem = Self.plain(name)
        var file = Self.file(stem, "", ending)
        let first = Self.folded(file)
        var number = numbers[first] ?? 1
        while !taken.insert(Self.folded(file)).inserted {
            number += 1
            file = Self.file(stem, "_\(number)", ending)
        }
        numbers[first] = number
        return file
    }

    private static func file(_ stem: String, _ number: String, _ ending: String) -> String {
        stem.cut(toBytes: byteLimit - number.utf8.count - ending.utf8.count - 1) + number + "." + ending
    }

    /// Letters of any case are one; texts of Swift are the same where they are composed of the same characters.
    private static func folded(_ name: String) -> String { name.uppercased().lowercased() }

    /// The name without what leads to another folder, means something to a shell, or isn't seen.
    private static func plain(_ name: String) -> String {
        var text = String(
            String.UnicodeScalarView(
                name.unicodeScalars.map { scalar in
                    scalar.isVisible && !"/\\:*?\"<>|".unicodeScalars.contains(scalar) ? scalar : "_"
                }))
        // Windows looks for the name of a device before the first dot.
        let head = text.prefix { $0 != "." }.lowercased()
        let isDevice = devices.contains(String(head.reversed().drop { $0 == " " }.reversed()))
        let meansSomething = text.unicodeScalars.first.map { ".-~ ".unicodeScalars.contains($0) } ?? true
        if isDevice || meansSomething { text = "_" + text }
        return text
    }
}

extension Unicode.Scalar {
    /// Whether it is neither a control nor a mark of format, nor a separator other than the space.
    var isVisible: Bool {
        switch properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate, .privateUse, .unassigned: false
        case .spaceSeparator: self == " "
        default: true
        }
    }
}
