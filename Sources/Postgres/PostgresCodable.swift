/// A PostgreSQL type by its object identifier; those of `pg_type.dat` never change.
public struct PostgresType: Hashable, Sendable {
    /// The object identifier.
    public let oid: UInt32
    /// The object identifier of its array type.
    public let arrayOID: UInt32

    /// Names a type by its identifiers.
    public init(oid: UInt32, arrayOID: UInt32) {
        self.oid = oid
        self.arrayOID = arrayOID
    }

    /// `boolean`.
    public static let bool = PostgresType(oid: 16, arrayOID: 1000)
    /// `bytea`.
    public static let bytea = PostgresType(oid: 17, arrayOID: 1001)
    /// `bigint`.
    public static let int8 = PostgresType(oid: 20, arrayOID: 1016)
    /// `integer`.
    public static let int4 = PostgresType(oid: 23, arrayOID: 1007)
    /// `text`.
    public static let text = PostgresType(oid: 25, arrayOID: 1009)
    /// `json`, which keeps its text as it is.
    public static let json = PostgresType(oid: 114, arrayOID: 199)
    /// `double precision`.
    public static let float8 = PostgresType(oid: 701, arrayOID: 1022)
    /// `timestamp with time zone`.
    public static let timestamptz = PostgresType(oid: 1184, arrayOID: 1185)
    /// `numeric`.
    public static let numeric = PostgresType(oid: 1700, arrayOID: 1231)
    /// `uuid`.
    public static let uuid = PostgresType(oid: 2950, arrayOID: 2951)
}

/// A Swift type that has a binary form in PostgreSQL.
public protocol PostgresCodable {
    /// The type of parameters of this Swift type.
    static var postgresType: PostgresType { get }
    /// The value in PostgreSQL's binary format.
    var postgresBytes: [UInt8] { get }
    /// Reads PostgreSQL's binary format; nil where the bytes are not of this type.
    init?(postgresBytes bytes: UnsafeRawBufferPointer)
}

extension FixedWidthInteger {
    var bigEndianBytes: [UInt8] { withUnsafeBytes(of: bigEndian) { Array($0) } }

    init?(bigEndianBytes bytes: UnsafeRawBufferPointer) {
        guard bytes.count == MemoryLayout<Self>.size else { return nil }
        self.init(bigEndian: bytes.loadUnaligned(as: Self.self))
    }
}

extension Bool: PostgresCodable {
    /// `boolean`.
    public static var postgresType: PostgresType { .bool }
    /// One byte.
    public var postgresBytes: [UInt8] { [self ? 1 : 0] }
    /// Reads one byte.
    public init?(postgresBytes bytes: UnsafeRawBufferPointer) {
        guard bytes.count == 1 else { return nil }
        self = bytes[0] != 0
    }
}

extension Int: PostgresCodable {
    /// `bigint`.
    public static var postgresType: PostgresType { .int8 }
    /// Eight bytes, most significant first.
    public var postgresBytes: [UInt8] { Int64(self).bigEndianBytes }
    /// Reads a `bigint`, an `integer` or a `smallint`.
    public init?(postgresBytes bytes: UnsafeRawBufferPointer) {
        switch bytes.count {
        case 8: self = Int(Int64(bigEndian: bytes.loadUnaligned(as: Int64.self)))
        case 4: self = Int(Int32(bigEndian: bytes.loadUnaligned(as: Int32.self)))
        case 2: self = Int(Int16(bigEndian: bytes.loadUnaligned(as: Int16.self)))
        default: return nil
        }
    }
}

extension Int32: PostgresCodable {
    /// `integer`.
    public static var postgresType: PostgresType { .int4 }
    /// Four bytes, most significant first.
    public var postgresBytes: [UInt8] { bigEndianBytes }
    /// Reads an `integer`.
    public init?(postgresBytes bytes: UnsafeRawBufferPointer) { self.init(bigEndianBytes: bytes) }
}

extension Double: PostgresCodable {
    /// `double precision`.
    public static var postgresType: PostgresType { .float8 }
    /// Eight bytes, most significant first.
    public var postgresBytes: [UInt8] { bitPattern.bigEndianBytes }
    /// Reads a `double precision`.
    public init?(postgresBytes bytes: UnsafeRawBufferPointer) {
        guard let bits = UInt64(bigEndianBytes: bytes) else { return nil }
        self.init(bitPattern: bits)
    }
}

extension String: PostgresCodable {
    /// `text`.
    public static var postgresType: PostgresType { .text }
    /// UTF-8; PostgreSQL refuses U+0000.
    public var postgresBytes: [UInt8] { Array(utf8) }
    /// Reads any type whose binary form is its text.
    public init?(postgresBytes bytes: UnsafeRawBufferPointer) { self.init(decoding: bytes, as: UTF8.self) }
}

/// The text of a JSON document, for columns of type `json`.
public struct PostgresJSON: PostgresCodable, Hashable, Sendable {
    /// The text, as PostgreSQL keeps it.
    public var text: String

    /// Wraps a text that is JSON.
    public init(_ text: String) { self.text = text }

    /// `json`.
    public static var postgresType: PostgresType { .json }
    /// UTF-8.
    public var postgresBytes: [UInt8] { Array(text.utf8) }
    /// Reads a `json`.
    public init?(postgresBytes bytes: UnsafeRawBufferPointer) { self.init(String(decoding: bytes, as: UTF8.self)) }
}

/// Bytes, for columns of type `bytea`.
public struct PostgresBytes: PostgresCodable, Hashable, Sendable {
    /// The bytes.
    public var bytes: [UInt8]

    /// Wraps bytes.
    public init(_ bytes: [UInt8]) { self.bytes = bytes }

    /// `bytea`.
    public static var postgresType: PostgresType { .bytea }
    /// The bytes themselves.
    public var postgresBytes: [UInt8] { bytes }
    /// Copies the bytes.
    public init?(postgresBytes bytes: UnsafeRawBufferPointer) { self.init(Array(bytes)) }
}
