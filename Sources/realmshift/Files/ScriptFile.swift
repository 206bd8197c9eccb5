import FileStore
import RealmMigration
import RealmModel

/// A migration script in a file.
enum ScriptFile {
    /// Reads a script.
    ///
    /// - Throws: `FileError`, also where the file is not text in UTF-8: a script that was read as something else would
    ///   write something else.
    static func source(_ path: String) throws(FileError) -> ScriptSource {
        guard let text = String(validating: try TextFile.bytes(path), as: UTF8.self) else {
            throw FileError(path: path, reason: "The script is not text in UTF-8.")
        }
        return ScriptSource(.javaScript, text)
    }
}
