import RealmModel

/// Where values and names are written in the bytes of a text.
extension [UInt8] {
    /// Where a value stands as a part, twice at most.
    func positions(of part: Value) -> [Int] {
        if case .string(let text) = part {
            let run = Array(text.utf8)
            return run.count > 2 && run.count < count ? positions(of: run) { _ in false } : []
        }
        let isNumber = part.number != nil
        for writing in CarriedValue(part).writings where writing.utf8.count < count {
            let found = positions(of: Array(writing.utf8)) { isNumber && ValueWords.isDigit($0) }
            if !found.isEmpty { return found }
        }
        return []
    }

    /// Whether a name is a word of it.
    func haveWord(_ name: String) -> Bool {
        !positions(of: Array(name.utf8), apartFrom: ValueWords.isLetter).isEmpty
    }

    /// Where a run of bytes stands, twice at most.
    ///
    /// - Parameter isInner: says of a byte that none such is beside the run.
    private func positions(of run: [UInt8], apartFrom isInner: (UInt8) -> Bool) -> [Int] {
        guard let first = run.first, run.count <= count else { return [] }
        var found: [Int] = []
        for start in 0...(count - run.count) where self[start] == first && found.count < 2 {
            let end = start + run.count
            guard self[start..<end].elementsEqual(run) else { continue }
            if !(start > 0 && isInner(self[start - 1])) && !(end < count && isInner(self[end])) { found.append(start) }
        }
        return found
    }
}
