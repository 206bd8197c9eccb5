import Columns
import RealmMigration

extension ScriptSource {
    /// Writes the script for a host.
    func encode(into writer: inout ByteWriter) {
        writer.write(string: language.rawValue)
        writer.write(string: source)
    }

    /// Reads what `encode` wrote.
    init(from reader: inout ByteReader) throws(ColumnError) {
        guard let language = ScriptLanguage(rawValue: try reader.readString()) else {
            throw reader.damage("the language of a script")
        }
        self.init(language, try reader.readString())
    }
}
