import CJavaScriptCore

/// Memory that the prelude and Swift share, for the arguments of the calls that are made a million times.
///
/// Every look at an argument takes and gives back the lock of the virtual machine, which costs more than the rest of a
/// call; a number in shared memory costs nothing.
final class CallSlots {
    /// The places; `Prelude` has them by these names.
    enum Place: Int, CaseIterable {
        /// The number of the side.
        case side
        /// The index of the class.
        case classIndex
        /// The object key, a number or 64 bits.
        case key
        /// The index of the property.
        case property
        /// Not zero where the key stands there as 64 bits.
        case keyIsLong
        /// Not zero where `number` stands for the value.
        case hasNumber
        /// The value, where it is a number.
        case number
        /// How many objects of the new side were deleted by now.
        case deletionCount
    }

    private static let count = Place.allCases.count
    // Freed by the collector with the typed array, which the prelude holds as long as anything here is read.
    private let cells = UnsafeMutablePointer<Double>.allocate(capacity: count)

    init() {
        cells.initialize(repeating: 0, count: Self.count)
    }

    /// The number of the side.
    var side: Int { int(.side) }
    /// The index of the class.
    var classIndex: Int { int(.classIndex) }

    /// The object key: a number, or 64 bits where a number would not be exact.
    var key: Int64 {
        let key = cells + Place.key.rawValue
        return cells[Place.keyIsLong.rawValue] == 0
            ? Int64(exactly: key.pointee) ?? -1 : UnsafeRawPointer(key).load(as: Int64.self)
    }

    /// The index of the property.
    var property: Int { int(.property) }

    /// The value, where it is a number.
    var number: Double? { cells[Place.hasNumber.rawValue] == 0 ? nil : cells[Place.number.rawValue] }

    /// The memory as a Float64Array.
    func makeTypedArray(in context: JavaScriptContext) throws -> JSObjectRef {
        var exception: JSValueRef?
        let array = JSObjectMakeTypedArrayWithBytesNoCopy(
            context.reference, kJSTypedArrayTypeFloat64Array, cells, Self.count * MemoryLayout<Double>.stride,
            { cells, _ in cells?.deallocate() }, nil, &exception)
        return try context.checked(array, exception)
    }

    /// How many objects of the new side were deleted by now, for the prelude to see.
    func note(deletionCount: Int) { cells[Place.deletionCount.rawValue] = Double(deletionCount) }

    private func int(_ place: Place) -> Int { Int(exactly: cells[place.rawValue]) ?? -1 }
}
