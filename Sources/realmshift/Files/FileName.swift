/// The name of a path in messages.
enum FileName {
    /// The path itself, or the stream that `-` stands for.
    static func of(_ path: String, isInput: Bool) -> String {
        path == "-" ? "standard \(isInput ? "input" : "output")" : path
    }
}
