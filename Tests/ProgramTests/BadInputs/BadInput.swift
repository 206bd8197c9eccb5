import Testing

/// Something that a person got wrong, with what the answer has to say: where it is, and what to do about it.
struct BadInput: CustomTestStringConvertible, Sendable {
    /// How it is handed in.
    enum Way: Sendable {
        case command([String])
        case request(method: String, path: String, body: String?)
    }

    let name: String
    let files: [String: String]
    let way: Way
    /// A part of the answer that says where: a class, a property, a line, a byte, a member, a file, an option.
    let place: String
    /// A part of the answer that says what to do, or what was probably meant; nil where the answer says nothing of the kind.
    let remedy: String?

    init(_ name: String, files: [String: String] = [:], run arguments: [String], place: String, remedy: String?) {
        self.init(name: name, files: files, way: .command(arguments), place: place, remedy: remedy)
    }

    init(
        _ name: String, request method: String, _ path: String, body: String? = nil, place: String, remedy: String?
    ) {
        let way = Way.request(method: method, path: path, body: body)
        self.init(name: name, files: [:], way: way, place: place, remedy: remedy)
    }

    private init(name: String, files: [String: String], way: Way, place: String, remedy: String?) {
        (self.name, self.files, self.way, self.place, self.remedy) = (name, files, way, place, remedy)
    }

    var testDescription: String { name }

    static let commands = schemas + scripts + realms + queries + options
    static let all = commands + requests
}
