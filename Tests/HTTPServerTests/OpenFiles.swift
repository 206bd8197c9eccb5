import Foundation

/// The names in a directory.
func fileNames(in directory: String) -> [String] {
    (try? FileManager.default.contentsOfDirectory(atPath: directory)) ?? []
}

/// This process's open files, named or unlinked, in a directory.
func openFileCount(in directory: String = "") -> Int {
    fileNames(in: "/proc/self/fd").filter { name in
        let target = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\(name)")
        return target?.hasPrefix(directory) ?? false
    }.count
}
