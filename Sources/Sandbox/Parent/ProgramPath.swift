import Glibc

/// Where the program that runs lies.
public enum ProgramPath {
    /// The path of a program in the same folder; its name alone where the system does not tell the folder.
    public static func beside(_ name: String) -> String {
        guard let path = current, let end = path.lastIndex(of: "/") else { return name }
        return path[...end] + name
    }

    private static var current: String? {
        var buffer = [UInt8](repeating: 0, count: Int(PATH_MAX))
        let count = buffer.withUnsafeMutableBytes { bytes in
            bytes.baseAddress.map {
                readlink("/proc/self/exe", $0.assumingMemoryBound(to: CChar.self), bytes.count)
            } ?? 0
        }
        return count > 0 ? String(decoding: buffer.prefix(count), as: UTF8.self) : nil
    }
}
