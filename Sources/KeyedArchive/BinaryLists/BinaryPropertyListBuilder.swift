internal import CofferBasics

/// Lists the objects of a binary property list in file order, and then writes the file.
///
/// The sizes of references and offsets depend on all objects, so the list comes first.
struct BinaryPropertyListBuilder {
    /// What stands at one place of the walk from the root; an object that was added before is not written again.
    enum Item {
        /// A scalar, by its number in the table.
        case scalar(Int32)
        /// A reference into the objects of a keyed archive.
        case uid(UInt32)
        /// A container, which so many items with everything they contain follow.
        case container(Container, count: Int32)
    }

    enum Container: UInt8 {
        case array = 0xA0
        case set = 0xC0
        case dictionary = 0xD0
    }

    var scalars: ScalarTable
    private(set) var items: [Item] = []
    private(set) var layout = BinaryPropertyListLayout()
    private(set) var uidCount = 0
    private let firstScalarCount: Int
    /// A bit for each of the scalars that the table began with: whether it was added.
    private var addedFirstScalars: UInt64 = 0

    /// Starts with a table of up to 64 scalars, which are written only if they are added.
    init(scalars: ScalarTable) {
        self.scalars = scalars
        firstScalarCount = scalars.count
    }

    /// Makes room for the scalars and items of a record.
    mutating func reserveRoomForRecord() {
        scalars.reserveRoomForRecord()
        items.reserveCapacity(120)
    }

    /// Overwrites the scalars with zeros.
    mutating func wipe() { scalars.wipe() }

    /// The number of items; the next one is added at this place.
    var count: Int { items.count }

    /// Returns the number of `scalar`, which must then be added.
    mutating func number(of scalar: Scalar) -> Int {
        let knownCount = scalars.count
        let number = scalars.number(of: scalar)
        if number == knownCount {
            layout.addObject(byteCount: scalars.byteCount(of: number))
        } else {
            use(number)
        }
        return number
    }

    /// Adds the scalar with this number.
    mutating func add(number: Int) {
        use(number)
        items.append(.scalar(Int32(truncatingIfNeeded: number)))
    }

    /// Adds a container of `count` elements or entries; its parts must follow.
    mutating func add(_ container: Container, count: Int) {
        layout.addContainer(count: count, partCount: container == .dictionary ? 2 * count : count)
        items.append(.container(container, count: Int32(count)))
    }

    /// Adds items that are set later.
    mutating func addUnknown(count: Int) {
        for _ in 0..<count { items.append(.uid(0)) }
    }

    /// Sets an unknown item to the scalar with this number.
    mutating func set(number: Int, at place: Int) {
        items[place] = .scalar(Int32(truncatingIfNeeded: number))
    }

    /// Sets an unknown item to a reference, which must have been counted.
    mutating func set(uid: UInt32, at place: Int) {
        items[place] = .uid(uid)
    }

    /// Sets an unknown item to an array of `count` elements, which must follow.
    mutating func setArray(count: Int, at place: Int) {
        layout.addContainer(count: count, partCount: count)
        items[place] = .container(.array, count: Int32(count))
    }

    /// Counts a reference that is added once or more.
    mutating func countUID(_ uid: UInt32) {
        uidCount = max(uidCount, Int(uid) + 1)
        layout.addObject(byteCount: 1 + Scalar.byteCount(of: uid))
    }

    private mutating func use(_ number: Int) {
        guard number < firstScalarCount, addedFirstScalars & 1 << UInt64(number) == 0 else { return }
        addedFirstScalars |= 1 << UInt64(number)
        layout.addObject(byteCount: scalars.byteCount(of: number))
    }
}
