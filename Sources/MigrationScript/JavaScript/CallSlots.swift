import CJavaScriptCore

/// Memory that the prelude and Swift share, for the arguments of the calls that are made a million times.
///
/// Every look at an argument takes and gives back the lock of the virtual machine, which costs more than the rest of a
/// call; a number in shared memory costs nothing. `Prelude` has the same places.
final class CallSlots {
    private static let count = 8
    // Freed by the collector with the typed array, which the prelude holds as long as anything here is read.
    private let cells = UnsafeMutablePointer<Double>.allocate(capacity: count)

    init() {
        cells.initialize(repeating: 0, count: Self.count)
    }

    /// The number of the side.
    var side: Int { int(0) }
    /// The index of the class.
    var classIndex: Int { int(1) }

    /// The object key: a number, or 64 bits where a number would not be exact.
    var key: Int64 {
        cells[4] == 0
            ? Int64(exactly: cells[2]) ?? -1 : UnsafeRawPointer(cells).load(fromByteOffset: 16, as: Int64.self)
    }

    /// The index of the property.
    var property: Int { int(3) }

    /// The value, where it is a number.
    var number: Double? { cells[5] == 0 ? nil : cells[6] }

    /// The memory as a Float64Array.
    func makeTypedArray(in context: JavaScriptContext) throws -> JSObjectRef {
        var exception: JSValueRef?
        let array = JSObjectMakeTypedArrayWithBytesNoCopy(
            context.reference, kJSTypedArrayTypeFloat64Array, cells, Self.count * MemoryLayout<Double>.stride,
            { cells, _ in cells?.deallocate() }, nil, &exception)
        return try context.checked(array, exception)
    }

    /// How many objects of the new side were deleted by now, for the prelude to see.
    func note(deletionCount: Int) { cells[7] = Double(deletionCount) }

    private func int(_ index: Int) -> Int { Int(exactly: cells[index]) ?? -1 }
}
