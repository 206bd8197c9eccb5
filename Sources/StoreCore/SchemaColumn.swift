import Columns
import Postgres
import RealmModel

/// Schemas in columns of type `bytea`, in the coding of snapshots: the order of properties means something.
package enum SchemaColumn {
    package static func encode(_ schema: Schema) -> PostgresBytes {
        var writer = ByteWriter()
        SchemaCoding.encode(schema, into: &writer)
        return PostgresBytes(writer.bytes)
    }

    /// - Throws: `StoreError.damaged`.
    package static func decode(_ bytes: PostgresBytes) throws -> Schema {
        var reader = ByteReader(bytes.bytes)
        do {
            return try SchemaCoding.decodeSchema(from: &reader)
        } catch {
            throw StoreError.damaged("a schema")
        }
    }
}
