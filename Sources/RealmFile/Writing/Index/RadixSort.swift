/// Sorting by a 64-bit number, stable, in time proportional to the number of elements.
enum RadixSort {
    private static let bitsAtOnce = 11

    /// Sorts elements by a number; those of one number stay in their order.
    static func sort<Element>(_ elements: inout [Element], by number: (Element) -> UInt64) {
        guard let differing = differingBits(elements, number) else { return }
        var shift = 0
        while shift < UInt64.bitWidth {
            if differing >> UInt64(shift) & (1 << bitsAtOnce - 1) != 0 { pass(&elements, shift, number) }
            shift += bitsAtOnce
        }
    }

    /// The bits that are not the same in all numbers; nil where the elements are in order already.
    private static func differingBits<Element>(_ elements: [Element], _ number: (Element) -> UInt64) -> UInt64? {
        guard let first = elements.first.map(number) else { return nil }
        var differing: UInt64 = 0
        var last = first
        var isSorted = true
        for element in elements {
            let current = number(element)
            differing |= current ^ first
            if current < last { isSorted = false }
            last = current
        }
        return isSorted ? nil : differing
    }

    private static func pass<Element>(_ elements: inout [Element], _ shift: Int, _ number: (Element) -> UInt64) {
        func digit(_ element: Element) -> Int {
            Int(truncatingIfNeeded: number(element) >> UInt64(shift)) & (1 << bitsAtOnce - 1)
        }
        var next = [Int](repeating: 0, count: 1 << bitsAtOnce)
        for element in elements { next[digit(element)] += 1 }
        var start = 0
        for digit in next.indices {
            let count = next[digit]
            next[digit] = start
            start += count
        }
        let count = elements.count
        elements = [Element](unsafeUninitializedCapacity: count) { buffer, initialized in
            for element in elements {
                let place = digit(element)
                (buffer.baseAddress.map { $0 + next[place] })?.initialize(to: element)
                next[place] += 1
            }
            initialized = count
        }
    }
}
