/// A table with few occupied places that is very cheap to create.
struct SparseTable<Value> {
    /// Positions in `values` plus one; 0 marks an empty place.
    private var places: [Int32]
    private var values: [Value] = []

    init(count: Int) {
        places = Array(repeating: 0, count: count)
    }

    /// The value at `index`, if there is one.
    subscript(index: Int) -> Value? {
        let place = Int(places[index])
        return place == 0 ? nil : values[place - 1]
    }

    /// Stores `value` at `index`.
    mutating func set(_ value: Value, at index: Int) {
        let place = Int(places[index])
        guard place == 0 else {
            values[place - 1] = value
            return
        }
        values.append(value)
        places[index] = Int32(values.count)
    }
}
