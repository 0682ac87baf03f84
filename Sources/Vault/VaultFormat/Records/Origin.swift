internal import CofferBasics

/// Section 8.1: where a revision was written first, which tells copies of a vault whether they have seen it.
package struct Origin: Hashable, Sendable {
    package var writer: WriterID
    package var place: UInt64

    package init(writer: WriterID, place: UInt64) {
        self.writer = writer
        self.place = place
    }

    /// Places are less than this.
    package static let placeLimit: UInt64 = 1 << 63

    static let byteCount = 16

    /// Whether a reader accepts it.
    var isValid: Bool { writer != .none && place > 0 && place < Self.placeLimit }

    /// Appends the 16 bytes.
    func append(to output: inout OutputSpan<UInt8>) {
        writer.append(to: &output)
        output.append(littleEndian: place)
    }

    init(from reader: inout ByteReader) throws(Fault) {
        let start = reader.offset
        writer = try reader.readShortIdentifier()
        place = try reader.read()
        guard isValid else { throw Fault(.badValue, at: start) }
    }
}

/// The last place of each writer that a copy of a group has seen.
package struct SeenPlaces: Equatable, Sendable {
    /// Of writers that are not listed, all places up to this one count as seen.
    package private(set) var floor: UInt64 = 0
    /// The places of the listed writers, all of them after the floor.
    private var places: [WriterID: UInt64] = [:]

    package init() {}

    /// What is in a list of writers; the floor is that of no writer.
    init(_ origins: [Origin]) {
        places.reserveCapacity(origins.count)
        for origin in origins { insert(origin) }
    }

    /// The last place of `writer`, or 0.
    package subscript(writer: WriterID) -> UInt64 { places[writer] ?? floor }

    package mutating func insert(_ origin: Origin) {
        if origin.writer == .none { return raiseFloor(to: origin.place) }
        if origin.place > self[origin.writer] { places[origin.writer] = origin.place }
    }

    private mutating func raiseFloor(to place: UInt64) {
        guard place > floor else { return }
        floor = place
        places = places.filter { $0.value > place }
    }

    /// The floor, if there is one, and the writers in ascending order, each with its last place.
    package var origins: [Origin] {
        let listed = places.map(Origin.init).sorted { $0.writer < $1.writer }
        return floor == 0 ? listed : [Origin(writer: .none, place: floor)] + listed
    }

    package var isEmpty: Bool { places.isEmpty && floor == 0 }

    /// The greatest place of all.
    package var greatest: UInt64 { places.values.max() ?? floor }

    /// The number of writers that are listed.
    package var count: Int { places.count }

    package mutating func formUnion(_ other: SeenPlaces) {
        for (writer, place) in other.places { insert(Origin(writer: writer, place: place)) }
        insert(Origin(writer: .none, place: other.floor))
    }

    /// A floor is at most this, so that there are always places after it.
    package static let greatestFloor = Origin.placeLimit / 2

    /// Section 10.1: lists no more than `count` writers, those with the greatest places; the floor replaces the others.
    func remembering(_ count: Int) -> SeenPlaces {
        guard places.count > count else { return self }
        var kept = self
        let ordered = places.values.sorted(by: >)
        kept.raiseFloor(to: min(ordered[count], Self.greatestFloor))
        // So many after the greatest floor are not honest, and what they wrote may come back.
        kept.places = kept.places.filter { $0.value > ordered[count] }
        return kept
    }
}

extension ByteReader {
    /// Reads the places of `count` writers, which must be in order; the first can be the floor.
    mutating func readSeenPlaces(_ count: Int) throws(Fault) -> [Origin] {
        try Limit.writers.check(count, atMost: Limits.writerCount, at: offset)
        var origins: [Origin] = []
        origins.reserveCapacity(min(count, remainingByteCount / Origin.byteCount))
        var floor: UInt64 = 0
        for number in 0..<count {
            let start = offset
            let origin = Origin(writer: try readShortIdentifier(), place: try read())
            if number == 0, origin.writer == .none { floor = origin.place }
            guard origin.isValid || floor > 0 && number == 0, floor <= SeenPlaces.greatestFloor,
                number == 0 || origin.place > floor
            else { throw Fault(.badValue, at: start) }
            if let last = origins.last, last.writer >= origin.writer {
                throw Fault(.outOfOrder, at: start)
            }
            origins.append(origin)
        }
        return origins
    }
}
