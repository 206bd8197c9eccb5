import Glibc
import RealmFormats

extension RealmFormat {
    /// The format that an option or, where there is none, the ending of a file's name says.
    ///
    /// - Parameters:
    ///   - path: `-` is a standard stream.
    ///   - formats: those that serve the purpose.
    /// - Throws: `UsageError` where neither does, or where an archive with a file per class would be named as one of these.
    init(
        _ path: String, option: String, among formats: [RealmFormat], _ arguments: Arguments, of command: Command
    ) throws(UsageError) {
        let name = try arguments.choice(option, of: formats.map(\.name), command)
        let format = name.map { name in formats.first { $0.name == name } } ?? Self.named(by: path, among: formats)
        guard let format else {
            if option == "--from", path != "-", access(path, F_OK) != 0 {
                throw UsageError("\(path): \(String(cString: strerror(errno)))", command: command)
            }
            throw UsageError(Self.question(path, option: option, among: formats, command), command: command)
        }
        if let refusal = format.refusal(ofArchive: path) { throw UsageError(refusal, command: command) }
        self = format
    }

    /// Why an archive with a file per class may not have a name that ends as one of these files does; nil where it does not.
    private func refusal(ofArchive path: String) -> String? {
        guard let ending = classFile?.fileEnding, path.lowercased().hasSuffix("." + ending) else { return nil }
        return
            "\(path) would be a ZIP archive with a file per class: name it \(path.dropLast(ending.utf8.count))\(fileEnding)."
    }

    private static func question(
        _ path: String, option: String, among formats: [RealmFormat], _ command: Command
    ) -> String {
        let choice = "give \(option) \(formats.alternatives)."
        if path == "-" { return "A standard stream has no name that says its format; \(choice)" }
        guard let other = named(by: path, among: readable + writable) else {
            if let refusal = formats.lazy.compactMap({ $0.refusal(ofArchive: path) }).first { return refusal }
            return "\(path): unknown ending; \(choice)"
        }
        return "\(path) ends as \(other.name) does, which \(command.name) does not take here; \(choice)"
    }

    private static func named(by path: String, among formats: [RealmFormat]) -> RealmFormat? {
        guard path != "-", let name = path.split(separator: "/").last?.lowercased() else { return nil }
        // A name that is an ending alone is a hidden file's; of `a.csv.zip` the longest ending says most.
        return formats.filter { name.hasSuffix("." + $0.fileEnding) && name.count > $0.fileEnding.count + 1 }
            .max { $0.fileEnding.count < $1.fileEnding.count }
    }
}
