/// The nulls and extremes of a column in a row group; NaN is neither.
struct ParquetStatistics {
    private enum Extremes {
        case none
        case integers(Int64, Int64)
        case doubles(Double, Double)
        case floats(Float, Float)
        case bytes([UInt8], [UInt8])
    }

    /// Texts that are longer are no extremes that are worth their place.
    private static let longestText = 256
    var nullCount = 0
    private var extremes = Extremes.none

    /// Takes values, none of which is null.
    mutating func take(all numbers: [Int64]) {
        guard var low = numbers.first, var high = numbers.first else { return }
        for number in numbers { (low, high) = (min(low, number), max(high, number)) }
        take(low)
        take(high)
    }

    mutating func take(all numbers: [Double]) {
        for number in numbers { take(number) }
    }

    mutating func take(all numbers: [Float]) {
        for number in numbers { take(number) }
    }

    @inline(__always)
    mutating func take(_ number: Int64) {
        guard case .integers(let low, let high) = extremes else {
            extremes = .integers(number, number)
            return
        }
        if number < low || number > high { extremes = .integers(min(low, number), max(high, number)) }
    }

    @inline(__always)
    mutating func take(_ number: Double) {
        guard !number.isNaN else { return }
        guard case .doubles(let low, let high) = extremes else {
            extremes = .doubles(number, number)
            return
        }
        if number < low || number > high { extremes = .doubles(min(low, number), max(high, number)) }
    }

    @inline(__always)
    mutating func take(_ number: Float) {
        guard !number.isNaN else { return }
        guard case .floats(let low, let high) = extremes else {
            extremes = .floats(number, number)
            return
        }
        if number < low || number > high { extremes = .floats(min(low, number), max(high, number)) }
    }

    @inline(__always)
    mutating func take(_ text: UnsafeRawBufferPointer) {
        guard case .bytes(let low, let high) = extremes else {
            extremes = .bytes(Array(text), Array(text))
            return
        }
        if text.lexicographicallyPrecedes(low) {
            extremes = .bytes(Array(text), high)
        } else if high.lexicographicallyPrecedes(text) {
            extremes = .bytes(low, Array(text))
        }
    }

    /// The smallest and the largest value as a page would have them, without their lengths; nil where there is none.
    var encoded: (minimum: [UInt8], maximum: [UInt8])? {
        func bytes(_ number: some FixedWidthInteger) -> [UInt8] {
            var out: [UInt8] = []
            out.append(littleEndian: number)
            return out
        }
        switch extremes {
        case .none: return nil
        case .integers(let low, let high): return (bytes(low), bytes(high))
        // Whichever zero was met first, both are between these.
        case .doubles(let low, let high):
            return (bytes((low == 0 ? -0.0 : low).bitPattern), bytes((high == 0 ? 0.0 : high).bitPattern))
        case .floats(let low, let high):
            return (bytes((low == 0 ? -0.0 : low).bitPattern), bytes((high == 0 ? 0.0 : high).bitPattern))
        case .bytes(let low, let high):
            return max(low.count, high.count) > Self.longestText ? nil : (low, high)
        }
    }
}
