/// Where the bytes of a file go, from the first to the last.
///
/// Nothing is ever changed or read back, so a socket does; a sink may encrypt or compress what passes through.
public protocol ByteSink {
    /// Takes the next bytes.
    mutating func write(_ bytes: [UInt8]) throws
}
