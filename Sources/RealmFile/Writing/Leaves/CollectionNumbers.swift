/// Numbers of nested collections, of which no two of a file have the same.
final class CollectionNumbers {
    private var count: Int64 = 0

    func next() -> Int64 {
        count += 1
        return count
    }
}
