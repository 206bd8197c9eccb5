import Columns
import RealmJSON
import RealmMigration
import RealmModel
import Sandbox

/// The bytes of migrations, their results and their errors on the socket between a host and its parent.
package enum MigrationCoding {
    package static func encode(_ request: MigrationRequest, into writer: inout ByteWriter) {
        writer.write(bytes: SnapshotCoding.encode(request.source))
        SchemaCoding.encode(request.target, into: &writer)
        writer.write(request.targetVersion)
        writer.write(string: request.mode.rawValue)
        // Scripts go as they are, beside the request.
        var declared = request.migration
        declared.script = nil
        writer.write(bytes: declared.json.encoded())
        writer.write(byte: request.resolveEmbeddedConstraints ? 1 : 0)
        writer.write(string: request.addedRequired.rawValue)
        writer.write(optional: request.quarantineLimit.map(Int64.init))
        encode(request.retry, into: &writer)
        writer.write(optional: request.share.map { Int64($0.index) })
        writer.write(count: request.share?.count ?? 0)
        writer.write(byte: request.origin == nil ? 0 : 1)
        guard let origin = request.origin else { return }
        writer.write(bytes: origin.source.bytes)
        writer.write(UInt64(bitPattern: origin.milliseconds))
    }

    package static func decodeRequest(from reader: inout ByteReader) throws(ColumnError) -> MigrationRequest {
        let source = try SnapshotCoding.decodeSnapshot(try reader.readBytes())
        let target = try SchemaCoding.decodeSchema(from: &reader)
        let version: UInt64 = try reader.readInteger()
        guard let mode = SchemaMode(rawValue: try reader.readString())
        else { throw reader.damage("the options of a migration") }
        let migration = try decodeMigration(try reader.readBytes())
        let resolvesConstraints = try reader.readByte() != 0
        guard let addedRequired = MigrationRequest.AddedRequired(rawValue: try reader.readString()) else {
            throw reader.damage("the options of a migration")
        }
        var request = MigrationRequest(
            source: source, target: target, targetVersion: version, mode: mode, migration: migration,
            resolveEmbeddedConstraints: resolvesConstraints, addedRequired: addedRequired)
        request.quarantineLimit = try reader.readOptionalInteger().map { Int($0) }
        request.retry = try decodeRetry(from: &reader)
        let (share, shareCount) = (try reader.readOptionalInteger(), try reader.readCount())
        request.share = share.map { MigrationShare(Int($0), of: shareCount) }
        request.origin = try reader.readByte() == 0 ? nil : try decodeOrigin(from: &reader)
        return request
    }

    private static func decodeMigration(_ bytes: [UInt8]) throws(ColumnError) -> DeclaredMigration {
        do throws(InputError) {
            return try DeclaredMigration(try JSONValue.parse(bytes))
        } catch {
            throw .damaged(what: "a migration", offset: 0)
        }
    }

    private static func encode(_ retry: MigrationRetry?, into writer: inout ByteWriter) {
        writer.write(byte: retry == nil ? 0 : 1)
        guard let retry else { return }
        writer.write(bytes: SnapshotCoding.encode(retry.source))
        writer.write(count: retry.keys.count)
        for (className, keys) in retry.keys {
            writer.write(string: className.name)
            writer.write(count: keys.count)
            for key in keys { writer.write(optional: key) }
        }
    }

    private static func decodeRetry(from reader: inout ByteReader) throws(ColumnError) -> MigrationRetry? {
        guard try reader.readByte() != 0 else { return nil }
        let source = try SnapshotCoding.decodeSnapshot(try reader.readBytes())
        var keys: [NameKey: Set<Int64>] = [:]
        for _ in 0..<(try reader.readCount()) {
            let className = NameKey(try reader.readString())
            for _ in 0..<(try reader.readCount()) {
                if let key = try reader.readOptionalInteger() { keys[className, default: []].insert(key) }
            }
        }
        return MigrationRetry(source: source, keys: keys)
    }

    private static func decodeOrigin(from reader: inout ByteReader) throws(ColumnError) -> ScriptOrigin {
        guard let source = UUID(bytes: try reader.readBytes()) else { throw reader.damage("the origin of a migration") }
        let milliseconds: UInt64 = try reader.readInteger()
        return ScriptOrigin(source: source, milliseconds: Int64(bitPattern: milliseconds))
    }

    package static func encode(_ result: MigrationResult) -> [UInt8] {
        var writer = ByteWriter()
        writer.write(bytes: SnapshotCoding.encode(result.snapshot))
        writer.write(byte: result.scriptRan ? 1 : 0)
        writer.write(count: result.warnings.count)
        for warning in result.warnings { writer.write(string: warning) }
        FindingCoding.encode(result.findings, into: &writer)
        FindingCoding.encode(result.renames, into: &writer)
        writer.write(count: result.operationCount)
        writer.write(count: result.output.createdCount)
        ProblemItemCoding.encode(result.quarantined, into: &writer)
        return writer.bytes
    }

    package static func decodeResult(_ bytes: [UInt8]) throws(ColumnError) -> MigrationResult {
        var reader = ByteReader(bytes)
        let snapshot = try SnapshotCoding.decodeSnapshot(try reader.readBytes())
        let scriptRan = try reader.readByte() != 0
        var warnings: [String] = []
        for _ in 0..<(try reader.readCount()) { warnings.append(try reader.readString()) }
        var result = MigrationResult(snapshot: snapshot, scriptRan: scriptRan, warnings: warnings)
        result.findings = try FindingCoding.decodeFindings(from: &reader)
        result.renames = try FindingCoding.decodeRenames(from: &reader)
        result.operationCount = try reader.readCount()
        // The parent knows the rest of its output by itself.
        result.output.createdCount = try reader.readCount()
        result.quarantined = try ProblemItemCoding.decode(from: &reader)
        return result
    }

    package static func encode(_ progress: MigrationProgress) -> [UInt8] {
        var writer = ByteWriter()
        writer.write(string: progress.phase)
        writer.write(optional: progress.className)
        writer.write(count: progress.objectsDone)
        writer.write(count: progress.objectsTotal)
        return writer.bytes
    }

    package static func decodeProgress(_ bytes: [UInt8]) throws(ColumnError) -> MigrationProgress {
        var reader = ByteReader(bytes)
        return MigrationProgress(
            phase: try reader.readString(), className: try reader.readOptionalString(),
            objectsDone: try reader.readCount(), objectsTotal: try reader.readCount())
    }

    package static func encode(_ error: MigrationError) -> [UInt8] {
        var writer = ByteWriter()
        writer.write(optional: error.code?.rawValue)
        writer.write(optional: error.script?.rawValue)
        writer.write(string: error.message)
        ProblemItemCoding.encode(error.details, into: &writer)
        writer.write(count: error.stack.count)
        for frame in error.stack { writer.write(string: frame) }
        writer.write(optional: error.objectsDone.map(Int64.init))
        FindingCoding.encode(error.findings, into: &writer)
        return writer.bytes
    }

    package static func decodeError(_ bytes: [UInt8]) throws(ColumnError) -> MigrationError {
        var reader = ByteReader(bytes)
        let code = try reader.readOptionalString().flatMap(RealmErrorCode.init)
        let script = try reader.readOptionalString().flatMap(MigrationError.ScriptFailure.init)
        let message = try reader.readString()
        let details = try ProblemItemCoding.decode(from: &reader)
        var stack: [String] = []
        for _ in 0..<(try reader.readCount()) { stack.append(try reader.readString()) }
        var error = MigrationError(
            code, message, script: script, details: details, stack: stack,
            objectsDone: try reader.readOptionalInteger().map { Int($0) })
        error.findings = try FindingCoding.decodeFindings(from: &reader)
        return error
    }
}

extension HostAnswer {
    /// The result of a task, or the error of a script whose host has done its duty.
    ///
    /// - Throws: what `decode` throws; the error of a host whose memory ran out, which is none to begin another task in.
    package func result<Value>(_ decode: ([UInt8]) throws -> Value) throws -> Result<Value, MigrationError> {
        switch self {
        case .done(let bytes): return .success(try decode(bytes))
        case .refused(let bytes):
            let error = try MigrationCoding.decodeError(bytes)
            if error.script == .memoryLimit { throw error }
            return .failure(error)
        }
    }
}
