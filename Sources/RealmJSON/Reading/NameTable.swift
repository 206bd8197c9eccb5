/// Finds the number of a name by its bytes; Swift's own equality of strings would normalise them.
struct NameTable {
    private let names: [[UInt8]]
    private let numbers: [[UInt8]: Int]

    /// Numbers names from 0; of two that are the same, the first counts.
    init(_ names: [String]) {
        self.names = names.map { Array($0.utf8) }
        numbers = Dictionary(zip(self.names, names.indices), uniquingKeysWith: { first, _ in first })
    }

    /// How many names there are.
    var count: Int { names.count }

    /// The number of a name; nil where it is not in the table.
    ///
    /// - Parameter guess: the number that is tried first.
    @inline(__always)
    func number(of name: UnsafeRawBufferPointer, guess: Int) -> Int? {
        if guess < names.count, matches(guess, name) { return guess }
        return numbers[Array(name)]
    }

    @inline(__always)
    private func matches(_ number: Int, _ name: UnsafeRawBufferPointer) -> Bool {
        names[number].withUnsafeBytes { expected in
            guard expected.count == name.count else { return false }
            for index in 0..<expected.count where expected[index] != name[index] { return false }
            return true
        }
    }
}
