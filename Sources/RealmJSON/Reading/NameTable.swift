/// Finds the number of a name by its bytes; Swift's own equality of strings would normalise them.
struct NameTable {
    /// All names, one behind the other, so that comparing with one takes no reference to it.
    private let bytes: [UInt8]
    /// Where each name starts, and where the last one ends.
    private let starts: [Int]
    private let numbers: [[UInt8]: Int]

    /// Numbers names from 0; of two that are the same, the first counts.
    init(_ names: [String]) {
        let names = names.map { Array($0.utf8) }
        bytes = names.flatMap { $0 }
        starts = names.reduce(into: [0]) { $0.append($0[$0.count - 1] + $1.count) }
        numbers = Dictionary(zip(names, names.indices), uniquingKeysWith: { first, _ in first })
    }

    /// How many names there are.
    var count: Int { starts.count - 1 }

    /// The number of a name; nil where it is not in the table.
    ///
    /// - Parameter guess: the number that is tried first.
    @inline(__always)
    func number(of name: UnsafeRawBufferPointer, guess: Int) -> Int? {
        if guess < count, matches(guess, name) { return guess }
        return numbers[Array(name)]
    }

    @inline(__always)
    private func matches(_ number: Int, _ name: UnsafeRawBufferPointer) -> Bool {
        let start = starts[number]
        guard starts[number + 1] - start == name.count else { return false }
        for index in 0..<name.count where bytes[start + index] != name[index] { return false }
        return true
    }
}
